//go:build unix

package endurance_test

import (
	"fmt"
	"slices"

	"the-loop/internal/session"
)

// atRest compares records and sessions with a world that has been quiet for long
// enough. It returns the broken promises.
func (l *ledger) atRest() []string {
	var wrong []string
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for id, c := range l.people.comments {
		if c.due && !l.people.delivered[id] {
			complain("comment %s on %s was never delivered", id, c.item)
		}
	}
	for _, i := range l.people.world.Items {
		rec := l.people.record(i)
		s := l.sessions[i.Ref()]
		on := s != nil && s.on
		switch state := rec.State; {
		case len(rec.Pending) > 0:
			complain("%s: still pending: %+v", i.Ref(), rec.Pending)
		case !l.people.starts(i):
			if s != nil || state != session.StateNone && i.Open {
				complain("%s is %s and has a session of its own", i.Ref(), state)
			}
		case i.Open && (state != session.StateActive || !on):
			complain("%s is open, its record says %q, its session lives: %t", i.Ref(), state, on)
		case !i.Open && (on || state == session.StateActive || state == session.StateClosing):
			complain("%s is closed, its record says %q, its session lives: %t", i.Ref(), state, on)
		case on && rec.Generation != s.generation:
			complain("%s: the record is of session %d, the handlers saw %d", i.Ref(), rec.Generation, s.generation)
		}
	}
	slices.Sort(wrong)
	return wrong
}
