package command

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRunOnTerminal: the log on a terminal is for people, coloured and with a word
// on what to do next; with --log-format text it is what a pipe gets.
func TestRunOnTerminal(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	for _, c := range []struct {
		name    string
		flags   []string
		has     []string
		hasNone string
	}{
		{"for people", nil, []string{
			"\x1b[32mINFO \x1b[0m poller started (", " status' in another terminal to see what it sees; Ctrl-C stops it",
			"\x1b[31mERROR\x1b[0m source could not be asked, retried next cycle: github: could not run gh",
		}, "level="},
		{"for programs", []string{"--log-format", "text"}, []string{`level=INFO msg="poller started" version=`}, "\x1b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			keyboard, screen := terminal(t)
			a := newApp(strings.NewReader(""), screen, screen)
			args := append([]string{"the-loop", "--state-root", filepath.Join(t.TempDir(), "state")}, c.flags...)
			if err := a.cli().RunContext(t.Context(), append(args, "run", "--once", "--repo", "octo/a")); err != nil {
				t.Fatal(err)
			}
			a.log.Flush()
			if err := keyboard.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil { // only a failure reaches it
				t.Fatal(err)
			}
			var text []byte
			for !bytes.Contains(text, []byte("poller stopped")) {
				buf := make([]byte, 4096)
				n, err := keyboard.Read(buf)
				if err != nil {
					t.Fatalf("%v after %q", err, text)
				}
				text = append(text, buf[:n]...)
			}
			for _, want := range c.has {
				if !bytes.Contains(text, []byte(want)) {
					t.Errorf("%q lacks %q", text, want)
				}
			}
			if bytes.Contains(text, []byte(c.hasNone)) {
				t.Errorf("%q has %q", text, c.hasNone)
			}
		})
	}
}
