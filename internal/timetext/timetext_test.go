package timetext

import (
	"testing"
	"time"
)

func TestUTC(t *testing.T) {
	at := time.Date(2026, 11, 30, 11, 0, 0, 900_000_000, time.FixedZone("CET", 3600))
	if got := UTC(at); got != "2026-11-30T10:00:00Z" {
		t.Errorf("got %s", got)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 250 * time.Millisecond: "250ms", 20 * time.Second: "20s", time.Minute: "1m", 150 * time.Second: "2m30s",
		time.Hour: "1h", 90 * time.Minute: "1h30m", time.Hour + time.Second: "1h0m1s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d is %s, want %s", d, got, want)
		}
	}
}
