//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResized sends a signal to c whenever the terminal changes its size.
func notifyResized(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
