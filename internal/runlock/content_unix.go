//go:build !windows

package runlock

import "os"

// contentAt is where the file's text begins.
const contentAt = 0

func clearContent(f *os.File) error { return f.Truncate(contentAt) }
