package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Locate is the file that is read: flag (what --config was given), else
// $THE_LOOP_CONFIG, both explicit, else the default place, which is "" when
// the environment does not tell where that is.
func Locate(flag string, getenv func(string) string) (path string, explicit bool) {
	if flag != "" {
		return flag, true
	}
	if file := getenv("THE_LOOP_CONFIG"); file != "" {
		return file, true
	}
	return places{runtime.GOOS, getenv}.configFile(), false
}

// places knows where an operating system keeps a user's files.
type places struct {
	goos   string
	getenv func(string) string
}

// configFile is the default file, "" when no folder for it is known. The XDG
// variable counts on every system, before the system's own place.
func (p places) configFile() string {
	base := cmp.Or(p.absolute("XDG_CONFIG_HOME"), p.native("AppData", "Library/Application Support", ".config"))
	if base == "" {
		return ""
	}
	return filepath.Join(base, "the-loop", "config.yaml")
}

// stateRoot is the default of state.root, "" when no folder for it is known. It
// never holds the configuration, so that the state can be cleared by itself.
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

// native is the system's own folder: that of a variable on Windows, one in the
// home folder elsewhere.
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

// absolute is the value of a variable; XDG tells to ignore a relative one,
// which would move the files with the working directory.
func (p places) absolute(variable string) string {
	if value := p.getenv(variable); filepath.IsAbs(value) {
		return value
	}
	return ""
}

// unset says why a default place is not known.
func (p places) unset(xdg, windows string) string {
	if p.goos == "windows" {
		return fmt.Sprintf("neither %s nor %s is set", xdg, windows)
	}
	return fmt.Sprintf("neither $%s nor $HOME is set", xdg)
}

// expand makes a path of the configuration absolute: "~/" is the home folder,
// and what is relative is taken from base.
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
