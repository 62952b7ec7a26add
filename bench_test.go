//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/fakegh"
	"the-loop/internal/ghdouble"
)

// The benchmarks of the whole process: the program as it is built, over the
// scripted gh, side by side with the least that could be done instead. Their figures and what follows from them are in docs/performance.md.

// stage is a folder with the program, a gh and a configuration.
type stage struct {
	b       *testing.B
	dir     string
	program string
	env     []string
	repos   []string
}

// newStage builds the program and scripts a gh that takes that long for a call
// and lists so many issues, and no pull request, for every repository.
func newStage(b *testing.B, repos, issues int, call time.Duration) *stage {
	b.Helper()
	s := &stage{b: b, dir: b.TempDir()}
	s.program = filepath.Join(s.dir, "the-loop")
	build := exec.Command("go", "build", "-trimpath", "-o", s.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	listed := "[]"
	if issues > 0 {
		listed = fmt.Sprintf("#1-%d@hubber", issues)
	}
	s.script(fmt.Sprintf("issue list *: %[1]s delay:%[2]s\npr list *: [] delay:%[2]s\nrepo view *: on delay:%[2]s\nissue view *: none delay:%[2]s\n", listed, call))
	scripted, err := exec.LookPath("gh")
	if err == nil {
		err = os.Symlink(scripted, s.gh())
	}
	if err != nil {
		b.Fatal(err)
	}
	for i := range repos {
		s.repos = append(s.repos, fmt.Sprintf("octo/r%d", i))
	}
	s.configure(1)
	s.env = append(os.Environ(), "PATH="+s.dir+":"+os.Getenv("PATH"), fakegh.DirVariable+"="+s.dir,
		"THE_LOOP_STATE_ROOT="+filepath.Join(s.dir, "state"), "THE_LOOP_CONFIG="+filepath.Join(s.dir, "loop.yaml"))
	for range 2 { // the second one reads what changed in the first
		s.run(s.program, "run", "--once")
	}
	return s
}

// gh is the place of the gh that the program finds.
func (s *stage) gh() string { return filepath.Join(s.dir, "gh") }

// script replaces what the scripted gh answers.
func (s *stage) script(text string) { s.write("script", text) }

func (s *stage) configure(concurrency int) {
	s.write("loop.yaml", fmt.Sprintf(`polling:
  pace: false
  sources:
    - provider: github
      concurrency: %d
      repos: [%s]
routing:
  authorizedUsers: [nobody]
`, concurrency, strings.Join(s.repos, ", ")))
}

func (s *stage) write(name, text string) {
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		s.b.Fatal(err)
	}
}

// run runs a command to its end and returns its wall and CPU time, the CPU of
// all its children included.
func (s *stage) run(argv ...string) (wall, cpu time.Duration) {
	s.b.Helper()
	wall, cpu, code, out := s.measure(argv...)
	if code != 0 && (code != 1 || argv[1] != "status") {
		s.b.Fatalf("%v: exit code %d\n%s", argv, code, out)
	}
	return wall, cpu
}

func (s *stage) measure(argv ...string) (wall, cpu time.Duration, code int, out []byte) {
	s.b.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = s.env
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		s.b.Fatal(err)
	}
	return time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), cmd.ProcessState.ExitCode(), out
}

// least makes the calls of a quiet cycle one after the other, and nothing else.
func (s *stage) least() (wall, cpu time.Duration) {
	s.b.Helper()
	start := time.Now()
	for _, repo := range s.repos {
		for _, kind := range []string{"issue", "pr"} {
			cmd := exec.Command(s.gh(), kind, "list", "--repo", repo,
				"--label", `"the-loop"`, "--state", "open", "--limit", "1000", "--json", "number,title")
			cmd.Env = s.env
			cmd.Stdout = new(bytes.Buffer)
			if err := cmd.Run(); err != nil {
				s.b.Fatal(err)
			}
			cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
	}
	return time.Since(start), cpu
}

func median[T ~int64 | ~float64](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkAgainstTheLeast is a cycle of the program, start and end included,
// against a loop that makes the same calls: wall/wall is the ratio.
func BenchmarkAgainstTheLeast(b *testing.B) {
	for _, repos := range []int{13, 100, 500} {
		b.Run(fmt.Sprint(repos, "_repositories"), func(b *testing.B) {
			s := newStage(b, repos, 1, 20*time.Millisecond)
			var ratios []float64
			for b.Loop() {
				ours, _ := s.run(s.program, "run", "--once")
				least, _ := s.least()
				ratios = append(ratios, float64(ours)/float64(least))
			}
			b.ReportMetric(median(ratios), "wall/wall")
		})
	}
}

// BenchmarkConcurrency is a cycle over 100 repositories at 100 ms a call.
func BenchmarkConcurrency(b *testing.B) {
	s := newStage(b, 100, 1, 100*time.Millisecond)
	for _, n := range []int{1, 4, 8, 16} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s.configure(n)
			for b.Loop() {
				s.run(s.program, "run", "--once")
			}
		})
	}
}

