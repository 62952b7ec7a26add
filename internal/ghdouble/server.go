package ghdouble

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// Server is a running double with its world. Its methods are safe for concurrent use,
// also while gh asks.
type Server struct {
	dir      string
	listener net.Listener
	serving  sync.WaitGroup

	connMu sync.Mutex
	conns  map[net.Conn]struct{} // nil once the server is closed

	mu       sync.Mutex
	hosts    map[string]*host
	lastID   int
	faults   []*standing
	requests []Request
	asked    chan struct{} // closed and replaced at each request
}

// Start starts a double that stops when the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// New starts a double in a new temporary folder. The caller must close it.
func New() (*Server, error) {
	dir, err := tempDir()
	if err != nil {
		return nil, fmt.Errorf("github double: %w", err)
	}
	s := &Server{
		dir:   dir,
		conns: map[net.Conn]struct{}{},
		hosts: map[string]*host{},
		asked: make(chan struct{}),
	}
	if err := s.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("github double: %w", err), os.RemoveAll(dir))
	}
	s.serving.Go(s.accept)
	return s, nil
}

// tempDir makes a folder with a short path: the kernel allows about 100 bytes for a
// socket's path, and the usual place on macOS and in tests leaves too little.
func tempDir() (string, error) {
	dir, err := os.MkdirTemp("", "gh")
	if err == nil && len(dir) > 80 {
		err = os.Remove(dir)
		if err == nil {
			dir, err = os.MkdirTemp("/tmp", "gh")
		}
	}
	return dir, err
}

// open prepares the folder and listens.
func (s *Server) open() error {
	for _, dir := range []string{s.ConfigDir(), s.path("home"), s.path("tmp")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	config := fmt.Sprintf("version: \"1\"\nhttp_unix_socket: %q\n", s.Socket())
	if err := os.WriteFile(filepath.Join(s.ConfigDir(), "config.yml"), []byte(config), 0o600); err != nil {
		return err
	}
	var err error
	s.listener, err = net.Listen("unix", s.Socket())
	return err
}

// Close ends every connection, waits for the goroutines that serve them and removes
// the temporary folder. A second Close is no error.
func (s *Server) Close() error {
	s.connMu.Lock()
	open := s.conns
	s.conns = nil
	s.connMu.Unlock()
	if open == nil {
		return nil
	}
	err := s.listener.Close()
	for conn := range open {
		conn.Close()
	}
	s.serving.Wait()
	return errors.Join(err, os.RemoveAll(s.dir))
}

func (s *Server) path(name string) string { return filepath.Join(s.dir, name) }

// Socket returns the path of the double's unix socket.
func (s *Server) Socket() string { return s.path("s") }

// ConfigDir returns a folder for GH_CONFIG_DIR whose config.yml names the socket.
func (s *Server) ConfigDir() string { return s.path("config") }

// Env returns variables that make gh talk only to the double, whatever the environment
// before them says. PATH is not among them.
//
// HOME, TMPDIR and XDG_CACHE_HOME are folders of the double, since gh caches an
// Enterprise server's features in one of them for a day.
func (s *Server) Env() []string {
	return []string{
		"GH_CONFIG_DIR=" + s.ConfigDir(),
		"GH_TOKEN=double-token",
		"GH_ENTERPRISE_TOKEN=double-enterprise-token",
		"GITHUB_TOKEN=", "GITHUB_ENTERPRISE_TOKEN=", "GH_HOST=", "GH_REPO=",
		"GH_DEBUG=", "DEBUG=", "GH_FORCE_TTY=", "CLICOLOR_FORCE=",
		// gh words a missing login differently when these variables make it assume
		// continuous integration.
		"CI=", "BUILD_NUMBER=", "RUN_ID=", "GITHUB_ACTIONS=",
		"GH_NO_UPDATE_NOTIFIER=1", "GH_TELEMETRY=false",
		"HOME=" + s.path("home"),
		"TMPDIR=" + s.path("tmp"),
		"XDG_CACHE_HOME=" + s.path("tmp"),
	}
}

// Requests returns all requests so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Count returns the number of matching requests so far.
func (s *Server) Count(match Match) int {
	count, _ := s.count(match)
	return count
}

// count also returns a channel that closes at the next request.
func (s *Server) count(match Match) (int, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, r := range s.requests {
		if match.fits(r) {
			count++
		}
	}
	return count, s.asked
}

// Await waits until the double has seen count matching requests. It returns the
// context's error if that ends first.
func (s *Server) Await(ctx context.Context, match Match, count int) error {
	for {
		seen, asked := s.count(match)
		if seen >= count {
			return nil
		}
		select {
		case <-asked:
		case <-ctx.Done():
			return fmt.Errorf("waiting for request %d of %+v: %w", count, match, context.Cause(ctx))
		}
	}
}
