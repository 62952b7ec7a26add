package counted_test

import (
	"testing"

	"the-loop/internal/counted"
)

func TestOf(t *testing.T) {
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items", 1000: "1000 items"} {
		if got := counted.Of(n, "item", "items"); got != want {
			t.Errorf("Of(%d) = %q, want %q", n, got, want)
		}
	}
}
