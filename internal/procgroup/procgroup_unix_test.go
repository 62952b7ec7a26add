//go:build unix

package procgroup_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"the-loop/internal/procgroup"
)

// start runs script in a group of its own and returns it once it has printed
// a line, with the rest of its output: that ends when everybody is dead who
// could write to it.
func start(t *testing.T, script string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	procgroup.Set(cmd)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { procgroup.Kill(cmd.Process) })
	out := bufio.NewReader(r)
	if _, err := out.ReadString('\n'); err != nil {
		t.Fatalf("the script did not say that it is ready: %v", err)
	}
	return cmd, out
}

func signalOf(t *testing.T, err error) syscall.Signal {
	t.Helper()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("Wait() = %v, want a death by signal", err)
	}
	return exit.Sys().(syscall.WaitStatus).Signal()
}

func TestKillEndsTheGroup(t *testing.T) {
	cmd, out := start(t, `trap "" TERM; sleep 600 & (sleep 600 & sleep 600) & echo ready; wait`)
	if err := procgroup.Kill(cmd.Process); err != nil {
		t.Fatalf("Kill() = %v", err)
	}
	if got := signalOf(t, cmd.Wait()); got != syscall.SIGKILL {
		t.Errorf("the leader died of %v, want %v", got, syscall.SIGKILL)
	}
	if _, err := io.ReadAll(out); err != nil {
		t.Errorf("reading until the last process died: %v", err)
	}
	if err := procgroup.Kill(cmd.Process); err != nil {
		t.Errorf("Kill() of an ended group = %v, want nil", err)
	}
	if err := procgroup.Terminate(cmd.Process); err != nil {
		t.Errorf("Terminate() of an ended group = %v, want nil", err)
	}
}

func TestTerminateReachesTheGroup(t *testing.T) {
	cmd, out := start(t, `sleep 600 & echo ready; wait`)
	if err := procgroup.Terminate(cmd.Process); err != nil {
		t.Fatalf("Terminate() = %v", err)
	}
	if got := signalOf(t, cmd.Wait()); got != syscall.SIGTERM {
		t.Errorf("the leader died of %v, want %v", got, syscall.SIGTERM)
	}
	if _, err := io.ReadAll(out); err != nil {
		t.Errorf("reading until the last process died: %v", err)
	}
}

func TestKillEndsWhatTheLeaderLeftBehind(t *testing.T) {
	cmd, out := start(t, `sleep 600 & echo ready`)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("Wait() = %v", err)
	}
	if err := procgroup.Kill(cmd.Process); err != nil {
		t.Fatalf("Kill() = %v", err)
	}
	if _, err := io.ReadAll(out); err != nil {
		t.Errorf("reading until the last process died: %v", err)
	}
}

func TestNothingToSignal(t *testing.T) {
	released, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := released.Release(); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*os.Process{
		"not started": nil, "released": released, "own group": {}, "init": {Pid: 1},
	} {
		if err := procgroup.Kill(p); err != nil {
			t.Errorf("%s: Kill() = %v, want nil", name, err)
		}
		if err := procgroup.Terminate(p); err != nil {
			t.Errorf("%s: Terminate() = %v, want nil", name, err)
		}
	}
}

func TestSetKeepsOtherAttributes(t *testing.T) {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Noctty: true}
	procgroup.Set(cmd)
	if !cmd.SysProcAttr.Noctty || !cmd.SysProcAttr.Setpgid {
		t.Errorf("SysProcAttr = %+v, want Noctty and Setpgid", cmd.SysProcAttr)
	}
}
