package command

import (
	"bytes"
	"testing"

	"the-loop/internal/doctor"
)

// The progress is one line, never wider than the terminal, and erased before
// anything else is shown.
func TestProgressLine(t *testing.T) {
	var screen bytes.Buffer
	p := progressLine{out: &screen, width: 20}
	p.clear()
	p.show("octo/a", 1, 2)
	p.show("octo/a-long-name", 2, 2)
	p.clear()
	p.clear()
	const want = "asking octo/a (1 o…" + "\r\x1b[K" + "asking octo/a-long…" + "\r\x1b[K"
	if got := screen.String(); got != want {
		t.Errorf("the screen got %q, want %q", got, want)
	}
	none := newProgressLine(&screen)
	none.show("octo/a", 1, 1)
	none.clear()
	if got := screen.String(); got != want {
		t.Errorf("what is no terminal got %q", got[len(want):])
	}
}

func TestMarks(t *testing.T) {
	for level, want := range map[doctor.Level]string{
		doctor.OK: "\x1b[32m✓\x1b[0m", doctor.Warning: "\x1b[33m!\x1b[0m", doctor.Error: "\x1b[31m✗\x1b[0m",
	} {
		r := doctorReport{colour: palette{on: true}}
		if got := r.mark(level); got != want {
			t.Errorf("mark(%s) = %q, want %q", level, got, want)
		}
	}
}
