package endurance

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// chance decides what one call or one handler run meets.
type chance struct {
	rng    *rand.Rand
	unrest Unrest
}

// chance is that of the n-th thing that happens in the world.
func (w *World) chance(n uint64) *chance {
	return &chance{rng: rand.New(rand.NewPCG(w.Seed, n)), unrest: w.Unrest}
}

func (c *chance) hit(share float64) bool { return c.rng.Float64() < share }

// dawdle takes some time, or none.
func (c *chance) dawdle() {
	if c.hit(c.unrest.Slow) && c.unrest.MostSlow > 0 {
		<-time.After(time.Duration(1+c.rng.IntN(c.unrest.MostSlow*1000)) * time.Microsecond)
	}
}

// appendLine adds a line to a file of the folder and returns where the file
// ends then, which is unlike that of any other line. It is one write, and synced
// when it must outlive whatever comes next.
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
