package poller

import (
	"errors"
	"testing"
)

func TestRepeated(t *testing.T) {
	full, readOnly := errors.New("no space left on device"), errors.New("read-only file system")
	r := repeated{}
	for i, step := range []struct {
		what string
		err  error
		want bool
	}{
		{"records", nil, false},
		{"records", full, true},
		{"records", full, false},
		{"logs", full, true},
		{"records", readOnly, true},
		{"records", nil, false},
		{"records", readOnly, true},
		{"logs", full, false},
	} {
		if got := r.news(step.what, step.err); got != step.want {
			t.Errorf("step %d: %s, %v: news %v", i, step.what, step.err, got)
		}
	}
}
