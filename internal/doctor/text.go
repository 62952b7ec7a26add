package doctor

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"the-loop/internal/safetext"
)

// maxSaid bounds what others say within a message, in characters.
const maxSaid = 100

// callForm is how an error of a gh call begins. Which call it was is plain from
// the finding, whose line is short.
var callForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^gh( \S+){1,3} exited \d+: `)
})

// said is an error's text within a message.
func said(err error) string {
	return safetext.Strip(callForm().ReplaceAllString(err.Error(), ""), maxSaid)
}

// cause is the innermost error, without the path and the system call that the
// ones around it name.
func cause(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}

var plainWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,~-]+$`)
})

// ShellWord is s as one word of a command that is typed into a POSIX shell.
func ShellWord(s string) string {
	if plainWord().MatchString(s) && !strings.HasPrefix(s, "~") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// quoted is a name within a message, in quotes when it could be taken for more
// than one word of it.
func quoted(name string) string {
	if plainWord().MatchString(name) {
		return name
	}
	return fmt.Sprintf("%q", name)
}

// short is a duration as people write it: 1m, not 1m0s.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(100 * time.Millisecond)
	default:
		d = d.Round(time.Millisecond)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func utc(t time.Time) string { return t.UTC().Format(time.RFC3339) }
