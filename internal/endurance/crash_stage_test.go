//go:build unix

package endurance_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/endurance"
)

// patience bounds every wait; only a failure reaches it.
const patience = 2 * time.Minute

// stage is the test's folder with all its programs and files.
type stage struct {
	t     *testing.T
	dir   string
	world string // the simulated GitHub
	state string // the daemon's state root
	bin   string
	log   string // stderr of all daemons

	latest *daemon
}

func newStage(t *testing.T) *stage {
	t.Helper()
	dir := os.Getenv("THE_LOOP_CRASH_DIR") // an empty or absent folder
	if dir == "" {
		dir = t.TempDir()
	}
	s := &stage{
		t: t, dir: dir, world: filepath.Join(dir, "world"), state: filepath.Join(dir, "state"),
		bin: filepath.Join(dir, "bin"), log: filepath.Join(dir, "daemon.log"),
	}
	for _, folder := range []string{s.world, s.bin} {
		s.check(os.MkdirAll(folder, 0o700))
	}
	s.build()
	t.Cleanup(s.clear)
	return s
}

// clear stops the processes that a failed test has left.
func (s *stage) clear() {
	if s.latest != nil {
		s.latest.cmd.Process.Kill()
		<-s.latest.ended
	}
	s.killAll()
}

// killAll kills every process of the stage.
func (s *stage) killAll() {
	for _, pid := range s.processes() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// build puts the three programs into the stage. gh and the handlers start a hundred
// times as often as the daemon. They are therefore one small binary, without the race
// detector, which takes longer to start than they run.
func (s *stage) build() {
	s.t.Helper()
	double := filepath.Join(s.bin, "gh")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", double, "the-loop/internal/endurance/double")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		s.t.Fatalf("go build: %v\n%s", err, out)
	}
	self, err := os.Executable()
	s.check(err)
	s.check(os.Symlink(double, filepath.Join(s.bin, "handler")))
	s.check(os.Symlink(self, filepath.Join(s.bin, program)))
}

// configure writes the daemon's configuration.
func (s *stage) configure(w *endurance.World, concurrency int) {
	handler := filepath.Join(s.bin, "handler")
	s.check(os.WriteFile(filepath.Join(s.dir, "config.yaml"), fmt.Appendf(nil, `
state: {root: %q}
polling:
  intervalSeconds: 0.005
  maxRetries: 1000
  skipUnchanged: always
  pace: false
  sources:
    - {provider: github, repos: [%s], ghBinary: %q, concurrency: %d}
routing:
  authorizedUsers: ["@me", %s]
  maxConcurrentDispatches: %d
  handlers: {spawn: [%[7]q], comment: [%[7]q], close: [%[7]q]}
eventLog: {maxSizeMB: 1, maxBackups: %d}
`, s.state, strings.Join(w.Repos, ", "), filepath.Join(s.bin, "gh"), concurrency, friend, dispatches, handler, backups), 0o600))
}

func (s *stage) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// command returns the program with these arguments after its global flags.
func (s *stage) command(round string, args ...string) *exec.Cmd {
	args = append([]string{"--config", filepath.Join(s.dir, "config.yaml")}, args...)
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Env = append(os.Environ(),
		s.marker(), endurance.RoundVariable+"="+round,
		// A program with the race detector sleeps a second before it exits.
		"GORACE=atexit_sleep_ms=0")
	// Its own process group, as under a service manager.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// marker returns a variable that every process of the stage has in its environment.
func (s *stage) marker() string { return endurance.DirVariable + "=" + s.world }

// daemon is a running the-loop run.
type daemon struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed after the process has been waited for
}

// start starts the daemon with extra arguments for run.
func (s *stage) start(round string, args ...string) *daemon {
	s.t.Helper()
	log, err := os.OpenFile(s.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	s.check(err)
	defer log.Close()
	_, err = fmt.Fprintf(log, "--- round %s\n", round)
	s.check(err)
	d := &daemon{cmd: s.command(round, append([]string{"run"}, args...)...), ended: make(chan struct{})}
	d.cmd.Stdout, d.cmd.Stderr = log, log
	s.check(d.cmd.Start())
	s.latest = d
	go func() { // ends with the daemon; every caller waits for that
		defer close(d.ended)
		d.cmd.Wait()
	}()
	return d
}

// finish waits for the daemon's exit and returns its code, -1 for a signal.
func (s *stage) finish(d *daemon) int {
	s.t.Helper()
	select {
	case <-d.ended:
	case <-time.After(patience):
		d.cmd.Process.Signal(syscall.SIGQUIT)
		<-d.ended
		s.t.Fatalf("the daemon did not end within %s\n%s", patience, s.logTail())
	}
	return d.cmd.ProcessState.ExitCode()
}

// run runs a command and returns its exit code and output.
func (s *stage) run(args ...string) (int, string) {
	s.t.Helper()
	out, err := s.command("none", args...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	} else if exit != nil {
		return exit.ExitCode(), string(out)
	}
	return 0, string(out)
}

func (s *stage) logTail() string {
	text, _ := os.ReadFile(s.log)
	return string(text[max(0, len(text)-8000):])
}

// processes lists the living processes of the stage, without the test itself. Without a
// proc file system it finds none.
func (s *stage) processes() []int {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	var pids []int
	for _, folder := range folders {
		environ, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil || !bytes.Contains(environ, []byte(s.marker()+"\x00")) {
			continue // a zombie's environment is empty
		}
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// await polls done every few milliseconds until it holds or patience ends.
func await(done func() bool) bool {
	end := time.After(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-end:
			return false
		}
	}
	return true
}

// pick chooses one of the values at random, by weight.
func pick[V any](rng *rand.Rand, weighted ...choice[V]) V {
	total := 0
	for _, c := range weighted {
		total += c.weight
	}
	n := rng.IntN(total)
	for _, c := range weighted {
		if n -= c.weight; n < 0 {
			return c.value
		}
	}
	panic("unreachable: the weights add up to more than was drawn")
}

type choice[V any] struct {
	weight int
	value  V
}
