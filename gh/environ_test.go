package gh

import (
	"slices"
	"testing"
)

func TestEnvironIsFrugal(t *testing.T) {
	collector := []string{"GOGC=off", "GOMEMLIMIT=256MiB"}
	screen := []string{"TCELL_MINIMIZE=1"}
	for _, tt := range []struct {
		operator []string
		want     []string
		unwanted []string
	}{
		{nil, slices.Concat(collector, screen), nil},
		{[]string{"PATH=/bin"}, slices.Concat(collector, screen), nil},
		{[]string{"GOGC=50"}, screen, collector},
		{[]string{"GOMEMLIMIT=1GiB"}, screen, collector},
		{[]string{"TCELL_MINIMIZE="}, collector, screen},
	} {
		env := environ(tt.operator, "")
		for _, entry := range slices.Concat(tt.want, tt.operator) {
			if !slices.Contains(env, entry) {
				t.Errorf("environ(%v) lacks %s", tt.operator, entry)
			}
		}
		for _, entry := range tt.unwanted {
			if slices.Contains(env, entry) {
				t.Errorf("environ(%v) sets %s over the operator's own", tt.operator, entry)
			}
		}
	}
}

func TestEnvironNamesTheCache(t *testing.T) {
	operator := []string{"XDG_CACHE_HOME=/home/x/.cache", "TMPDIR=/tmp"}
	if env := environ(operator, ""); !slices.Contains(env, operator[0]) || !slices.Contains(env, operator[1]) {
		t.Errorf("without a cache of the caller's, gh gets %v, want the operator's %v", env, operator)
	}
	env := environ(operator, "/state/cache")
	for _, entry := range []string{"XDG_CACHE_HOME=/state/cache", "TMPDIR=/state/cache"} {
		if !slices.Contains(env, entry) {
			t.Errorf("gh does not get %s", entry)
		}
	}
	if slices.Contains(env, operator[0]) || slices.Contains(env, operator[1]) {
		t.Errorf("gh gets the operator's %v, too", operator)
	}
}
