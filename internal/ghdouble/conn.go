package ghdouble

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
)

// accept serves each connection in its own goroutine until the listener closes.
func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		if !s.track(conn) {
			conn.Close()
			return
		}
		s.serving.Go(func() {
			defer s.untrack(conn)
			s.serve(conn)
		})
	}
}

// track records an open connection. It returns false when the server is closed.
func (s *Server) track(conn net.Conn) bool {
	s.connMu.Lock()
	defer s.connMu.Unlock()
	if s.conns == nil {
		return false
	}
	s.conns[conn] = struct{}{}
	return true
}

func (s *Server) untrack(conn net.Conn) {
	s.connMu.Lock()
	defer s.connMu.Unlock()
	delete(s.conns, conn)
	conn.Close()
}

// serve answers one request: gh sends no second one over a unix socket. net/http is no
// use here, since a fault must decide how much of the request stays unread.
func (s *Server) serve(conn net.Conn) {
	raw, unread, err := readRequest(conn)
	if err != nil {
		return
	}
	request, body, err := parseRequest(raw)
	if err != nil {
		return
	}
	reply := s.answer(request, body)
	if reply.Wire == Reset {
		return // leaves the request unread
	}
	if _, err := io.CopyN(io.Discard, conn, int64(unread)); err != nil {
		return
	}
	switch reply.Wire {
	case EOF:
	case Hang:
		_, _ = conn.Read(make([]byte, 1)) // returns when the client leaves
	default:
		_ = reply.write(conn, request) // the client may have left
	}
}

// parseRequest reads a request and its body. An incomplete request is an error.
func parseRequest(raw []byte) (*http.Request, []byte, error) {
	request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(request.Body)
	return request, body, err
}

// write sends the reply and makes the client close the connection.
func (r Reply) write(conn io.Writer, request *http.Request) error {
	response := &http.Response{
		StatusCode:    r.Status,
		ProtoMajor:    1,
		ProtoMinor:    1,
		Request:       request,
		Header:        http.Header{"Content-Type": {contentType(r.Body)}},
		Body:          io.NopCloser(strings.NewReader(r.Body)),
		ContentLength: int64(len(r.Body)),
		Close:         true,
	}
	if r.Status == 0 {
		response.StatusCode = http.StatusOK
	}
	if r.Wire == Cut {
		response.ContentLength *= 2
	}
	for name, value := range r.Header {
		response.Header.Set(name, value)
	}
	return response.Write(conn)
}

// contentType guesses the type of the body, as far as gh cares.
func contentType(body string) string {
	if strings.HasPrefix(body, "<") {
		return "text/html; charset=utf-8"
	}
	return "application/json; charset=utf-8"
}
