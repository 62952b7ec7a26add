package command

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// durationFault explains err if it is package flag's complaint about the value of
// a flag that takes a duration.
func durationFault(c *cli.Context, err error) (usage, bool) {
	m := regexp.MustCompile(`^invalid value "(.*)" for flag -(\S+): parse error$`).FindStringSubmatch(err.Error())
	if m == nil || c.Command == nil {
		return usage{}, false
	}
	for _, f := range c.Command.Flags {
		if _, is := f.(*cli.DurationFlag); is && f.Names()[0] == m[2] {
			return badDuration("--"+m[2], m[1], "90s or 2h30m"), true
		}
	}
	return usage{}, false
}

// badDuration is the error about a text that is no duration. It suggests the
// missing unit or the examples.
func badDuration(flag, typed, examples string) usage {
	if with := typed + "s"; lacksUnit(typed) {
		return usage{text: fmt.Sprintf("%s: %q has no unit", flag, typed), hint: "write " + with}
	}
	return usage{text: fmt.Sprintf("%s: %q is not a duration", flag, typed), hint: "use a duration such as " + examples}
}

// lacksUnit reports whether the text becomes a duration with an s appended. It
// accepts a sign: other checks explain why a duration must be positive.
func lacksUnit(typed string) bool {
	_, err := time.ParseDuration(typed + "s")
	return err == nil && typed != "" && !strings.ContainsAny(typed[len(typed)-1:], "nµμm")
}
