//go:build unix

package sdnotify

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

func TestSend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	listener, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	for _, message := range []string{Ready, "STATUS=two\nlines"} {
		if err := Send(message); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 100)
		if n, err := listener.Read(got); err != nil || string(got[:n]) != message {
			t.Errorf("heard %q, %v; want %q", got[:n], err, message)
		}
	}
}

func TestSendFails(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	if err := Send(Ready); err != nil {
		t.Errorf("without a service manager: %v", err)
	}
	t.Setenv("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "none"))
	if err := Send(Ready); err == nil {
		t.Error("no error without a socket")
	}
}

func TestWatchdogInterval(t *testing.T) {
	me := strconv.Itoa(os.Getpid())
	for _, c := range []struct {
		usec, pid string
		want      time.Duration
		fails     bool
	}{
		{"", "", 0, false},
		{"", me, 0, false},
		{"3000000", "", 3 * time.Second, false},
		{"3000000", me, 3 * time.Second, false},
		{"3000000", "1", 0, false},
		{"often", me, 0, true},
		{"0", "", 0, true},
		{"-5", "", 0, true},
		{"9223372036854775807", "", 0, true},
	} {
		t.Setenv("WATCHDOG_USEC", c.usec)
		t.Setenv("WATCHDOG_PID", c.pid)
		if got, err := WatchdogInterval(); got != c.want || (err != nil) != c.fails {
			t.Errorf("%q for %q: %v, %v; want %v", c.usec, c.pid, got, err, c.want)
		}
	}
}

func TestMonotonicUsec(t *testing.T) {
	if got := MonotonicUsec(); !regexp.MustCompile(`^MONOTONIC_USEC=[1-9][0-9]*$`).MatchString(got) {
		t.Errorf("got %q", got)
	}
}
