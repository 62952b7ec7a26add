package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Options say what [Load] reads.
type Options struct {
	// File is what [Locate] found, "" when there is no place to look in.
	File string
	// Explicit is what [Locate] said: a file that was asked for must exist.
	Explicit  bool
	Overrides Overrides
	// Getenv is the environment of the default places and of GH_HOST.
	Getenv func(string) string
}

// Overrides are what flags and their variables put in place of the file; a
// zero field leaves the file's value.
type Overrides struct {
	// Repos replace the sources of the file with one source of these
	// [HOST/]OWNER/REPO; no file is needed then.
	Repos []string
	// Labels replace those of every source; "*" stands for every open item.
	Labels []string
	// Interval replaces polling.intervalSeconds.
	Interval *time.Duration
	// StateRoot replaces state.root; a relative one is taken from the working
	// directory.
	StateRoot string
}

// Load reads, checks and completes the configuration. Its error is [Faults]
// when something in it is wrong, and a [*MissingError] with a hint when there
// is nothing to read.
func Load(o Options) (*Config, error) {
	f, err := o.read()
	if err != nil {
		return nil, err
	}
	return o.load(f)
}

// load is everything of [Load] after the reading.
func (o Options) load(f file) (*Config, error) {
	schema, err := compileSchema()
	if err != nil {
		return nil, err
	}
	t := newText(o.File, f.content)
	root, faults := o.examine(t, schema)
	if len(faults) > 0 {
		return nil, faults.asError()
	}
	doc, err := decode(schema, o.Overrides.apply(root.plain()))
	if err != nil {
		return nil, err
	}
	a := assembler{
		places:    places{runtime.GOOS, o.Getenv},
		base:      filepath.Dir(f.path),
		stateRoot: o.Overrides.StateRoot,
		faultAt: func(message string, location ...string) Fault {
			n, path := root.find(location)
			return t.fault(n.at, path, message)
		},
	}
	cfg, err := a.config(doc)
	if err != nil {
		return nil, err
	}
	if f.exists {
		cfg.File, cfg.Digest = f.path, f.digest
	}
	return cfg, nil
}

// examine finds every fault of the file and of the overrides. The tree is
// sound when there is none.
func (o Options) examine(t text, schema *jsonschema.Schema) (*node, Faults) {
	root, faults := t.parse()
	if root != nil {
		c := checker{text: t, schema: schema, root: root, sourcesGiven: len(o.Overrides.Repos) > 0}
		faults = append(faults, c.check()...)
	}
	return root, append(faults, o.Overrides.check(schema)...)
}

// file is what was read of the configuration file.
type file struct {
	path    string // absolute
	exists  bool
	content []byte
	digest  [32]byte
}

// read is the file, or nothing where none is needed.
func (o Options) read() (file, error) {
	if o.File == "" {
		return file{}, o.needsNone(places{runtime.GOOS, o.Getenv}.unset("XDG_CONFIG_HOME", "AppData"))
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return file{}, fmt.Errorf("locate the configuration: %w", err)
	}
	content, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !o.Explicit:
		return file{path: path}, o.needsNone(o.File + " does not exist")
	case errors.Is(err, fs.ErrNotExist):
		return file{}, &MissingError{
			text: "the configuration " + o.File + " does not exist",
			hint: "write one there with 'the-loop --config " + o.File + " config init'",
		}
	case err != nil:
		return file{}, fmt.Errorf("read the configuration: %w", err)
	}
	return file{path: path, exists: true, content: content, digest: sha256.Sum256(content)}, nil
}

// needsNone is nil when the command line says what to watch.
func (o Options) needsNone(why string) error {
	if len(o.Overrides.Repos) > 0 {
		return nil
	}
	return &MissingError{
		text: "no configuration: " + why,
		hint: "write one with 'the-loop config init', or try 'the-loop run --repo OWNER/REPO'",
	}
}

// readBounded reads a file that is no larger than a configuration can be.
func readBounded(path string) ([]byte, error) {
	const most = 1 << 20
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	}
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if len(content) > most {
		return nil, fmt.Errorf("%s is larger than 1 MiB", path)
	}
	return content, nil
}
