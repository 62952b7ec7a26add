package endurance

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// chance draws the faults and delays of one call or one handler run.
type chance struct {
	rng    *rand.Rand
	unrest Unrest
}

// chance returns the chance of the n-th event in the world.
func (w *World) chance(n uint64) *chance {
	return &chance{rng: rand.New(rand.NewPCG(w.Seed, n)), unrest: w.Unrest}
}

func (c *chance) hit(share float64) bool { return c.rng.Float64() < share }

// dawdle sleeps for a random time, which may be zero.
func (c *chance) dawdle() {
	if c.hit(c.unrest.Slow) && c.unrest.MostSlow > 0 {
		<-time.After(time.Duration(1+c.rng.IntN(c.unrest.MostSlow*1000)) * time.Microsecond)
	}
}

// appendLine appends a line to a file of the folder and returns the file's size after it,
// which no other line shares. It uses a single write and, with sync, syncs the file so
// that the line survives any crash.
func appendLine(dir, name, line string, sync bool) (uint64, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		return 0, err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return 0, err
		}
	}
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return uint64(end), nil
}
