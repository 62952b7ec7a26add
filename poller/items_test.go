package poller

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/eventlog"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// world is a source whose items and comments a test sets, and what was asked.
type world struct {
	fakeProvider
	items    []WorkItem
	comments map[string][]Comment
	ended    map[string]Ending
	failing  bool // the scope fails beside what is listed
	// sourceErr is the whole source's failure, unread that of reading comments.
	sourceErr, unread error
	// reading is called while the comments of a ref are read.
	reading func(ref string)
	asked   []string
}

func (w *world) Listing(context.Context, Step) (Listing, error) {
	if w.sourceErr != nil {
		return Listing{}, w.sourceErr
	}
	l := Listing{Items: slices.Clone(w.items), Polled: []string{"octo/a"}}
	if w.failing {
		l.Failures = []ScopeFailure{{Scope: "octo/a", Error: "HTTP 502"}}
	}
	return l, nil
}
func (w *world) Hear(map[string]ref.Kind) {}

func (w *world) Watches(string, ref.Kind) (scope string, watched bool) { return "octo/a", true }

func (w *world) Comments(_ context.Context, item WorkItem) ([]Comment, error) {
	w.asked = append(w.asked, item.Ref)
	if w.reading != nil {
		w.reading(item.Ref)
	}
	return slices.Clone(w.comments[item.Ref]), w.unread
}

func (w *world) Ended(_ context.Context, ref string) (Answer, error) {
	if e, ok := w.ended[ref]; ok {
		return Answer{Ending: e}, nil
	}
	return Answer{Ending: StillOpen}, nil
}

// patient is a dispatcher whose deliveries end when the test says so.
type patient struct {
	poller *Poller
	queued []dispatch.Delivery
}

func (p *patient) Submit(d dispatch.Delivery) error {
	p.poller.Queued(d)
	p.queued = append(p.queued, d)
	return nil
}

func (p *patient) Stage(id string) dispatch.Stage {
	if slices.ContainsFunc(p.queued, func(d dispatch.Delivery) bool { return d.ID == id }) {
		return dispatch.Running
	}
	return dispatch.Absent
}
func (*patient) Resume(func(dispatch.Delivery) bool) []dispatch.Delivery   { return nil }
func (*patient) Ask(session.Target, argvtemplate.Template, dispatch.Asked) {}
func (*patient) TrimLogs() error                                           { return nil }
func (*patient) Workload() dispatch.Workload                               { return dispatch.Workload{} }

// end settles everything queued with one outcome and returns what it was.
func (p *patient) end(o dispatch.Outcome) []string {
	var what []string
	for len(p.queued) > 0 {
		d := p.queued[0]
		what = append(what, told(d))
		p.poller.Settle(dispatch.Result{Delivery: d, Outcome: o, Reason: "exited 1", StartedAt: time.Now()})
		p.queued = p.queued[1:]
	}
	return what
}

func told(d dispatch.Delivery) string {
	s := fmt.Sprintf("%s #%d attempt %d", d.Event, d.Item.Number, d.Attempt)
	if d.Comment != nil {
		s += " " + d.Comment.ID
	}
	return s
}

// rig is a poller over a world and the state root that it keeps.
type rig struct {
	*Poller
	t     *testing.T
	root  string
	world *world
	runs  *patient
	log   strings.Builder
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, root: t.TempDir(), world: &world{comments: map[string][]Comment{}, ended: map[string]Ending{}}}
	r.start("v1")
	return r
}

// start makes the poller anew, as a restart of the program does.
func (r *rig) start(program string) {
	r.t.Helper()
	store, err := session.Open(r.root, session.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.Poller = New(Options{
		Log: slog.New(slog.NewTextHandler(&r.log, nil)), Events: (*eventlog.Log)(nil), Store: store, Program: program,
	})
	r.runs = &patient{poller: r.Poller}
	r.SetDispatcher(r.runs)
	r.SetRouting(Routing{AuthorizedUsers: []string{"@me"}, Spawn: handler(), MaxRetries: 2})
	r.SetSources([]Source{{Name: "github", Provider: r.world}})
}

// handler is any command line: the rigs' dispatchers start none.
func handler() argvtemplate.Template {
	t, err := argvtemplate.Parse([]string{"handler"})
	if err != nil {
		panic(err)
	}
	return t
}

// cycle runs one and ends what it handed over.
func (r *rig) cycle(o dispatch.Outcome) []string {
	r.t.Helper()
	r.Cycle(r.t.Context(), nil)
	return r.runs.end(o)
}

func (r *rig) want(got []string, want ...string) {
	r.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("delivered (-want +got):\n%s", diff)
	}
}

func (r *rig) state(ref string) session.State {
	rec, _, err := r.store.Get(ref)
	if err != nil {
		r.t.Fatal(err)
	}
	return rec.State
}

