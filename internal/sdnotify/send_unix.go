//go:build unix

package sdnotify

import (
	"errors"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func send(socket, message string) error {
	syscall.ForkLock.RLock() // no child is started between the two calls
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err == nil {
		unix.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	for {
		err := unix.Sendto(fd, []byte(message), 0, &unix.SockaddrUnix{Name: socket})
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// MonotonicUsec is the MONOTONIC_USEC line that belongs to [Reloading].
func MonotonicUsec() string {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // this clock cannot fail
	return "MONOTONIC_USEC=" + strconv.FormatInt(now.Nano()/int64(time.Microsecond), 10)
}
