package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/heartbeat"
	"the-loop/internal/fakegh"
	"the-loop/internal/safetext"
	"the-loop/status"
)

// demoConfig is short of time: the wait that is a minute in earnest is one
// second, and the quarantine of an hour is two cycles.
const demoConfig = `polling:
  intervalSeconds: 1.2
  sources:
    - provider: github
      repos: [octo/api, octo/web, octo/old-fork]
      reprobeCycles: 2
`

const demoScript = `issue list octo/api: #7@octocat"Login fails with a long password"
pr list octo/api: []
issue list octo/web: #12@octocat"Dark mode" ; 502 ; #12@octocat"Dark mode"
pr list octo/web: #14@octocat=issue-12"Dark mode, first part"
issue list octo/old-fork: #3@octocat"Upgrade the parser" ; #3@octocat"Upgrade the parser" ; disabled*2 ; #3@octocat"Upgrade the parser"
pr list octo/old-fork: #4@octocat"Fix the build"
repo view octo/old-fork: off
repo view *: on
api rate_limit *: plenty
api user *: octocat
`

// demoAct is what the demo says before a cycle and whether it shows status
// after it.
type demoAct struct {
	text   string
	status bool
}

var errDemoStopped = errors.New("the demo was stopped")

// demoActs returns the cycles of the demo in order.
func demoActs() []demoAct {
	return []demoAct{
		{"Three repositories, all healthy.", false},
		{"GitHub answers 502 for the issues of octo/web. The others are served as ever.", true},
		{"octo/web is back by itself. octo/old-fork has its Issues switched off now:\n  told once, as a warning.", true},
		{"octo/old-fork is in quarantine: its issues are not asked for, its pull requests are.", false},
		{"The quarantine is over for a moment: asked again, still off, no second warning.", false},
		{"In quarantine again.", true},
		{"Asked again, and Issues are on: recovered, without a restart.", true},
	}
}

func (a *app) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "show the whole job in some ten seconds, with nothing installed",
		Description: "Runs the real daemon over a simulated gh: no login, no network, and nothing of it is\n" +
			"left behind.",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			err := a.demo(ctx)
			if ctx.Err() != nil {
				return errDemoStopped
			}
			return err
		},
	}
}

// demo sets the stage in a temporary folder, runs the daemon in it as a child
// process and tells what happens from the daemon's own log.
func (a *app) demo(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "the-loop-demo-")
	if err != nil {
		return fmt.Errorf("demo folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d := &demo{app: a, dir: dir, colour: newPalette(a.stdout), acts: demoActs()}
	program, err := d.stage()
	if err != nil {
		return fmt.Errorf("demo folder: %w", err)
	}
	d.say(bold, "the-loop demo: the real daemon over a simulated gh, one cycle a second")
	if err := d.play(ctx, program); err != nil {
		return err
	}
	d.say(bold, "\nThat was all of it; nothing is left behind. Next, with your own gh:")
	fmt.Fprint(a.stdout, "  the-loop run --dry-run --repo OWNER/REPO --label LABEL   what it would see\n"+
		"  the-loop run --repo OWNER/REPO --label LABEL             watch it\n"+
		"  the-loop status                                          what it sees and what it cannot see\n")
	return nil
}

type demo struct {
	*app
	dir    string
	colour palette
	acts   []demoAct
	cycle  int // finished cycles
}

func (d *demo) say(s style, text string) { fmt.Fprintln(d.stdout, d.colour.paint(s, text)) }

// stage writes the files of the demo and returns the program to run: this
// one, which also stands on the demo's PATH under the name gh.
func (d *demo) stage() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	for name, text := range map[string]string{"config.yaml": demoConfig, "gh/script": demoScript, "gh/fields": "closingIssuesReferences\n"} {
		path := filepath.Join(d.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	bin := filepath.Join(d.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return "", err
	}
	return program, linkProgram(program, filepath.Join(bin, "gh"))
}

// linkProgram makes the program available under another name. Windows gives
// symbolic links to few, so there it is a copy.
func linkProgram(program, as string) error {
	if runtime.GOOS != "windows" {
		return os.Symlink(program, as)
	}
	from, err := os.Open(program)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(as+".exe", os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// play runs the daemon to its last act.
func (d *demo) play(ctx context.Context, program string) error {
	cmd := exec.CommandContext(ctx, program, "--config", filepath.Join(d.dir, "config.yaml"),
		"--state-root", d.stateRoot(), "--log-format", "json",
		"run", "--cycles", fmt.Sprint(len(d.acts)))
	cmd.Env = append(cmd.Environ(), fakegh.DirVariable+"="+filepath.Join(d.dir, "gh"),
		"PATH="+filepath.Join(d.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the daemon: %w", err)
	}
	d.announce()
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		d.logged(ctx, lines.Bytes())
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("the daemon: %w", err)
	}
	if d.cycle != len(d.acts) {
		return fmt.Errorf("the daemon stopped after %d of %d cycles", d.cycle, len(d.acts))
	}
	return nil
}

func (d *demo) stateRoot() string { return filepath.Join(d.dir, "state") }

// announce introduces the cycle that comes next.
func (d *demo) announce() {
	if d.cycle < len(d.acts) {
		d.say(bold, fmt.Sprintf("\n%d  %s", d.cycle+1, d.acts[d.cycle].text))
	}
}

// logged shows a line of the daemon's log; the one that ends a cycle is
// followed by what the act promises.
func (d *demo) logged(ctx context.Context, line []byte) {
	var entry struct {
		Level, Msg, Scope, Error string
	}
	if json.Unmarshal(line, &entry) != nil || strings.HasPrefix(entry.Msg, "poller st") {
		return
	}
	text := entry.Msg
	for _, more := range []string{entry.Scope, entry.Error} {
		if more != "" {
			text += ": " + safetext.Line(more)
		}
	}
	colours := map[string]style{"ERROR": red, "WARN": yellow, "INFO": dim}
	d.say(colours[entry.Level], fmt.Sprintf("   %-5s %s", entry.Level, text))
	if !strings.HasPrefix(entry.Msg, "poll cycle: ") {
		return
	}
	act := d.acts[d.cycle]
	d.cycle++
	if act.status {
		d.showStatus(ctx)
	}
	d.announce()
}

// showStatus prints what the status command says at this moment, which is
// when the heartbeat of the cycle that the log just told of has been written.
func (d *demo) showStatus(ctx context.Context) {
	d.awaitHeartbeat(ctx)
	fmt.Fprintf(d.stdout, "\n   %s the-loop status\n", d.colour.paint(green, "$"))
	text := status.Gather(d.stateRoot(), time.Now()).Text()
	for line := range strings.Lines(text) {
		fmt.Fprint(d.stdout, "   "+line)
	}
}

func (d *demo) awaitHeartbeat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		beat, err := heartbeat.Read(filepath.Join(d.stateRoot(), heartbeat.FileName))
		if err == nil && beat.Cycle >= d.cycle {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
