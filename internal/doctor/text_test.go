package doctor

import (
	"errors"
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	tests := map[time.Duration]string{
		0:                                     "0s",
		41234 * time.Microsecond:              "41ms",
		1234 * time.Millisecond:               "1.2s",
		time.Minute:                           "1m",
		time.Minute + time.Second:             "1m1s",
		246400 * time.Millisecond:             "4m6s",
		time.Hour:                             "1h",
		10 * time.Hour:                        "10h",
		time.Hour + 10*time.Minute:            "1h10m",
		100*time.Minute + 10*time.Second:      "1h40m10s",
		30*time.Minute + 400*time.Millisecond: "30m",
	}
	for d, want := range tests {
		if got := short(d); got != want {
			t.Errorf("short(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	tests := map[string]string{
		"the-loop": "the-loop",
		"a b":      "'a b'",
		"it's":     `'it'\''s'`,
		"~/x":      "'~/x'",
		"a/b:c":    "a/b:c",
		"$(rm)":    "'$(rm)'",
		"":         "''",
	}
	for s, want := range tests {
		if got := ShellWord(s); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestSaid(t *testing.T) {
	tests := map[string]string{
		"gh repo view ghe.corp:8443/octo/a exited 1: HTTP 502: Bad Gateway": "HTTP 502: Bad Gateway",
		"gh issue timed out after 1m0s":                                     "gh issue timed out after 1m0s",
		"could not run gh: no":                                              "could not run gh: no",
	}
	for text, want := range tests {
		if got := said(errors.New(text)); got != want {
			t.Errorf("said(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTooOld(t *testing.T) {
	for version, want := range map[string]bool{"1.14.0": true, "0.5.0": true, "2.0.0": false, "3.1": false, "devel": false, "": false} {
		if got := tooOld(version); got != want {
			t.Errorf("tooOld(%q) = %v, want %v", version, got, want)
		}
	}
}

func TestMounted(t *testing.T) {
	const table = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:30 / /home rw - nfs4 server:/home rw,vers=4.2
31 30 0:31 / /home/mona/local\040disk rw shared:2 master:1 - xfs /dev/sdb1 rw
32 22 0:32 / /mnt rw - ext4 /dev/sdc1 rw
33 22 0:33 / /mnt rw - fuse.sshfs mona@host:/ rw
cut line
34 22 0:34 / /nothing rw -
`
	tests := map[string]string{
		"/":                           "ext4",
		"/homes/x":                    "ext4",
		"/home":                       "nfs4",
		"/home/mona/.local/state":     "nfs4",
		"/home/mona/local disk":       "xfs",
		"/home/mona/local disk/state": "xfs",
		"/home/mona/local disks":      "nfs4",
		"/mnt/x":                      "fuse.sshfs",
		"/nothing":                    "ext4",
	}
	for path, want := range tests {
		if got := mounted(table, path); got != want {
			t.Errorf("mounted(%q) = %q, want %q", path, got, want)
		}
	}
	if got := mounted("", "/x"); got != "" {
		t.Errorf("mounted() of an empty table = %q", got)
	}
	if !network("nfs4") || network("ext4") || network("") {
		t.Error("network() confuses what is shared")
	}
}

func FuzzMounted(f *testing.F) {
	f.Add(`31 30 0:31 / /a\040b rw - xfs /dev/sdb1 rw`, "/a b/c")
	f.Add(`\`, "/")
	f.Fuzz(func(_ *testing.T, table, path string) { mounted(table, path) })
}
