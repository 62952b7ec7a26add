package runlock

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockedBy asks the kernel's table of locks whether pid holds the lock of the file at
// path. The table shows only holders in this pid namespace.
func lockedBy(path string, pid int) verdict {
	info, err := os.Lstat(path)
	if err != nil {
		return holderUnknown
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return holderUnknown
	}
	table, err := os.ReadFile("/proc/locks")
	if err != nil {
		return holderUnknown
	}
	device := fmt.Sprintf("%02x:%02x", unix.Major(uint64(stat.Dev)), unix.Minor(uint64(stat.Dev)))
	return findHolder(string(table), device, stat.Ino, pid)
}

// findHolder reads proc_locks(5). On some file systems, such as btrfs and overlayfs,
// stat and the table show different devices. There, only an exclusive lock of that
// pid on that inode number is proof.
func findHolder(table, device string, inode uint64, pid int) verdict {
	found := holderUnknown
	for line := range strings.Lines(table) {
		f := strings.Fields(line) // 1: FLOCK ADVISORY WRITE 4242 fe:00:1234 0 EOF
		if len(f) < 6 || f[1] != "FLOCK" || f[3] != "WRITE" {
			continue // a waiter: it has -> in the second field
		}
		there, number, ok := cutLast(f[5], ":")
		if !ok || number != strconv.FormatUint(inode, 10) {
			continue
		}
		switch {
		case f[4] == strconv.Itoa(pid):
			return holderIs
		case there == device:
			found = holderIsNot
		}
	}
	return found
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
