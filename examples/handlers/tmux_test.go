//go:build unix

package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/scripttest"
	"the-loop/internal/session"
)

// bench runs tmux/session.sh as the daemon would, for issues of octo/a.
type bench struct {
	t   *testing.T
	dir string // AGENT_DIR; the state root is "state" in it
	env []string
}

func newBench(t *testing.T, settings ...string) *bench {
	t.Helper()
	needTools(t, "tmux", "git")
	b := &bench{t: t, dir: t.TempDir()}
	b.env = append(os.Environ(), "TMUX_TMPDIR="+ownTmux(t), agentDir+"="+b.dir, "AGENT=agent",
		"THE_LOOP_STATE_ROOT="+filepath.Join(b.dir, "state"), "THE_LOOP_COMMENT_MARKER="+session.CommentMarker,
		"THE_LOOP_HOST=github.com", "THE_LOOP_OWNER=octo", "THE_LOOP_REPO=a", "THE_LOOP_KIND=issue")
	b.env = append(b.env, settings...)
	b.write("ready", "")
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// got returns the record of the agents.
func (b *bench) got() string {
	text, _ := os.ReadFile(filepath.Join(b.dir, "got"))
	return string(text)
}

// folder returns the working folder of the session of issue n.
func (b *bench) folder(n int) string {
	return filepath.Join(b.dir, "state", "work", fmt.Sprintf("a-%d-name", n))
}

// command runs a command in the bench's environment.
func (b *bench) command(stdin []byte, argv ...string) (code int, output string) {
	b.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdin = b.env, b.dir, bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		b.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// must runs a command and fails the test if it fails.
func (b *bench) must(argv ...string) string {
	b.t.Helper()
	code, out := b.command(nil, argv...)
	if code != 0 {
		b.t.Fatalf("%q exited %d: %s", argv, code, out)
	}
	return strings.TrimSpace(out)
}

// deliver runs the handler once.
func (b *bench) deliver(n int, event session.Event, id string) (code int, output string) {
	b.t.Helper()
	in := session.Input{
		Version: 1, Event: event, DeliveryID: id, Attempt: 1,
		Session: session.InputSession{Name: fmt.Sprintf("a-%d-name", n), Ref: fmt.Sprintf("github:octo/a#%d", n)},
		Item:    session.InputItem{Kind: "issue", Title: "$(touch pwned)", URL: fmt.Sprintf("https://github.com/octo/a/issues/%d", n)},
		Comment: &session.InputComment{Author: "octo", Body: id},
	}
	stdin, err := json.Marshal(in)
	if err != nil {
		b.t.Fatal(err)
	}
	script, err := filepath.Abs("tmux/session.sh")
	if err != nil {
		b.t.Fatal(err)
	}
	return b.command(stdin, "env", "THE_LOOP_EVENT="+string(event), "THE_LOOP_DELIVERY_ID="+id,
		"THE_LOOP_SESSION="+in.Session.Name, "THE_LOOP_REF="+in.Session.Ref, fmt.Sprint("THE_LOOP_NUMBER=", n),
		"THE_LOOP_URL="+in.Item.URL, script)
}

// delivered runs the handler until it succeeds, as the daemon does once a cycle while the
// handler exits with 75.
func (b *bench) delivered(n int, event session.Event, id string) {
	b.t.Helper()
	err := scripttest.Until(func() (bool, string) {
		code, out := b.deliver(n, event, id)
		if code != 0 && code != 75 {
			b.t.Fatalf("%s of issue %d exited %d: %s", event, n, code, out)
		}
		return code == 0, out
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) exits(n int, event session.Event, id string, code int, text string) {
	b.t.Helper()
	if got, out := b.deliver(n, event, id); got != code || !strings.Contains(out, text) {
		b.t.Errorf("%s of issue %d exited %d: %s\nwant %d and %q", event, n, got, out, code, text)
	}
}

// expect waits for the last of the agents' expected lines, then compares them all.
func (b *bench) expect(lines ...string) {
	b.t.Helper()
	last := lines[len(lines)-1] + "\n"
	if err := scripttest.Until(func() (bool, string) { return strings.HasSuffix(b.got(), last), last + "in:\n" + b.got() }); err != nil {
		b.t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Join(lines, "\n")+"\n", b.got()); diff != "" {
		b.t.Errorf("what the agent was told (-want +got):\n%s", diff)
	}
}

const urlTold = "URL told: true, marker told: true"

func TestTmuxTellsOnce(t *testing.T) {
	b := newBench(t)
	b.delivered(7, session.EventSpawn, "spawn-1")
	b.delivered(7, session.EventSpawn, "spawn-1")
	b.delivered(7, session.EventComment, "comment-1")
	b.delivered(7, session.EventComment, "comment-1")
	b.delivered(7, session.EventComment, "comment-2")
	b.expect("started for github:octo/a#7", `spawn github:octo/a#7 "$(touch pwned)"`, urlTold,
		`comment by octo "comment-1"`, `comment by octo "comment-2"`)
	b.exits(7, session.EventClose, "close-1", 75, "next cycle")
	b.exits(7, session.EventClose, "close-1", 0, "")
	b.exits(7, session.EventClose, "close-1", 0, "")
	if code, _ := b.command(nil, "tmux", "-L", "the-loop", "list-sessions"); code == 0 {
		t.Error("there is a tmux server left")
	}
}

// The server that starts a later session has the variables of the first.
func TestTmuxSessionsKnowThemselves(t *testing.T) {
	b := newBench(t)
	b.delivered(7, session.EventSpawn, "spawn-7")
	b.expect("started for github:octo/a#7", `spawn github:octo/a#7 "$(touch pwned)"`, urlTold)
	b.delivered(8, session.EventSpawn, "spawn-8")
	b.expect("started for github:octo/a#7", `spawn github:octo/a#7 "$(touch pwned)"`, urlTold,
		"started for github:octo/a#8", `spawn github:octo/a#8 "$(touch pwned)"`, urlTold)
	global := b.must("tmux", "-L", "the-loop", "show-environment", "-g")
	for _, name := range []string{"THE_LOOP_EVENT", "THE_LOOP_DELIVERY_ID"} {
		if strings.Contains(global, name+"=") {
			t.Errorf("the agents have %s of another session's delivery", name)
		}
	}
}

func TestTmuxRefuses(t *testing.T) {
	b := newBench(t, "AGENT=")
	b.exits(7, session.EventSpawn, "spawn-1", 1, "AGENT is not set")
	b.exits(7, session.EventComment, "comment-1", 1, "the agent of a-7-name is gone")
	b.exits(7, "dance", "dance-1", 1, "no event dance")
	b.exits(8, session.EventClose, "close-1", 0, "")
}

// An agent that ends before its first message costs attempts, so the daemon does not
// start a mistyped one for ever.
func TestTmuxAgentEnds(t *testing.T) {
	b := newBench(t, "AGENT=read -r line <$AGENT_DIR/fifo")
	b.must("mkfifo", "fifo")
	gone := func() (bool, string) {
		code, out := b.command(nil, "tmux", "-L", "the-loop", "list-sessions")
		return code != 0, "the agent to end: " + out
	}
	b.exits(7, session.EventSpawn, "spawn-1", 75, "not ready")
	b.exits(7, session.EventSpawn, "spawn-1", 75, "not ready")
	for range 2 {
		b.must("sh", "-c", "echo >fifo")
		if err := scripttest.Until(gone); err != nil {
			t.Fatal(err)
		}
		b.exits(7, session.EventSpawn, "spawn-1", 1, "try AGENT by hand in "+b.folder(7))
	}
}

// A person in the session neither gets the agent's messages nor keeps them from the
// agent.
func TestTmuxBesidePeople(t *testing.T) {
	b := newBench(t, "AGENT_READY=^ready>$")
	b.delivered(7, session.EventSpawn, "spawn-1")
	b.must("tmux", "-L", "the-loop", "copy-mode", "-t", "=a-7-name:")
	b.exits(7, session.EventComment, "comment-1", 75, "scrolling")
	b.must("tmux", "-L", "the-loop", "send-keys", "-t", "=a-7-name:", "-X", "cancel")
	b.must("tmux", "-L", "the-loop", "split-window", "-t", "=a-7-name:", "sh", "-c", "cat >typed")
	b.delivered(7, session.EventComment, "comment-1")
	b.expect("started for github:octo/a#7", `spawn github:octo/a#7 "$(touch pwned)"`, urlTold, `comment by octo "comment-1"`)
}

func TestTmuxKeepsWork(t *testing.T) {
	for _, tt := range []struct {
		name, repo, work string // work is a command that the agent ran in its folder
		kept             bool
	}{
		{"plain, nothing done", "", ":", false},
		{"plain, a file", "", "touch file", true},
		{"work tree, nothing done", "src", ":", false},
		{"work tree, ignored", "src", "echo '*.o' >.gitignore && git add . && git commit -qm i && touch a.o", false},
		{"work tree, committed", "src", "touch file && git add . && git commit -qm file", false},
		{"work tree, removed by hand", "src", `rm -r "$PWD"`, false},
		{"work tree, a new file", "src", "touch file", true},
		{"work tree, a changed file", "src", "echo more >>begun", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, "REPO_DIR="+tt.repo, "AGENT=echo ready; exec cat", "GIT_AUTHOR_NAME=o", "GIT_AUTHOR_EMAIL=o@example.com",
				"GIT_COMMITTER_NAME=o", "GIT_COMMITTER_EMAIL=o@example.com")
			b.must("sh", "-c", "git init -q src && cd src && touch begun && git add . && git commit -qm begun")
			b.delivered(7, session.EventSpawn, "spawn-1")
			b.must("sh", "-c", "cd "+b.folder(7)+" && "+tt.work)
			head := b.must("git", "-C", "src", "rev-parse", "--all")
			b.delivered(7, session.EventClose, "close-1")
			if got := exists(b.folder(7)); got != tt.kept {
				t.Errorf("the folder is kept: %t, want %t", got, tt.kept)
			}
			if tt.repo == "" {
				return
			}
			if got := b.must("git", "-C", "src", "rev-parse", "--all"); got != head {
				t.Errorf("branches are at\n%s\nwant\n%s", got, head)
			}
			// Reopened: the same branch, in the kept folder or a new one.
			b.delivered(7, session.EventSpawn, "spawn-2")
			if got := b.must("git", "-C", b.folder(7), "symbolic-ref", "--short", "HEAD"); got != "issue-7" {
				t.Errorf("the new session is on %s, want issue-7", got)
			}
		})
	}
}
