package command

import (
	"context"
	"fmt"
	"log/slog"

	"the-loop/internal/config"
	"the-loop/internal/safetext"
	"the-loop/poller"
	"the-loop/poller/github"
)

// dryRun asks every source once and prints what it listed and what it could
// not see. It writes no file.
func (a *app) dryRun(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	for _, src := range sources(cfg, log, github.NewHosts()) {
		listing, err := src.Provider.Listing(ctx, nil)
		if err != nil {
			fmt.Fprintf(a.stdout, "degraded: %s — the source could not be asked: %s\n", src.Name, safetext.Line(err.Error()))
			continue
		}
		for _, item := range listing.Items {
			fmt.Fprintf(a.stdout, "%s: %s by %s, %q\n", item.Ref, item.Kind, firstNonEmpty(item.Author, "nobody"), safetext.Line(item.Title))
		}
		for _, list := range [][]poller.ScopeFailure{listing.Failures, listing.Skipped} {
			for _, f := range list {
				fmt.Fprintf(a.stdout, "degraded: %s — %s\n", f.Scope, safetext.Line(f.Error))
			}
		}
		fmt.Fprintf(a.stdout, "%s: %d item(s) in %d of %d scope(s)\n", src.Name, len(listing.Items), len(listing.Polled), len(listing.Polled)+unpolled(listing))
	}
	return ctx.Err()
}

// unpolled counts the degraded scopes of which nothing answered.
func unpolled(l poller.Listing) int {
	degraded := l.Degraded()
	for _, scope := range l.Polled {
		delete(degraded, scope)
	}
	return len(degraded)
}
