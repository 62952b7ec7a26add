package poller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeProvider returns what it is told to.
type fakeProvider struct {
	listing func(context.Context) (Listing, error)
}

func (f fakeProvider) Listing(ctx context.Context, _ Step) (Listing, error) { return f.listing(ctx) }
func (fakeProvider) Hear(map[string]ref.Kind)                               {}
func (fakeProvider) Scopes() int                                            { return 1 }
func (fakeProvider) Comments(context.Context, WorkItem) ([]Comment, error)  { return nil, nil }
func (fakeProvider) Ended(context.Context, string) (Answer, error) {
	return Answer{Ending: StillOpen}, nil
}
func (fakeProvider) Login(context.Context, string) (string, error) { return "octocat", nil }
func (fakeProvider) PullRequest(context.Context, WorkItem) (PullRequest, error) {
	return PullRequest{}, nil
}
func (fakeProvider) SameLogin(a, b string) bool                            { return a == b }
func (fakeProvider) Watches(string, ref.Kind) (scope string, watched bool) { return "", false }

// out is what a cycle leaves for people: log lines and events, without what
// differs from run to run.
type out struct {
	log, events bytes.Buffer
}

type nopCloser struct{ *bytes.Buffer }

func (nopCloser) Close() error { return nil }

func (o *out) poller(t *testing.T) *Poller {
	t.Helper()
	store, err := session.Open(t.TempDir(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := slog.NewTextHandler(&o.log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	p := New(Options{
		Log: slog.New(h), Events: eventlog.New(nopCloser{&o.events}, nil, nil), Store: store, Program: "v1",
	})
	p.SetDispatcher(&instant{poller: p})
	p.SetRouting(Routing{Spawn: handler(), MaxRetries: 1})
	return p
}

// instant is a dispatcher whose handlers have done their work at once.
type instant struct {
	poller *Poller
	got    []dispatch.Delivery
}

func (i *instant) Submit(d dispatch.Delivery) error {
	i.got = append(i.got, d)
	i.poller.Queued(d)
	i.poller.Settle(dispatch.Result{Delivery: d, Outcome: dispatch.Delivered})
	return nil
}
func (*instant) Stage(string) dispatch.Stage                               { return dispatch.Absent }
func (*instant) Resume(func(dispatch.Delivery) bool) []dispatch.Delivery   { return nil }
func (*instant) Ask(session.Target, argvtemplate.Template, dispatch.Asked) {}
func (*instant) TrimLogs() error                                           { return nil }
func (*instant) Workload() dispatch.Workload                               { return dispatch.Workload{} }

func (o *out) eventLines() []string {
	text := regexp.MustCompile(`"ts":"[^"]*",|,"pid":\d+|,"duration_ms":\d+`).ReplaceAllString(o.events.String(), "")
	return strings.Split(strings.TrimSpace(text), "\n")
}

func source(name string, listing func(context.Context) (Listing, error)) Source {
	return Source{Name: name, Provider: fakeProvider{listing}, ReprobeCycles: 60}
}

func answer(l Listing) func(context.Context) (Listing, error) {
	return func(context.Context) (Listing, error) { return l, nil }
}

// items are issues of a stranger, who starts nothing.
func items(n int) []WorkItem {
	list := make([]WorkItem, n)
	for i := range list {
		list[i] = WorkItem{
			Ref: fmt.Sprintf("github:octo/a#%d", i+1), Scope: "octo/a", Kind: ref.Issue,
			Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}.Item(i + 1), Author: "stranger", UpdatedAt: time.Unix(1, 0),
		}
	}
	return list
}

func TestCycleTellsWhatItSaw(t *testing.T) {
	var o out
	p := o.poller(t)
	p.SetSources([]Source{
		source("github", answer(Listing{
			Items:     items(3),
			Failures:  []ScopeFailure{{Scope: "octo/b", Error: "HTTP 502"}, {Scope: "octo/b", Error: "HTTP 502"}, {Scope: "octo/m", Error: "disabled", Permanent: true}},
			Skipped:   []ScopeFailure{{Scope: "octo/s", Error: "standing", Permanent: true}},
			Recovered: []string{"octo/r"}, Polled: []string{"octo/a", "octo/m", "octo/r"},
			Limited: []HostLimit{{Host: "github.com", Until: time.Unix(0, 0)}},
		})),
		source("broken", func(context.Context) (Listing, error) { return Listing{}, errors.New("could not run gh: not found") }),
		source("panicking", func(context.Context) (Listing, error) { panic("boom") }),
		source("last", answer(Listing{Items: items(1), Polled: []string{"octo/a"}})),
	})
	sum := p.Cycle(t.Context(), nil)

	wantLog := `level=ERROR msg="scope failed, retried next cycle" scope=octo/b provider=github error="HTTP 502"
level=ERROR msg="scope failed, retried next cycle" scope=octo/b provider=github error="HTTP 502"
level=WARN msg="scope degraded" scope=octo/m provider=github error=disabled retry_after_cycles=60
level=INFO msg="scope recovered" scope=octo/r provider=github
level=WARN msg="rate limit reached, host left alone" host=github.com until=1970-01-01T00:00:00Z
level=INFO msg="item left alone: no authorized user has asked for it" ref=github:octo/a#1 author=stranger
level=INFO msg="item left alone: no authorized user has asked for it" ref=github:octo/a#2 author=stranger
level=INFO msg="item left alone: no authorized user has asked for it" ref=github:octo/a#3 author=stranger
level=ERROR msg="source could not be asked, retried next cycle" provider=broken error="could not run gh: not found"
level=ERROR msg="source could not be asked, retried next cycle" provider=panicking error="internal error: boom"
level=INFO msg="poll cycle: 4 item(s), 0 spawn(s), 0 comment(s) forwarded, 5 error(s), 3 scope(s) degraded"
`
	if diff := cmp.Diff(wantLog, o.log.String()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	wantEvents := []string{
		`{"event":"poll.scope_error","level":"error","scope":"octo/b","provider":"github","error":"HTTP 502","will_retry":true}`,
		`{"event":"poll.scope_error","level":"error","scope":"octo/b","provider":"github","error":"HTTP 502","will_retry":true}`,
		`{"event":"poll.scope_degraded","level":"warning","scope":"octo/m","provider":"github","error":"disabled","retry_after_cycles":60}`,
		`{"event":"poll.scope_recovered","level":"info","scope":"octo/r","provider":"github"}`,
		`{"event":"poll.rate_limited","level":"warning","host":"github.com","until":"1970-01-01T00:00:00Z"}`,
		`{"event":"poll.unauthorized","level":"info","ref":"github:octo/a#1","author":"stranger"}`,
		`{"event":"poll.unauthorized","level":"info","ref":"github:octo/a#2","author":"stranger"}`,
		`{"event":"poll.unauthorized","level":"info","ref":"github:octo/a#3","author":"stranger"}`,
		`{"event":"poll.provider_error","level":"error","provider":"broken","error":"could not run gh: not found","will_retry":true}`,
		`{"event":"poll.provider_error","level":"error","provider":"panicking","error":"internal error: boom","will_retry":true}`,
		`{"event":"poll.cycle","level":"info","items_seen":4,"spawns":0,"comments_forwarded":0,"closures":0,"failures":0,"errors":5,"interrupted":false,"scopes_polled":3,"scopes_unchanged":0,"scopes_degraded":["octo/b","octo/m","octo/s"]}`,
	}
	if diff := cmp.Diff(wantEvents, o.eventLines()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if sum.ScopesPolled != 3 || len(sum.ScopesFailed) != 3 || len(sum.ScopesSkipped) != 1 || len(sum.ProviderErrors) != 2 {
		t.Errorf("summary %+v", sum)
	}
}

func TestCycleInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var o out
	p := o.poller(t)
	p.SetSources([]Source{
		source("first", func(context.Context) (Listing, error) { cancel(); return Listing{}, context.Canceled }),
		source("second", func(context.Context) (Listing, error) { t.Error("asked after the stop"); return Listing{}, nil }),
	})
	sum := p.Cycle(ctx, nil)
	if !sum.Interrupted || sum.Errors != 0 {
		t.Errorf("summary %+v, want interrupted and no error", sum)
	}
	if want := "poll cycle: 0 item(s), 0 spawn(s), 0 comment(s) forwarded (interrupted by a stop request)"; sum.Line() != want {
		t.Errorf("line %q, want %q", sum.Line(), want)
	}
}

type unscopedSource struct {
	fakeProvider
	err error
}

func (u unscopedSource) ListWorkItems(context.Context) ([]WorkItem, error) {
	return []WorkItem{{Ref: "x:1"}}, u.err
}
func (unscopedSource) Owns(string) bool { return true }

func TestUnscopedIsAllOrNothing(t *testing.T) {
	p := FromUnscoped(unscopedSource{})
	if l, err := p.Listing(t.Context(), nil); err != nil || len(l.Items) != 1 {
		t.Errorf("listing %+v, error %v", l, err)
	}
	if scope, watched := p.Watches("x:1", ref.Issue); scope != "" || !watched {
		t.Errorf("x:1 is of scope %q, watched %t", scope, watched)
	}
	broken := errors.New("no answer")
	if _, err := FromUnscoped(unscopedSource{err: broken}).Listing(t.Context(), nil); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestStrict(t *testing.T) {
	failed := []ScopeFailure{{Scope: "octo/b", Error: "HTTP 502"}}
	for name, l := range map[string]Listing{"failed": {Failures: failed}, "skipped": {Skipped: failed}} {
		if _, err := Strict(l); err == nil || err.Error() != "octo/b: HTTP 502" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := Strict(Listing{Interrupted: true}); err == nil {
		t.Error("an interrupted listing passed as a whole one")
	}
}

func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		wake := make(chan struct{})
		start := time.Now()
		interval := time.Minute
		var at []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			Loop{
				Interval: func() time.Duration { return interval },
				Cycle: func(context.Context) {
					<-time.After(10 * time.Second) // the wait begins when a cycle ends
					at = append(at, time.Since(start))
				},
				Wake:  wake,
				Woken: func() { interval = 30 * time.Second },
			}.Run(ctx)
		}()
		<-time.After(90 * time.Second) // two cycles, and ten seconds into the wait after them
		wake <- struct{}{}             // which now ends after thirty
		<-time.After(35 * time.Second)
		cancel()
		<-done
		want := []time.Duration{10 * time.Second, 80 * time.Second, 120 * time.Second}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("cycles ended after (-want +got):\n%s", diff)
		}
	})
}

func TestLoopCountsCycles(t *testing.T) {
	n := 0
	Loop{Interval: func() time.Duration { return 0 }, Cycles: 3, Cycle: func(context.Context) { n++ }}.Run(t.Context())
	if n != 3 {
		t.Errorf("%d cycles, want 3", n)
	}
}
