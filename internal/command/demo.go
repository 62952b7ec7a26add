package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/heartbeat"
	"the-loop/internal/fakegh"
	"the-loop/internal/safetext"
	"the-loop/status"
)

// demoPatience is how long an interrupted demo may take to stop the daemon and
// remove its folder.
const demoPatience = 8 * time.Second

var errDemoStopped = errors.New("the demo was stopped")

func (a *app) demoCommand() *cli.Command {
	return &cli.Command{
		Name:        "demo",
		Usage:       "show the whole job in some ten seconds, with nothing installed",
		Description: "Runs the real daemon over a simulated gh: no login, no network, and nothing is left behind.",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return attended(c.Context, demoPatience, errDemoStopped, func(ctx context.Context) error {
				err := a.demo(ctx)
				if ctx.Err() != nil {
					return errDemoStopped
				}
				return err
			})
		},
	}
}

// demo sets the stage in a temporary folder, runs the daemon there as a child
// process and narrates from the daemon's own log.
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
	if err := d.showSession(); err != nil {
		return err
	}
	d.say(bold, "\nThat was all; nothing is left behind. Next, with your own gh:")
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

// stage writes the files of the demo and returns the program to run: this one. The
// demo's PATH holds it as gh, too.
func (d *demo) stage() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	for name, text := range map[string]string{"config.yaml": demoConfig(program), "gh/script": demoScript, "gh/fields": "closingIssuesReferences\n"} {
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

// linkProgram makes the program available under another name. On Windows it
// copies the program, because few users may create symbolic links there.
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
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, program, "--config", filepath.Join(d.dir, "config.yaml"),
		"--state-root", d.stateRoot(), "--log-format", "json",
		"run", "--cycles", strconv.Itoa(len(d.acts))) // so it ends by itself if the demo is killed
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
	d.follow(ctx, log, stop)
	if err := cmd.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the daemon: %w", err)
	}
	if d.cycle != len(d.acts) {
		return fmt.Errorf("the daemon stopped after %d of %d cycles", d.cycle, len(d.acts))
	}
	return nil
}

// settling is how long the demo waits after a cycle for the log lines of its
// deliveries before it announces the next act. It is shorter than the interval.
const settling = 600 * time.Millisecond

// follow shows the daemon's log line by line, act by act. It stops the daemon
// after the last act and returns when the log ends.
func (d *demo) follow(ctx context.Context, log io.Reader, stop func()) {
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(log)
		for scanner.Scan() {
			lines <- bytes.Clone(scanner.Bytes())
		}
	}()
	var settled <-chan time.Time
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			if d.logged(line) {
				settled = time.After(settling)
			}
		case <-settled:
			settled = nil
			d.endAct(ctx)
			if d.cycle == len(d.acts) {
				stop()
			}
		}
	}
}

// ownAffair reports whether a message is about the daemon itself, not about the
// items of the demo.
func ownAffair(msg string) bool {
	return strings.HasPrefix(msg, "poller st") || strings.HasPrefix(msg, "stop requested")
}

// endAct shows status where the act promises it, and announces the next one.
func (d *demo) endAct(ctx context.Context) {
	if d.acts[d.cycle-1].status {
		d.showStatus(ctx)
	}
	d.announce()
}

func (d *demo) stateRoot() string { return filepath.Join(d.dir, "state") }

// announce introduces the cycle that comes next.
func (d *demo) announce() {
	if d.cycle < len(d.acts) {
		d.say(bold, fmt.Sprintf("\n%d  %s", d.cycle+1, d.acts[d.cycle].text))
	}
}

// logged shows a line of the daemon's log and reports whether it ends a cycle.
func (d *demo) logged(line []byte) bool {
	var entry struct {
		Level, Msg, Ref, Scope, Error string
	}
	if json.Unmarshal(line, &entry) != nil || ownAffair(entry.Msg) {
		return false
	}
	text := entry.Msg
	for _, about := range []string{entry.Ref, entry.Scope} {
		if about != "" {
			text += ": " + safetext.Line(about)
		}
	}
	if entry.Error != "" {
		text += ": " + status.Brief(entry.Error)
	}
	colours := map[string]style{"ERROR": red, "WARN": yellow, "INFO": dim}
	d.say(colours[entry.Level], fmt.Sprintf("   %-5s %s", entry.Level, text))
	if !strings.HasPrefix(entry.Msg, "poll cycle: ") {
		return false
	}
	d.cycle++
	return true
}

// showStatus prints the output of the status command, once the heartbeat of the
// cycle that the log just reported has been written.
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

// showSession prints the log of the handlers of one session.
func (d *demo) showSession() error {
	logs, err := filepath.Glob(filepath.Join(d.stateRoot(), "logs", "api-7-*.log"))
	if err != nil || len(logs) != 1 {
		return fmt.Errorf("%d logs of the session of octo/api#7, want 1", len(logs))
	}
	text, err := os.ReadFile(logs[0])
	if err != nil {
		return fmt.Errorf("log of the session: %w", err)
	}
	d.say(bold, "\nWhat the session of octo/api#7 got (the log of its handlers):")
	for line := range strings.Lines(string(text)) {
		fmt.Fprint(d.stdout, "   "+line)
	}
	return nil
}
