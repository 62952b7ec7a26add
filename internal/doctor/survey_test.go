package doctor

import (
	"slices"
	"strings"
	"testing"
	"time"

	"the-loop/internal/ref"
)

// TestSurveyOfSeveralLabels has three sources, two of which want several labels.
func TestSurveyOfSeveralLabels(t *testing.T) {
	d, o := well(t)
	o.Config.Polling.SkipUnchanged, o.Config.Polling.Interval = "always", time.Minute
	first := o.Config.Polling.Sources[0]
	first.Labels = []string{"the-loop"}
	two := first
	two.Name, two.Labels = "two", []string{"a", "b"}
	two.Repos = []ref.Repo{{Host: "github.com", Owner: "octo", Name: "labelled"}}
	three := two
	three.Name = "three"
	o.Config.Polling.Sources = append(o.Config.Polling.Sources[:0], first, two, three)
	var said []string
	o.Found = func(f Finding) {
		if f.Check == "survey" {
			said = append(said, f.Message)
		}
	}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if len(said) != 2 || said[0] != "2 sources have several labels and are listed in full" || !strings.HasSuffix(said[1], " for 1 point") {
		t.Errorf("said %q", said)
	}
	surveys := slices.DeleteFunc(d.Listed(), func(l string) bool { return !strings.HasPrefix(l, "survey ") })
	if want := []string{"survey of octo/a, octo/b"}; !slices.Equal(surveys, want) {
		t.Errorf("asked for %q, want %q", surveys, want)
	}
}

func TestQuietCycle(t *testing.T) {
	for _, c := range []struct {
		a        account
		interval time.Duration
		want     int
	}{
		{account{cost: 1000, surveyCalls: 1000, surveyCost: 1000}, time.Minute, 45},
		{account{cost: 1500, surveyCalls: 1000, surveyCost: 1500}, time.Minute, 62},
		{account{cost: 80, surveyCalls: 80, surveyCost: 80}, 10 * time.Second, 2},
		{account{cost: 100, surveyCalls: 80, surveyCost: 80}, time.Minute, 24},
		{account{cost: 100, surveyCalls: 100, surveyCost: 100}, time.Hour, 101},
	} {
		if got := c.a.quiet(c.interval); got != c.want {
			t.Errorf("%+v every %s: %d points, want %d", c.a, c.interval, got, c.want)
		}
	}
}
