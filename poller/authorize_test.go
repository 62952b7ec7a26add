package poller

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

func TestAuthorizer(t *testing.T) {
	src := Source{Name: "github", Provider: fakeProvider{}}
	for _, tt := range []struct {
		users []string
		login string
		want  bool
	}{
		{[]string{"@me"}, "octocat", true},
		{[]string{"@me"}, "mallory", false},
		{[]string{"@me", "mallory"}, "mallory", true},
		{[]string{"*"}, "anybody", true},
		{[]string{"*"}, "", false},
		{nil, "octocat", false},
	} {
		got, err := newAuthorizer(tt.users, slog.New(slog.DiscardHandler)).allows(t.Context(), src, "github.com", tt.login)
		if got != tt.want || err != nil {
			t.Errorf("%v allows %q: %t, %v", tt.users, tt.login, got, err)
		}
	}
}

// loginProvider counts who asks it.
type loginProvider struct {
	fakeProvider
	login string
	err   error
	asked int
}

func (p *loginProvider) Login(context.Context, string) (string, error) {
	p.asked++
	return p.login, p.err
}

// TestLoginSwitched: a switch of gh's login is noticed before anybody is refused
// for good, and within five minutes whoever was the last one is nobody. What
// quiet cycles ask again is asked every five minutes.
func TestLoginSwitched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &loginProvider{login: "mona"}
		src := Source{Name: "github", Provider: p, Account: "gh"}
		a := newAuthorizer([]string{"@me"}, slog.New(slog.DiscardHandler))
		ask := a.allows
		step := func(what, login string, allowed bool, asked int) {
			t.Helper()
			got, err := ask(t.Context(), src, "github.com", login)
			if got != allowed || err != nil || p.asked != asked {
				t.Errorf("%s: %t, %v after %d question(s), want %t after %d", what, got, err, p.asked, allowed, asked)
			}
		}
		step("at first", "mona", true, 1)
		step("another in the same cycle", "hubot", false, 1)
		a.nextCycle()
		step("in the next cycle", "mona", true, 1)

		p.login = "hubot"
		step("after a switch, the new login", "hubot", true, 2)
		step("after a switch, the old one", "mona", false, 2)
		a.nextCycle()
		step("a stranger", "mallory", false, 3)
		step("another stranger", "eve", false, 3)

		p.login = "mona"
		a.nextCycle()
		step("a switch that nobody was refused for", "hubot", true, 3)
		<-time.After(loginHolds)
		a.nextCycle()
		step("five minutes later", "hubot", false, 4)

		ask = a.allowsByNow
		for range 10 {
			a.nextCycle()
			step("a question of each cycle", "mallory", false, 4)
		}
		<-time.After(loginHolds)
		a.nextCycle()
		step("five minutes later", "mallory", false, 5)
	})
}

// TestLoginIsAskedOnce: once for each host, gh and cycle, whether it answers or
// not, and whatever the number of sources.
func TestLoginIsAskedOnce(t *testing.T) {
	p, other := &loginProvider{err: errors.New("gh api timed out after 1m0s")}, &loginProvider{login: "hubot"}
	one := Source{Name: "github", Provider: p, Account: "gh"}
	two := Source{Name: "github-2", Provider: p, Account: "gh"}
	three := Source{Name: "github-3", Provider: other, Account: "/opt/gh"}
	a := newAuthorizer([]string{"@me"}, slog.New(slog.DiscardHandler))
	var putOff *PutOffError
	if _, err := a.allows(t.Context(), one, "github.com", "mona"); err == nil || errors.As(err, &putOff) {
		t.Errorf("the first question of a cycle: %v, want its error", err)
	}
	if _, err := a.allows(t.Context(), two, "github.com", "mona"); !errors.As(err, &putOff) {
		t.Errorf("the second source: %v, want it put off", err)
	}
	if allowed, err := a.allows(t.Context(), three, "github.com", "hubot"); !allowed || err != nil {
		t.Errorf("a source with another gh: %t, %v", allowed, err)
	}
	if p.asked != 1 {
		t.Errorf("asked %d times in one cycle, want once", p.asked)
	}
	p.login, p.err = "mona", nil
	a.nextCycle()
	for _, src := range []Source{one, two} {
		if allowed, err := a.allows(t.Context(), src, "github.com", "mona"); !allowed || err != nil {
			t.Errorf("%s in the next cycle: %t, %v", src.Name, allowed, err)
		}
	}
	if p.asked != 2 {
		t.Errorf("asked %d times, want once in each cycle", p.asked)
	}
}
