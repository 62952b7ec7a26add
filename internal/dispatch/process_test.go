//go:build unix

package dispatch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"the-loop/internal/filetest"
)

// The dispatcher with real handlers.

func TestDispatcherRunsHandlers(t *testing.T) {
	root := t.TempDir()
	var mu sync.Mutex
	outcomes := map[Outcome]int{}
	d := New(Options{StateRoot: root, MaxConcurrent: 3, Done: func(r Result) bool {
		mu.Lock()
		defer mu.Unlock()
		outcomes[r.Outcome]++
		return false
	}})
	const sessions, each = 6, 5
	for n := range each {
		for s := range sessions {
			x := testDelivery(nil, strings.Repeat("x", 200_000))
			x.Target.Session = fmt.Sprintf("repo-%d-x", s)
			x.ID = fmt.Sprintf("comment-%d-%d", s, n)
			x.Handler = handlerOf(t, "/bin/sh", "-c", "printf '%s ' {{.DeliveryID}}")
			if err := d.Submit(x); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := d.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Stop(t.Context())
	if outcomes[Delivered] != sessions*each || len(outcomes) != 1 {
		t.Errorf("outcomes = %v", outcomes)
	}
	for s := range sessions {
		var got []string
		log := filetest.Read(t, filepath.Join(root, "logs", fmt.Sprintf("repo-%d-x.log", s)))
		for _, word := range strings.Fields(log) {
			if strings.HasPrefix(word, fmt.Sprintf("comment-%d-", s)) {
				got = append(got, word)
			}
		}
		for n := range each { // the daemon's header, then the handler's own line
			id := fmt.Sprintf("comment-%d-%d", s, n)
			if len(got) != 2*each || got[2*n] != id || got[2*n+1] != id {
				t.Errorf("session %d ran %q", s, got)
				break
			}
		}
	}
}

func TestDispatcherStopEndsHandlers(t *testing.T) {
	th := newTheatre(t)
	results := make(chan Result, 2)
	d := New(Options{
		StateRoot: t.TempDir(), Done: func(r Result) bool { results <- r; return false },
		Env: append(os.Environ(), "GORACE=atexit_sleep_ms=0"),
	})
	first, second := testDelivery(th, ""), testDelivery(th, "")
	second.ID = "comment-def"
	if err := d.Submit(first); err != nil {
		t.Fatal(err)
	}
	if err := d.Submit(second); err != nil {
		t.Fatal(err)
	}
	leader := th.enter()
	leader.mustDo("ignore-term", "child")
	child := th.enter()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.Stop(ctx)
	leader.dies()
	child.dies()
	expect(t, results, Interrupted, "interrupted by the shutdown")
	expect(t, results, Dropped, "not started: the daemon stops")
}
