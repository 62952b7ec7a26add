//go:build unix

package github

import (
	"bytes"
	"fmt"
	"log/slog"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"the-loop/gh"
	"the-loop/internal/ghdouble"
	"the-loop/internal/ref"
)

// BenchmarkQuietCycle is a cycle over quiet repositories with the real gh, in turns
// one in which everything is listed and one in which a survey spares most of that.
// Its CPU is that of gh: cpu/cpu is the share of it that is left.
func BenchmarkQuietCycle(b *testing.B) {
	binary := ghdouble.RealGH(b)
	for _, repos := range []int{50, 500} {
		b.Run(fmt.Sprint(repos), func(b *testing.B) {
			never, always := newQuiet(b, binary, repos, SurveyNever), newQuiet(b, binary, repos, SurveyAlways)
			for b.Loop() {
				never.cycle(b)
				always.cycle(b)
			}
			never.report(b, "never")
			always.report(b, "always")
			b.ReportMetric(always.cpu.Seconds()/never.cpu.Seconds(), "cpu/cpu")
			b.ReportMetric(always.wall.Seconds()/never.wall.Seconds(), "wall/wall")
		})
	}
}

// quiet is a provider of repositories in which nothing happens, and what its cycles
// took.
type quiet struct {
	*Provider
	started   processes
	ran       int
	wall, cpu time.Duration
	calls     int64
	points    float64
}

func newQuiet(b *testing.B, binary string, repos int, mode SurveyMode) *quiet {
	s := ghdouble.Start(b)
	q := &quiet{}
	log := slog.New(slog.NewTextHandler(&q.started, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o := Options{
		Hosts: NewHosts(), Labels: []string{"the-loop"}, Issues: true, PullRequests: true,
		Limit: 1000, ReprobeCycles: 60, Concurrency: 1,
		Client: gh.New(gh.Options{Binary: s.Binary(b, binary), Logger: log}),
	}
	for _, name := range streets(repos) {
		r := s.Repo(name)
		r.AddIssue(ghdouble.Item{Number: 7, Labels: []string{"the-loop"}})
		r.AddPullRequest(ghdouble.Item{Number: 9, Labels: []string{"the-loop"}})
		parsed, err := ref.ParseRepo(name, "")
		if err != nil {
			b.Fatal(err)
		}
		o.Repos = append(o.Repos, parsed)
	}
	q.Provider = New(o)
	NewSurveyor(o.Hosts, SurveyOptions{Mode: mode, Interval: time.Minute}, []*Provider{q.Provider})
	if mode == SurveyAlways {
		q.cycle(b) // the first one lists everything
		q.ran, q.wall, q.cpu, q.calls = 0, 0, 0, 0
	}
	return q
}

func (q *quiet) cycle(b *testing.B) {
	// As many turns as a cycle a minute brings, whatever time this one takes.
	q.turns.owed["github.com"], q.turns.last = float64(len(q.repos))*turnShare(time.Minute), time.Now()
	calls, cpu, began := q.started.n.Load(), childCPU(b), time.Now()
	if l, err := q.Listing(b.Context(), nil); err != nil || len(l.Degraded()) > 0 {
		b.Fatal(err, l.Degraded())
	}
	q.Hosts.CycleDone()
	q.ran++
	q.wall += time.Since(began)
	q.cpu += childCPU(b) - cpu
	q.calls += q.started.n.Load() - calls
	q.points = q.Hosts.meter.of("github.com").last.points
}

// report gives the figures of one cycle.
func (q *quiet) report(b *testing.B, mode string) {
	each := float64(q.ran)
	b.ReportMetric(q.wall.Seconds()/each, mode+"-s")
	b.ReportMetric(q.cpu.Seconds()/each, mode+"-gh-cpu-s")
	b.ReportMetric(float64(q.calls)/each, mode+"-processes")
	b.ReportMetric(q.points, mode+"-points")
}

// processes counts the calls in a client's log, each of which is one gh.
type processes struct{ n atomic.Int64 }

func (p *processes) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte(`msg="gh call"`)) {
		p.n.Add(1)
	}
	return len(line), nil
}

// childCPU is the CPU that ended children of this process have taken.
func childCPU(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
