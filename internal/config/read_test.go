package config_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"the-loop/internal/config"
)

func TestFilesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing.yaml")
	large := filepath.Join(folder, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("#", 1<<20)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name       string
		options    config.Options
		want, hint string
	}{
		{
			"an explicit file that is missing",
			config.Options{File: missing, Explicit: true},
			"the configuration " + missing + " does not exist",
			"write one there with 'the-loop --config " + missing + " config init'",
		},
		{
			"an explicit file that is missing, with repositories",
			config.Options{File: missing, Explicit: true, Overrides: config.Overrides{Repos: []string{"octo/a"}}},
			"the configuration " + missing + " does not exist",
			"write one there with 'the-loop --config " + missing + " config init'",
		},
		{
			"no default file",
			config.Options{File: missing},
			"no configuration: " + missing + " does not exist",
			"write one with 'the-loop config init', or try 'the-loop run --repo OWNER/REPO'",
		},
		{
			"no default file, with a label only",
			config.Options{File: missing, Overrides: config.Overrides{Labels: []string{"x"}}},
			"no configuration: " + missing + " does not exist",
			"write one with 'the-loop config init', or try 'the-loop run --repo OWNER/REPO'",
		},
		{"a folder", config.Options{File: folder, Explicit: true}, "read the configuration: " + folder + " is a folder", ""},
		{"too large", config.Options{File: large, Explicit: true}, "read the configuration: " + large + " is larger than 1 MiB", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Getenv = env("HOME=" + home(t))
			_, err := config.Load(tt.options)
			if err == nil {
				t.Fatal("Load succeeded")
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("error\n got %q\nwant %q", got, tt.want)
			}
			if got := hintOf(err); got != tt.hint {
				t.Errorf("hint\n got %q\nwant %q", got, tt.hint)
			}
		})
	}
}

// hintOf is what the command line prints after the error.
func hintOf(err error) string {
	var missing *config.MissingError
	if errors.As(err, &missing) {
		return missing.Hint()
	}
	return ""
}

func TestNoPlaceForTheState(t *testing.T) {
	_, err := config.Load(config.Options{File: write(t, smallest), Explicit: true, Getenv: env()})
	if err == nil {
		t.Fatal("Load succeeded without HOME")
	}
	if got, want := hintOf(err), "name one with --state-root DIR, or with state.root in the configuration"; got != want {
		t.Errorf("hint of %q\n got %q\nwant %q", err, got, want)
	}
	root := t.TempDir()
	cfg, err := config.Load(config.Options{
		File: write(t, smallest), Explicit: true, Getenv: env(), Overrides: config.Overrides{StateRoot: root},
	})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.StateRoot != root {
		t.Errorf("state root %q, want %q", cfg.StateRoot, root)
	}
}

func TestHomeThatIsNotKnown(t *testing.T) {
	file := write(t, "state: {root: ~/x}\n"+smallest)
	_, err := config.Load(config.Options{File: file, Explicit: true, Getenv: env()})
	want := file + `:1:15: state.root: "~/x": the home folder is not known`
	if err == nil || err.Error() != want {
		t.Errorf("error\n got %v\nwant %v", err, want)
	}
}

func TestInvalidGHHost(t *testing.T) {
	content := smallest + "    - {provider: github, repos: [o/a]}\n"
	_, err := config.Load(config.Options{
		File: write(t, content), Explicit: true, Getenv: env("HOME="+home(t), "GH_HOST=https://ghe.example.com"),
	})
	want := `$GH_HOST: "https://ghe.example.com" is not a host name, such as github.com or ghe.example.com:8443`
	if err == nil || err.Error() != want {
		t.Errorf("error\n got %v\nwant %v", err, want)
	}
}

// What is no regular file is refused and never waited for.
func TestWhatIsNoRegularFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no pipes in folders")
	}
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]string{
		pipe:         pipe + " is a pipe, not a regular file",
		socket:       socket + " is a socket, not a regular file",
		os.DevNull:   os.DevNull + " is a device, not a regular file",
		dir:          dir + " is a folder",
		pipe + "/./": "open", // whatever the system says
	} {
		o := config.Options{File: path, Explicit: true, Getenv: env("HOME=" + home(t))}
		if _, err := config.Load(o); err == nil || !strings.Contains(err.Error(), want) && want != "open" {
			t.Errorf("Load of %s: %v, want %q", path, err, want)
		}
		if _, doubt, err := config.StateRoot(o); doubt == nil || err != nil {
			t.Errorf("StateRoot of %s: doubt %v, %v", path, doubt, err)
		}
	}
}

// A link that leads nowhere is described alike, whoever meets it.
func TestDanglingLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.Symlink("gone.yaml", link); err != nil {
		t.Skip(err)
	}
	want := "the configuration " + link + " is a link to gone.yaml, which does not exist"
	for _, explicit := range []bool{true, false} {
		for _, repos := range [][]string{nil, {"octo/a"}} {
			o := config.Options{File: link, Explicit: explicit, Getenv: env("HOME=" + home(t))}
			o.Overrides.Repos = repos
			if _, err := config.Load(o); err == nil || err.Error() != want {
				t.Errorf("Load: %v, want %s", err, want)
			}
			if _, doubt, _ := config.StateRoot(o); doubt == nil || doubt.Error() != want {
				t.Errorf("StateRoot: %v, want %s", doubt, want)
			}
		}
	}
	if err := config.Init(link); err == nil || err.Error() != want {
		t.Errorf("Init: %v, want %s", err, want)
	}
}

// The pipe of a shell's <(…) is read once for all who ask, and never again.
func TestFileThatCanBeReadOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no /dev/fd")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("state: {root: s}\n" + smallest); err != nil {
		t.Fatal(err)
	}
	w.Close()
	o := config.Options{
		File: fmt.Sprintf("/dev/fd/%d", r.Fd()), Explicit: true, Getenv: env("HOME=" + home(t)), Once: &config.Once{},
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		cfg, err := config.Load(o)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(here, "s"); cfg.StateRoot != want {
			t.Errorf("state root %s, want %s", cfg.StateRoot, want)
		}
		if config.NewWatch(cfg).Changed() {
			t.Error("it is said to have changed")
		}
	}
	if root, doubt, err := config.StateRoot(o); doubt != nil || err != nil || root != filepath.Join(here, "s") {
		t.Errorf("StateRoot = %q, %v, %v", root, doubt, err)
	}
}
