package poller

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"the-loop/internal/session"
)

// The names in Routing.AuthorizedUsers that are not logins.
const (
	userMe        = "@me"
	userEverybody = "*"
)

// loginHolds is how long an answer to who "@me" is allows somebody something.
// "gh auth switch" changes it at any time.
const loginHolds = 5 * time.Minute

// authorizer tells whose items start sessions and whose comments are handed
// on. A login that is not known is asked for until it is: meanwhile nobody
// can be called a stranger for good. One that is known is asked for anew before
// anybody is refused for good, and when it is old, so that quiet cycles ask
// nothing.
type authorizer struct {
	users []string
	log   *slog.Logger
	cycle int
	me    map[string]loginAnswer // by account and host
	// tried is the cycle in which an account was last asked, by account and host.
	tried map[string]int
}

// loginAnswer is who "@me" was.
type loginAnswer struct {
	login string
	at    time.Time
	cycle int
}

func newAuthorizer(users []string, log *slog.Logger) *authorizer {
	return &authorizer{users: users, log: log, cycle: 1, me: map[string]loginAnswer{}, tried: map[string]int{}}
}

// nextCycle lets each account be asked once more who "@me" is.
func (a *authorizer) nextCycle() { a.cycle++ }

// allows reports whether the login is an authorized user on the host, for a
// decision that is not made again. It is an error, and no answer, when that hangs
// on who "@me" is and nobody says so.
func (a *authorizer) allows(ctx context.Context, src Source, host, login string) (bool, error) {
	allowed, asksMe := a.named(src, login)
	if allowed || !asksMe {
		return allowed, nil
	}
	if me, ok := a.known(src, host); ok && src.Provider.SameLogin(me.login, login) {
		return true, nil
	}
	me, err := a.login(ctx, src, host, 0)
	if err != nil {
		return false, err
	}
	return src.Provider.SameLogin(me, login), nil
}

// allowsByNow is allows for a question that comes back in each cycle: a refusal
// is no last word, and asks nothing for as long as the last answer holds.
func (a *authorizer) allowsByNow(ctx context.Context, src Source, host, login string) (bool, error) {
	allowed, asksMe := a.named(src, login)
	if allowed || !asksMe {
		return allowed, nil
	}
	me, err := a.login(ctx, src, host, loginHolds)
	if err != nil {
		return false, err
	}
	return src.Provider.SameLogin(me, login), nil
}

// named reports whether the users allow the login without "@me", and whether
// "@me" is among them.
func (a *authorizer) named(src Source, login string) (allowed, asksMe bool) {
	if login == "" {
		return false, false
	}
	for _, user := range a.users {
		switch {
		case user == userMe:
			asksMe = true
		case user == userEverybody, src.Provider.SameLogin(user, login):
			return true, false
		}
	}
	return false, asksMe
}

// account names the login of the source's gh on a host.
func account(src Source, host string) string { return src.Account + " " + host }

// known is the last answer, as long as it holds.
func (a *authorizer) known(src Source, host string) (loginAnswer, bool) {
	me, ok := a.me[account(src, host)]
	return me, ok && (me.cycle == a.cycle || time.Since(me.at) < loginHolds)
}

// login is who "@me" is on the host, by an answer of this cycle or one that is
// younger than old. The first question of a cycle that is answered with an error
// says so; the later ones are put off.
func (a *authorizer) login(ctx context.Context, src Source, host string, old time.Duration) (string, error) {
	key := account(src, host)
	last, ok := a.me[key]
	if ok && (last.cycle == a.cycle || time.Since(last.at) < old) {
		return last.login, nil
	}
	if a.tried[key] == a.cycle {
		return "", &PutOffError{Reason: "not known yet who @me is on " + host}
	}
	a.tried[key] = a.cycle
	me, err := src.Provider.Login(ctx, host)
	if err != nil {
		return "", fmt.Errorf("who @me is on %s: %w", host, err)
	}
	if ok && last.login != me {
		a.log.Info("gh has another login now", "host", host, "login", me, "before", last.login)
	}
	a.me[key] = loginAnswer{login: me, at: time.Now(), cycle: a.cycle}
	return me, nil
}

// audible reports whether a session may be told of the comment: not one that was
// hidden on GitHub, nor one that a session wrote, or two sessions would talk to
// each other, or one to itself, for ever.
func audible(c Comment) bool { return !c.Minimized && !byAgent(c) }

// byAgent reports whether a session wrote the comment. A person who quotes such a
// comment quotes its marker with it, so a quoted line says nothing.
func byAgent(c Comment) bool {
	if !strings.Contains(c.Body, session.CommentMarker) {
		return false
	}
	for line := range strings.FieldsFuncSeq(c.Body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.Contains(line, session.CommentMarker) && !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			return true
		}
	}
	return false
}

// adopts reports whether the comment's text asks for its item to be started.
func adopts(c Comment) bool { return commandOf(c) == cmdStart }
