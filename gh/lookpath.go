package gh

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/cli/safeexec"
)

// lookPath finds the program called name and returns its absolute path.
//
// A path that is not absolute is refused here, since safeexec v1.0.1 does not
// on Unix: it swallows exec.ErrDot, and a relative entry of PATH would run a
// "gh" that lies in whatever folder the daemon was started in.
func lookPath(name string) (string, error) {
	path, err := safeexec.LookPath(name)
	if err != nil {
		return "", missing(newError(err, "could not run gh: %s", reason(name, err)))
	}
	if filepath.IsAbs(path) {
		return path, nil
	}
	if named(name) {
		return "", missing(newError(exec.ErrDot, "could not run gh: %s is a relative path, write an absolute one", name))
	}
	return "", missing(newError(exec.ErrDot, "could not run gh: PATH finds it at %s, which is not an absolute path", path))
}

// named reports whether the name is a path, which is not looked for on PATH.
func named(name string) bool { return filepath.Base(name) != name }

// reason says why name was not found, which for a name on PATH the search
// itself does not: it passes over what it cannot run.
func reason(name string, err error) string {
	if named(name) {
		if fault := unusable(name); fault != "" {
			return fault
		}
		return name + ": " + cause(err)
	}
	text := name + " was not found on PATH"
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		candidate := filepath.Join(dir, name)
		if _, err := os.Stat(candidate); err == nil {
			if fault := unusable(candidate); fault != "" {
				return text + " (" + fault + ")"
			}
		}
	}
	return text
}

// unusable says why the file at path cannot be run, or "" if nothing is seen.
func unusable(path string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path + " does not exist"
	case err != nil:
		return path + ": " + cause(err)
	case info.IsDir():
		return path + " is a directory"
	case runtime.GOOS != "windows":
		return path + " is not executable"
	}
	return ""
}

// cause is the innermost error's text, without the wrapping that repeats the
// path or names a system call.
func cause(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}
