package doctor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// named are so many repositories of a host.
func named(prefix string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s/r%d", prefix, i))
	}
	return out
}

// TestSample: of many repositories some are asked for, spread over all of them and
// over all hosts, and doctor says of how many; --all asks for each.
func TestSample(t *testing.T) {
	for _, c := range []struct {
		name  string
		repos []string
		all   bool
		asked int
		said  string
	}{
		{"twenty", named("octo", 20), false, 20, ""},
		{"one more", named("octo", 21), false, 20, "ok github.com: checking 20 of 21 repositories; 'the-loop doctor --all' checks all of them →\n"},
		{"all", named("octo", 21), true, 21, ""},
		{
			"two hosts", append(named("octo", 9900), named("ghe.corp/octo", 3)...), false, 20,
			"ok github.com: checking 19 of 9900 repositories; 'the-loop doctor --all' checks all of them →\n" +
				"ok ghe.corp: checking 1 of 3 repositories; 'the-loop doctor --all' checks all of them →\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, o := well(t)
			o.Config, o.All = configuration(t, source(c.repos...)), c.all
			var asked []string
			total := 0
			o.Asking = func(repo string, _, n int) { asked, total = append(asked, repo), n }
			if diff := cmp.Diff(c.said, examine(t, o, "sample")); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
			if len(asked) != c.asked || total != c.asked {
				t.Errorf("asked for %d repositories of %d announced, want %d", len(asked), total, c.asked)
			}
		})
	}
}

func TestSpread(t *testing.T) {
	_, o := well(t)
	o.Config = configuration(t, source(named("octo", 100)...))
	var asked []string
	o.Asking = func(repo string, _, _ int) { asked = append(asked, repo) }
	examine(t, o)
	want := "octo/r0 octo/r5 octo/r10 octo/r15 octo/r20 octo/r26 octo/r31 octo/r36 octo/r41 octo/r46 " +
		"octo/r52 octo/r57 octo/r62 octo/r67 octo/r72 octo/r78 octo/r83 octo/r88 octo/r93 octo/r99"
	if diff := cmp.Diff(want, strings.Join(asked, " ")); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}
