//go:build unix

package endurance_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/runlock"
)

// betweenRests is the number of rounds from one rest of the world to the next.
const betweenRests = 15

var roundsFlag = flag.Int("crash.rounds", 0, "how often TestCrash kills the daemon; 0 is THE_LOOP_CRASH_ROUNDS or 15")

// setting reads a number from the environment.
func setting(t *testing.T, name string, otherwise uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// crash is one run of the test.
type crash struct {
	*stage
	rng    *rand.Rand
	people *people
	ledger *ledger
	calls  *tail
	events *tail
	lines  *tail // of the daemon's log

	lives     int // the daemon's starts so far; names the rounds
	kills     int
	temporary []string // left by the last life
	figures   figures
}

func TestCrash(t *testing.T) {
	rounds := *roundsFlag
	if rounds == 0 {
		rounds = int(setting(t, "THE_LOOP_CRASH_ROUNDS", betweenRests))
	}
	seed := setting(t, "THE_LOOP_CRASH_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d: THE_LOOP_CRASH_SEED=%d go test ./internal/endurance -run TestCrash -crash.rounds %d", seed, seed, rounds)
	c := newCrash(t, seed)
	began := time.Now()
	for n := range rounds {
		if n%betweenRests == 0 {
			c.people.world.Unrest = unrest()
			c.people.save()
			c.configure(c.people.world, 1+n/betweenRests%2)
		}
		c.round()
		if n == rounds-1 || n%betweenRests == betweenRests-1 {
			c.rest()
			c.people.retire()
		}
	}
	c.report(rounds, time.Since(began))
}

func newCrash(t *testing.T, seed uint64) *crash {
	s := newStage(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	p := newPeople(s, rng)
	return &crash{
		stage: s, rng: rng, people: p, ledger: newLedger(p),
		calls:   &tail{name: filepath.Join(s.world, "calls")},
		events:  &tail{name: filepath.Join(s.state, "events.jsonl")},
		lines:   &tail{name: s.log},
		figures: figures{endings: map[string]int{}, moments: map[string]int{}},
	}
}

// life begins a life of the daemon.
func (c *crash) life(args ...string) *daemon {
	c.lives++
	for _, t := range []*tail{c.calls, c.events} {
		t.skip()
	}
	d := c.start(strconv.Itoa(c.lives), args...)
	c.lines.skip()
	return d
}

// round runs one life of the daemon, from its start to its moment of death, in a
// changing world.
func (c *crash) round() {
	m := c.moment()
	if m.what == atRotation || c.rng.IntN(20) == 0 {
		c.fillEvents()
	}
	// Only beside a life that this goroutine alone ends.
	rival := c.rng.IntN(30) == 0 && m.what != atTemporary && m.what != atRotation
	for range c.rng.IntN(3) {
		c.people.act() // while no daemon runs
	}
	d := c.life()
	stop := c.watchFor(m, d)
	seen := map[string]int{}
	tick := time.NewTicker(500 * time.Microsecond)
	defer tick.Stop()
	end := time.After(patience)
	for alive := true; alive; {
		select {
		case <-tick.C:
		case <-d.ended:
			alive = false
			continue
		case <-end:
			c.fatal("the moment for %s did not come, nor did much else: %v", m, seen)
		}
		calls := c.calls.read()
		begun, ended := c.ledger.read()
		seen[atStart] += c.lines.read()
		seen[atCall] += calls
		seen[atEvent] += c.events.read()
		seen[atBegin] += begun
		seen[atEnd] += ended
		switch {
		case seen[m.what] >= m.count:
			c.end(d, m.how)
			alive = false
		case seen[atCall] > 200:
			m.how = late
			c.end(d, killed)
			alive = false
		case rival && seen[atEvent] > 0:
			rival = false
			c.rival()
		default:
			for range calls {
				if c.rng.IntN(5) == 0 {
					c.people.act()
				}
			}
		}
	}
	stop()
	c.finished(d, m, seen[atEvent]+c.events.read() > 0)
}

// watchFor ends a life at a moment that the system reports.
func (c *crash) watchFor(m moment, d *daemon) (stop func()) {
	var temporary, rotations int
	stop, err := watch(c.folders(), func(name string) {
		if isTemporary(name) {
			if temporary++; m.what == atTemporary && temporary == m.count {
				c.end(d, m.how)
			}
		}
	}, func(name string) {
		if name == "events.jsonl" {
			if rotations++; m.what == atRotation && rotations == m.count {
				c.end(d, m.how)
			}
		}
	})
	c.check(err)
	return stop
}

// folders lists the folders in which the daemon replaces files.
func (c *crash) folders() []string {
	repositories, _ := filepath.Glob(filepath.Join(c.state, "items", "*", "*", "*"))
	return append(repositories, c.state)
}

// end ends a life. Any goroutine may call it.
func (c *crash) end(d *daemon, how string) {
	switch how {
	case stopped:
		d.cmd.Process.Signal(syscall.SIGTERM)
		return
	case hurried:
		d.cmd.Process.Signal(syscall.SIGTERM)
		lock := filepath.Join(c.state, runlock.FileName)
		for state, err := runlock.Probe(lock); err == nil && state.Held && !state.Stopping; {
			state, err = runlock.Probe(lock)
		}
	}
	d.cmd.Process.Kill()
	if how == killedAll {
		c.killAll()
	}
}

// rival starts a second daemon beside the first.
func (c *crash) rival() {
	code, out := c.run("run", "--once")
	if code != 1 || !strings.Contains(out, "another the-loop is running on this state root: pid ") {
		c.fatal("a second daemon exited with %d and said %q", code, out)
	}
	c.figures.endings[rivalled]++
}

// finished checks what a life has left on disk. begun is true when the daemon had
// opened everything.
func (c *crash) finished(d *daemon, m moment, begun bool) {
	code := c.finish(d)
	if m.how == hurried && code == 0 {
		m.how = stopped // it ended before the kill
	}
	c.figures.endings[m.how]++
	c.figures.moments[m.what]++
	clean := code == 0 && m.how == stopped
	switch {
	case clean:
		c.ledger.clean[strconv.Itoa(c.lives)] = true
	case code != -1:
		c.fatal("the daemon exited with %d instead of being ended: %s", code, m)
	default:
		c.kills++
	}
	temporary, wrong := c.files()
	if clean && len(temporary) > 0 {
		wrong = append(wrong, fmt.Sprintf("temporary files after a clean stop: %q", temporary))
	}
	most := mostTemporary
	if begun {
		for _, old := range c.temporary {
			if slices.Contains(temporary, old) {
				wrong = append(wrong, fmt.Sprintf("%s is still there after another start", old))
			}
		}
	} else {
		most += len(c.temporary)
	}
	if len(temporary) > most {
		wrong = append(wrong, fmt.Sprintf("%d temporary files, at most %d can be in use: %q", len(temporary), most, temporary))
	}
	c.count(temporary)
	c.temporary = temporary
	c.ledger.read()
	c.people.certify()
	c.complain(fmt.Sprint(m), append(wrong, c.ledger.faults...))
}

func (c *crash) count(temporary []string) {
	fresh := 0
	for _, name := range temporary {
		if !slices.Contains(c.temporary, name) {
			fresh++
		}
	}
	c.figures.leftovers += fresh
	c.figures.mostLeftovers = max(c.figures.mostLeftovers, fresh)
	if fresh > 0 {
		c.figures.killedWhileSaved++
	}
}

// rest runs the daemon in a quiet world until no work is left, then compares its deeds
// with its promises.
func (c *crash) rest() {
	c.lonely()
	c.people.rest()
	c.fillEvents()
	var wrong []string
	for range 8 {
		c.quiet("--cycles", "4")
		if wrong = c.ledger.atRest(); len(wrong) == 0 {
			break
		}
	}
	before := c.ledger.entries
	c.quiet("--cycles", "3")
	if c.ledger.entries != before {
		wrong = append(wrong, fmt.Sprintf("%d more lines in the journal although nothing was left to do", c.ledger.entries-before))
	}
	temporary, more := c.files()
	wrong = append(append(wrong, more...), c.ledger.faults...)
	if len(temporary) > 0 {
		wrong = append(wrong, fmt.Sprintf("temporary files at rest: %q", temporary))
	}
	c.temporary = nil
	if _, torn := c.eventLines(); len(torn) > c.kills {
		wrong = append(wrong, fmt.Sprintf("after %d kills %d lines that are no event: %q", c.kills, len(torn), torn))
	} else {
		c.figures.torn = max(c.figures.torn, len(torn))
	}
	if n := len(c.eventFiles()); n > 1+backups {
		wrong = append(wrong, fmt.Sprintf("%d event logs, of which %d should be kept", n, 1+backups))
	}
	c.lonely()
	if code, out := c.run("status"); code != 1 || !strings.Contains(out, "not running") {
		wrong = append(wrong, fmt.Sprintf("status exits with %d and says %q", code, out))
	}
	text, err := os.ReadFile(c.log)
	c.check(err)
	for _, word := range []string{"panic", "DATA RACE", "internal error"} {
		if strings.Contains(string(text), word) {
			wrong = append(wrong, "the log speaks of a "+word)
		}
	}
	c.complain("at rest", wrong)
}

// lonely waits until no process of a life is left.
func (c *crash) lonely() {
	if !await(func() bool { return len(c.processes()) == 0 }) {
		c.fatal("processes that are left: %v", c.processes())
	}
}

// quiet runs a life that ends by itself.
func (c *crash) quiet(args ...string) {
	code := c.finish(c.life(args...))
	c.ledger.clean[strconv.Itoa(c.lives)] = true
	c.ledger.read()
	c.people.certify()
	if code != 0 {
		c.fatal("run %s exited with %d", strings.Join(args, " "), code)
	}
}

func (c *crash) complain(when string, wrong []string) {
	if len(wrong) > 0 {
		c.fatal("%s:\n%s", when, strings.Join(wrong, "\n"))
	}
}

func (c *crash) fatal(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("life %d: %s\n\nthe end of the daemon's log:\n%s", c.lives, fmt.Sprintf(format, args...), c.logTail())
}
