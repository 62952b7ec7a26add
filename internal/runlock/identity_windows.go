package runlock

import (
	"strconv"

	"golang.org/x/sys/windows"
)

// identify asks for the start time of the process. Windows has no pid namespaces.
func identify(pid int) identity {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return identity{}
	}
	defer windows.CloseHandle(process)
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return identity{}
	}
	return identity{started: strconv.FormatInt(created.Nanoseconds(), 10), namespace: "windows"}
}
