// Package sdnotify speaks the protocol of sd_notify(3): it tells the service manager
// that started this process how the process is.
//
// It takes the place of a library because that one needs the net package, and the net
// package makes every plain "go build" link the C library: each command then starts
// about a quarter slower, status too.
//
// It imports the standard library and golang.org/x/sys.
package sdnotify

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// The messages, as sd_notify(3) spells them.
const (
	Ready     = "READY=1"
	Stopping  = "STOPPING=1"
	Reloading = "RELOADING=1"
	Watchdog  = "WATCHDOG=1"
)

// Send sends one message to the socket that NOTIFY_SOCKET names, and does nothing
// where that is not set. It blocks while the service manager does not read.
func Send(message string) error {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	if err := send(socket, message); err != nil {
		return fmt.Errorf("send to %s: %w", socket, err)
	}
	return nil
}

// WatchdogInterval returns how long the service manager waits for a [Watchdog] of this
// process, 0 when it does not.
func WatchdogInterval() (time.Duration, error) {
	text, pid := os.Getenv("WATCHDOG_USEC"), os.Getenv("WATCHDOG_PID")
	if text == "" || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return 0, nil
	}
	usec, err := strconv.ParseInt(text, 10, 64)
	if err != nil || usec <= 0 || usec > int64(time.Duration(1<<63-1)/time.Microsecond) {
		return 0, fmt.Errorf("WATCHDOG_USEC is %q, which is no number of microseconds", text)
	}
	return time.Duration(usec) * time.Microsecond, nil
}
