package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// mostBytes limits the size of a configuration.
const mostBytes = 1 << 20

// Once keeps the content of a file that can be read only once: the pipe that a shell
// passes for <(…), or standard input. Use it from one goroutine.
type Once struct {
	read    bool
	content []byte
	err     error
}

// file is the configuration file as read.
type file struct {
	path    string // absolute
	base    string // folder at which its relative paths start
	exists  bool
	content []byte
	digest  [32]byte
}

// read returns the file, or an empty one if none is needed. With an error, the result
// can hold the start of the content.
func (o Options) read() (file, error) {
	if o.File == "" {
		return file{}, o.needsNone(places{runtime.GOOS, o.Getenv}.unset("XDG_CONFIG_HOME", "AppData"))
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return file{}, fmt.Errorf("locate the configuration: %w", err)
	}
	f := file{path: path, base: filepath.Dir(path)}
	if isDescriptor(path) {
		if f.base, err = filepath.Abs("."); err != nil {
			return file{}, fmt.Errorf("locate the configuration: %w", err)
		}
	}
	f.content, err = o.fetch(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, o.missing(err)
	case err != nil:
		return f, fmt.Errorf("read the configuration: %w", err)
	}
	f.exists, f.digest = true, sha256.Sum256(f.content)
	return f, nil
}

// fetch reads the file, or recalls it if it can be read only once.
func (o Options) fetch(path string) ([]byte, error) {
	if o.Once == nil || !isDescriptor(path) {
		return readFile(path)
	}
	if !o.Once.read {
		o.Once.content, o.Once.err = readFile(path)
		o.Once.read = true
	}
	return o.Once.content, o.Once.err
}

// missing returns the error for a missing file, nil if none is needed.
func (o Options) missing(err error) error {
	if dangling := danglingLink(o.File); dangling != nil {
		return dangling
	}
	if !o.Explicit {
		return o.needsNone(o.File + " does not exist")
	}
	return &MissingError{
		text: "the configuration " + o.File + " does not exist",
		hint: "write one there with 'the-loop --config " + o.File + " config init'",
	}
}

// danglingLink returns an error if the path is a link that leads nowhere.
func danglingLink(path string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return nil
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &MissingError{
		text: "the configuration " + path + " is a link to " + target + ", which does not exist",
		hint: "remove the link, or put the file where it points",
	}
}

// needsNone returns nil if the command line says what to watch.
func (o Options) needsNone(why string) error {
	if len(o.Overrides.Repos) > 0 {
		return nil
	}
	return &MissingError{
		text: "no configuration: " + why,
		hint: "write one with 'the-loop config init', or try 'the-loop run --repo OWNER/REPO'",
	}
}

// isDescriptor reports whether the path names an open file of this process, which can
// be a pipe and then is empty once read.
func isDescriptor(path string) bool {
	if runtime.GOOS == "windows" {
		return false
	}
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// readFile reads a regular file, or an open file of this process, of at most
// mostBytes. It refuses a pipe, a device or a socket without waiting for it. For a
// file that is too large it returns the start and an error.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkKind(path, info.Mode()); err != nil {
		return nil, err
	}
	mode := os.O_RDONLY
	if !isDescriptor(path) {
		mode |= syscall.O_NONBLOCK // a pipe could have taken its place meanwhile
	}
	f, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := checkKind(path, info.Mode()); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > mostBytes {
		return content[:mostBytes], fmt.Errorf("%s is larger than 1 MiB", path)
	}
	return content, nil
}

// checkKind refuses anything that cannot be read to its end.
func checkKind(path string, mode fs.FileMode) error {
	kind := ""
	switch {
	case mode.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case mode.IsRegular() || isDescriptor(path):
		return nil
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	default:
		kind = "a device"
	}
	return fmt.Errorf("%s is %s, not a regular file", path, kind)
}
