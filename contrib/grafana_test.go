//go:build unix

package contrib_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/status"
)

// TestDashboard: the dashboard asks for every family that status has, and for no
// other.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	var asked, known []string
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			for _, name := range regexp.MustCompile(`the_loop_\w+`).FindAllString(target.Expr, -1) {
				asked = append(asked, strings.TrimSuffix(name, "_total"))
			}
		}
	}
	for line := range strings.Lines(string(status.Report{}.OpenMetrics())) {
		if words := strings.Fields(line); len(words) > 2 && words[1] == "TYPE" {
			known = append(known, words[2])
		}
	}
	for _, list := range []*[]string{&asked, &known} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if diff := cmp.Diff(known, asked); diff != "" {
		t.Errorf("families (-status +dashboard):\n%s", diff)
	}
}
