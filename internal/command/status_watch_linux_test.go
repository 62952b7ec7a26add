package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"the-loop/heartbeat"
	"the-loop/status"
)

// terminal returns both ends of a pseudo terminal. Text written to screen can be
// read from keyboard.
func terminal(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	var n int
	control(t, keyboard, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		n, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		return err
	})
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	return keyboard, screen
}

// control calls do with the descriptor of f. Unlike f.Fd it keeps the mode in which
// a deadline ends a read.
func control(t *testing.T, f *os.File, do func(fd int) error) {
	t.Helper()
	conn, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var done error
	if err := errors.Join(conn.Control(func(fd uintptr) { done = do(int(fd)) }), done); err != nil {
		t.Fatal(err)
	}
}

func resize(t *testing.T, keyboard *os.File, width, height uint16) {
	t.Helper()
	control(t, keyboard, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height})
	})
}

// On a terminal the status is drawn in place, fitted into the terminal's size even
// when that changes. No mode of the terminal stays switched.
func TestRedraw(t *testing.T) {
	keyboard, screen := terminal(t)
	resize(t, keyboard, 40, 10)
	if !isTerminal(screen) {
		t.Fatal("the screen is no terminal")
	}
	begin := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	gather := func() status.Report {
		return status.Report{
			Running: true, PID: 4242, Now: begin.Add(time.Minute),
			Heartbeat: heartbeat.File{StartedAt: begin, Interval: time.Minute},
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- redraw(ctx, screen, gather) }()
	if err := keyboard.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil { // only a failure reaches it
		t.Fatal(err)
	}
	var drawn []byte
	until := func(text string) {
		t.Helper()
		buf := make([]byte, 4096)
		for !bytes.Contains(drawn, []byte(text)) {
			n, err := keyboard.Read(buf)
			if err != nil {
				t.Fatalf("%v, and %q was not drawn, but %q", err, text, drawn)
			}
			drawn = append(drawn, buf[:n]...)
		}
	}
	until("\x1b[H\x1b[2Kpoller      running (pid 4242)\r\n\x1b[2K            started:\r\n\x1b[2K             2026-11-30T10:00:00Z (1m\r\n\x1b[2K             ago)\r\n")
	resize(t, keyboard, 20, 4)
	if err := unix.Kill(os.Getpid(), unix.SIGWINCH); err != nil { // the system signals the owner of a terminal only
		t.Fatal(err)
	}
	until("\x1b[H\x1b[2Kpoller      running…\r\n\x1b[2K            started…\r\n")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, switched := range []string{"\x1b[?", "\x1b[m", "\x1b7"} {
		if strings.Contains(string(drawn), switched) {
			t.Errorf("something of the terminal was switched: %q", drawn)
		}
	}
}

// A terminal gets the rows of the status broken between words, below their text.
func TestStatusOnTerminal(t *testing.T) {
	keyboard, screen := terminal(t)
	resize(t, keyboard, 50, 24)
	a := newApp(strings.NewReader(""), screen, screen)
	if err := a.cli().RunContext(t.Context(), []string{"the-loop", "--state-root", t.TempDir(), "status"}); err != nil {
		t.Fatal(err)
	}
	if err := keyboard.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil { // only a failure reaches it
		t.Fatal(err)
	}
	want := "poller      not running\r\n" +
		"            last cycle: unknown — no heartbeat\r\n" +
		"                        recorded\r\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(keyboard, got); err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
