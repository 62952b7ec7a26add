package config

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func environment(entries ...string) func(string) string {
	return func(name string) string {
		for _, e := range entries {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func TestLocate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	xdg := "XDG_CONFIG_HOME=/xdg"
	tests := []struct {
		name         string
		flag         string
		env          []string
		want         string
		wantExplicit bool
	}{
		{"the flag first", "f.yaml", []string{"THE_LOOP_CONFIG=/v.yaml", xdg}, "f.yaml", true},
		{"then the variable", "", []string{"THE_LOOP_CONFIG=v.yaml", xdg}, "v.yaml", true},
		{"then the XDG folder", "", []string{xdg, "HOME=/h"}, "/xdg/the-loop/config.yaml", false},
		{"nothing known", "", nil, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, explicit := Locate(tt.flag, environment(tt.env...))
			if got != tt.want || explicit != tt.wantExplicit {
				t.Errorf("Locate = %q, %v, want %q, %v", got, explicit, tt.want, tt.wantExplicit)
			}
		})
	}
}

func TestPlacesOfEachSystem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	all := []string{"HOME=/h", "USERPROFILE=/u", "AppData=/u/roaming", "LocalAppData=/u/local"}
	tests := []struct {
		name, goos string
		env        []string
		file, root string
	}{
		{"linux", "linux", all, "/h/.config/the-loop/config.yaml", "/h/.local/state/the-loop"},
		{"macOS", "darwin", all, "/h/Library/Application Support/the-loop/config.yaml", "/h/Library/Application Support/the-loop/state"},
		{"windows", "windows", all, "/u/roaming/the-loop/config.yaml", "/u/local/the-loop"},
		{"macOS with XDG", "darwin", []string{"HOME=/h", "XDG_CONFIG_HOME=/c", "XDG_STATE_HOME=/s"}, "/c/the-loop/config.yaml", "/s/the-loop"},
		{"relative XDG", "linux", []string{"HOME=/h", "XDG_CONFIG_HOME=c", "XDG_STATE_HOME=s"}, "/h/.config/the-loop/config.yaml", "/h/.local/state/the-loop"},
		{"nothing on linux", "linux", nil, "", ""},
		{"nothing on macOS", "darwin", nil, "", ""},
		{"nothing on windows", "windows", []string{"HOME=/h"}, "", ""},
		{"a relative home", "linux", []string{"HOME=h"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := places{tt.goos, environment(tt.env...)}
			if got := filepath.ToSlash(p.configFile()); got != tt.file {
				t.Errorf("configuration in %q, want %q", got, tt.file)
			}
			if got := filepath.ToSlash(p.stateRoot()); got != tt.root {
				t.Errorf("state in %q, want %q", got, tt.root)
			}
		})
	}
}
