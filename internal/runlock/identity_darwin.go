package runlock

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// identify asks the kernel for the start time of the process. macOS has no pid
// namespaces.
func identify(pid int) identity {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return identity{}
	}
	start := info.Proc.P_starttime
	return identity{started: fmt.Sprintf("%d.%06d", start.Sec, start.Usec), namespace: "darwin"}
}
