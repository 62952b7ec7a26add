//go:build unix

package scripttest

import (
	"net"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// notify plays a service manager: it listens on a datagram socket, names it in
// NOTIFY_SOCKET, and appends each message to notify.log: notify start. A deaf one
// reads nothing: notify deaf.
func notify(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || args[0] != "start" && args[0] != "deaf" {
		ts.Fatalf("usage: notify start|deaf SOCKET")
	}
	// A socket's path must be short, and a scenario's folder may be deep.
	dir, err := os.MkdirTemp("", "n")
	ts.Check(err)
	path := filepath.Join(dir, args[1])
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	ts.Check(err)
	log, err := os.Create(ts.MkAbs("notify.log"))
	ts.Check(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 64<<10)
		for args[0] != "deaf" {
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			log.Write(append(buf[:n:n], '\n'))
		}
	}()
	ts.Defer(func() {
		conn.Close()
		<-done
		log.Close()
		os.RemoveAll(dir)
	})
	ts.Setenv("NOTIFY_SOCKET", path)
}
