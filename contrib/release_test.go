//go:build linux

package contrib_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRelease makes the release for this machine, holds the files against their
// checksums, installs the .deb into a root of its own and runs the demo from there.
func TestRelease(t *testing.T) {
	for _, tool := range []string{"dpkg", "git", "bash", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dist, root := t.TempDir(), t.TempDir()
	do := func(dir string, argv ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TARGETS=linux/"+runtime.GOARCH)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out.String())
		}
		return out.String()
	}
	do(".", "bash", "release/release.sh", dist)
	do(dist, "sha256sum", "--check", "--strict", "SHA256SUMS")
	debs, _ := filepath.Glob(filepath.Join(dist, "*.deb"))
	rpms, _ := filepath.Glob(filepath.Join(dist, "*.rpm"))
	tars, _ := filepath.Glob(filepath.Join(dist, "*.tar.gz"))
	if len(debs) != 1 || len(rpms) != 1 || len(tars) != 1 {
		t.Fatalf("packages %v %v, tarballs %v; want one of each", debs, rpms, tars)
	}
	for _, dir := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	do(".", "dpkg", "--root="+root, "--force-not-root", "--force-depends", "--log="+filepath.Join(root, "log"), "--install", debs[0])
	for _, name := range []string{
		"usr/share/man/man1/the-loop.1.gz", "usr/share/bash-completion/completions/the-loop",
		"usr/share/zsh/vendor-completions/_the-loop", "usr/share/fish/vendor_completions.d/the-loop.fish",
		"usr/lib/systemd/user/the-loop.service", "usr/lib/systemd/system/the-loop@.service",
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || len(text) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if strings.HasSuffix(name, ".service") && !bytes.Contains(text, []byte("\nExecStart=/usr/bin/the-loop run\n")) {
			t.Errorf("%s does not start /usr/bin/the-loop:\n%s", name, text)
		}
	}
	if out := do(root, filepath.Join(root, "usr/bin/the-loop"), "demo"); !strings.Contains(out, "nothing is left behind") {
		t.Errorf("the demo of the installed program printed\n%s", out)
	}
}
