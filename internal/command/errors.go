package command

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
)

// fail shows an error and returns its exit code. No other function shows errors.
func (a *app) fail(err error) int {
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed // the reader of the output has seen enough
	}
	code := exitFailed
	var u usage
	if errors.As(err, &u) {
		code = exitUsage
	}
	lines := []string{err.Error()}
	var several interface{ lines() []string }
	if errors.As(err, &several) {
		lines = several.lines()
	}
	if errors.As(err, new(configError)) {
		code = exitUsage
	}
	for _, line := range lines {
		fmt.Fprintf(a.stderr, "the-loop: error: %s\n", line)
	}
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		fmt.Fprintf(a.stderr, "the-loop: hint: %s\n", h.Hint())
	}
	if u.call != "" {
		fmt.Fprintf(a.stderr, "usage: %s\n", u.call)
	}
	return code
}

// usage is an error of the command line.
type usage struct {
	text string
	hint string
	call string // the synopsis of the command, if the text does not make it plain
}

func (u usage) Error() string { return u.text }

func (u usage) Hint() string { return u.hint }

// usageError rewords the complaint of urfave/cli about the flags.
func (a *app) usageError(c *cli.Context, err error, _ bool) error {
	hint := "see '" + helpFor(c) + "'"
	if fault, is := durationFault(c, err); is {
		fault.call = callOf(c)
		return fault
	}
	if typed, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: "); unknown {
		name := strings.TrimLeft(typed, "-")
		return usage{text: "unknown flag " + dashed(name), hint: firstNonEmpty(suggestFlag(name, c), hint), call: callOf(c)}
	}
	text := strings.Replace(err.Error(), ": parse error", ": not a whole number", 1)
	for _, before := range []string{" for flag ", "\" for ", "flag needs an argument: "} {
		text = strings.Replace(text, before+"-", before+"--", 1) // package flag writes one dash only
	}
	return usage{text: text, hint: hint, call: callOf(c)}
}

// configError is an error of the configuration; it makes the exit code 2.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

// lines returns one line per fault.
func (e configError) lines() []string {
	var faults config.Faults
	if !errors.As(e.error, &faults) {
		return []string{e.Error()}
	}
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.Error()
	}
	return lines
}

// hinted is an error with advice.
type hinted struct {
	error
	hint string
}

func (h hinted) Hint() string { return h.hint }

func (h hinted) Unwrap() error { return h.error }

// severalErrors are shown one per line.
type severalErrors []error

func (s severalErrors) Error() string { return errors.Join(s...).Error() }

func (s severalErrors) lines() []string {
	lines := make([]string, len(s))
	for i, err := range s {
		lines[i] = err.Error()
	}
	return lines
}

// warn shows a warning, which leaves the exit code as it is.
func (a *app) warn(text string) { fmt.Fprintf(a.stderr, "the-loop: warning: %s\n", text) }

// oneOrAll returns the errors as one, and a single one as it is: it may have a hint.
func oneOrAll(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return severalErrors(errs)
}
