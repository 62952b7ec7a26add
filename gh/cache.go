package gh

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Cache is a folder in which gh keeps what it learns of a host's features. gh
// keeps it for 24 hours, its own failures too: 2.83 for github.com, every
// version for Enterprise hosts. After one bad answer it then fails every
// listing without asking, across restarts (cli/cli 12812). So gh gets a folder of
// the caller's, and the client empties it after each failure that may have
// come from it.
//
// gh also reads such a file while another gh writes it, and then fails with
// "unexpected EOF" (measured with 2.83). So no two calls that run at once share
// a folder: each takes one of the subfolders that no other call holds.
//
// The zero value leaves gh its own cache. Several clients may share a Cache.
type Cache struct {
	path string
	free *freeFolders
}

// freeFolders numbers the subfolders that no call holds. The one returned last is
// taken first, so that few calls at a time need few folders.
type freeFolders struct {
	mu   sync.Mutex
	free []int
	made int
}

// NewCache creates the folder at path if it is missing, empties it, and returns
// the cache in it. The cache can be used despite an error, which names the folder
// that could not be made or removed: gh asks again for whatever it could not keep.
func NewCache(path string) (Cache, error) {
	c := Cache{path, new(freeFolders)}
	err := errors.Join(prepare(path), empty(path))
	entries, _ := os.ReadDir(path) // what cannot be read was reported by prepare
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), folderPrefix) {
			err = errors.Join(err, empty(filepath.Join(path, e.Name())))
		}
	}
	return c, err
}

// folderPrefix begins the name of each call's folder.
const folderPrefix = "call-"

// take returns the folder for one call, which holds it until it calls done.
func (c Cache) take() (folder string, done func()) {
	if c.path == "" {
		return "", func() {}
	}
	c.free.mu.Lock()
	defer c.free.mu.Unlock()
	number := c.free.made + 1
	if last := len(c.free.free) - 1; last >= 0 {
		number, c.free.free = c.free.free[last], c.free.free[:last]
	} else {
		c.free.made = number
	}
	return filepath.Join(c.path, folderPrefix+strconv.Itoa(number)), func() {
		c.free.mu.Lock()
		defer c.free.mu.Unlock()
		c.free.free = append(c.free.free, number)
	}
}

// cacheFolders are what gh makes of a cache folder: in XDG_CACHE_HOME, and, up
// to version 2.46, in TMPDIR. Nothing else is ever removed, whatever else the
// folder holds.
func cacheFolders() []string { return []string{"gh", "gh-cli-cache"} }

// empty makes gh forget what it knows of its hosts. A link in the folder's
// place is left alone: gh's own configuration may lie behind it.
func empty(folder string) error {
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
		return nil // nothing is kept there, and behind a link lies another's folder
	}
	var errs []error
	for _, name := range cacheFolders() {
		errs = append(errs, os.RemoveAll(filepath.Join(folder, name)))
	}
	return errors.Join(errs...)
}

// prepare makes the folder and replaces anything else of that name: gh would follow
// a link to another place.
func prepare(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		err = os.Remove(folder)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// cacheVariables point gh to the folder. Without one, gh keeps its own.
func cacheVariables(folder string) []string {
	if folder == "" {
		return nil
	}
	set := []string{"XDG_CACHE_HOME=" + folder, "TMPDIR=" + folder}
	if runtime.GOOS == "windows" {
		set = append(set, "TMP="+folder)
	}
	return set
}

// looksUpFeatures reports whether a command of gh first looks up the host's
// features.
func looksUpFeatures(args []string) bool {
	return len(args) > 0 && (args[0] == "issue" || args[0] == "pr" || args[0] == "repo")
}
