package status

import (
	"fmt"
	"time"
)

func (r Report) age(t time.Time) string { return Age(t, r.Now) }

// Age says how long before now t was: 12s ago.
func Age(t, now time.Time) string {
	if t.After(now) {
		return "in the future"
	}
	return Span(now.Sub(t)) + " ago"
}

// Span formats a duration in its largest unit, rounded down: 3h.
func Span(d time.Duration) string {
	const day = 24 * time.Hour
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/day)
}
