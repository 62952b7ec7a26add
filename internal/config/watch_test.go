package config_test

import (
	"os"
	"testing"

	"the-loop/internal/config"
)

func TestWatch(t *testing.T) {
	cfg := load(t, smallest, "HOME="+home(t))
	w := config.NewWatch(cfg)
	put := func(content string) func() error {
		return func() error { return os.WriteFile(cfg.File, []byte(content), 0o600) }
	}
	remove := func() error { return os.Remove(cfg.File) }
	steps := []struct {
		name string
		do   func() error
		want bool
	}{
		{"untouched", func() error { return nil }, false},
		{"written with the same content", put(smallest), false},
		{"changed", put(smallest + "# x\n"), true},
		{"looked at already", func() error { return nil }, false},
		{"no YAML", put("polling: ["), true},
		{"no YAML still", put("polling: ["), false},
		{"other faults", put("polling: {"), true},
		{"removed", remove, true},
		{"still removed", func() error { return nil }, false},
		{"a folder in its place", func() error { return os.Mkdir(cfg.File, 0o700) }, true},
		{"the folder gone", remove, true},
		{"back as it was", put(smallest), true},
		{"untouched again", func() error { return nil }, false},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := w.Changed(); got != step.want {
			t.Errorf("%s: Changed = %v, want %v", step.name, got, step.want)
		}
	}
}

func TestWatchWithoutAFile(t *testing.T) {
	if config.NewWatch(&config.Config{}).Changed() {
		t.Error("Changed = true without a file")
	}
}
