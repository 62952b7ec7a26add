//go:build !windows

package runlock

import "os"

// contentAt is the offset of the file's text.
const contentAt = 0

func clearContent(f *os.File) error { return f.Truncate(contentAt) }
