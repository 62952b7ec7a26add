package daemon

import (
	"log/slog"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/poller"
	"the-loop/poller/github"
)

// repositories counts the repositories of all sources.
func repositories(cfg *config.Config) int {
	scopes := map[string]bool{}
	for _, s := range cfg.Polling.Sources {
		for _, repo := range s.Repos {
			scopes[repo.Scope()] = true
		}
	}
	return len(scopes)
}

// Routing returns the users who may start sessions, and the handlers.
func Routing(cfg *config.Config) poller.Routing {
	return poller.Routing{
		AuthorizedUsers: cfg.Routing.AuthorizedUsers,
		Spawn:           cfg.Routing.Handlers.Spawn,
		Comment:         cfg.Routing.Handlers.Comment,
		Close:           cfg.Routing.Handlers.Close,
		Update:          cfg.Routing.Handlers.Update,
		Alive:           cfg.Routing.Handlers.Alive,
		AliveEvery:      cfg.Routing.AliveEvery,
		MaxRetries:      cfg.Polling.MaxRetries,
		MaxSessions:     cfg.Routing.MaxSessions,
		MaxSession:      cfg.Routing.MaxSession,
		Priority:        cfg.Routing.Priority,
	}
}

// Sources builds the provider of each configured source and one pacer for all of them.
// The pacer is nil when polling.pace is false.
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
		list = append(list, poller.Source{
			Name: s.Name, Account: s.GHBinary, ReprobeCycles: s.ReprobeCycles, MaxSessions: s.MaxSessions, Provider: p,
			CloseUnlabelled: s.OnUnlabel == config.CloseUnlabelled,
		})
	}
	github.NewSurveyor(hosts, github.SurveyOptions{
		Mode: github.SurveyMode(cfg.Polling.SkipUnchanged), Interval: cfg.Polling.Interval, AsksLimit: !cfg.Polling.Pace,
	}, providers)
	pacer := github.NewPacer(hosts, providers)
	if !cfg.Polling.Pace {
		return list, nil
	}
	return list, pacer
}
