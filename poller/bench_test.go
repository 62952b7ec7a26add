package poller

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// BenchmarkQuietCycle is a cycle over known items of which none changed: what
// the daemon itself costs beside its calls of gh.
func BenchmarkQuietCycle(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n, "_items"), func(b *testing.B) {
			root := b.TempDir()
			store, err := session.Open(root, session.Options{})
			if err != nil {
				b.Fatal(err)
			}
			p := New(Options{
				Log: slog.New(slog.DiscardHandler), Events: (*eventlog.Log)(nil), Store: store, Program: "v1",
			})
			p.SetDispatcher(&instant{poller: p})
			p.SetRouting(Routing{AuthorizedUsers: []string{"*"}, Spawn: handler(), MaxRetries: 3})
			w := &world{comments: map[string][]Comment{}}
			const perRepo = 20
			for i := range n {
				named := fmt.Sprintf("github:octo/r%d#%d", i/perRepo, i%perRepo+1)
				w.items = append(w.items, WorkItem{
					Ref: named, Scope: fmt.Sprintf("octo/r%d", i/perRepo), Kind: ref.Issue, Item: ref.Repo{Host: "github.com", Owner: "octo", Name: fmt.Sprintf("r%d", i/perRepo)}.Item(i%perRepo + 1), Author: "octocat",
					Title: "An issue with a title of some length", UpdatedAt: time.Unix(1, 0),
				})
				for c := range 20 {
					w.comments[named] = append(w.comments[named], Comment{ID: fmt.Sprintf("IC_kwDOABCDEF%d_%d", i, c)})
				}
			}
			p.SetSources([]Source{{Name: "github", Provider: w}})
			p.Cycle(context.Background(), nil)
			p.Cycle(context.Background(), nil)
			w.asked = nil
			b.ReportAllocs()
			for b.Loop() {
				p.Cycle(context.Background(), nil)
			}
			if len(w.asked) > 0 {
				b.Fatalf("%d items were read in a quiet cycle", len(w.asked))
			}
		})
	}
}
