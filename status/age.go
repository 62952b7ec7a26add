package status

import "time"

// Age is how long before now t was, in the words of the report: 12s ago.
func Age(t, now time.Time) string { return Report{Now: now}.age(t) }

// Span is a duration in its largest unit, rounded down, as in the report: 3h.
func Span(d time.Duration) string { return span(d) }
