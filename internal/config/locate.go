package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Locate returns the path of the file to read: flag (the value of --config), else
// $THE_LOOP_CONFIG, both explicit, else the default place, "" if the environment does
// not define it.
func Locate(flag string, getenv func(string) string) (path string, explicit bool) {
	if flag != "" {
		return flag, true
	}
	if file := getenv("THE_LOOP_CONFIG"); file != "" {
		return file, true
	}
	return places{runtime.GOOS, getenv}.configFile(), false
}

// places finds the places for a user's files on an operating system.
type places struct {
	goos   string
	getenv func(string) string
}

// configFile returns the default file, "" if no folder for it is known. The XDG
// variable comes before the system's own place on every system.
func (p places) configFile() string {
	base := cmp.Or(p.absolute("XDG_CONFIG_HOME"), p.native("AppData", "Library/Application Support", ".config"))
	if base == "" {
		return ""
	}
	return filepath.Join(base, "the-loop", "config.yaml")
}

// stateRoot returns the default of state.root, "" if no folder for it is known. That
// folder never holds the configuration, so it can be cleared.
func (p places) stateRoot() string {
	if base := p.absolute("XDG_STATE_HOME"); base != "" {
		return filepath.Join(base, "the-loop")
	}
	base := p.native("LocalAppData", "Library/Application Support", ".local/state")
	switch {
	case base == "":
		return ""
	case p.goos == "darwin":
		return filepath.Join(base, "the-loop", "state")
	default:
		return filepath.Join(base, "the-loop")
	}
}

// native returns the system's own folder: from a variable on Windows, in the home
// folder elsewhere.
func (p places) native(windows, mac, unix string) string {
	if p.goos == "windows" {
		return p.absolute(windows)
	}
	home := p.home()
	switch {
	case home == "":
		return ""
	case p.goos == "darwin":
		return filepath.Join(home, mac)
	default:
		return filepath.Join(home, unix)
	}
}

func (p places) home() string {
	if p.goos == "windows" {
		return p.absolute("USERPROFILE")
	}
	return p.absolute("HOME")
}

// absolute returns the value of a variable. XDG demands to ignore a relative path,
// which would change with the working directory.
func (p places) absolute(variable string) string {
	if value := p.getenv(variable); filepath.IsAbs(value) {
		return value
	}
	return ""
}

// unset says why a default place is unknown.
func (p places) unset(xdg, windows string) string {
	if p.goos == "windows" {
		return fmt.Sprintf("neither %s nor %s is set", xdg, windows)
	}
	return fmt.Sprintf("neither $%s nor $HOME is set", xdg)
}

// expand makes a path of the configuration absolute. "~/" means the home folder; a
// relative path starts at base.
func (p places) expand(path, base string) (string, error) {
	if path == "~" || strings.HasPrefix(path, "~/") {
		home := p.home()
		if home == "" {
			return "", fmt.Errorf("%s: the home folder is not known", quoted(path))
		}
		return filepath.Join(home, path[1:]), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return filepath.Join(base, path), nil
}
