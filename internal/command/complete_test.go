package command

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/session"
)

func TestComplete(t *testing.T) {
	root := t.TempDir()
	store, err := session.Open(root, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for ref, events := range map[string][]session.GaveUp{
		"github:octo/a#1": {{Event: session.EventSpawn}}, "github:octo/b#2": nil, "github:ghe.example.com/octo/c#3": nil,
	} {
		err := store.Update(ref, func(r *session.Record) error {
			r.SetState(session.StateActive, clock())
			r.GaveUp = events
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("THE_LOOP_STATE_ROOT", root)
	elsewhere := t.TempDir()
	for _, c := range []struct {
		words []string
		want  string // each value, or one of several with the same beginning
	}{
		{[]string{"ru"}, "run"},
		{[]string{"sessions", ""}, "list show retry stop pause resume restart"},
		{[]string{"sessions", "sh"}, "show"},
		{[]string{"config", "s"}, "show schema"},
		{[]string{"config", "path", ""}, "--help"},
		{[]string{"status", ""}, "--watch --format --help"},
		{[]string{"status", "--watch", "--"}, "--format --help"},
		{[]string{"status", "--format", ""}, "text json"},
		{[]string{"status", "--format", "text", "--w"}, "--watch"},
		{[]string{"status", "--format=j"}, "--format=json"},
		{[]string{"status", "-format=j"}, "-format=json"},
		{[]string{"--log-level", "d"}, "debug"},
		{[]string{"run", "--log-level", "w"}, "warn"},
		{[]string{"--config", "x"}, ":files"},
		{[]string{"--config=x"}, ":files"},
		{[]string{"--state-root", "x"}, ":folders"},
		{[]string{"run", "--interval", ""}, ""},
		{[]string{"run", "--label", "run", "--o"}, "--once"},
		{[]string{"events", "--type", "config."}, "config.reloaded config.reload_failed"},
		{[]string{"sessions", "list", "--state", "c"}, "closing closed"},
		{[]string{"sessions", "show", ""}, "ghe.example.com/octo/c#3 octo/a#1 octo/b#2"},
		{[]string{"sessions", "show", "octo/a"}, "octo/a#1"},
		{[]string{"sessions", "show", "github:o"}, "github:octo/a#1 github:octo/b#2"},
		{[]string{"sessions", "show", "--f"}, "--format"},
		{[]string{"sessions", "show", "octo/a#1", ""}, ""},
		{[]string{"sessions", "show", "octo/a#1", "--f"}, ""},
		{[]string{"sessions", "retry", ""}, "octo/a#1"},
		{[]string{"sessions", "resume", ""}, ""},
		{[]string{"--state-root", elsewhere, "sessions", "show", ""}, ""},
		{[]string{"--state-root=" + elsewhere, "sessions", "show", ""}, ""},
		{[]string{"sessions", "show", "--state-root", elsewhere, ""}, ""},
		{[]string{"completion", ""}, "bash zsh fish"},
		{[]string{"help", "st"}, "status stop"},
		{[]string{"xyzzy", ""}, "run status stop events sessions config doctor handler demo completion man help version"},
		{[]string{"__comp"}, ""},
		{nil, "run status stop events sessions config doctor handler demo completion man help version"},
	} {
		code, out, diagnostics := run(append([]string{completeName}, c.words...)...)
		if code != 0 || diagnostics != "" {
			t.Errorf("%q: exit code %d, stderr %q", c.words, code, diagnostics)
		}
		var got []string
		for line := range strings.Lines(out) {
			value, about, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if !found || strings.Contains(about, "\t") {
				t.Errorf("%q: the line %q has no or several tabs", c.words, line)
			}
			got = append(got, value)
		}
		if diff := cmp.Diff(strings.Fields(c.want), got, equateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.words, diff)
		}
	}
}

func equateEmpty() cmp.Option {
	return cmp.FilterValues(func(x, y []string) bool { return len(x) == 0 && len(y) == 0 }, cmp.Ignore())
}
