package daemon

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"the-loop/gh"
	"the-loop/internal/eventlog"
	"the-loop/internal/ownfile"
	"the-loop/internal/session"
)

// cacheName is the folder of the state root in which gh caches facts about its
// hosts.
const cacheName = "cache"

// CheckRoot returns an error if other users can write to the state root.
func CheckRoot(root string) error {
	if err := ownfile.CheckFolder(root, "items", "logs", cacheName); err != nil {
		return fmt.Errorf("state root %w", err)
	}
	return nil
}

// openStore reads the records of all items. It sets a damaged record aside and reports it.
func openStore(root string, log *slog.Logger, events *eventlog.Log) (*session.Store, error) {
	return session.Open(root, session.Options{
		Logger: log,
		OnCorrupt: func(path, movedTo, ref string, cause error) {
			log.Error("record could not be read and was set aside; the item is taken as known",
				"ref", ref, "path", path, "moved_to", movedTo, "error", cause)
			events.Write(eventlog.RecordCorrupt(ref, path, movedTo, cause.Error()))
		},
	})
}

// openCache empties gh's cache in the state root and returns it: a failure that gh
// remembers about a host may be over.
func openCache(root string, log *slog.Logger) gh.Cache {
	cache, err := gh.NewCache(filepath.Join(root, cacheName))
	if err != nil {
		log.Warn("folder for gh's cache could not be emptied", "error", err)
	}
	return cache
}

// TemporaryCache returns a cache of gh for a command that leaves no files behind,
// and the function that removes it. If no folder can be made, gh uses its own
// cache.
func TemporaryCache() (cache gh.Cache, remove func()) {
	dir, err := os.MkdirTemp("", "the-loop-")
	if err != nil {
		return gh.Cache{}, func() {}
	}
	cache, _ = gh.NewCache(dir) // cannot fail: the folder exists and is empty
	return cache, func() { os.RemoveAll(dir) }
}
