package ghdouble_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"the-loop/internal/ghdouble"
)

// TestFacts runs a call of each kind under every fault, and every call that has its own
// entry in the table. The tests of the code above the table run all others.
func TestFacts(t *testing.T) {
	for _, fact := range ghdouble.Facts() {
		for _, call := range ghdouble.Calls("octo/a", "the-loop", 1, 1001) {
			known, concerned := fact.Outcome(call, false)
			if fact.Fault.LaterPages && !concerned || !typical(fact, call) {
				continue
			}
			t.Run(fact.Name+"/"+call.Name, func(t *testing.T) {
				t.Parallel()
				holds(t, fact, call, false)
			})
			if asking, _ := fact.Outcome(call, true); asking != known {
				t.Run(fact.Name+"/"+call.Name+"/warm", func(t *testing.T) {
					t.Parallel()
					holds(t, fact, call, true)
				})
			}
		}
	}
}

// holds checks the outcome of one call, by a gh that has cached the host's features
// (warm) or by one that must ask for them first.
func holds(t *testing.T, fact ghdouble.Fact, call ghdouble.Call, warm bool) {
	t.Helper()
	s := ghdouble.Start(t)
	s.Repo("octo/a").Crowd("the-loop")
	if warm {
		s.Warm(t, ghdouble.RealGH(t), "octo/a")
		if s.Count(ghdouble.Match{Kind: ghdouble.Introspect}) == 0 {
			return // this gh asks nothing before a search
		}
	}
	s.Fail(ghdouble.Match{}, fact.Fault)
	if want, _ := fact.Outcome(call, false); want.Hangs {
		hangs(t, s, call)
		return
	}
	got := gh(t.Context(), t, s, fact.Env, call.Args...)
	asked := !warm && s.Count(ghdouble.Match{Kind: ghdouble.Introspect}) > 0
	want, concerned := fact.Outcome(call, asked)
	if !concerned {
		want = ghdouble.Outcome{Stdout: `.`}
	}
	if err := want.Check(got.exit, got.stdout, got.stderr); err != nil {
		t.Errorf("gh %s: %v", strings.Join(call.Args, " "), err)
	}
}

// typical reports whether the call represents others or has its own entry.
func typical(fact ghdouble.Fact, call ghdouble.Call) bool {
	_, byName := fact.Prints[call.Name]
	_, byKind := fact.Prints[string(call.Kind)]
	return byName || byKind && !strings.HasSuffix(call.Name, "--label") ||
		slices.Contains([]string{"issue list --label", "pr list --label", "issue view", "api reviews"}, call.Name)
}

// hangs checks that gh still runs after the double has its request, and prints nothing
// when killed.
func hangs(t *testing.T, s *ghdouble.Server, call ghdouble.Call) {
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	asked := make(chan error, 1)
	go func() {
		asked <- s.Await(ctx, ghdouble.Match{}, 1)
		kill()
	}()
	got := gh(ctx, t, s, nil, call.Args...)
	kill()
	if err := <-asked; err != nil {
		t.Error(err)
	}
	if got.exit != -1 || got.stdout != "" || got.stderr != "" {
		t.Errorf("a killed gh left %+v", got)
	}
}
