package status

import (
	"fmt"

	"the-loop/poller"
)

// standing adds what waits for a person, which stays until it is over. Of a
// poller that does not run all of it is said of the past.
func (l *lines) standing(s poller.Standing, running bool) {
	if n := s.NoHandler.Count; n > 0 {
		l.add("no handler", fmt.Sprintf("%s %s for routing.handlers.spawn", counted(n, "item"), verb(n, running, "wait", "waited")))
	}
}

// verb is in the present tense and agrees with n, or in the past.
func verb(n int, running bool, present, past string) string {
	switch {
	case !running:
		return past
	case n == 1:
		return present + "s"
	}
	return present
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
