//go:build unix

package endurance_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"the-loop/gh"
	"the-loop/internal/argvtemplate"
	"the-loop/internal/endurance"
)

var cyclesFlag = flag.Int("soak.cycles", 0, "how many cycles TestSoak runs, and TestSoakProcesses a twentieth of; 0 is THE_LOOP_SOAK_CYCLES or 120")

func cycles(t *testing.T) int {
	if *cyclesFlag > 0 {
		return *cyclesFlag
	}
	if text := os.Getenv("THE_LOOP_SOAK_CYCLES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("THE_LOOP_SOAK_CYCLES: %v", err)
		}
		return n
	}
	return 120
}

// windows runs count cycles and returns the measures around the first tenth of them and
// at their end.
func (d *soakDaemon) windows(count int) (early, late window) {
	step := max(1, count/40)
	for n := 1; n <= count; n++ {
		d.cycle()
		switch {
		case n%step != 0:
		case n > count/20 && n <= count*3/20:
			early = append(early, d.measured())
		case n > count*9/10:
			late = append(late, d.measured())
		case n%max(1, count/10) == 0:
			d.t.Log(d.measured())
		}
	}
	d.t.Logf("around the first tenth: %s", early[len(early)/2])
	d.t.Logf("at the end:             %s", late[len(late)-1])
	return early, late
}

// flat reports every number that grew between the two windows but should not have. It
// compares the least of each window, since a brief peak is no growth.
func flat(t *testing.T, still bool, early, late window) {
	t.Helper()
	heap := func(m measure) int64 { return m.heap }
	if !still { // the records of all items stay for ever; nothing else may
		heap = func(m measure) int64 { return m.heap - m.kept }
	}
	for _, growth := range []struct {
		what   string
		number func(measure) int64
		most   int64
	}{
		{"bytes of the heap", heap, 96 << 10},
		{"bytes of the state root without records and logs", func(m measure) int64 { return m.rest }, 4 << 10},
		{"goroutines", func(m measure) int64 { return int64(m.goroutines) }, 0},
		{"child processes", func(m measure) int64 { return int64(m.children) }, 0},
	} {
		before, after := early.least(growth.number), late.least(growth.number)
		if after > before+growth.most {
			t.Errorf("%s: %d, and %d at the end", growth.what, before, after)
		}
	}
	// The garbage collector closes a forgotten file at some later time, so compare the
	// maximum. After a rotation the event log stays closed until the next event.
	files := func(m measure) int64 { return int64(m.files) }
	if before, after := early.least(files), late.most(files); after > before+1 {
		t.Errorf("open files: %d, and %d at the end", before, after)
	}
	if got, most := late.most(func(m measure) int64 { return m.events }), int64(3<<20+64<<10); got > most {
		t.Errorf("the event logs take %d bytes", got)
	}
}

func TestSoak(t *testing.T) {
	for name, still := range map[string]bool{"new items and comments": false, "nothing new": true} {
		t.Run(name, func(t *testing.T) {
			town := newTown(1, 20)
			town.still = still
			soak(t, town, &client{town: town}, argvtemplate.Template{}, cycles(t))
		})
	}
}

func soak(t *testing.T, town *town, c source, handler argvtemplate.Template, count int) {
	t.Helper()
	still := town.still
	town.still = false
	for range len(town.world.Items) * threadLength {
		town.talk() // the threads reach their full length
	}
	town.still = still
	d := startSoak(t, town, c, handler)
	defer d.close()
	began := time.Now()
	early, late := d.windows(count)
	t.Logf("%d cycles in %s; people wrote %d comments, %d items came", count, time.Since(began).Round(time.Second), town.said, town.came)
	t.Logf("%d surveys spared %d listings of a repository", d.surveys, d.unchanged)
	if d.surveys == 0 || d.unchanged == 0 && town.dir == "" { // with processes, the first survey may fail
		t.Error("no survey spared a listing")
	}
	flat(t, town.still, early, late)
}

// TestSoakProcesses runs gh and the handlers as processes.
func TestSoakProcesses(t *testing.T) {
	dir := t.TempDir()
	double := filepath.Join(dir, "gh")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", double, "the-loop/internal/endurance/double")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	handler := filepath.Join(dir, "handler")
	if err := os.Symlink(double, handler); err != nil {
		t.Fatal(err)
	}
	t.Setenv(endurance.DirVariable, dir)
	argv, err := argvtemplate.Parse([]string{handler})
	if err != nil {
		t.Fatal(err)
	}
	town := newTown(2, 6)
	town.world.Unrest = endurance.Unrest{Fault: 0.02, Fail: 0.1, Defer: 0.05}
	town.dir = dir
	soak(t, town, gh.New(gh.Options{Binary: double}), argv, max(20, cycles(t)/20))
}
