//go:build unix

package command

import "syscall"

// requestStop asks the process to end in its own time.
func requestStop(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }
