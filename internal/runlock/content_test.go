package runlock

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

func TestParseContent(t *testing.T) {
	for text, want := range map[string]State{
		"":                          {},
		"\n":                        {},
		"4242":                      {PID: 4242},
		"4242\n":                    {PID: 4242},
		"4242\r\nstopping\r\n":      {PID: 4242, Stopping: true},
		"4242\nstopping\n":          {PID: 4242, Stopping: true},
		"4242\nstopp":               {PID: 4242},
		"0\nstopping\n":             {},
		"-7\n":                      {},
		"99999999999999999999999\n": {},
		"\x00\x00\x00":              {},
		"stopping\n":                {},
	} {
		if got := parseContent(text); got != want {
			t.Errorf("parseContent(%q) = %+v, want %+v", text, got, want)
		}
	}
}

func FuzzParseContent(f *testing.F) {
	f.Add("4242\nstopping\n")
	f.Add("\x00")
	f.Fuzz(func(t *testing.T, text string) {
		got := parseContent(text)
		if got.PID < 0 || got.Held || (got.Stopping && got.PID == 0) {
			t.Errorf("parseContent(%q) = %+v", text, got)
		}
	})
}

func TestUninterrupted(t *testing.T) {
	interruptions := 2
	ok, err := uninterrupted(func() (bool, error) {
		if interruptions--; interruptions >= 0 {
			return false, &os.PathError{Op: "flock", Path: "x", Err: syscall.EINTR}
		}
		return true, nil
	})
	if !ok || err != nil {
		t.Errorf("after two interruptions: %v, %v", ok, err)
	}
	boom := errors.New("boom")
	if ok, err := uninterrupted(func() (bool, error) { return false, boom }); ok || !errors.Is(err, boom) {
		t.Errorf("another error: %v, %v", ok, err)
	}
}
