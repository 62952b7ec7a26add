//go:build !linux

package ghdouble

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
)

// readRequest reads one request and leaves nothing in the socket.
func readRequest(conn net.Conn) (raw []byte, unread int, err error) {
	var seen bytes.Buffer
	request, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &seen)))
	if err != nil {
		return nil, 0, err
	}
	_, err = io.Copy(io.Discard, request.Body)
	return seen.Bytes(), 0, err
}
