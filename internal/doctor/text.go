package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"the-loop/gh"
	"the-loop/internal/safetext"
	"the-loop/internal/timetext"
	"the-loop/poller"
	"the-loop/status"
)

// maxSaid bounds quoted errors within a message, in characters.
const maxSaid = 100

// callForm matches how an error of gh begins. The finding itself says which call it
// was.
var callForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^gh( \S+){1,3} exited \d+: `)
})

// said returns the text of an error, cut for use within a message.
func said(err error) string {
	return safetext.Strip(callForm().ReplaceAllString(err.Error(), ""), maxSaid)
}

// remedy returns what to do about the cause of an error, or other where it is unknown.
func remedy(err error, other string) string {
	return cmp.Or(status.Remedy(poller.Cause(gh.CauseOf(err))), other)
}

// cause returns the innermost error, without the path and the system call of the
// errors around it.
func cause(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}

var plainWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,~-]+$`)
})

// ShellWord quotes s as one word for a POSIX shell.
func ShellWord(s string) string {
	if plainWord().MatchString(s) && !strings.HasPrefix(s, "~") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// quoted puts a name into quotes if it could be read as more than one word.
func quoted(name string) string {
	if plainWord().MatchString(name) {
		return name
	}
	return fmt.Sprintf("%q", name)
}

// short formats a duration the way people write it: 1m, not 1m0s.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(100 * time.Millisecond)
	default:
		d = d.Round(time.Millisecond)
	}
	return timetext.Duration(d)
}
