package status

import "time"

// Age says how long before now t was, as the report does: 12s ago.
func Age(t, now time.Time) string { return Report{Now: now}.age(t) }

// Span formats a duration in its largest unit, rounded down, as the report does: 3h.
func Span(d time.Duration) string { return span(d) }
