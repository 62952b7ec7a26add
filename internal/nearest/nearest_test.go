package nearest_test

import (
	"strings"
	"testing"

	"the-loop/internal/nearest"
)

func TestTo(t *testing.T) {
	keys := []string{"intervalSeconds", "maxRetries", "name", "pace", "repos", "label", "labels"}
	commands := []string{"run", "status", "stop", "events", "sessions", "config", "demo"}
	for _, tt := range []struct {
		typed string
		known []string
		want  string
	}{
		{"intervalSecond", keys, "intervalSeconds"},
		{"interval_seconds", keys, "intervalSeconds"},
		{"IntervalSeconds", keys, "intervalSeconds"},
		{"intervlaSeconds", keys, "intervalSeconds"},
		{"maxretries", keys, "maxRetries"},
		{"repo", keys, "repos"},
		{"repositories", keys, ""},
		{"nmae", keys, "name"},
		{"lable", keys, "label"},
		{"x", keys, ""},
		{"", keys, ""},
		{strings.Repeat("intervalSeconds", 50), keys, ""},
		{"statsu", commands, "status"},
		{"session", commands, "sessions"},
		{"rnu", commands, "run"},
		{"start", commands, ""}, // as near to status as to stop, and neither
		{"help", commands, ""},
		{"éé", commands, ""},
		{"status", nil, ""},
	} {
		t.Run(tt.typed, func(t *testing.T) {
			if got := nearest.To(tt.typed, tt.known); got != tt.want {
				t.Errorf("To(%q) = %q, want %q", tt.typed, got, tt.want)
			}
		})
	}
}
