// Package timetext has the one form that times and durations take in texts.
//
// It imports only the standard library.
package timetext

import (
	"strings"
	"time"
)

// UTC returns a time in RFC 3339, in UTC and whole seconds: 2026-11-30T10:00:00Z.
func UTC(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Duration returns a duration as Go does, without trailing units that are zero: 15m,
// 2m30s, 1h30m.
func Duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
