package runlock

import (
	"os"
	"testing"
)

func TestFindHolder(t *testing.T) {
	const table = `1: POSIX  ADVISORY  WRITE 11 fe:00:70 0 EOF
2: FLOCK  ADVISORY  READ 12 fe:00:70 0 EOF
3: FLOCK  ADVISORY  WRITE 4242 fe:00:77 0 EOF
3: -> FLOCK  ADVISORY  WRITE 13 fe:00:77 0 EOF
4: OFDLCK ADVISORY  WRITE -1 fe:00:77 0 EOF
5: FLOCK  ADVISORY  WRITE 14 00:1f:78 0 EOF
`
	for name, c := range map[string]struct {
		table, device string
		inode         uint64
		pid           int
		want          verdict
	}{
		"the holder":               {table, "fe:00", 77, 4242, holderIs},
		"one that waits":           {table, "fe:00", 77, 13, holderIsNot},
		"a stranger":               {table, "fe:00", 77, 1, holderIsNot},
		"another device's inode":   {table, "fe:01", 77, 1, holderUnknown},
		"the holder, device other": {table, "fe:01", 77, 4242, holderIs},
		"a shared lock":            {table, "fe:00", 70, 12, holderUnknown},
		"no such file":             {table, "fe:00", 7, 4242, holderUnknown},
		"an empty table":           {"", "fe:00", 77, 4242, holderUnknown},
		"no table":                 {"\x00 garbage\n1: FLOCK\n", "fe:00", 77, 4242, holderUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			if got := findHolder(c.table, c.device, c.inode, c.pid); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestStartTicks(t *testing.T) {
	for stat, want := range map[string]string{
		"7 (a b) c) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 2 3": "4711",
		"7 (the-loop) S 1": "",
		"":                 "",
	} {
		if got := startTicks(stat); got != want {
			t.Errorf("startTicks(%q) = %q, want %q", stat, got, want)
		}
	}
}

// Without the kernel's table, the process must be the very one that signed.
func TestIdentify(t *testing.T) {
	me := identify(os.Getpid())
	if !me.known() {
		t.Skip("no /proc")
	}
	if other := identify(1); other == me {
		t.Errorf("this process and pid 1 are both %+v", me)
	}
	if gone := identify(1 << 30); gone.known() {
		t.Errorf("no process is %+v", gone)
	}
}
