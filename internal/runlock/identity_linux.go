package runlock

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// identify reads the process's start time and pid namespace from /proc. The start is
// counted in clock ticks since the boot; the boot's id distinguishes machines.
func identify(pid int) identity {
	if self, err := os.Readlink("/proc/self"); err != nil || self != strconv.Itoa(os.Getpid()) {
		return identity{} // this /proc is of another pid namespace
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return identity{}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return identity{}
	}
	namespace, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", pid))
	if err != nil {
		return identity{}
	}
	ticks := startTicks(string(stat))
	if ticks == "" {
		return identity{}
	}
	return identity{started: strings.TrimSpace(string(boot)) + "/" + ticks, namespace: namespace}
}

// startTicks is field 22 of proc_pid_stat(5). The second one, the program's
// name in parentheses, may hold anything.
func startTicks(stat string) string {
	const afterName = 22 - 3
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) <= afterName {
		return ""
	}
	return fields[afterName]
}
