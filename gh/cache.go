package gh

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Cache is a folder in which gh keeps what it learns of a host's features. gh
// keeps it for 24 hours, its own failures too: 2.83 for github.com, every
// version for Enterprise hosts. After one bad answer it then fails every
// listing without asking, across restarts (cli/cli 12812). So gh gets a folder of
// the caller's, and the client empties it after each failure that may have
// come from it.
//
// The zero value leaves gh its own cache. Several clients may share a Cache.
type Cache struct{ path string }

// NewCache creates the folder at path if it is missing, empties it, and returns
// the cache in it. The cache can be used despite an error, which names the folder
// that could not be made or removed: gh asks again for whatever it could not keep.
func NewCache(path string) (Cache, error) {
	c := Cache{path}
	return c, errors.Join(c.prepare(), c.empty())
}

// cacheFolders are what gh makes of a cache folder: in XDG_CACHE_HOME, and, up
// to version 2.46, in TMPDIR. Nothing else is ever removed, whatever else the
// folder holds.
func cacheFolders() []string { return []string{"gh", "gh-cli-cache"} }

// empty makes gh forget what it knows of its hosts. A link in the folder's
// place is left alone: gh's own configuration may lie behind it.
func (c Cache) empty() error {
	if info, err := os.Lstat(c.path); err != nil || !info.IsDir() {
		return nil // nothing is kept there, and behind a link lies another's folder
	}
	var errs []error
	for _, name := range cacheFolders() {
		errs = append(errs, os.RemoveAll(filepath.Join(c.path, name)))
	}
	return errors.Join(errs...)
}

// prepare makes the folder and replaces anything else of that name: gh would follow
// a link to another place.
func (c Cache) prepare() error {
	if c.path == "" {
		return nil
	}
	info, err := os.Lstat(c.path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		err = os.Remove(c.path)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	if err := os.Mkdir(c.path, 0o700); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// variables point gh to the folder.
func (c Cache) variables() []string {
	if c.path == "" {
		return nil
	}
	set := []string{"XDG_CACHE_HOME=" + c.path, "TMPDIR=" + c.path}
	if runtime.GOOS == "windows" {
		set = append(set, "TMP="+c.path)
	}
	return set
}

// looksUpFeatures reports whether a command of gh first looks up the host's
// features.
func looksUpFeatures(args []string) bool {
	return len(args) > 0 && (args[0] == "issue" || args[0] == "pr" || args[0] == "repo")
}
