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

// Starter is the commented file that [Init] writes. It is valid as it stands,
// but its repository is an example to be replaced.
func Starter() []byte { return []byte(starterYAML) }

// Init writes the starter file, readable by its owner only, and the folders it
// needs. A file that is there already is left as it is and is an error, which
// wraps [fs.ErrExist].
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
		_ = os.Remove(path) // half a file would be in the way of the next attempt
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

// existsError is a file that [Init] leaves alone.
type existsError struct{ path string }

func (e *existsError) Error() string { return e.path + " is there already and is left as it is" }
func (e *existsError) Unwrap() error { return fs.ErrExist }