const one = "github:octo/a#1"

// mine is an issue of the login's own, in its revision.
func mine(n, revision int) WorkItem {
	item := items(n)[n-1]
	item.Author, item.UpdatedAt = "octocat", time.Unix(int64(revision), 0)
	return item
}

func said(id string) Comment { return Comment{ID: id, Author: "octocat", Body: "text of " + id} }

// TestSettledWhileRead: a delivery that ends while the comments are read again
// is not made a second time.
func TestSettledWhileRead(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
	r.world.items, r.world.comments[one] = []WorkItem{mine(1, 2)}, []Comment{said("c1")}
	r.Cycle(t.Context(), nil) // c1 is being delivered
	r.world.comments[one] = append(r.world.comments[one], said("c2"))
	var during []string
	r.world.reading = func(string) { during = r.runs.end(dispatch.Delivered) }
	r.want(r.cycle(dispatch.Delivered), "comment #1 attempt 1 c2")
	r.want(during, "comment #1 attempt 1 c1")
}

// TestRunningIsNotRepeated: while a delivery runs, cycles go by and it is
// neither made again nor charged.
func TestRunningIsNotRepeated(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	for range 5 {
		r.Cycle(t.Context(), nil)
	}
	r.want(r.runs.end(dispatch.Failed), "spawn #1 attempt 1")
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 2")
}

// TestCommentsWaitForTheSpawn: what is said while the session is being started
// follows it, and is not what arms a start again that was given up.
func TestCommentsWaitForTheSpawn(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	r.Cycle(t.Context(), nil)
	r.world.items, r.world.comments[one] = []WorkItem{mine(1, 2)}, []Comment{said("c1")}
	r.Cycle(t.Context(), nil)
	r.want(r.runs.end(dispatch.Delivered), "spawn #1 attempt 1", "comment #1 attempt 1 c1")

	r = newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	r.want(r.cycle(dispatch.Failed), "spawn #1 attempt 1")
	r.world.items, r.world.comments[one] = []WorkItem{mine(1, 2)}, []Comment{said("c1")}
	r.Cycle(t.Context(), nil)
	r.runs.queued = r.runs.queued[:1] // the comment behind it is dropped
	r.want(r.runs.end(dispatch.Failed), "spawn #1 attempt 2")
	for range 3 {
		r.want(r.cycle(dispatch.Delivered))
	}
	if got := r.state(one); got != session.StateGaveUp {
		t.Errorf("state %s, want gave-up", got)
	}
}

// TestAnotherVersionArmsAgain what the previous one gave up: a spawn, a comment
// and a close; the same version does not.
func TestAnotherVersionArmsAgain(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1), mine(2, 1), mine(3, 1)}
	r.Cycle(t.Context(), nil)
	for _, o := range []dispatch.Outcome{dispatch.Failed, dispatch.Delivered, dispatch.Delivered} {
		d := r.runs.queued[0]
		r.Settle(dispatch.Result{Delivery: d, Outcome: o, Reason: "exited 1"})
		r.runs.queued = r.runs.queued[1:]
	}
	r.world.items = []WorkItem{mine(1, 1), mine(2, 2)}
	r.world.comments["github:octo/a#2"] = []Comment{said("c1")}
	r.world.ended["github:octo/a#3"] = EndedMerged
	r.want(r.cycle(dispatch.Failed), "spawn #1 attempt 2", "comment #2 attempt 1 c1", "close #3 attempt 1")
	r.want(r.cycle(dispatch.Failed), "close #3 attempt 2", "comment #2 attempt 2 c1")
	r.start("v1")
	r.want(r.cycle(dispatch.Delivered))
	r.start("v2")
	r.want(r.cycle(dispatch.Delivered), "close #3 attempt 1", "spawn #1 attempt 1", "comment #2 attempt 1 c1")
	r.want(r.cycle(dispatch.Delivered))
	if a, c := r.state(one), r.state("github:octo/a#3"); a != session.StateActive || c != session.StateClosed {
		t.Errorf("states %s and %s, want active and closed", a, c)
	}
}

func TestRetryNote(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	r.want(r.cycle(dispatch.Failed), "spawn #1 attempt 1")
	r.want(r.cycle(dispatch.Failed), "spawn #1 attempt 2")
	r.want(r.cycle(dispatch.Delivered))
	if err := session.LeaveRetryNote(r.root, one); err != nil {
		t.Fatal(err)
	}
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
	r.want(r.cycle(dispatch.Delivered))
}

