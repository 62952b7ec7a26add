package ghdouble

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// maxRequest is far above what gh asks with.
const maxRequest = 64 << 10

// readRequest reads one request and leaves it in the socket: unread is how much
// is still to be taken out. Linux resets a unix connection only when it is
// closed with something unread in it.
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

// peek copies what is in the socket and leaves it there.
func peek(fd int, buf []byte) (int, error) {
	for {
		n, _, err := syscall.Recvfrom(fd, buf, syscall.MSG_PEEK)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
