//go:build unix

package dispatch

import (
	"crypto/sha256"
	"encoding/json"
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
	"the-loop/internal/ref"
	"the-loop/internal/session"

	"the-loop/internal/filetest"
)

// bench is a runner whose time passes when the test says so.
type bench struct {
	*runner
	root        string
	stop, hurry chan struct{}
	over        map[time.Duration]chan time.Time // what each wait is for
	warnings    strings.Builder
}

const (
	testTimeout = time.Hour
	testGrace   = 10 * time.Second
	testKill    = 2 * time.Second
)

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{
		root: t.TempDir(), stop: make(chan struct{}), hurry: make(chan struct{}),
		over: map[time.Duration]chan time.Time{},
	}
	for _, d := range []time.Duration{testTimeout, testGrace, testKill} {
		b.over[d] = make(chan time.Time, 1)
	}
	b.runner = &runner{
		// The race detector has a program wait a second before it exits.
		stateRoot: b.root, env: append(os.Environ(), "GORACE=atexit_sleep_ms=0"), logs: &logs{stateRoot: b.root, limit: 100_000},
		logger: slog.New(slog.NewTextHandler(&b.warnings, nil)),
		now:    func() time.Time { return day(10) }, grace: testGrace, killAfter: testKill,
		testOnlyAfter: func(d time.Duration) <-chan time.Time { return b.over[d] },
	}
	return b
}

// passes has that wait end.
func (b *bench) passes(d time.Duration) { b.over[d] <- time.Time{} }

// begin runs a delivery; its result comes from the channel.
func (b *bench) begin(d Delivery) <-chan Result {
	result := make(chan Result, 1)
	go func() { result <- b.run(d, testTimeout, ending{b.stop, b.hurry}) }()
	return result
}

func (b *bench) log(t *testing.T) string {
	t.Helper()
	return filetest.Read(t, filepath.Join(b.root, "logs", "repo-5-x.log"))
}

func testDelivery(th *theatre, body string) Delivery {
	d := Delivery{
		ID: "comment-abc", Event: session.EventComment, Attempt: 2,
		Target: session.Target{
			Ref: testRef, Session: "repo-5-x", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "repo"}.Item(5), Kind: "issue", URL: "https://github.com/octo/repo/issues/5",
		},
		Item: session.InputItem{
			Kind: "issue", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "repo"}.Item(5), Title: "$(reboot)",
			URL: "https://github.com/octo/repo/issues/5", Author: "alice", Labels: []string{"the-loop"},
		},
		Comment: &session.InputComment{ID: "IC_1", Surface: "conversation", Author: "bob", Body: body, CreatedAt: day(9)},
	}
	if th != nil {
		d.Handler = th.handler()
	}
	return d
}

func expect(t *testing.T, got <-chan Result, outcome Outcome, reason string) Result {
	t.Helper()
	r := <-got
	if r.Outcome != outcome || r.Reason != reason {
		t.Errorf("result = %s, %q, want %s, %q", r.Outcome, r.Reason, outcome, reason)
	}
	return r
}

// expectTold is expect for a run that did not succeed: how it ended, and the
// last line that it printed.
func (b *bench) expectTold(t *testing.T, got <-chan Result, d Delivery, outcome Outcome, how, last string) Result {
	t.Helper()
	return expect(t, got, outcome, fmt.Sprintf("comment handler %s (%s)%s; log: %s/logs/repo-5-x.log",
		how, d.Handler.Render(argvtemplate.Fields{})[0], last, b.root))
}

const nothing = ", it printed nothing"