// BenchmarkQuietItems is a cycle over 13 repositories with known items of which
// none changed: the calls of gh are the same, however many there are.
func BenchmarkQuietItems(b *testing.B) {
	for _, perRepo := range []int{0, 20, 200} {
		b.Run(fmt.Sprint(13*perRepo, "_items"), func(b *testing.B) {
			s := newStage(b, 13, perRepo, 0)
			for b.Loop() {
				s.run(s.program, "run", "--once")
			}
		})
	}
}

// BenchmarkStatus is the status command, as a prompt or a script runs it.
func BenchmarkStatus(b *testing.B) {
	s := newStage(b, 13, 1, 0)
	var cpus []time.Duration
	for b.Loop() {
		_, cpu := s.run(s.program, "status")
		cpus = append(cpus, cpu)
	}
	b.ReportMetric(float64(median(cpus).Microseconds())/1000, "ms-cpu/op")
}

// BenchmarkStop is the time from SIGTERM, during a listing whose gh does not
// answer, to the daemon's end.
func BenchmarkStop(b *testing.B) {
	s := newStage(b, 2, 1, 0)
	s.script("issue list *: hang")
	asked := filepath.Join(s.dir, "calls.log")
	for b.Loop() {
		b.StopTimer()
		os.Remove(asked)
		cmd := exec.Command(s.program, "run")
		cmd.Env = s.env
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		tick := time.NewTicker(time.Millisecond)
		for !fileExists(asked) {
			<-tick.C
		}
		tick.Stop()
		b.StartTimer()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

// withRealGH puts the installed gh over the API double in the place of the
// script, with an open issue in each repository.
func (s *stage) withRealGH() *ghdouble.Server {
	s.b.Helper()
	double, err := ghdouble.New()
	if err != nil {
		s.b.Fatal(err)
	}
	s.b.Cleanup(func() { double.Close() })
	for _, name := range s.repos {
		double.Repo(name).AddIssue(ghdouble.Item{Number: 1, Title: "Issue 1", Labels: []string{"the-loop"}, Author: "hubber"})
	}
	s.env = append(s.env, double.Env()...)
	s.useGH(realGH(s.b))
	for range 2 {
		s.run(s.program, "run", "--once")
	}
	return double
}

func (s *stage) useGH(target string) {
	s.b.Helper()
	if err := os.Remove(s.gh()); err != nil {
		s.b.Fatal(err)
	}
	if err := os.Symlink(target, s.gh()); err != nil {
		s.b.Fatal(err)
	}
}

// calls is what one cycle asks gh, in the order it asks.
func (s *stage) calls(gh string) [][]string {
	s.b.Helper()
	s.write("recorder", fmt.Sprintf("#!/bin/sh\nprintf '%%s\\037' \"$@\" >>%[1]s/calls\necho >>%[1]s/calls\nexec %[2]s \"$@\"\n", s.dir, gh))
	s.useGH(filepath.Join(s.dir, "recorder"))
	s.run(s.program, "run", "--once")
	s.useGH(gh)
	recorded, err := os.ReadFile(filepath.Join(s.dir, "calls"))
	if err != nil {
		s.b.Fatal(err)
	}
	var list [][]string
	for line := range strings.Lines(string(recorded)) {
		list = append(list, strings.Split(strings.TrimSuffix(line, "\x1f\n"), "\x1f"))
	}
	return list
}

// BenchmarkOverRealGH is a quiet cycle over the installed gh and the API double
// against a loop that starts the same gh with the same arguments: cpu/cpu is
// what our way of starting gh saves, less what we add.
func BenchmarkOverRealGH(b *testing.B) {
	s := newStage(b, 13, 1, 0)
	s.withRealGH()
	gh := realGH(b)
	calls := s.calls(gh)
	var cpus, walls []float64
	for b.Loop() {
		ourWall, ourCPU := s.run(s.program, "run", "--once")
		var wall, cpu time.Duration
		for _, argv := range calls {
			// One fails by design: a gh that lacks a field is asked once for it.
			w, c, _, _ := s.measure(append([]string{gh}, argv...)...)
			wall, cpu = wall+w, cpu+c
		}
		walls = append(walls, float64(ourWall)/float64(wall))
		cpus = append(cpus, float64(ourCPU)/float64(cpu))
	}
	b.ReportMetric(float64(len(calls)), "calls")
	b.ReportMetric(median(walls), "wall/wall")
	b.ReportMetric(median(cpus), "cpu/cpu")
}

// BenchmarkGHEnvironment is one listing by the installed gh under each of a few
// environments, in turns with one that sets nothing.
func BenchmarkGHEnvironment(b *testing.B) {
	s := newStage(b, 1, 1, 0)
	s.withRealGH()
	gh := realGH(b)
	argv := append([]string{gh}, s.calls(gh)[0]...)
	plain := s.env
	for _, extra := range [][]string{
		{},
		{"GOGC=400"},
		{"GOGC=off", "GOMEMLIMIT=256MiB"},
		{"TCELL_MINIMIZE=1"},
		{"GOGC=off", "GOMEMLIMIT=256MiB", "TCELL_MINIMIZE=1"},
		{"GOGC=off", "GOMEMLIMIT=256MiB", "TCELL_MINIMIZE=1", "GOMAXPROCS=1"},
	} {
		name, _ := json.Marshal(extra)
		b.Run(string(name), func(b *testing.B) {
			var cpus, walls []float64
			for b.Loop() {
				s.env = append(plain[:len(plain):len(plain)], extra...)
				ourWall, ourCPU := s.run(argv...)
				s.env = plain
				wall, cpu := s.run(argv...)
				walls = append(walls, float64(ourWall)/float64(wall))
				cpus = append(cpus, float64(ourCPU)/float64(cpu))
			}
			b.ReportMetric(median(walls), "wall/wall")
			b.ReportMetric(median(cpus), "cpu/cpu")
		})
	}
}

var latencyScale = flag.Float64("latency.scale", 0.1, "what the intervals of BenchmarkLatency are multiplied by; 1 is a minute and ten seconds")

// BenchmarkLatency is the time from a comment, made at a random moment on one of
// 40 repositories with a session each, to the start of its handler, over the installed gh and the API
// double. The first run lists every repository once a minute, the second one is
// surveyed every ten seconds. Intervals and quota are scaled; what gh takes is not.
func BenchmarkLatency(b *testing.B) {
	for _, c := range []struct {
		interval time.Duration
		survey   string
	}{{time.Minute, "never"}, {10 * time.Second, "always"}} {
		b.Run(fmt.Sprintf("%s_%s", c.interval, c.survey), func(b *testing.B) {
			interval := time.Duration(float64(c.interval) * *latencyScale)
			s := newStage(b, 40, 1, 0)
			double := s.withRealGH()
			quota := int(5000 / *latencyScale)
			double.SetRate("github.com", "graphql", ghdouble.Rate{Limit: quota, Remaining: quota, Reset: time.Now().Add(time.Hour), Counted: true})
			s.startTalking(interval, c.survey)
			for range 2 { // the cycle after so many sessions began lists everything, which stretches one wait
				s.comment(double, s.repos[0])
			}
			before, began := double.Rate("github.com", "graphql").Remaining, time.Now()
			var waits []time.Duration
			for b.Loop() {
				<-time.After(rand.N(interval))
				waits = append(waits, s.comment(double, s.repos[rand.N(len(s.repos))]))
			}
			b.Log(waits)
			b.ReportMetric(median(waits).Seconds(), "median-s")
			b.ReportMetric(slices.Max(waits).Seconds(), "worst-s")
			spent := before - double.Rate("github.com", "graphql").Remaining
			b.ReportMetric(float64(spent)/time.Since(began).Hours(), "points/h")
		})
	}
}

// startTalking runs the daemon until the benchmark ends, and waits for the
// session of each repository.
func (s *stage) startTalking(interval time.Duration, survey string) {
	s.b.Helper()
	s.write("started/handler", fmt.Sprintf("#!/bin/sh\ndate +%%s%%N >%[1]s/started/new && mv %[1]s/started/new %[1]s/started/$THE_LOOP_EVENT-$THE_LOOP_REPO\n", s.dir))
	s.write("loop.yaml", fmt.Sprintf(`polling:
  intervalSeconds: %g
  skipUnchanged: %s
  sources:
    - provider: github
      repos: [%s]
routing:
  authorizedUsers: [hubber]
  handlers: {spawn: [%[4]s/started/handler], comment: [%[4]s/started/handler]}
`, interval.Seconds(), survey, strings.Join(s.repos, ", "), s.dir))
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		s.b.Fatal(err)
	}
	cmd := exec.Command(s.program, "run")
	cmd.Env, cmd.Stderr = s.env, log
	if err := cmd.Start(); err != nil {
		s.b.Fatal(err)
	}
	s.b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	for _, repo := range s.repos {
		s.started("spawn", repo)
	}
}

// comment is how long a comment on the repository's issue takes to its handler.
func (s *stage) comment(double *ghdouble.Server, repo string) time.Duration {
	s.b.Helper()
	made := time.Now()
	double.Repo(repo).AddComment(1, ghdouble.Comment{Author: "hubber", Body: "please look at this"})
	return s.started("comment", repo).Sub(made)
}

// started waits for a handler and returns when it began.
func (s *stage) started(event, repo string) time.Time {
	s.b.Helper()
	name := filepath.Join(s.dir, "started", event+"-"+filepath.Base(repo))
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !fileExists(name) {
		<-tick.C
	}
	text, err := os.ReadFile(name)
	if err != nil {
		s.b.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		s.b.Fatal(err)
	}
	at, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		s.b.Fatal(err)
	}
	return time.Unix(0, at)
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
