package heartbeat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"the-loop/internal/ownfile"
	"the-loop/internal/safetext"
)

// maxSize leaves room for ten thousand degraded scopes and more.
const maxSize = 16 << 20

// Read reads the heartbeat at path. Its error wraps fs.ErrNotExist when there is no
// file. It refuses links, and any content but one complete JSON object. Within the
// object it skips only the keys that it cannot read.
func Read(path string) (File, error) {
	f, err := ownfile.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("heartbeat: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return File{}, fmt.Errorf("heartbeat: %w", err)
	}
	if len(data) > maxSize {
		return File{}, fmt.Errorf("%s: larger than %d MiB", path, maxSize>>20)
	}
	file, err := Parse(data)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// Parse reads the content of a heartbeat by the rules of [Read].
func Parse(data []byte) (File, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return File{}, errors.New("empty")
	}
	wire := wireFile{LastCycle: &wireCycle{}}
	err := json.Unmarshal(data, &wire)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return File{}, fmt.Errorf("not whole JSON: %w", syntax)
	}
	if bytes.TrimSpace(data)[0] != '{' {
		return File{}, errors.New("not a JSON object")
	}
	// What remains is a value of the wrong type, which counts as zero.
	f := wire.file()
	f.Source = data
	return f, nil
}

// Encode returns the content to store, with a two-space indent and a final newline.
func (f File) Encode() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(toWire(f)); err != nil {
		return nil, fmt.Errorf("encode the heartbeat: %w", err)
	}
	return safetext.JSON(b.Bytes()), nil
}
