package config

import "crypto/sha256"

// Watch notices changes of the configuration file. It compares content, never times.
// It remembers faulty content, too, so that a fault is reported once and not in every
// cycle. Use it from one goroutine.
type Watch struct {
	path string
	last look
}

// look is the result of one reading: a digest, or the reason why there is none.
type look struct {
	digest [32]byte
	err    string
}

// NewWatch watches the file of cfg for changes since it was read. Without a file, or
// with one that can be read only once, it watches nothing.
func NewWatch(cfg *Config) *Watch {
	if isDescriptor(cfg.File) {
		return &Watch{}
	}
	return &Watch{path: cfg.File, last: look{digest: cfg.Digest}}
}

// Changed reads the file and reports whether its content, or the reason why it cannot
// be read, differs from the last time. Call [Load] for the new content.
func (w *Watch) Changed() bool {
	if w.path == "" {
		return false
	}
	now := look{}
	content, err := readFile(w.path)
	if err != nil {
		now.err = err.Error()
	} else {
		now.digest = sha256.Sum256(content)
	}
	changed := now != w.last
	w.last = now
	return changed
}
