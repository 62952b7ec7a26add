//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"the-loop/internal/ghdouble"
)

// withRealGH puts the installed gh over the API double in the place of the
// script, with an open issue in each repository.
func (s *stage) withRealGH() {
	s.b.Helper()
	gh, err := installedGH()
	if err != nil {
		s.b.Skip(err)
	}
	double, err := ghdouble.New()
	if err != nil {
		s.b.Fatal(err)
	}
	s.b.Cleanup(func() { double.Close() })
	for _, name := range s.repos {
		double.Repo(name).AddIssue(ghdouble.Item{Number: 1, Title: "Issue 1", Labels: []string{"the-loop"}, Author: "somebody"})
	}
	s.env = append(s.env, double.Env()...)
	s.useGH(gh)
	for range 2 {
		s.run(s.program, "run", "--once")
	}
}

func installedGH() (string, error) {
	if path := os.Getenv("THE_LOOP_REAL_GH"); path != "" {
		return path, nil
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if path := filepath.Join(dir, "gh"); exists(path) && !strings.Contains(dir, "testscript-main") {
			return path, nil
		}
	}
	return "", fmt.Errorf("no gh is installed")
}

func (s *stage) useGH(target string) {
	s.b.Helper()
	link := filepath.Join(s.dir, "bin", "gh")
	if err := os.Remove(link); err != nil {
		s.b.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
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
	gh, _ := installedGH()
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
	gh, _ := installedGH()
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
