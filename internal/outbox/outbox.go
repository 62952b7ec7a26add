// Package outbox writes messages without ever holding up their sender, even if the
// reader of a log has stopped reading or the other end of a socket is stuck.
//
// It guarantees that Write returns at once and never fails. Messages wait in a bounded
// buffer. Those that do not fit are dropped, counted, and reported once the other end
// reads again. The package imports nothing of this program.
package outbox

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrUnread means that messages were dropped because the other end does not read.
var ErrUnread = errors.New("the other end does not read")

// Options configure an [Outbox].
type Options struct {
	// Out gets each message in one Write. It may block.
	Out io.Writer
	// Limit is the number of bytes that may wait. A single message always may.
	Limit int
	// Report makes the message that informs the reader of lost ones. Without it they are
	// forgotten once the other end reads again.
	Report func(lost int, cause error) []byte
	// DropOldest drops the message with the longest wait instead of the newest. Use it
	// only without Report.
	DropOldest bool
}

// Outbox is an [io.Writer] that never blocks. Its methods are safe for concurrent use.
type Outbox struct {
	opts Options
	done chan struct{} // closed when the writing goroutine has ended

	mu      sync.Mutex
	changed sync.Cond // a message waits, or the outbox is closed
	waiting []message
	size    int // bytes of messages that wait or are being written
	closed  bool
	lost    int   // lost messages without a report
	told    int   // lost messages covered by a waiting report
	cause   error // of the last loss
}

// message is a message, or a report of lost ones.
type message struct {
	text      []byte
	standsFor int // lost messages
}

// New starts a goroutine that [Outbox.Close] ends.
func New(opts Options) *Outbox {
	b := &Outbox{opts: opts, done: make(chan struct{})}
	b.changed.L = &b.mu
	go b.write()
	return b
}

// Write queues one message. It neither blocks nor fails.
func (b *Outbox) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := message{text: append([]byte(nil), text...)}
	if b.closed {
		return len(text), nil
	}
	for b.opts.DropOldest && !b.fits(m) && len(b.waiting) > 0 {
		oldest := b.waiting[0]
		b.waiting = b.waiting[1:]
		b.size -= len(oldest.text)
		b.lose(1, ErrUnread)
	}
	if !b.fits(m) {
		b.lose(1, ErrUnread)
		return len(text), nil
	}
	b.report()
	b.add(m)
	return len(text), nil
}

// report queues the report of lost messages. The limit does not apply to it: it is
// short and follows at least one message.
func (b *Outbox) report() {
	if b.lost == 0 || b.opts.Report == nil {
		return
	}
	b.waiting = append(b.waiting, message{b.opts.Report(b.lost, b.cause), b.lost})
	b.told += b.lost
	b.lost = 0
	b.changed.Signal()
}

func (b *Outbox) fits(m message) bool {
	return b.size == 0 || b.size+len(m.text) <= b.opts.Limit
}

func (b *Outbox) add(m message) {
	b.waiting = append(b.waiting, m)
	b.size += len(m.text)
	b.changed.Signal()
}

func (b *Outbox) lose(n int, cause error) {
	b.lost += n
	b.cause = cause
}

// Trouble returns the number of lost messages without a written report, and the cause
// of the last loss; 0 and nil if there are none.
func (b *Outbox) Trouble() (lost int, cause error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if lost = b.lost + b.told; lost == 0 {
		return 0, nil
	}
	return lost, b.cause
}

// Close accepts no further message, waits at most patience until the others are
// written, and reports whether they were. A Write of Out that blocks for longer keeps
// its goroutine.
func (b *Outbox) Close(patience time.Duration) bool {
	b.mu.Lock()
	if !b.closed {
		b.report()
		b.closed = true
	}
	b.changed.Signal()
	b.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-b.done:
	case <-timer.C:
		return false
	}
	lost, _ := b.Trouble()
	return lost == 0
}

// write is the goroutine that may block.
func (b *Outbox) write() {
	defer close(b.done)
	for {
		m, ok := b.next()
		if !ok {
			return
		}
		_, err := b.opts.Out.Write(m.text)
		b.wrote(m, err)
	}
}

// next waits for a message. It returns false if none can come.
func (b *Outbox) next() (message, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.waiting) == 0 {
		if b.closed {
			return message{}, false
		}
		b.changed.Wait()
	}
	m := b.waiting[0]
	b.waiting = b.waiting[1:]
	return m, true
}

func (b *Outbox) wrote(m message, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told -= m.standsFor
	if m.standsFor == 0 {
		b.size -= len(m.text)
	}
	switch {
	case err != nil:
		b.lose(max(1, m.standsFor), err)
	case b.opts.Report == nil:
		b.lost = 0
	}
}