func TestHandlerSees(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "/run/notify")
	t.Setenv("WATCHDOG_USEC", "1000")
	t.Setenv("WATCHDOG_PID", "1")
	t.Setenv("THE_LOOP_REF", "an outer one")
	t.Setenv("KEPT", "yes")
	b, th := newBench(t), newTheatre(t)
	d := testDelivery(th, "please <look>\nat this")
	d.Handler = th.handler("{{.Session}}", "{{ .Ref }} {{.Number}}", "{{.DeliveryID}}", "$HOME;`id`", "{{.StateRoot}}")
	result := b.begin(d)
	p := th.enter()

	wantArgs := []string{"repo-5-x", testRef + " 5", "comment-abc", "$HOME;`id`", b.root}
	if diff := cmp.Diff(wantArgs, p.Args); diff != "" {
		t.Errorf("argv (-want +got):\n%s", diff)
	}
	var got []string
	for _, entry := range p.Env {
		if strings.HasPrefix(entry, "THE_LOOP_") && !slices.Contains(os.Environ(), entry) {
			got = append(got, entry)
		}
		if strings.HasPrefix(entry, "NOTIFY_SOCKET") || strings.HasPrefix(entry, "WATCHDOG_") {
			t.Errorf("the handler has %s", entry)
		}
	}
	slices.Sort(got)
	want := []string{
		"THE_LOOP_COMMENT_MARKER=<!-- the-loop:agent-comment -->",
		"THE_LOOP_DELIVERY_ID=comment-abc",
		"THE_LOOP_EVENT=comment",
		"THE_LOOP_HOST=github.com",
		"THE_LOOP_KIND=issue",
		"THE_LOOP_NUMBER=5",
		"THE_LOOP_OWNER=octo",
		"THE_LOOP_REF=github:octo/repo#5",
		"THE_LOOP_REPO=repo",
		"THE_LOOP_SESSION=repo-5-x",
		"THE_LOOP_STATE_ROOT=" + b.root,
		"THE_LOOP_URL=https://github.com/octo/repo/issues/5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	if !slices.Contains(p.Env, "KEPT=yes") {
		t.Error("the handler has not the daemon's own environment")
	}
	if dir, _ := os.Getwd(); p.Dir != dir {
		t.Errorf("working directory = %s, want %s", p.Dir, dir)
	}
	var in session.Input
	if err := json.Unmarshal([]byte(p.does("stdin")), &in); err != nil {
		t.Fatal(err)
	}
	if in.Version != 1 || in.Attempt != 2 || in.Comment.Body != "please <look>\nat this" || in.Session.Name != "repo-5-x" {
		t.Errorf("stdin = %+v", in)
	}
	p.mustDo("print to stdout", "complain to stderr")
	p.exits(0)
	r := expect(t, result, Delivered, "")
	if !r.StartedAt.Equal(day(10)) || r.Delivery.ID != d.ID {
		t.Errorf("result = %+v", r)
	}
	wantLog := "--- 2026-11-30T10:00:00Z comment comment-abc attempt 2\nto stdout\nto stderr\n" +
		"--- 2026-11-30T10:00:00Z delivered after 0s\n"
	if got := b.log(t); got != wantLog {
		t.Errorf("log = %q, want %q", got, wantLog)
	}
	info, err := os.Stat(filepath.Join(b.root, "logs", "repo-5-x.log"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("log: %v, %v", info.Mode(), err)
	}
}

func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		code    int
		outcome Outcome
		reason  string
	}{
		{0, Delivered, ""},
		{75, Deferred, "exited 75, asking for the next cycle"},
		{1, Failed, "exited 1"},
		{255, Failed, "exited 255"},
	} {
		b, th := newBench(t), newTheatre(t)
		d := testDelivery(th, "")
		result := b.begin(d)
		th.enter().exits(tt.code)
		if tt.outcome == Delivered {
			expect(t, result, Delivered, "")
			continue
		}
		b.expectTold(t, result, d, tt.outcome, tt.reason, nothing)
	}
}

func TestHandlerEndedBySignal(t *testing.T) {
	b := newBench(t)
	d := testDelivery(nil, "")
	d.Handler = handlerOf(t, "/bin/sh", "-c", "kill -9 $$")
	b.expectTold(t, b.begin(d), d, Failed, "was ended by signal: killed", nothing)
}

// A failure ends with the last line that the handler printed, without secrets
// and without what the daemon or an earlier run wrote.
func TestLastLine(t *testing.T) {
	for _, tt := range []struct{ script, last string }{
		{`echo first; echo " second "; echo; exit 1`, ": second"},
		{`printf 'no newline\033[31m'; exit 1`, ": no newline[31m"},
		{`echo token ghp_0123456789abcdefghij0123456789abcdef >&2; exit 1`, ": token [redacted]"},
		{"exit 1", nothing},
	} {
		b := newBench(t)
		d := testDelivery(nil, "")
		d.Handler = handlerOf(t, "/bin/echo", "of another run")
		<-b.begin(d)
		d.Handler = handlerOf(t, "/bin/sh", "-c", tt.script)
		b.expectTold(t, b.begin(d), d, Failed, "exited 1", tt.last)
	}
}

