package config

import (
	"cmp"
	_ "embed" // starter.yaml
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed starter.yaml
var starterYAML string

// Starter returns the commented file that [Init] writes. It is valid, but its
// repository is only an example.
func Starter() []byte { return []byte(starterYAML) }

// Init writes the starter file, readable only by its owner, and creates the folders
// it needs. It never overwrites a file; the error then wraps [fs.ErrExist].
func Init(path string) error {
	if path == "" {
		return &MissingError{
			text: "no place for the configuration is known",
			hint: "name one with --config FILE",
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if dangling := danglingLink(path); errors.Is(err, fs.ErrExist) && dangling != nil {
		return dangling
	}
	if errors.Is(err, fs.ErrExist) {
		return &existsError{path}
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	_, err = f.Write(Starter())
	if err = cmp.Or(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(path) // half a file would block the next attempt
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

// existsError names a file that [Init] did not overwrite.
type existsError struct{ path string }

func (e *existsError) Error() string { return e.path + " already exists and was left unchanged" }
func (e *existsError) Unwrap() error { return fs.ErrExist }
