package runlock_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"the-loop/internal/runlock"
)

func lockPath(t *testing.T) string {
	return filepath.Join(t.TempDir(), "state", "root", runlock.FileName)
}

func acquire(t *testing.T, path string) *runlock.Lock {
	t.Helper()
	lock, err := runlock.Acquire(path)
	if err != nil {
		t.Fatalf("Acquire: %v", err)
	}
	t.Cleanup(func() {
		if err := lock.Release(); err != nil {
			t.Errorf("Release: %v", err)
		}
	})
	return lock
}

func held(pid int) runlock.State { return runlock.State{Held: true, PID: pid, Proven: true} }

func stopping(pid int) runlock.State {
	return runlock.State{Held: true, PID: pid, Proven: true, Stopping: true}
}

func wantState(t *testing.T, path string, want runlock.State) {
	t.Helper()
	got, err := runlock.Probe(path)
	if err != nil || got != want {
		t.Errorf("Probe = %+v, %v; want %+v", got, err, want)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLifeOfALock(t *testing.T) {
	path := lockPath(t)
	pid := os.Getpid()
	wantState(t, path, runlock.State{})

	lock := acquire(t, path)
	wantState(t, path, held(pid))
	if lines := strings.Split(read(t, path), "\n"); len(lines) != 4 || lines[0] != fmt.Sprint(pid) {
		t.Errorf("the file holds %q, want pid, start and namespace", lines)
	}
	for range 2 {
		if err := lock.MarkStopping(); err != nil {
			t.Fatal(err)
		}
		wantState(t, path, stopping(pid))
	}
	for range 2 {
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
		wantState(t, path, runlock.State{})
	}
	if err := lock.MarkStopping(); err != nil {
		t.Errorf("MarkStopping after Release: %v", err)
	}
	if got := read(t, path); got != "" {
		t.Errorf("after Release the file holds %q", got)
	}
	acquire(t, path)
	wantState(t, path, held(pid))
}

func TestModes(t *testing.T) {
	path := lockPath(t)
	acquire(t, path)
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v; want %v", name, info.Mode().Perm(), err, want)
		}
	}
}

func TestWhatAnEarlierHolderLeft(t *testing.T) {
	for _, left := range []string{"", "1\n", "99999999\nstopping\n", "\x00\x00\x00", strings.Repeat("x", 1000)} {
		t.Run(fmt.Sprintf("%.10q", left), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), runlock.FileName)
			if err := os.WriteFile(path, []byte(left), 0o644); err != nil {
				t.Fatal(err)
			}
			wantState(t, path, runlock.State{})
			acquire(t, path)
			wantState(t, path, held(os.Getpid()))
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

// A link or a second name would have the file of another user emptied.
func TestFilesOfOthers(t *testing.T) {
	for name, link := range map[string]func(target, path string) error{
		"symbolic link": os.Symlink,
		"hard link":     os.Link,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			target, path := filepath.Join(dir, "target"), filepath.Join(dir, runlock.FileName)
			if err := os.WriteFile(target, []byte("precious"), 0o640); err != nil {
				t.Fatal(err)
			}
			if err := link(target, path); err != nil {
				t.Skip(err)
			}
			_, err := runlock.Acquire(path)
			checkOneLine(t, err)
			if _, err := runlock.Probe(path); err == nil && name == "symbolic link" {
				t.Error("Probe followed the link")
			}
			info, err := os.Stat(target)
			if got := read(t, target); got != "precious" || err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("the target holds %q with %v, %v", got, info.Mode(), err)
			}
		})
	}
}

// Another number in the file is not the holder's, whatever process has it.
func TestProvenPID(t *testing.T) {
	path, me := lockPath(t), os.Getpid()
	other := startChild(t, filepath.Join(t.TempDir(), "other"))
	acquire(t, path)
	text := read(t, path)
	_, identity, _ := strings.Cut(text, "\n")
	for name, c := range map[string]struct {
		text string
		want runlock.State
	}{
		"as written":                {text, held(me)},
		"another process":           {fmt.Sprintf("%d\n%s", other.pid(), identity), runlock.State{Held: true, PID: other.pid()}},
		"another process, pid only": {fmt.Sprintf("%d\n", other.pid()), runlock.State{Held: true, PID: other.pid()}},
		"another, stopping":         {fmt.Sprintf("%d\nstopping\n", other.pid()), runlock.State{Held: true, PID: other.pid(), Stopping: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			wantState(t, path, c.want)
		})
	}
}

func TestProbeCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	wantState(t, filepath.Join(dir, "none", runlock.FileName), runlock.State{})
	wantState(t, filepath.Join(dir, runlock.FileName), runlock.State{})
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestUnusableFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a directory":         dir,
		"a file for a folder": filepath.Join(file, runlock.FileName),
		"a device":            os.DevNull,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := runlock.Acquire(path)
			checkOneLine(t, err)
			_, err = runlock.Probe(path)
			checkOneLine(t, err)
		})
	}
}

func checkOneLine(t *testing.T, err error) {
	t.Helper()
	var held *runlock.HeldError
	if err == nil || errors.As(err, &held) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got error %v, want one clear line", err)
	}
}

func TestHeldErrorText(t *testing.T) {
	for _, c := range []struct {
		err  runlock.HeldError
		want string
	}{
		{runlock.HeldError{PID: 4242, Path: "/s/poll.pid"}, "another poller is running (pid 4242) and holds /s/poll.pid"},
		{runlock.HeldError{Path: "/s/poll.pid"}, "another poller is running and holds /s/poll.pid"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestKilledHolderFreesTheLock(t *testing.T) {
	path := lockPath(t)
	holder := startChild(t, path)
	if got := holder.ask("acquire"); got != "ok" {
		t.Fatal(got)
	}
	wantState(t, path, held(holder.pid()))

	_, err := runlock.Acquire(path)
	var refusal *runlock.HeldError
	if !errors.As(err, &refusal) || *refusal != (runlock.HeldError{PID: holder.pid(), Path: path}) {
		t.Fatalf("Acquire = %v, want it held by %d", err, holder.pid())
	}

	if got := holder.ask("stopping"); got != "ok" {
		t.Fatal(got)
	}
	wantState(t, path, stopping(holder.pid()))

	holder.kill()
	if got := read(t, path); !strings.HasPrefix(got, fmt.Sprint(holder.pid())) {
		t.Errorf("the killed holder left %q, want its pid: the test would prove nothing", got)
	}
	wantState(t, path, runlock.State{})
	acquire(t, path)
	wantState(t, path, held(os.Getpid()))
}

func TestTwoAtOnce(t *testing.T) {
	for range 5 {
		path := lockPath(t)
		a, b := startChild(t, path), startChild(t, path)
		a.say("acquire")
		b.say("acquire")
		got := [2]string{a.answer(), b.answer()}
		want := [2][2]string{
			{"ok", fmt.Sprint("held ", a.pid())},
			{fmt.Sprint("held ", b.pid()), "ok"},
		}
		if got != want[0] && got != want[1] {
			t.Fatalf("answers %q, want one of %q", got, want)
		}
	}
}

// A holder that is about to let go is waited for.
func TestAcquireOutlastsARelease(t *testing.T) {
	path := lockPath(t)
	holder := startChild(t, path)
	if got := holder.ask("acquire"); got != "ok" {
		t.Fatal(got)
	}
	holder.say("release")
	next := startChild(t, path)
	if got := next.ask("acquire"); got != "ok" {
		t.Fatal(got)
	}
	if got := holder.answer(); got != "ok" {
		t.Fatal(got)
	}
}

// Status may be asked as often as one likes without keeping a poller out.
func TestProbesDoNotKeepAnybodyOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), runlock.FileName)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		start := make(chan struct{})
		var probes sync.WaitGroup
		for range 200 {
			probes.Go(func() {
				<-start
				if _, err := runlock.Probe(path); err != nil {
					t.Errorf("Probe: %v", err)
				}
			})
		}
		close(start)
		lock, err := runlock.Acquire(path)
		probes.Wait()
		if err != nil {
			t.Fatalf("Acquire: %v", err)
		}
		if err := lock.Release(); err != nil {
			t.Fatalf("Release: %v", err)
		}
	}
}
