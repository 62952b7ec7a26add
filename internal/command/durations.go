package command

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// durationFault is what is wrong with the value of a flag that takes a duration,
// where that is what err, of package flag, is about.
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

// badDuration says what to write in place of a text that is no duration, such
// as the examples.
func badDuration(flag, typed, examples string) usage {
	if with := typed + "s"; lacksUnit(typed) {
		return usage{text: fmt.Sprintf("%s: %q has no unit", flag, typed), hint: "write " + with}
	}
	return usage{text: fmt.Sprintf("%s: %q is not a duration", flag, typed), hint: "use a duration such as " + examples}
}

// lacksUnit reports whether an s makes a duration of the text. A sign is left to
// those who say why a duration is positive.
func lacksUnit(typed string) bool {
	_, err := time.ParseDuration(typed + "s")
	return err == nil && typed != "" && !strings.ContainsAny(typed[len(typed)-1:], "nµμm")
}
