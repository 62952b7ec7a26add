package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"the-loop/heartbeat"
	"the-loop/internal/runlock"
)

func TestStalePoller(t *testing.T) {
	_, o := well(t)
	o.StateRoot = filepath.Dir(o.StateRoot)
	lock, err := runlock.Acquire(filepath.Join(o.StateRoot, runlock.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	for ago, want := range map[time.Duration]string{
		3 * time.Minute: fmt.Sprintf("ok poller: running (pid %d) →", os.Getpid()),
		14*time.Minute + time.Second: fmt.Sprintf("warning poller: running (pid %d), but nothing moved for 14m → "+
			"see its log; 'the-loop stop' ends it, then start it again", os.Getpid()),
	} {
		then := time.Now().Add(-ago)
		beat := heartbeat.File{StartedAt: then, LastCycleAt: then, Interval: time.Minute}
		if err := heartbeat.Write(filepath.Join(o.StateRoot, heartbeat.FileName), beat); err != nil {
			t.Fatal(err)
		}
		check(t, examine(t, o, "poller"), want)
	}
}
