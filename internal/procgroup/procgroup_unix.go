//go:build unix

package procgroup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// Set has cmd, which is not yet started, lead a process group of its own. A
// signal of the terminal then reaches it only through this program.
func Set(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pgid = 0
}

// Kill ends every process of the group that p leads, p included, with SIGKILL.
// A group of which nobody is left is no error.
func Kill(p *os.Process) error { return signal(p, syscall.SIGKILL) }

// Terminate asks every process of the group that p leads to end, with SIGTERM.
// A group of which nobody is left is no error.
func Terminate(p *os.Process) error { return signal(p, syscall.SIGTERM) }

func signal(p *os.Process, sig syscall.Signal) error {
	// A process that was not started or was released has no such number, and
	// kill gives 0, 1 and -1 meanings of their own.
	if p == nil || p.Pid <= 1 {
		return nil
	}
	err := syscall.Kill(-p.Pid, sig)
	switch {
	case err == nil, errors.Is(err, syscall.ESRCH):
		return nil
	case runtime.GOOS == "darwin" && errors.Is(err, syscall.EPERM):
		return nil // what it says of a group in which only zombies are left
	}
	return fmt.Errorf("signal process group %d: %w", p.Pid, err)
}
