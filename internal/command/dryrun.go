package command

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"the-loop/gh"
	"the-loop/internal/argvtemplate"
	"the-loop/internal/config"
	"the-loop/internal/counted"
	"the-loop/internal/daemon"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
	"the-loop/poller"
	"the-loop/poller/github"
	"the-loop/status"
)

// dryRun makes one cycle without consequences: it prints the items it lists, the
// deliveries it would make and the scopes it could not see. It takes no lock, runs
// no handler and writes no file.
func (a *app) dryRun(ctx context.Context, cfg *config.Config, log *slog.Logger, strict bool, cache gh.Cache) error {
	if err := daemon.CheckRoot(cfg.StateRoot); err != nil {
		return err
	}
	store, err := session.Open(cfg.StateRoot, session.Options{Logger: log, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("state root %s: %w", cfg.StateRoot, err)
	}
	p := poller.New(poller.Options{Log: log, Events: (*eventlog.Log)(nil), Store: store, Program: version()})
	would := &wouldDeliver{out: a.stdout}
	p.SetDispatcher(would)
	p.SetRouting(daemon.Routing(cfg))
	list, _ := daemon.Sources(cfg, log, github.NewHosts(), cache)
	for i, src := range list {
		list[i].Provider = shown{Provider: src.Provider, out: a.stdout}
	}
	p.SetSources(list)
	sum := p.Cycle(ctx, nil)
	a.dryRunSummary(sum, p.Scopes(), p.Standing().NoHandler.Count, would.updates)
	if !strict {
		return nil
	}
	return strictVerdict(daemon.Outcome{Failed: len(sum.ScopesFailed) + len(sum.ProviderErrors), GaveUp: sum.Failures})
}

func (a *app) dryRunSummary(sum poller.Summary, scopes, waiting, updates int) {
	for _, list := range [][]poller.ScopeFailure{sum.ScopesFailed, sum.ScopesSkipped} {
		for _, f := range list {
			fmt.Fprintf(a.stdout, "degraded: %s — %s\n", f.Scope, status.Brief(f.Error))
		}
	}
	for _, e := range sum.ProviderErrors {
		fmt.Fprintf(a.stdout, "degraded: %s — the source could not be asked: %s\n", e.Provider, status.Brief(e.Error))
	}
	for _, text := range status.CauseHints(sum) {
		fmt.Fprintf(a.stderr, "the-loop: hint: %s\n", text)
	}
	if waiting > 0 {
		fmt.Fprintf(a.stdout, "no handler: %s would wait for routing.handlers.spawn\n", counted.Of(waiting, "item", "items"))
	}
	news := ""
	if updates > 0 {
		news = ", " + counted.Of(updates, "update", "updates")
	}
	interrupted := ""
	if sum.Interrupted {
		interrupted = " (interrupted by a stop request)"
	}
	fmt.Fprintf(a.stdout, "%s in %d of %s; would deliver %s, %s, %s%s%s\n", counted.Of(sum.ItemsSeen, "item", "items"),
		sum.ScopesPolled, counted.Of(scopes, "repository", "repositories"), counted.Of(sum.Spawns, "spawn", "spawns"),
		counted.Of(sum.CommentsForwarded, "comment", "comments"), counted.Of(sum.Closures, "close", "closes"), news, interrupted)
}

// shownTitle is how many columns of a title are shown: the longest that GitHub
// allows.
const shownTitle = 256

// shown is a provider that prints the items it lists.
type shown struct {
	poller.Provider
	out io.Writer
}

func (s shown) Listing(ctx context.Context, step poller.Step) (poller.Listing, error) {
	l, err := s.Provider.Listing(ctx, step)
	for _, item := range l.Items {
		fmt.Fprintf(s.out, "%s: %s by %s, %q\n", item.Ref, item.Kind,
			firstNonEmpty(safetext.Line(item.Author), "a deleted account"), cut(safetext.Line(item.Title), shownTitle))
	}
	return l, err
}

// wouldDeliver is a dispatcher that prints deliveries and makes none.
type wouldDeliver struct {
	out     io.Writer
	updates int
}

func (w *wouldDeliver) Submit(d dispatch.Delivery) error {
	about := ""
	switch {
	case d.Comment != nil:
		about = fmt.Sprintf(" %s by %s", safetext.Line(d.Comment.ID), safetext.Line(d.Comment.Author))
	case d.Closure != nil:
		about = " " + d.Closure.State
	case d.Update != nil:
		w.updates++
		about = " " + string(d.Update.Kind)
	}
	_, err := fmt.Fprintf(w.out, "would deliver %s%s to session %s of %s\n", d.Event, about, d.Target.Session, d.Target.Ref)
	return err
}

func (*wouldDeliver) Stage(string) dispatch.Stage                               { return dispatch.Absent }
func (*wouldDeliver) Resume(func(dispatch.Delivery) bool) []dispatch.Delivery   { return nil }
func (*wouldDeliver) Ask(session.Target, argvtemplate.Template, dispatch.Asked) {}
func (*wouldDeliver) TrimLogs() error                                           { return nil }
func (*wouldDeliver) Workload() dispatch.Workload                               { return dispatch.Workload{} }
