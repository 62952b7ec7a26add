// Package outbox writes what must never hold up its writer: a log whose reader
// has stopped reading, a socket whose other end is stuck.
//
// It guarantees that Write returns at once and never fails. What cannot be
// written yet waits in a bounded buffer; what does not fit is dropped, counted,
// and reported as soon as something can be written again. It imports nothing of
// this program.
package outbox

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrUnread says that messages were dropped because the other end does not read.
var ErrUnread = errors.New("the other end does not read")

// Options describe an [Outbox].
type Options struct {
	// Out gets each message in one Write. It may block.
	Out io.Writer
	// Limit is how many bytes may wait; one message always may.
	Limit int
	// Report makes the message that tells the reader of lost ones. Without it
	// they are forgotten once something can be written again.
	Report func(lost int, cause error) []byte
	// DropOldest makes room by dropping what has waited longest; otherwise what
	// comes last is dropped. It is for an outbox without Report.
	DropOldest bool
}

// Outbox is an [io.Writer] that never blocks. Its methods may be called by
// several goroutines.
type Outbox struct {
	opts Options
	done chan struct{} // closed when the writing goroutine has ended

	mu      sync.Mutex
	changed sync.Cond // there is something to write, or the outbox is closed
	waiting []message
	size    int // bytes of messages that wait or are being written
	closed  bool
	lost    int   // messages that no report stands for yet
	told    int   // messages that a waiting report stands for
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

// report queues the report of lost messages. It is short and follows at least one
// message, so that the limit is none of its business.
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

// Trouble is how many messages were lost of which the reader does not know, and
// why the last one was; 0 and nil while all is well.
func (b *Outbox) Trouble() (lost int, cause error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if lost = b.lost + b.told; lost == 0 {
		return 0, nil
	}
	return lost, b.cause
}

// Close takes nothing more and waits until what waits is written, for patience
// at most. It reports whether all of it was. A Write of Out that blocks for
// longer keeps its goroutine.
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

// next waits for a message; false means that there is none to come.
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
