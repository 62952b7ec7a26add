package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// longestLine limits the stored part of an incomplete line, in bytes. No event comes near
// it.
const longestLine = 1 << 20

// splitter cuts a stream into lines.
type splitter struct {
	part []byte // a line without its end
}

// readFrom reads to the end, passes each complete line to call, and returns how many
// bytes it read.
func (s *splitter) readFrom(in io.Reader, call func(line []byte) error) (read int64, err error) {
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		read += int64(n)
		if called := s.feed(buf[:n], call); called != nil {
			return read, called
		}
		if errors.Is(err, io.EOF) {
			return read, nil
		}
		if err != nil {
			return read, fmt.Errorf("read the event log: %w", err)
		}
	}
}

func (s *splitter) feed(data []byte, call func(line []byte) error) error {
	for {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			s.keep(data)
			return nil
		}
		line := data[:end]
		if len(s.part) > 0 {
			s.keep(line)
			line = s.part
		}
		data, s.part = data[end+1:], s.part[:0]
		if line = bytes.TrimSuffix(line, []byte("\r")); len(line) == 0 {
			continue
		}
		if err := call(line); err != nil {
			return err
		}
	}
}

// keep adds to the incomplete line. It keeps only the beginning of a line too long for an
// event; that beginning is no event either.
func (s *splitter) keep(data []byte) {
	s.part = append(s.part, data[:min(len(data), longestLine-len(s.part))]...)
}

// flush passes the rest to call as if it were a line.
func (s *splitter) flush(call func(line []byte) error) error {
	if len(s.part) == 0 {
		return nil
	}
	line := s.part
	s.part = nil
	return call(line)
}

// tail collects the last lines that keep accepts.
type tail struct {
	size  int
	keep  func(line []byte) bool
	lines [][]byte
}

func (t *tail) add(line []byte) error {
	if t.size <= 0 || !t.keep(line) {
		return nil
	}
	if len(t.lines) == t.size {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, bytes.Clone(line))
	return nil
}
