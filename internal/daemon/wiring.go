package daemon

import (
	"log/slog"
	"os"
	"path/filepath"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/internal/eventlog"
	"the-loop/internal/session"
	"the-loop/poller"
	"the-loop/poller/github"
)

// openStore reads the records of all items; what cannot be read of them is told.
func openStore(root string, log *slog.Logger, events *eventlog.Log) (*session.Store, error) {
	return session.Open(root, session.Options{
		Logger: log,
		OnCorrupt: func(path, movedTo, ref string) {
			log.Error("record could not be read and was set aside; the item is taken as known",
				"ref", ref, "path", path, "moved_to", movedTo)
			events.Write(eventlog.RecordCorrupt(ref, path, movedTo, "the record could not be read"))
		},
	})
}

// cacheName is the folder in the state root in which gh keeps what it learns of
// its hosts.
const cacheName = "cache"

// openCache is gh's cache below the state root, emptied: what gh held against a
// host is not believed any more.
func openCache(root string, log *slog.Logger) gh.Cache {
	cache, err := gh.NewCache(filepath.Join(root, cacheName))
	if err != nil {
		log.Warn("folder for gh's cache could not be emptied", "error", err)
	}
	return cache
}

// TemporaryCache is a cache for a command that leaves no files; the function
// removes it. Where no folder can be made, gh has its own cache.
func TemporaryCache() (gh.Cache, func()) {
	dir, err := os.MkdirTemp("", "the-loop-")
	if err != nil {
		return gh.Cache{}, func() {}
	}
	cache, _ := gh.NewCache(dir) // it exists, and is empty
	return cache, func() { os.RemoveAll(dir) }
}

// Routing is the part of the configuration that says who starts what.
func Routing(cfg *config.Config) poller.Routing {
	return poller.Routing{
		AuthorizedUsers: cfg.Routing.AuthorizedUsers,
		Spawn:           cfg.Routing.Handlers.Spawn,
		Comment:         cfg.Routing.Handlers.Comment,
		Close:           cfg.Routing.Handlers.Close,
		MaxRetries:      cfg.Polling.MaxRetries,
	}
}

// Sources builds the provider of each configured source, and the pacer of all
// of them, which is nil when the configuration wants none.
func Sources(cfg *config.Config, log *slog.Logger, hosts *github.Hosts, cache gh.Cache) ([]poller.Source, *github.Pacer) {
	var list []poller.Source
	var providers []*github.Provider
	for _, s := range cfg.Polling.Sources {
		client := gh.New(gh.Options{Binary: s.GHBinary, Timeout: s.Timeout, Logger: log, Cache: cache})
		p := github.New(github.Options{
			Client: client, GH: s.GHBinary, Hosts: hosts, Repos: s.Repos, Labels: s.Labels,
			Issues: s.Issues, PullRequests: s.PullRequests,
			Limit: s.Limit, ReprobeCycles: s.ReprobeCycles, Concurrency: s.Concurrency,
		})
		providers = append(providers, p)
		list = append(list, poller.Source{Name: s.Name, Account: s.GHBinary, ReprobeCycles: s.ReprobeCycles, Provider: p})
	}
	pacer := github.NewPacer(hosts, providers)
	if !cfg.Polling.Pace {
		return list, nil
	}
	return list, pacer
}
