package gh

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Options configure a [Client]. The zero value asks the gh on PATH.
type Options struct {
	// Binary is gh's name, looked for on PATH, or its absolute path. Empty
	// means "gh".
	Binary string
	// Timeout bounds each call. 0 or less means one minute.
	Timeout time.Duration
	// Cache is where gh keeps the features of hosts. The zero value leaves the
	// choice to gh, which then trusts its own failures for a day.
	Cache Cache
	// Logger gets every call with its arguments and duration at level debug, and
	// a warning of each feature that gh lacks and each item that was dropped.
	// Nil discards them.
	Logger *slog.Logger
}

const (
	defaultBinary  = "gh"
	defaultTimeout = time.Minute

	// drainDelay is how long the output is still read after gh itself has
	// exited and the rest of its group is dead. Everything gh wrote is in the
	// pipe by then, so the time only runs when a process that left the group
	// holds the other end; it is long enough for a busy machine to read what
	// is left, and short beside the interval between two cycles. A call that
	// was cancelled or timed out has no use for the output and waits for none.
	drainDelay = time.Second
)

// Client asks GitHub by running gh. [New] makes one; several goroutines may use it
// at once.
type Client struct {
	binary  string
	timeout time.Duration
	drain   time.Duration // drainDelay, but for tests
	most    int           // stdoutCap, but for tests
	cache   Cache
	log     *slog.Logger

	mu     sync.Mutex
	found  identity // the zero identity until gh was found
	noRefs bool     // the gh that was found knows no closingIssuesReferences
}

// identity distinguishes a gh from an earlier one at the same path.
type identity struct {
	path     string
	size     int64
	modified time.Time
}

// New returns a client. It does not look for gh: [Client.Resolve] does, or the
// first call.
func New(o Options) *Client {
	c := &Client{binary: o.Binary, timeout: o.Timeout, drain: drainDelay, most: stdoutCap, cache: o.Cache, log: o.Logger}
	if c.binary == "" {
		c.binary = defaultBinary
	}
	if c.timeout <= 0 {
		c.timeout = defaultTimeout
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Resolve looks for gh anew, so that one that was installed, moved or replaced
// since is found and one that is gone is noticed. Its error, an [*Error], is
// the reason that gh cannot be run.
func (c *Client) Resolve() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.resolve()
}

// resolve is Resolve for a caller that holds the lock.
func (c *Client) resolve() error {
	path, err := lookPath(c.binary)
	if err != nil {
		c.found = identity{}
		return err
	}
	found := identity{path: path}
	if info, err := os.Stat(path); err == nil { // a gh gone meanwhile is the next call's failure
		found.size, found.modified = info.Size(), info.ModTime()
	}
	if found != c.found {
		c.noRefs = false
	}
	c.found = found
	return nil
}

// path is where gh was found.
func (c *Client) path() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found.path == "" {
		if err := c.resolve(); err != nil {
			return "", err
		}
	}
	return c.found.path, nil
}

// run starts gh with args, waits for its end and returns its output, which is
// neither empty nor null. Every error is an [*Error].
func (c *Client) run(ctx context.Context, args ...string) ([]byte, error) {
	end, err := c.call(ctx, args)
	if err != nil {
		return nil, err
	}
	return end.stdout, nil
}

// call is run that also returns how gh ended, for a caller that trusts gh's output
// more than its exit status.
func (c *Client) call(ctx context.Context, args []string) (ending, error) {
	path, err := c.path()
	if err != nil {
		return ending{}, err
	}
	cache, release := c.cacheFor(args)
	defer release()
	begin := time.Now()
	end := c.start(ctx, path, args, cache)
	end.cache = cache
	err = c.judge(ctx, args, end)
	c.log.LogAttrs(ctx, slog.LevelDebug, "gh call",
		slog.Any("argv", append([]string{path}, args...)),
		slog.Duration("duration", time.Since(begin)),
		slog.String("ended", end.state),
		slog.Int("stdout_bytes", len(end.stdout)))
	if err != nil {
		c.distrust(cache, args)
	}
	return end, err
}

// cacheFor returns the folder for what gh learns of its hosts in one call, and
// the function that returns it. Only a call that looks up features needs one to
// itself.
func (c *Client) cacheFor(args []string) (folder string, release func()) {
	if c.cache.path == "" {
		return "", func() {}
	}
	folders := []string{c.cache.path}
	release = func() {}
	if looksUpFeatures(args) {
		folder, release = c.cache.take()
		folders = append(folders, folder)
	}
	for _, folder = range folders {
		if err := prepare(folder); err != nil {
			c.log.Debug("folder for gh's cache could not be made", "error", err)
		}
	}
	return folder, release
}

// distrust makes gh ask its hosts anew after a call that failed: the failure may
// have come out of the call's cache, or gone into it.
func (c *Client) distrust(cache string, args []string) {
	if cache == "" || !looksUpFeatures(args) {
		return
	}
	if err := empty(cache); err != nil {
		c.log.Debug("gh's cache could not be emptied", "error", err)
	}
}
