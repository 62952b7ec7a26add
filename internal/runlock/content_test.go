package runlock

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

func TestParseContent(t *testing.T) {
	process := identity{started: "0b07-1d/300", namespace: "pid:[4026531836]"}
	for text, want := range map[string]content{
		"":                                      {},
		"\n":                                    {},
		"4242":                                  {pid: 4242},
		"4242\n":                                {pid: 4242},
		"4242\r\nstopping\r\n":                  {pid: 4242, stopping: true},
		"4242\nstopping\n":                      {pid: 4242, stopping: true},
		"4242\nstopp":                           {pid: 4242, process: identity{started: "stopp"}},
		"0\nstopping\n":                         {},
		"-7\n":                                  {},
		"99999999999999999999999\n":             {},
		"\x00\x00\x00":                          {},
		"stopping\n":                            {},
		"4242\n0b07-1d/300\npid:[4026531836]\n": {pid: 4242, process: process},
		"4242\n0b07-1d/300\npid:[4026531836]\nstopping\n": {pid: 4242, process: process, stopping: true},
		"4242\n0b07-1d/300\npid:[4026531836]\n\n\n\n":     {pid: 4242, process: process},
		"4242\n0b07-1d/300\n":                             {pid: 4242, process: identity{started: "0b07-1d/300"}},
	} {
		if got := parseContent(text); got != want {
			t.Errorf("parseContent(%q) = %+v, want %+v", text, got, want)
		}
	}
}

func FuzzParseContent(f *testing.F) {
	f.Add("4242\nstopping\n")
	f.Add("4242\n0b07-1d/300\npid:[4026531836]\nstopping\n")
	f.Add("\x00")
	f.Fuzz(func(t *testing.T, text string) {
		got := parseContent(text)
		if got.pid < 0 || got.pid == 0 && got != (content{}) {
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
