//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResized tells when the terminal gets another size.
func notifyResized(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
