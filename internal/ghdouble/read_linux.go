package ghdouble

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// maxRequest is far above the size of gh's requests.
const maxRequest = 64 << 10

// readRequest reads one request and leaves it in the socket; unread is the number of
// bytes to drain. Linux resets a unix connection only when it closes with unread data.
func readRequest(conn net.Conn) (raw []byte, unread int, err error) {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, 0, errors.New("not a unix socket")
	}
	socket, err := unix.SyscallConn()
	if err != nil {
		return nil, 0, err
	}
	buf := make([]byte, maxRequest)
	n := 0
	var peekErr error
	err = socket.Read(func(fd uintptr) (done bool) {
		n, peekErr = peek(int(fd), buf)
		if peekErr == syscall.EAGAIN {
			return false
		}
		if peekErr != nil || n == 0 || n == len(buf) {
			return true
		}
		_, _, parseErr := parseRequest(buf[:n])
		return parseErr == nil
	})
	if err = errors.Join(err, os.NewSyscallError("recvfrom", peekErr)); err != nil {
		return nil, 0, err
	}
	return buf[:n], n, nil
}

// peek copies the data in the socket without consuming it.
func peek(fd int, buf []byte) (int, error) {
	for {
		n, _, err := syscall.Recvfrom(fd, buf, syscall.MSG_PEEK)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
