package runlock

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// identify asks the kernel when the process was started. There are no pid
// namespaces.
func identify(pid int) identity {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return identity{}
	}
	start := info.Proc.P_starttime
	return identity{started: fmt.Sprintf("%d.%06d", start.Sec, start.Usec), namespace: "darwin"}
}
