package poller

import (
	"context"
	"fmt"
	"strings"

	"the-loop/internal/session"
)

// The names in Routing.AuthorizedUsers that are not logins.
const (
	userMe        = "@me"
	userEverybody = "*"
)

// adoption is the first line of the comment with which an authorized user
// adopts somebody else's item, in any case.
const adoption = "the-loop start"

// authorizer tells whose items start sessions and whose comments are handed
// on. A login that is not known yet is asked for until it is: meanwhile nobody
// can be called a stranger for good.
type authorizer struct {
	users []string
	me    map[string]string // by source and host, once known
	// tried holds the sources and hosts that were asked in vain in this cycle.
	tried map[string]bool
}

func newAuthorizer(users []string) *authorizer {
	return &authorizer{users: users, me: map[string]string{}, tried: map[string]bool{}}
}

// nextCycle lets those be asked again who could not say who "@me" is.
func (a *authorizer) nextCycle() { clear(a.tried) }

// allows reports whether the login is an authorized user on the host. It is an
// error, and no answer, when that hangs on who "@me" is and nobody says so.
func (a *authorizer) allows(ctx context.Context, src Source, host, login string) (bool, error) {
	if login == "" {
		return false, nil
	}
	asksMe := false
	for _, user := range a.users {
		switch {
		case user == userMe:
			asksMe = true
		case user == userEverybody, src.Provider.SameLogin(user, login):
			return true, nil
		}
	}
	if !asksMe {
		return false, nil
	}
	me, err := a.login(ctx, src, host)
	if err != nil {
		return false, err
	}
	return src.Provider.SameLogin(me, login), nil
}

// login is who "@me" is on the host. The first question of a cycle that is
// answered with an error says so; the later ones are put off.
func (a *authorizer) login(ctx context.Context, src Source, host string) (string, error) {
	key := src.Name + " " + host
	if me, ok := a.me[key]; ok {
		return me, nil
	}
	if a.tried[key] {
		return "", &PutOffError{Reason: "not known yet who @me is on " + host}
	}
	a.tried[key] = true
	me, err := src.Provider.Login(ctx, host)
	if err != nil {
		return "", fmt.Errorf("who @me is on %s: %w", host, err)
	}
	a.me[key] = me
	return me, nil
}

// byAgent reports whether a session wrote the comment: it is never handed on,
// or two sessions would talk to each other, or one to itself, for ever.
func byAgent(c Comment) bool { return strings.Contains(c.Body, session.CommentMarker) }

// adopts reports whether the comment's text asks for its item to be started.
func adopts(c Comment) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(c.Body, " \t\r\n"), "\n")
	return strings.EqualFold(strings.TrimSpace(first), adoption)
}
