//go:build unix

package dispatch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"the-loop/internal/argvtemplate"
)

const testRef = "github:octo/repo#5"

func day(hour int) time.Time { return time.Date(2026, 11, 30, hour, 0, 0, 0, time.UTC) }

// A puppet is a handler that does what the test tells it over a socket: the
// test sees it begin, and sees it die by the end of the connection, so that no
// test has to wait for time to pass.

type hello struct {
	Args []string
	Env  []string
	Dir  string
}

// puppetMain is the handler's side. Its first argument is the socket.
func puppetMain(args []string) int {
	conn, err := net.Dial("unix", args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	defer conn.Close()
	dir, _ := os.Getwd()
	reply := json.NewEncoder(conn)
	if err := reply.Encode(hello{Args: args[1:], Env: os.Environ(), Dir: dir}); err != nil {
		return 99
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "exit" {
			return mustAtoi(rest)
		}
		if err := reply.Encode(obey(word, rest, args[0])); err != nil {
			return 99
		}
	}
	return 98
}

func obey(word, rest, socket string) string {
	switch word {
	case "stdin":
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err.Error()
		}
		if len(data) > 4096 {
			return fmt.Sprintf("%d %x", len(data), sha256.Sum256(data))
		}
		return string(data)
	case "close-stdin":
		os.Stdin.Close()
	case "print":
		fmt.Println(rest)
	case "complain":
		fmt.Fprintln(os.Stderr, rest)
	case "flood":
		os.Stdout.Write(bytes.Repeat([]byte("0123456789abcde\n"), mustAtoi(rest)/16))
	case "ignore-term":
		signal.Ignore(syscall.SIGTERM)
	case "exit-0-on-term":
		term := make(chan os.Signal, 1)
		signal.Notify(term, syscall.SIGTERM)
		go func() {
			<-term
			os.Exit(0)
		}()
	case "child":
		exe, err := os.Executable()
		if err != nil {
			return err.Error()
		}
		child := exec.Command(exe, "puppet", socket, rest)
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return err.Error()
		}
	default:
		return "unknown command " + word
	}
	return "ok"
}

func mustAtoi(s string) int {
	var n int
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic(err)
	}
	return n
}

// theatre is the test's side.
type theatre struct {
	t        *testing.T
	listener net.Listener
}

func newTheatre(t *testing.T) *theatre {
	t.Helper()
	dir, err := os.MkdirTemp("", "s") // short: a socket's path has 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &theatre{t, l}
}

// handler is the argv of a puppet.
func (th *theatre) handler(args ...string) argvtemplate.Template {
	th.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		th.t.Fatal(err)
	}
	return handlerOf(th.t, append([]string{exe, "puppet", th.listener.Addr().String()}, args...)...)
}

func handlerOf(t *testing.T, argv ...string) argvtemplate.Template {
	t.Helper()
	tmpl, err := argvtemplate.Parse(argv)
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

type puppet struct {
	hello
	t    *testing.T
	conn net.Conn
	in   *json.Decoder
}

// enter waits for a puppet to begin.
func (th *theatre) enter() *puppet {
	th.t.Helper()
	const patience = time.Minute // only ever used up by a bug
	th.listener.(*net.UnixListener).SetDeadline(time.Now().Add(patience))
	conn, err := th.listener.Accept()
	if err != nil {
		th.t.Fatalf("no handler began: %v", err)
	}
	th.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	p := &puppet{t: th.t, conn: conn, in: json.NewDecoder(conn)}
	if err := p.in.Decode(&p.hello); err != nil {
		th.t.Fatalf("the handler said nothing: %v", err)
	}
	return p
}

// does has the puppet obey and returns what it answers.
func (p *puppet) does(command string) string {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.conn, command); err != nil {
		p.t.Fatalf("%s: %v", command, err)
	}
	var answer string
	if err := p.in.Decode(&answer); err != nil {
		p.t.Fatalf("%s: %v", command, err)
	}
	return answer
}

func (p *puppet) mustDo(commands ...string) {
	p.t.Helper()
	for _, c := range commands {
		if got := p.does(c); got != "ok" {
			p.t.Fatalf("%s: %s", c, got)
		}
	}
}

func (p *puppet) exits(code int) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.conn, "exit", code); err != nil {
		p.t.Fatalf("exit %d: %v", code, err)
	}
}

// dies waits for the puppet's death.
func (p *puppet) dies() {
	p.t.Helper()
	var answer string
	err := p.in.Decode(&answer)
	if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		p.t.Errorf("the handler lives: %q, %v", answer, err)
	}
}
