//go:build unix

package endurance_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"the-loop/internal/session"
)

// measure holds the resources that a process uses.
type measure struct {
	cycle      int
	heap       int64 // bytes in use after a collection
	kept       int64 // the part of heap that a store of the same records needs
	goroutines int
	files      int // open files, -1 where the system does not report them
	children   int // child processes, -1 like files
	records    int
	// Disk use in bytes: of records, handler logs, event logs and all other files.
	items, logs, events, rest int64
}

// measured measures a daemon without deliveries in flight.
func (d *soakDaemon) measured() measure {
	d.settle()
	m := measure{
		cycle: d.cycles, goroutines: runtime.NumGoroutine(), children: children(),
		// Before a collection, which closes forgotten files.
		files: entries("/proc/self/fd"),
	}
	m.heap = heap()
	again, err := session.Open(d.root, session.Options{ReadOnly: true})
	d.check(err)
	m.kept = heap() - m.heap
	for range again.All() {
		m.records++
	}
	d.check(filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		part, _, nested := strings.Cut(strings.TrimPrefix(path, d.root+"/"), "/")
		switch {
		case nested && part == "items":
			m.items += info.Size()
		case nested && part == "logs":
			m.logs += info.Size()
		case strings.HasPrefix(part, "events"):
			m.events += info.Size()
		default:
			m.rest += info.Size()
		}
		return nil
	}))
	return m
}

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // frees objects released by finalizers
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.HeapAlloc)
}

// entries counts the entries of a folder. It returns -1 for an unreadable folder.
func entries(folder string) int {
	list, err := os.ReadDir(folder)
	if err != nil {
		return -1
	}
	return len(list)
}

// children counts the child processes, zombies included.
func children() int {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	if len(lists) == 0 {
		return -1
	}
	n := 0
	for _, name := range lists {
		text, _ := os.ReadFile(name)
		n += len(strings.Fields(string(text)))
	}
	return n
}

func (m measure) String() string {
	return fmt.Sprintf("cycle %5d: heap %.1f KiB and %.1f KiB of records, %d goroutines, %d open files, %d children, "+
		"%d records of %.1f KiB, handler logs %.1f KiB, event logs %.1f KiB, else %.1f KiB",
		m.cycle, kib(m.heap-m.kept), kib(m.kept), m.goroutines, m.files, m.children,
		m.records, kib(m.items), kib(m.logs), kib(m.events), kib(m.rest))
}

func kib(n int64) float64 { return float64(n) / 1024 }

// window is a group of measures.
type window []measure

// least and most return the extremes of one number.
func (w window) least(number func(measure) int64) int64 {
	return number(slices.MinFunc(w, func(a, b measure) int { return cmp.Compare(number(a), number(b)) }))
}

func (w window) most(number func(measure) int64) int64 {
	return number(slices.MaxFunc(w, func(a, b measure) int { return cmp.Compare(number(a), number(b)) }))
}
