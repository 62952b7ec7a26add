package gh

import (
	"slices"
	"testing"
)

func TestEnvironIsFrugal(t *testing.T) {
	for _, tt := range []struct {
		operator []string
		want     bool
	}{
		{nil, true},
		{[]string{"PATH=/bin"}, true},
		{[]string{"GOGC=50"}, false},
		{[]string{"GOMEMLIMIT=1GiB"}, false},
	} {
		env := environ(tt.operator)
		if got := slices.Contains(env, "GOGC=off") && slices.Contains(env, "GOMEMLIMIT=256MiB"); got != tt.want {
			t.Errorf("%v: %v", tt.operator, env)
		}
		for _, entry := range tt.operator {
			if !slices.Contains(env, entry) {
				t.Errorf("the operator's %s is gone from %v", entry, env)
			}
		}
	}
}
