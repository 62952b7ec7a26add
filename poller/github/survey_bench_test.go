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

// BenchmarkQuietCycle is a cycle over quiet repositories with the real gh, in
// which everything is listed, and one in which a survey spares most of that. Its
// CPU is that of gh.
func BenchmarkQuietCycle(b *testing.B) {
	binary := ghdouble.RealGH(b)
	for _, repos := range []int{50, 500} {
		for _, mode := range []SurveyMode{SurveyNever, SurveyAlways} {
			b.Run(fmt.Sprintf("%d/%s", repos, mode), func(b *testing.B) { quietCycle(b, binary, repos, mode) })
		}
	}
}

func quietCycle(b *testing.B, binary string, repos int, mode SurveyMode) {
	s := ghdouble.Start(b)
	var started processes
	log := slog.New(slog.NewTextHandler(&started, &slog.HandlerOptions{Level: slog.LevelDebug}))
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
	p := New(o)
	NewSurveyor(o.Hosts, SurveyOptions{Mode: mode, Interval: time.Minute}, []*Provider{p})
	cycle := func() {
		if l, err := p.Listing(b.Context(), nil); err != nil || len(l.Degraded()) > 0 {
			b.Fatal(err, l.Degraded())
		}
		o.Hosts.CycleDone()
	}
	cycle() // the first one lists everything
	before, calls, ran := childCPU(b), len(s.Requests()), started.n.Load()
	cycles := 0
	for b.Loop() {
		// As many turns as a cycle a minute brings, whatever time this one takes.
		p.turns.owed["github.com"], p.turns.last = float64(repos)*turnShare(time.Minute), time.Now()
		cycle()
		cycles++
	}
	each := float64(cycles)
	b.ReportMetric((childCPU(b)-before).Seconds()*1000/each, "gh-cpu-ms/op")
	b.ReportMetric(float64(started.n.Load()-ran)/each, "processes/op")
	b.ReportMetric(float64(len(s.Requests())-calls)/each, "requests/op")
	b.ReportMetric(o.Hosts.meter.of("github.com").last.points, "points/op")
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
