package heartbeat_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"the-loop/heartbeat"
	"the-loop/poller"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newRecorder(t *testing.T) (*heartbeat.Recorder, string) {
	path := filepath.Join(t.TempDir(), "state", heartbeat.FileName)
	return heartbeat.New(heartbeat.Options{Path: path, Interval: time.Minute}), path
}

func start(t *testing.T, r *heartbeat.Recorder) {
	t.Helper()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) heartbeat.File {
	t.Helper()
	f, err := heartbeat.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func wantFile(t *testing.T, path string, want heartbeat.File) {
	t.Helper()
	want.Version = heartbeat.Version
	if diff := cmp.Diff(want, readFile(t, path), notSource); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// wait advances the clock of a bubble and lets the goroutines that it wakes finish.
func wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestRecorderOverCycles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := newRecorder(t)
		began := time.Now().UTC()
		if got := r.LastMovement(); !got.IsZero() {
			t.Errorf("before the start it moved at %v", got)
		}
		start(t, r)
		wantFile(t, path, heartbeat.File{StartedAt: began, Interval: time.Minute})
		if got := r.LastMovement(); !got.Equal(began) {
			t.Errorf("after the start it moved at %v, want %v", got, began)
		}

		r.CycleStarted(1)
		wait(time.Second)
		r.CycleDone(poller.Summary{ItemsSeen: 3})
		want := heartbeat.File{StartedAt: began, Interval: time.Minute, Cycle: 1,
			LastCycleAt: began.Add(time.Second), LastCycle: poller.Summary{ItemsSeen: 3}}
		wantFile(t, path, want)
		if got := r.LastMovement(); !got.Equal(want.LastCycleAt) {
			t.Errorf("after the cycle it moved at %v, want %v", got, want.LastCycleAt)
		}

		wait(time.Minute)
		r.CycleStarted(1)
		r.CycleDone(poller.Summary{})
		want.Cycle, want.LastCycleAt, want.LastCycle = 2, want.LastCycleAt.Add(time.Minute), poller.Summary{}
		wantFile(t, path, want)
		checkOnlyFile(t, path)
	})
}

func TestRecorderShowsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := newRecorder(t)
		start(t, r)
		began := time.Now().UTC()
		check := func(want *heartbeat.Progress) {
			t.Helper()
			if diff := cmp.Diff(want, readFile(t, path).Progress); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
		}
		written := func() bool {
			t.Helper()
			err := os.Remove(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			return err == nil
		}

		r.CycleStarted(41)
		wait(1900 * time.Millisecond)
		r.Step(1, 41, "octo/a")
		check(nil)
		wait(200 * time.Millisecond)
		check(&heartbeat.Progress{StartedAt: began, UpdatedAt: began.Add(time.Second), Done: 1, Total: 41, Scope: "octo/a"})
		if got, want := r.LastMovement(), began.Add(1900*time.Millisecond); !got.Equal(want) {
			t.Errorf("it moved at %v, want %v", got, want)
		}

		written()
		for range 15 { // until 1.6 seconds after the last write
			r.Step(2, 41, "octo/b")
			wait(100 * time.Millisecond)
		}
		if written() {
			t.Error("written before two seconds had passed")
		}
		wait(time.Second)
		if !written() {
			t.Error("not written after two seconds")
		}
		wait(time.Minute)
		if written() {
			t.Error("written although nothing moved")
		}
		r.Step(3, 41, "octo/c")
		wait(2 * time.Second)
		check(&heartbeat.Progress{StartedAt: began, UpdatedAt: began.Add(64 * time.Second), Done: 3, Total: 41, Scope: "octo/c"})

		r.CycleDone(poller.Summary{})
		check(nil)
		r.Step(4, 41, "octo/late")
		written()
		wait(time.Minute)
		if written() {
			t.Error("written after the cycle's end")
		}
	})
}

func TestRecorderShortCycleShowsNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := newRecorder(t)
		start(t, r)
		r.CycleStarted(2)
		r.Step(1, 2, "octo/a")
		r.SetConfigError("at fault") // a write during the cycle
		if got := readFile(t, path); got.Progress != nil || got.ConfigError != "at fault" {
			t.Errorf("got progress %+v, config error %q", got.Progress, got.ConfigError)
		}
		r.CycleDone(poller.Summary{})
	})
}

// The next cycle ends one that never ended, for example because of a panic.
func TestRecorderCycleWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := newRecorder(t)
		start(t, r)
		r.CycleStarted(2)
		wait(3 * time.Second)
		r.CycleStarted(5)
		wait(3 * time.Second)
		if got := readFile(t, path).Progress; got == nil || got.Total != 5 {
			t.Errorf("got progress %+v, want the second cycle's", got)
		}
		r.CycleDone(poller.Summary{})
	})
}

func TestRecorderSettings(t *testing.T) {
	r, path := newRecorder(t)
	r.SetInterval(2 * time.Minute)
	r.SetConfigError("early")
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written before the start: %v", err)
	}
	start(t, r)
	pace := &heartbeat.Pace{Host: "github.com", Interval: 150 * time.Second, Remaining: 900, ResetAt: at("14:00:00"), Calls: 200}
	for _, c := range []struct {
		name string
		set  func()
		want heartbeat.File
	}{
		{"from before the start", func() {}, heartbeat.File{Interval: 2 * time.Minute, ConfigError: "early"}},
		{"interval", func() { r.SetInterval(time.Second) }, heartbeat.File{Interval: time.Second, ConfigError: "early"}},
		{"mended", func() { r.SetConfigError("") }, heartbeat.File{Interval: time.Second}},
		{"paced", func() { r.SetPace(pace) }, heartbeat.File{Interval: time.Second, Pace: pace}},
		{"not paced", func() { r.SetPace(nil) }, heartbeat.File{Interval: time.Second}},
	} {
		c.set()
		got := readFile(t, path)
		got.StartedAt = time.Time{}
		c.want.Version = heartbeat.Version
		if diff := cmp.Diff(c.want, got, notSource); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	r.SetInterval(time.Second)
	r.SetConfigError("")
	r.SetPace(nil)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written although nothing changed: %v", err)
	}
}

func TestRecorderScopes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := newRecorder(t)
		start(t, r)
		began := time.Now().UTC()
		end := func(minute int) time.Time { return began.Add(time.Duration(minute) * time.Minute) }
		a, b := poller.ScopeFailure{Scope: "octo/a"}, poller.ScopeFailure{Scope: "octo/b"}
		both, onlyB := map[string]bool{"octo/a": true, "octo/b": true}, map[string]bool{"octo/b": true}
		otherSource := []poller.ProviderError{{Provider: "github-2", Error: "no gh"}}
		failed := func(polled map[string]bool, list ...poller.ScopeFailure) poller.Summary {
			return poller.Summary{ScopesFailed: list, Polled: polled}
		}
		for i, c := range []struct {
			name    string
			summary poller.Summary
			want    map[string]heartbeat.Scope
		}{
			{"never seen healthy", failed(onlyB, a), map[string]heartbeat.Scope{"octo/a": {FailingSince: end(1)}}},
			{"another one, seen healthy, skipped", poller.Summary{ScopesFailed: []poller.ScopeFailure{a, a}, ScopesSkipped: []poller.ScopeFailure{b}},
				map[string]heartbeat.Scope{"octo/a": {FailingSince: end(1)}, "octo/b": {LastSuccessAt: end(1), FailingSince: end(2)}}},
			{"interrupted before the other was asked", poller.Summary{ScopesFailed: []poller.ScopeFailure{a}, Interrupted: true},
				map[string]heartbeat.Scope{"octo/a": {FailingSince: end(1)}}},
			{"the source could not be asked", poller.Summary{ProviderErrors: []poller.ProviderError{{}}}, nil},
			{"both again", failed(both, a, b),
				map[string]heartbeat.Scope{"octo/a": {FailingSince: end(1)}, "octo/b": {LastSuccessAt: end(1), FailingSince: end(2)}}},
			{"all well", poller.Summary{Polled: both}, nil},
			{"once more", failed(onlyB, a), map[string]heartbeat.Scope{"octo/a": {LastSuccessAt: end(6), FailingSince: end(7)}}},
			{"well again, another source failed", poller.Summary{Polled: both, ProviderErrors: otherSource}, nil},
			{"and failed again beside it", poller.Summary{Polled: both, ScopesFailed: []poller.ScopeFailure{a}, ProviderErrors: otherSource},
				map[string]heartbeat.Scope{"octo/a": {LastSuccessAt: end(8), FailingSince: end(9)}}},
			{"not reached", poller.Summary{Interrupted: true}, nil},
			{"failed as before", failed(onlyB, a), map[string]heartbeat.Scope{"octo/a": {LastSuccessAt: end(8), FailingSince: end(9)}}},
		} {
			wait(time.Minute)
			r.CycleDone(c.summary)
			if diff := cmp.Diff(c.want, readFile(t, path).Scopes); diff != "" {
				t.Errorf("cycle %d, %s (-want +got):\n%s", i+1, c.name, diff)
			}
		}
	})
}

func TestRecorderStartFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	r := heartbeat.New(heartbeat.Options{
		Path:   filepath.Join(dir, heartbeat.FileName),
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	err := r.Start()
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("got error %v, want one line", err)
	}
	if log.Len() > 0 {
		t.Errorf("the error was logged too: %s", &log)
	}
}

func TestRecorderWarnsOnce(t *testing.T) {
	var log bytes.Buffer
	dir := filepath.Join(t.TempDir(), "state")
	path := filepath.Join(dir, heartbeat.FileName)
	r := heartbeat.New(heartbeat.Options{Path: path, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	start(t, r)
	check := func(want int) {
		t.Helper()
		if got := strings.Count(log.String(), "level=WARN"); got != want {
			t.Errorf("%d warnings, want %d: %s", got, want, &log)
		}
	}
	for i := range 2 {
		if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		r.CycleDone(poller.Summary{})
		r.CycleDone(poller.Summary{})
		check(i + 1)
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
		r.CycleDone(poller.Summary{})
		check(i + 1)
	}
	if got := readFile(t, path).Cycle; got != 6 {
		t.Errorf("cycle %d, want 6: those that could not be written count", got)
	}
}

// Start removes the temporary files of a process that was killed before the rename.
func TestStartSweeps(t *testing.T) {
	r, path := newRecorder(t)
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	kept := []string{"." + heartbeat.FileName, "." + heartbeat.FileName + "x1", heartbeat.FileName + "1", "events.jsonl"}
	for _, name := range append(kept, "."+heartbeat.FileName+"123456") {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start(t, r)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(kept)+1 {
		t.Errorf("the folder holds %v, %v; want the heartbeat and %v", entries, err, kept)
	}
}

// Readers never see a partial file, whichever process writes it.
func TestRecorderConcurrently(t *testing.T) {
	r, path := newRecorder(t)
	start(t, r)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 20 {
				r.CycleStarted(3)
				r.Step(1, 3, "octo/a")
				r.CycleDone(poller.Summary{})
			}
		})
	}
	all.Go(func() {
		for i := range 20 {
			r.SetInterval(time.Duration(i) * time.Second)
			r.SetPace(&heartbeat.Pace{Remaining: i})
			r.SetConfigError(strings.Repeat("x", i))
			r.LastMovement()
		}
	})
	all.Go(func() {
		for range 100 {
			if _, err := heartbeat.Read(path); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	if got := readFile(t, path); got.Cycle != 40 || got.Interval != 19*time.Second {
		t.Errorf("cycle %d, interval %v; want the newest, 40 and 19s", got.Cycle, got.Interval)
	}
	checkOnlyFile(t, path)
}