// TestNothingIsStartedThatCannotBeNoted: while the record cannot be written,
// nothing is handed over, and once it can, it is, once.
func TestNothingIsStartedThatCannotBeNoted(t *testing.T) {
	r := newRig(t)
	blocked := filepath.Join(r.root, "items", "github.com")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.world.items = []WorkItem{mine(1, 1)}
	for range 2 {
		sum := r.Cycle(t.Context(), nil)
		if r.want(r.runs.end(dispatch.Delivered)); sum.Errors == 0 {
			t.Error("no error was counted")
		}
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
	r.want(r.cycle(dispatch.Delivered))
}

// TestPanicStaysInItsItem, and so does the error of a linked record that
// cannot be seen.
func TestPanicStaysInItsItem(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1), mine(2, 1)}
	r.world.reading = func(ref string) {
		if ref == one {
			panic("boom")
		}
	}
	sum := r.Cycle(t.Context(), nil)
	r.want(r.runs.end(dispatch.Delivered), "spawn #2 attempt 1")
	if sum.Errors != 1 || !strings.Contains(r.log.String(), `error="internal error: boom"`) {
		t.Errorf("%d errors, log:\n%s", sum.Errors, &r.log)
	}
}

// TestReopenedWhileClosing: an item that is listed again before its close was
// delivered waits for that, and then gets one new session.
func TestReopenedWhileClosing(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
	r.world.items, r.world.ended[one] = nil, EndedClosed
	r.Cycle(t.Context(), nil)
	r.world.items, r.world.ended[one] = []WorkItem{mine(1, 2)}, StillOpen
	r.Cycle(t.Context(), nil)
	r.want(r.runs.end(dispatch.Delivered), "close #1 attempt 1")
	first := r.cycle(dispatch.Delivered)
	r.want(first, "spawn #1 attempt 1")
	r.want(r.cycle(dispatch.Delivered))
}

// TestEndedBeforeItsStartWasKnown: the start of a session whose item has ended is
// not tried again, but it may have worked without the daemon's knowing, so there
// is a close. One that is still running is waited for.
func TestEndedBeforeItsStartWasKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		meanwhile func(*rig)
		want      []string
	}{
		"a crash":       {func(r *rig) { r.start("v1") }, []string{"close #1 attempt 1"}},
		"a failure":     {func(r *rig) { r.runs.end(dispatch.Failed) }, []string{"close #1 attempt 1"}},
		"still running": {func(*rig) {}, []string{"spawn #1 attempt 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.world.items = []WorkItem{mine(1, 1)}
			r.Cycle(t.Context(), nil)
			tt.meanwhile(r)
			r.world.items, r.world.ended[one] = nil, EndedClosed
			r.want(r.cycle(dispatch.Delivered), tt.want...)
			r.cycle(dispatch.Delivered)
			r.want(r.cycle(dispatch.Delivered))
			if got := r.state(one); got != session.StateClosed {
				t.Errorf("state %s, want closed", got)
			}
		})
	}
}

// TestDeletedCommentIsForgotten: one that failed and is gone when it is to be
// tried again holds nobody up.
func TestDeletedCommentIsForgotten(t *testing.T) {
	r := newRig(t)
	r.world.items = []WorkItem{mine(1, 1)}
	r.want(r.cycle(dispatch.Delivered), "spawn #1 attempt 1")
	r.world.items, r.world.comments[one] = []WorkItem{mine(1, 2)}, []Comment{said("c1")}
	r.want(r.cycle(dispatch.Failed), "comment #1 attempt 1 c1")
	r.world.comments[one] = []Comment{said("c2")}
	r.want(r.cycle(dispatch.Delivered), "comment #1 attempt 1 c2")
	asked := len(r.world.asked)
	r.want(r.cycle(dispatch.Delivered))
	if len(r.world.asked) != asked {
		t.Error("the quiet item was read again")
	}
}

func TestAdopts(t *testing.T) {
	for body, want := range map[string]bool{
		"the-loop start":               true,
		"The-Loop START  \r\nplease":   true,
		"\n\n the-loop start":          true,
		"the-loop started":             false,
		"> the-loop start":             false,
		"please\nthe-loop start":       false,
		"":                             false,
		"the-loop start now, will you": false,
	} {
		if got := adopts(Comment{Body: body}); got != want {
			t.Errorf("%q adopts: %t, want %t", body, got, want)
		}
	}
}

func TestQuestionsBackOff(t *testing.T) {
	q := newQuestions()
	var asked []int
	for range 200 {
		q.nextCycle()
		if q.due(one) {
			asked = append(asked, q.cycle)
			q.backOff(one)
		}
	}
	if diff := cmp.Diff([]int{1, 2, 4, 8, 16, 32, 64, 124, 184}, asked); diff != "" {
		t.Errorf("asked in the cycles (-want +got):\n%s", diff)
	}
	for range 200 { // nobody asks any more
		q.nextCycle()
	}
	if len(q.next)+len(q.gap) != 0 {
		t.Errorf("still remembered: %v, %v", q.next, q.gap)
	}
}