// The event is a file of its own that the daemon's end cannot cut, without a
// name, and not to be written to.
func TestEventIsAFile(t *testing.T) {
	b := newBench(t)
	filetest.Write(t, filepath.Join(b.root, eventPrefix+"left-by-a-crash"), "half an ev")
	sweepEvents(b.root)
	d := testDelivery(nil, "")
	d.Handler = handlerOf(t, "/bin/sh", "-c", `ls -A {{.StateRoot}}; [ -f /dev/stdin ] && cat >/dev/null && ! (echo x >&0) 2>/dev/null`)
	expect(t, b.begin(d), Delivered, "")
	if got := b.log(t); strings.Contains(got, eventPrefix) {
		t.Errorf("in the state root: %s", got)
	}
}

// Where the event cannot be written, no attempt is spent.
func TestEventCannotBeWritten(t *testing.T) {
	b := newBench(t)
	b.runner.stateRoot = filepath.Join(b.root, "missing")
	d := testDelivery(nil, "")
	d.Handler = handlerOf(t, "/bin/true")
	r := <-b.begin(d)
	if r.Outcome != Deferred || !strings.Contains(r.Reason, "the event could not be written: ") {
		t.Errorf("result = %s, %s", r.Outcome, r.Reason)
	}
}

func TestNoHandler(t *testing.T) {
	b := newBench(t)
	expect(t, b.begin(testDelivery(nil, "")), Delivered, "")
	if diff := cmp.Diff([]string(nil), filetest.List(t, b.root)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestHandlerCannotBeRun(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	filetest.Write(t, script, "#!/bin/sh\n")
	foreign := filepath.Join(dir, "foreign")
	if err := os.WriteFile(foreign, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		argv   []string
		reason string
	}{
		"not there":      {[]string{"/nowhere/agent"}, "fork/exec /nowhere/agent: no such file or directory"},
		"not on PATH":    {[]string{"no-such-agent"}, `exec: "no-such-agent": executable file not found in $PATH`},
		"not executable": {[]string{script}, "fork/exec " + script + ": permission denied"},
		"a folder":       {[]string{dir}, "fork/exec " + dir + ": permission denied"},
		"no program":     {[]string{foreign}, "fork/exec " + foreign + ": exec format error"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			d := testDelivery(nil, "")
			d.Handler = handlerOf(t, tt.argv...)
			r := expect(t, b.begin(d), Failed,
				"comment handler could not be run: "+tt.reason+"; log: "+session.LogPath(b.root, "repo-5-x"))
			if !r.StartedAt.IsZero() {
				t.Errorf("StartedAt = %v, want none", r.StartedAt)
			}
			if !strings.Contains(b.log(t), tt.reason) {
				t.Errorf("log = %q", b.log(t))
			}
		})
	}
	b := newBench(t)
	d := testDelivery(nil, "")
	d.Handler, d.Target.Session = handlerOf(t, "/bin/true"), "../evil"
	expect(t, b.begin(d), Failed, `comment handler could not be run: "../evil" is not the name of a session; log: `+
		session.LogPath(b.root, "../evil"))
}

func TestTimeoutEndsTheGroup(t *testing.T) {
	b, th := newBench(t), newTheatre(t)
	d := testDelivery(th, "")
	result := b.begin(d)
	leader := th.enter()
	leader.mustDo("ignore-term", "child", "print half done")
	child := th.enter()
	child.mustDo("ignore-term")
	b.passes(testTimeout)
	b.expectTold(t, result, d, Failed, "timed out after 1h0m0s", ": half done")
	leader.dies()
	child.dies()
}

func TestShutdown(t *testing.T) {
	t.Run("ends within its grace", func(t *testing.T) {
		b, th := newBench(t), newTheatre(t)
		result := b.begin(testDelivery(th, ""))
		p := th.enter()
		close(b.stop)
		p.mustDo("print still working")
		p.exits(0)
		expect(t, result, Delivered, "")
	})
	t.Run("obeys TERM", func(t *testing.T) {
		b, th := newBench(t), newTheatre(t)
		result := b.begin(testDelivery(th, ""))
		leader := th.enter()
		leader.mustDo("child")
		child := th.enter()
		close(b.stop)
		b.passes(testGrace)
		leader.dies()
		child.dies()
		expect(t, result, Interrupted, "interrupted by the shutdown")
	})
	t.Run("exits 0 after TERM", func(t *testing.T) {
		b, th := newBench(t), newTheatre(t)
		result := b.begin(testDelivery(th, ""))
		th.enter().mustDo("exit-0-on-term")
		close(b.stop)
		b.passes(testGrace)
		expect(t, result, Delivered, "")
	})
	t.Run("ignores TERM", func(t *testing.T) {
		b, th := newBench(t), newTheatre(t)
		result := b.begin(testDelivery(th, ""))
		leader := th.enter()
		leader.mustDo("ignore-term", "child")
		child := th.enter()
		child.mustDo("ignore-term")
		close(b.stop)
		b.passes(testGrace)
		b.passes(testKill)
		expect(t, result, Interrupted, "interrupted by the shutdown")
		leader.dies()
		child.dies()
	})
	t.Run("its child ignores TERM", func(t *testing.T) {
		b, th := newBench(t), newTheatre(t)
		result := b.begin(testDelivery(th, ""))
		leader := th.enter()
		leader.mustDo("child")
		child := th.enter()
		child.mustDo("ignore-term")
		close(b.stop)
		b.passes(testGrace)
		leader.dies()
		child.mustDo("print putting things in order")
		b.passes(testKill)
		expect(t, result, Interrupted, "interrupted by the shutdown")
		child.dies()
	})
	t.Run("in a hurry", func(t *testing.T) {
		b, th := newBench(t), newTheatre(t)
		result := b.begin(testDelivery(th, ""))
		p := th.enter()
		p.mustDo("ignore-term")
		close(b.stop)
		close(b.hurry)
		expect(t, result, Interrupted, "interrupted by the shutdown")
		p.dies()
	})
}

// What a handler leaves behind on purpose lives on, keeps its log, and does
// not hold up the delivery, even when it holds a stdin that nobody reads.
func TestLeftBehindLivesOn(t *testing.T) {
	b, th := newBench(t), newTheatre(t)
	result := b.begin(testDelivery(th, strings.Repeat("x", 1<<20)))
	leader := th.enter()
	leader.mustDo("child")
	child := th.enter()
	leader.exits(0)
	expect(t, result, Delivered, "")
	child.mustDo("print written later")
	if got := b.log(t); !strings.HasSuffix(got, "written later\n") {
		t.Errorf("log = %q", got)
	}
	child.exits(0)
	child.dies()
}

func TestLargeBodies(t *testing.T) {
	for _, size := range []int{200_000, 10_000_000} {
		for name, end := range map[string]func(*puppet, []byte){
			"read": func(p *puppet, want []byte) {
				if got, want := p.does("stdin"), fmt.Sprintf("%d %x", len(want), sha256.Sum256(want)); got != want {
					t.Errorf("stdin is %s, want %s", got, want)
				}
			},
			"never read":   func(*puppet, []byte) {},
			"closed early": func(p *puppet, _ []byte) { p.mustDo("close-stdin") },
		} {
			t.Run(fmt.Sprint(size, " ", name), func(t *testing.T) {
				b, th := newBench(t), newTheatre(t)
				d := testDelivery(th, strings.Repeat("é\x00\n", size/4))
				want, err := d.input()
				if err != nil {
					t.Fatal(err)
				}
				result := b.begin(d)
				p := th.enter()
				end(p, want)
				p.exits(0)
				expect(t, result, Delivered, "")
			})
		}
	}
}

func TestNoDescriptorIsLeaked(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/dev/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	b := newBench(t)
	d := testDelivery(nil, strings.Repeat("x", 200_000))
	bad := d
	d.Handler, bad.Handler = handlerOf(t, "/bin/echo", "hi"), handlerOf(t, "/nowhere/agent")
	<-b.begin(d) // what is opened once and kept
	before := count()
	for range 30 {
		<-b.begin(d)
		<-b.begin(bad)
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
