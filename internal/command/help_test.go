package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// run runs a command line of this program.
func run(args ...string) (code int, stdout, stderr string) {
	var out, diagnostics bytes.Buffer
	code = Main(append([]string{"the-loop"}, args...), strings.NewReader(""), &out, &diagnostics)
	return code, out.String(), diagnostics.String()
}

// everyCommand calls its function with each command at every depth, and with the
// words that name the command.
func everyCommand(t *testing.T, call func(path []string, c *cli.Command)) {
	t.Helper()
	var walk func(path []string, commands []*cli.Command)
	walk = func(path []string, commands []*cli.Command) {
		for _, c := range commands {
			here := append(slices.Clone(path), c.Name)
			call(here, c)
			walk(here, c.Subcommands)
		}
	}
	walk(nil, (&app{}).cli().Commands)
}

// The help of every command names its flags and fits into 80 columns.
func TestHelp(t *testing.T) {
	check := func(path []string, flags []cli.Flag) {
		t.Run(strings.Join(path, " "), func(t *testing.T) {
			code, text, diagnostics := run(append(slices.Clone(path), "--help")...)
			if code != 0 || diagnostics != "" {
				t.Fatalf("exit code %d, stderr %q", code, diagnostics)
			}
			for line := range strings.Lines(text) {
				if n := columns(strings.TrimSuffix(line, "\n")); n > helpWidth {
					t.Errorf("%d columns: %s", n, line)
				}
				if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
					t.Errorf("blanks at the end: %q", line)
				}
			}
			for _, f := range flags {
				shown := strings.Contains(text, "\n   "+dashed(f.Names()[0]))
				if shown != visible(f) {
					t.Errorf("%s is shown: %t, is visible: %t", f.Names()[0], shown, visible(f))
				}
			}
		})
	}
	check(nil, (&app{}).cli().Flags)
	everyCommand(t, func(path []string, c *cli.Command) {
		if !c.Hidden {
			check(path, c.Flags)
		}
	})
}

// The help of every command suffices for a newcomer: it says more than the list of
// commands does.
func TestEveryCommandIsDescribed(t *testing.T) {
	_, all, _ := run("--help")
	everyCommand(t, func(path []string, c *cli.Command) {
		name := strings.Join(path, " ")
		switch {
		case c.Hidden:
			if strings.Contains(all, c.Name) {
				t.Errorf("%s is hidden and in the help", name)
			}
		case c.Usage == "" || c.Description == "":
			t.Errorf("%s has no usage or no description", name)
		case strings.HasSuffix(c.Usage, ".") || !strings.HasSuffix(lastParagraph(c.Description), ".") && !strings.Contains(c.Description, "\n   "):
			t.Errorf("%s: the usage is no sentence, the description is some", name)
		case len(path) == 1 && !strings.Contains(all, "\n   "+c.Name+" "):
			t.Errorf("%s is not in the help", name)
		}
	})
}

func lastParagraph(description string) string {
	parts := strings.Split(description, "\n\n")
	return parts[len(parts)-1]
}

func TestOptions(t *testing.T) {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "once", Usage: "run one cycle"},
		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: "text", Usage: "print as `FORMAT`: text or json"},
		&cli.StringSliceFlag{Name: "repo", Usage: "watch `[HOST/]OWNER/REPO`"},
		&cli.StringFlag{Name: "config", EnvVars: []string{"THE_LOOP_CONFIG"}, Usage: "read it"},
		&cli.StringFlag{Name: "secret", Hidden: true},
	}
	want := []option{
		{names: []string{"--once"}, usage: "run one cycle"},
		{names: []string{"--format", "-f"}, value: "FORMAT", usage: "print as FORMAT: text or json", standard: "text"},
		{names: []string{"--repo"}, value: "[HOST/]OWNER/REPO", usage: "watch [HOST/]OWNER/REPO", repeats: true},
		{names: []string{"--config"}, value: "VALUE", usage: "read it", variable: "THE_LOOP_CONFIG"},
	}
	got := options(flags)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(option{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := got[1].head()+": "+got[1].text(), "--format, -f FORMAT: print as FORMAT: text or json (default: text)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHelpLayout(t *testing.T) {
	var h helpText
	h.section("DESCRIPTION")
	h.description("One two three\nfour.\n\nExamples:\n   verbatim    {{.Session}}\n   again\n\nEnd.")
	h.section("OPTIONS")
	h.table([][2]string{{"--a", "short"}, {"--much-longer-than-the-rest-of-them", strings.Repeat("word ", 20)}})
	want := `DESCRIPTION:
   One two three four.

   Examples:
      verbatim    {{.Session}}
      again

   End.

OPTIONS:
   --a  short
   --much-longer-than-the-rest-of-them
        word word word word word word word word word word word word word word
        word word word word word word
`
	if diff := cmp.Diff(want, h.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := h.template(); !strings.Contains(got, `{{"{{"}}.Session}}`) {
		t.Errorf("braces are not escaped: %s", got)
	}
}
