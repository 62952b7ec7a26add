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

// Set makes cmd, which must not have started, the leader of a process group of its
// own. Signals of the terminal then do not reach it directly.
func Set(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pgid = 0
}

// Kill ends every process of the group that p leads, including p, with SIGKILL. An
// empty group is no error.
func Kill(p *os.Process) error { return signal(p, syscall.SIGKILL) }

// Terminate asks every process of the group that p leads to end, with SIGTERM. An
// empty group is no error.
func Terminate(p *os.Process) error { return signal(p, syscall.SIGTERM) }

func signal(p *os.Process, sig syscall.Signal) error {
	// A process that was not started or was released has no pid. For kill, 0, 1 and -1
	// have special meanings.
	if p == nil || p.Pid <= 1 {
		return nil
	}
	err := syscall.Kill(-p.Pid, sig)
	switch {
	case err == nil, errors.Is(err, syscall.ESRCH):
		return nil
	case runtime.GOOS == "darwin" && errors.Is(err, syscall.EPERM):
		return nil // the answer for a group that has only zombies left
	}
	return fmt.Errorf("signal process group %d: %w", p.Pid, err)
}
