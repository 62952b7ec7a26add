//go:build unix

package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstallCommands runs the commands of the page, as it shows them, for a user
// whose home is empty and who may write nowhere else.
func TestInstallCommands(t *testing.T) {
	home := t.TempDir()
	ran := 0
	for _, b := range readPage(t, "docs/commands.md").code {
		if !strings.HasPrefix(b.text(), "mkdir -p ~/") {
			continue
		}
		ran++
		cmd := exec.Command("sh", "-eu", "-c", b.text())
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GORACE=atexit_sleep_ms=0"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s\n%v: %s", b.text(), err, out)
		}
	}
	if ran != 4 {
		t.Errorf("found %d blocks that install something, want 4", ran)
	}
	for _, name := range []string{
		".local/share/bash-completion/completions/the-loop", ".zsh/completions/_the-loop",
		".config/fish/completions/the-loop.fish", ".local/share/man/man1/the-loop.1",
	} {
		if info, err := os.Stat(filepath.Join(home, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", name, err)
		}
	}
}
