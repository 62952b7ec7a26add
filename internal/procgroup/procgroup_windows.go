package procgroup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Set makes cmd, which must not have started, the leader of a console process group of
// its own, which [Terminate] can reach.
func Set(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
}

// Kill ends p. A process that has already ended is no error.
func Kill(p *os.Process) error {
	if p == nil {
		return nil
	}
	if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end process %d: %w", p.Pid, err)
	}
	return nil
}

// Terminate asks the console process group that p leads to end, with CTRL_BREAK.
// Without a shared console it ends p like [Kill].
func Terminate(p *os.Process) error {
	if p == nil || p.Pid <= 0 {
		return nil
	}
	if err := windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.Pid)); err != nil {
		return Kill(p)
	}
	return nil
}
