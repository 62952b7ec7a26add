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

// loginHolds is the time for which a known "@me" may grant permissions without being
// asked again: "gh auth switch" can change the login at any moment.
const loginHolds = 5 * time.Minute

// authorizer decides whose items start sessions and whose comments reach them.
//
// While the login behind "@me" is unknown, each cycle asks for it and refuses no one
// for good. A known login is asked for again before a final refusal, and once it is
// older than loginHolds. Quiet cycles therefore ask nothing.
type authorizer struct {
	users []string
	log   *slog.Logger
	cycle int
	me    map[string]loginAnswer // by account and host
	// tried holds the cycle of the last question, by account and host.
	tried map[string]int
}

// loginAnswer is the login that "@me" stood for at a given time.
type loginAnswer struct {
	login string
	at    time.Time
	cycle int
}

func newAuthorizer(users []string, log *slog.Logger) *authorizer {
	return &authorizer{users: users, log: log, cycle: 1, me: map[string]loginAnswer{}, tried: map[string]int{}}
}

// nextCycle allows one more question to each account.
func (a *authorizer) nextCycle() { a.cycle++ }

// allows reports whether the login is an authorized user on the host, for a decision
// that is never repeated. It fails if the decision depends on "@me" and gh does not
// name the login.
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

// allowsByNow is allows for a question that every cycle repeats. A refusal is not
// final, so the last answer is good enough for loginHolds.
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

// known returns the last answer if it is still fresh.
func (a *authorizer) known(src Source, host string) (loginAnswer, bool) {
	me, ok := a.me[account(src, host)]
	return me, ok && (me.cycle == a.cycle || time.Since(me.at) < loginHolds)
}

// login returns the login of "@me" on the host. It accepts an answer of this cycle or
// one younger than old. After a failed question, later calls of the same cycle are
// put off.
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
		a.log.Info("gh's login has changed", "host", host, "login", me, "before", last.login)
	}
	a.me[key] = loginAnswer{login: me, at: time.Now(), cycle: a.cycle}
	return me, nil
}

// audible reports whether a session may receive the comment. Hidden comments stay
// out, and so do those written by sessions: two sessions would otherwise answer each
// other for ever, or one itself.
func audible(c Comment) bool { return !c.Minimized && !byAgent(c) }

// byAgent reports whether a session wrote the comment. A marker in a quoted line does
// not count: people who quote such a comment quote its marker, too.
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

// adopts reports whether the comment is the start command.
func adopts(c Comment) bool { return commandOf(c) == cmdStart }
