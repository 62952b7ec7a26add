package outbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"the-loop/internal/outbox"
)

// reader takes messages one by one, as it is allowed to.
type reader struct {
	allowed chan error // an error fails the message
	got     []string
}

func (r *reader) Write(text []byte) (int, error) {
	err := <-r.allowed
	if err == nil {
		r.got = append(r.got, string(text))
	}
	return len(text), err
}

func report(lost int, cause error) []byte { return fmt.Appendf(nil, "lost %d: %v", lost, cause) }

func say(b *outbox.Outbox, texts ...string) {
	for _, text := range texts {
		b.Write([]byte(text))
	}
	synctest.Wait()
}

func wantGot(t *testing.T, r *reader, want ...string) {
	t.Helper()
	if !slices.Equal(r.got, want) {
		t.Errorf("got %q, want %q", r.got, want)
	}
}

func wantTrouble(t *testing.T, b *outbox.Outbox, want int, cause error) {
	t.Helper()
	if n, err := b.Trouble(); n != want || !errors.Is(err, cause) {
		t.Errorf("Trouble = %d, %v; want %d, %v", n, err, want, cause)
	}
}

func TestInOrder(t *testing.T) {
	var out bytes.Buffer
	b := outbox.New(outbox.Options{Out: &out, Limit: 1 << 20})
	for i := range 1000 {
		fmt.Fprintf(b, "%d\n", i)
	}
	if !b.Close(time.Minute) {
		t.Error("not all of it was written")
	}
	if lines := strings.Fields(out.String()); len(lines) != 1000 || lines[999] != "999" {
		t.Errorf("got %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	fmt.Fprint(b, "late") // goes nowhere and does no harm
	b.Close(0)
}

func TestAReaderThatStopsAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reader{allowed: make(chan error)}
		b := outbox.New(outbox.Options{Out: r, Limit: 6, Report: report})
		say(b, "111", "222", "333", "444")
		wantTrouble(t, b, 2, outbox.ErrUnread)
		for range 2 {
			r.allowed <- nil
		}
		synctest.Wait()
		wantGot(t, r, "111", "222")
		wantTrouble(t, b, 2, outbox.ErrUnread)
		close(r.allowed) // reads all from here on
		say(b, "555")
		wantTrouble(t, b, 0, nil)
		if !b.Close(time.Minute) {
			t.Error("not all of it was written")
		}
		if want := "lost 2: " + outbox.ErrUnread.Error(); len(r.got) < 3 || r.got[2] != want {
			t.Errorf("got %q, want %q third", r.got, want)
		}
	})
}

func TestAReaderThatHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("gone")
		r := &reader{allowed: make(chan error, 100)}
		b := outbox.New(outbox.Options{Out: r, Limit: 100, Report: report})
		for range 5 { // a line, then twice a report and a line
			r.allowed <- gone
		}
		say(b, "1")
		say(b, "2")
		say(b, "3")
		wantTrouble(t, b, 3, gone)
		close(r.allowed)
		say(b, "4")
		b.Close(time.Minute)
		wantGot(t, r, "lost 3: gone", "4")
		wantTrouble(t, b, 0, nil)
	})
}

func TestDropOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reader{allowed: make(chan error)}
		b := outbox.New(outbox.Options{Out: r, Limit: 3, DropOldest: true})
		say(b, "1")
		say(b, "2", "3", "4", "5")
		wantTrouble(t, b, 2, outbox.ErrUnread)
		close(r.allowed)
		synctest.Wait()
		wantTrouble(t, b, 0, nil)
		b.Close(time.Minute)
		wantGot(t, r, "1", "4", "5")
	})
}

func TestCloseDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reader{allowed: make(chan error)}
		b := outbox.New(outbox.Options{Out: r, Limit: 100})
		say(b, "1")
		before := time.Now()
		if b.Close(time.Second) {
			t.Error("Close says that all was written")
		}
		if took := time.Since(before); took != time.Second {
			t.Errorf("Close took %s, want its patience", took)
		}
		close(r.allowed)
		synctest.Wait()
	})
}

func TestAMessageLargerThanTheLimit(t *testing.T) {
	var out bytes.Buffer
	b := outbox.New(outbox.Options{Out: &out, Limit: 1, Report: report})
	fmt.Fprint(b, "large")
	if !b.Close(time.Minute) || out.String() != "large" {
		t.Errorf("got %q", out.String())
	}
}
