package runlock_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"the-loop/internal/runlock"
)

// childVariable makes the test binary a contender for the lock it names.
const childVariable = "RUNLOCK_TEST_PATH"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		os.Exit(contender(path))
	}
	goleak.VerifyTestMain(m)
}

// contender follows the lines of its stdin, acquire, stopping and release,
// and answers each with a line; it ends with its stdin.
func contender(path string) int {
	var lock *runlock.Lock
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var err error
		switch in.Text() {
		case "acquire":
			lock, err = runlock.Acquire(path)
		case "stopping":
			err = lock.MarkStopping()
		case "release":
			err = lock.Release()
		}
		var held *runlock.HeldError
		switch {
		case errors.As(err, &held):
			fmt.Println("held", held.PID)
		case err != nil:
			fmt.Println("error", err)
		default:
			fmt.Println("ok")
		}
	}
	return 0
}

type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func startChild(t *testing.T, path string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command(os.Args[0]), lines: make(chan string)}
	c.cmd.Env = append(os.Environ(), childVariable+"="+path)
	c.cmd.Stderr = t.Output()
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.in = in
	go func() {
		defer close(c.lines)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			c.lines <- scan.Text()
		}
	}()
	t.Cleanup(c.kill)
	return c
}

func (c *child) pid() int { return c.cmd.Process.Pid }

func (c *child) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *child) answer() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatal("the child ended without an answer")
		}
		return strings.TrimSpace(line)
	case <-time.After(2 * time.Minute):
		c.t.Fatal("no answer from the child")
		return ""
	}
}

func (c *child) ask(line string) string {
	c.t.Helper()
	c.say(line)
	return c.answer()
}

// kill ends the child with SIGKILL and waits for its end.
func (c *child) kill() {
	if c.cmd.ProcessState != nil {
		return
	}
	_ = c.cmd.Process.Kill()
	for range c.lines { // let the reader see the pipe's end before Wait closes it
	}
	_ = c.cmd.Wait()
}
