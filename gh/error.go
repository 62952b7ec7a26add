package gh

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"the-loop/internal/safetext"
)

// Class says how a caller should treat a failure.
type Class int

const (
	// Transient may be over at the next try. Every failure of no other class is
	// transient.
	Transient Class = iota
	// IssuesDisabled is a repository whose issues are switched off. It is the only
	// class that lasts. gh says the same when GitHub's answer is broken, so ask
	// [Client.Repository] before believing it.
	IssuesDisabled
	// RateLimited is the end of the host's primary or secondary rate limit.
	RateLimited
	// Unauthenticated is a gh that has no login on the host, or a bad one.
	Unauthenticated
)

// String names the class as logs do.
func (c Class) String() string {
	switch c {
	case IssuesDisabled:
		return "issues-disabled"
	case RateLimited:
		return "rate-limited"
	case Unauthenticated:
		return "unauthenticated"
	}
	return "transient"
}

// Error is the failure of one gh call.
type Error struct {
	// Text is one line of at most 500 characters, fit to be shown: credentials
	// and control characters are taken out. It is for people; what a program
	// may conclude is in the other fields.
	Text  string
	Class Class
	// Timeout is set when gh was killed because it took too long.
	Timeout bool
	// ExitCode is gh's exit status when it exited with another than 0; 0 when
	// it failed otherwise.
	ExitCode int
	// Unresolved is set when GitHub said that no repository of that name
	// exists or that this login may not see it.
	Unresolved bool

	// unrunnable is set when there is no gh, or the system refuses to run it.
	unrunnable bool

	stderr string // stripped and in lower case, for classification only
	cause  error
}

// maxErrorText bounds an error's text, in characters.
const maxErrorText = 500

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns what ended the call when it was not gh itself: the context's
// error, or the system's when gh could not be run. It is nil otherwise.
func (e *Error) Unwrap() error { return e.cause }

// ClassOf returns the class of the [Error] in err's chain, [Transient] when
// there is none.
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return Transient
}

// NotResolvable reports whether err is GitHub's word that no repository of
// that name exists or that this login may not see it.
func NotResolvable(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Unresolved
}

// QuotaUsedUp reports whether err says that the quota of the hour is used up.
// The other limits are secondary ones, which say nothing of the quota.
func QuotaUsedUp(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Class == RateLimited && usedUp().MatchString(e.stderr)
}

// Refused reports whether GitHub refused this login access, as single sign-on and a
// list of allowed addresses do. A rate limit is no refusal.
func Refused(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Class != Transient {
		return false
	}
	return StatusOf(err) == StatusForbidden || strings.Contains(e.stderr, "saml enforcement")
}

// newError returns a transient error. text may hold foreign text.
func newError(cause error, format string, args ...any) *Error {
	// Remove terminal sequences and invisible characters first: either could hide
	// a credential by standing inside it. Remove credentials before cutting the
	// text, because a cut could leave half of one.
	text := safetext.Redact(plain(fmt.Sprintf(format, args...)))
	return &Error{Text: safetext.Strip(text, maxErrorText), cause: cause}
}

// sequence matches what a terminal obeys: a control sequence, such as a colour, and
// a command to the system, such as a link, that ends within its line.
var sequence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x{9d})[^\x07\x1b\n\x{9c}]*(?:\x07|\x1b\\|\x{9c})`)
})

// plain returns text in one line, without terminal sequences and invisible
// characters.
func plain(text string) string { return safetext.Strip(sequence().ReplaceAllString(text, ""), 0) }

// ExitError returns the error of a gh that was run with args and exited with code,
// other than 0, after it said stderr.
func ExitError(args []string, code int, stderr string) *Error {
	return endError(args, fmt.Sprintf("exited %d", code), code, stderr)
}

// killedError returns the error of a gh that a signal ended; state names it.
func killedError(args []string, state, stderr string) *Error {
	return endError(args, "was killed by "+state, 0, stderr)
}

func endError(args []string, how string, code int, stderr string) *Error {
	said := ": " + stderr
	if strings.TrimSpace(stderr) == "" {
		said = " and printed nothing on stderr"
	}
	err := newError(nil, "%s %s%s", command(args, 3), how, said)
	err.ExitCode = code
	err.stderr = strings.ToLower(plain(stderr))
	err.Unresolved = strings.Contains(err.stderr, "could not resolve to a repository")
	err.Class = classify(args, err)
	return err
}

// command shows the first n arguments of a call.
func command(args []string, n int) string {
	return strings.Join(append([]string{"gh"}, args[:min(n, len(args))]...), " ")
}

// exitNotLoggedIn is gh's own exit status for a missing login.
const exitNotLoggedIn = 4

// The texts hold spaces or may not follow a slash or a name's character, so
// that no repository's name that gh repeats can be taken for one of them.
var (
	rateLimit = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`rate limit (already )?exceeded|secondary rate limit|abuse detection mechanism|` +
			`\bhttp 429\b|too many requests|(^|[^\w./-])rate_limited($|[^\w./-])`)
	})
	usedUp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`api rate limit (already )?exceeded`)
	})
	badLogin = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bhttp 401\b|status code: 401\b|invalid header field value for "authorization"`)
	})
)

// classify reads what gh said. That issues are disabled is believed only of a
// listing of issues that gh itself ended: it is the one class that makes a
// caller stop asking.
func classify(args []string, e *Error) Class {
	listsIssues := len(args) >= 2 && args[0] == "issue" && args[1] == "list"
	switch {
	case listsIssues && e.ExitCode > 0 && strings.Contains(e.stderr, "has disabled issues"):
		return IssuesDisabled
	case rateLimit().MatchString(e.stderr):
		return RateLimited
	case e.ExitCode == exitNotLoggedIn, badLogin().MatchString(e.stderr):
		return Unauthenticated
	}
	return Transient
}
