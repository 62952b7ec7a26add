//go:build unix

package docs_test

import (
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("u", false, "draw the picture of the demo anew")

// picture is the README's picture of the demo.
const picture = "docs/demo.svg"

// pictureColumns is the width of the drawn terminal.
const pictureColumns = 122

// TestPictureOfTheDemo draws what the demo prints and compares it with the picture.
func TestPictureOfTheDemo(t *testing.T) {
	cmd := exec.Command("the-loop", "demo")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "GORACE=atexit_sleep_ms=0"}
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := draw(scenes(string(out)))
	if *update {
		if err := os.WriteFile(picture, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what the demo prints; draw it anew with 'go test ./docs -u' (-picture +demo):\n%s", picture, diff)
	}
}

// scenes returns the acts of the demo that the picture shows, free of what differs
// from run to run: times, the pid, and when a handler's end is logged.
func scenes(out string) []string {
	for _, fixed := range [][2]string{
		{`running \(pid \d+\)`, "running (pid 4242)"},
		{`started:    \S+ \(\S+ ago\)`, "started:    2026-11-30T10:00:00Z (2s ago)"},
		{`last cycle: \S+ \(\S+ ago\)`, "last cycle: 2026-11-30T10:00:01Z (1s ago)"},
	} {
		out = regexp.MustCompile(fixed[0]).ReplaceAllString(out, fixed[1])
	}
	acts := strings.Split(out, "\n\n")
	var ofHandlers, list []string
	for line := range strings.SplitSeq(out, "\n") {
		if sceneOf(line) != "" {
			ofHandlers = append(ofHandlers, line)
		}
	}
	slices.Sort(ofHandlers)
	for _, act := range acts {
		switch {
		case strings.HasPrefix(act, "the-loop demo"):
			list = append(list, "$ the-loop demo")
		case strings.HasPrefix(act, "1  "), strings.HasPrefix(act, "2  "), strings.HasPrefix(act, "4  "),
			strings.HasPrefix(act, "7  "), strings.HasPrefix(act, "   $ the-loop status") && strings.HasPrefix(list[len(list)-1], "2"):
			list = append(list, scene(act, ofHandlers))
		}
	}
	return list
}

// sceneOf returns the act that a line about a handler belongs to, "" for other lines.
func sceneOf(line string) string {
	for about, act := range map[string]string{"session started: ": "1", "comment delivered: ": "4", "session closed: ": "7"} {
		if strings.Contains(line, "INFO  "+about) {
			return act
		}
	}
	return ""
}

// scene returns an act with the lines of its handlers at its end.
func scene(act string, ofHandlers []string) string {
	var list []string
	for line := range strings.SplitSeq(act, "\n") {
		if sceneOf(line) == "" {
			list = append(list, line)
		}
	}
	for _, line := range ofHandlers {
		if sceneOf(line) == act[:1] {
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

// draw returns the text as an SVG of a terminal.
func draw(scenes []string) string {
	const lineHeight, margin, charWidth = 18, 16, 8
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(strings.Join(scenes, "\n\n")), "\n") {
		lines = append(lines, wrapped(line)...)
	}
	var b strings.Builder
	width, height := pictureColumns*charWidth+2*margin, len(lines)*lineHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", width, height)
	b.WriteString("<title>the-loop demo</title>\n" + `<rect width="100%" height="100%" rx="8" fill="#161b22"/>` + "\n")
	b.WriteString(`<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" xml:space="preserve" style="white-space:pre">` + "\n")
	colour := ""
	for i, line := range lines {
		if !strings.HasPrefix(line, strings.Repeat(" ", 9)) || strings.HasPrefix(line, strings.Repeat(" ", 15)) {
			colour = colourOf(line)
		}
		if strings.TrimSpace(line) != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", margin, margin+(i+1)*lineHeight-5, colour, html.EscapeString(line))
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// wrapped cuts a line at blanks into what fits, and indents what follows the first.
func wrapped(line string) []string {
	var list []string
	for len([]rune(line)) > pictureColumns {
		runes := []rune(line)
		at := strings.LastIndex(string(runes[:pictureColumns]), " ")
		list = append(list, line[:at])
		line = strings.Repeat(" ", 9) + line[at+1:]
	}
	return append(list, line)
}

func colourOf(line string) string {
	switch {
	case strings.HasPrefix(line, "   ERROR"):
		return "#ff7b72"
	case strings.HasPrefix(line, "   INFO"):
		return "#8b949e"
	case strings.HasPrefix(strings.TrimSpace(line), "$ "):
		return "#7ee787"
	}
	return "#e6edf3"
}
