package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestManHasEverything(t *testing.T) {
	code, page, diagnostics := run("man")
	if code != 0 || diagnostics != "" {
		t.Fatalf("exit code %d, stderr %q", code, diagnostics)
	}
	flag := func(f cli.Flag) string { return `\fB` + roff(dashed(f.Names()[0])) + `\fR` }
	for _, f := range (&app{}).cli().Flags {
		if !strings.Contains(page, flag(f)) {
			t.Errorf("%s is missing", f.Names()[0])
		}
	}
	everyCommand(t, func(path []string, c *cli.Command) {
		head := fmt.Sprintf(".SS \"%s", roff("the-loop "+strings.Join(path, " ")))
		begin := strings.Index(page, head)
		if (begin >= 0) == c.Hidden {
			t.Errorf("%v is there: %t, hidden: %t", path, begin >= 0, c.Hidden)
		}
		if c.Hidden || begin < 0 {
			return
		}
		part := page[begin+1:]
		if end := strings.Index(part, "\n.S"); end >= 0 {
			part = part[:end]
		}
		for _, f := range c.Flags {
			if strings.Contains(part, flag(f)) != visible(f) {
				t.Errorf("%v: --%s is there: %t", path, f.Names()[0], !visible(f))
			}
		}
	})
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || len(line) > 0 && line[0] > 0x7e {
			t.Errorf("a line that could be a request: %s", line)
		}
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"plain":             "plain",
		".TH at the start":  `\&.TH at the start`,
		"'quoted' text":     `\&\(aqquoted\(aq text`,
		`C:\dir --flag ~/x`: `C:\edir \-\-flag \(ti/x`,
		"a — ✓ `b` ^c":      `a \[u2014] \[u2713] \(gab\(ga \(hac`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %s, want %s", text, got, want)
		}
	}
}
