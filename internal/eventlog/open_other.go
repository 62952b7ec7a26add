//go:build !windows

package eventlog

import "os"

// openShared opens a file for reading so that it can be renamed meanwhile.
func openShared(path string) (*os.File, error) { return os.Open(path) }
