//go:build unix

package scripttest

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// Condition knows the conditions of scenarios:
//
//	[tmpfs]  a small file system can be mounted, in order to fill it
//	[modes]  file modes bind what "confined" runs, even as root
//	[pidns]  a pid namespace can be made, as a container has one
//	[root]   the scenario runs as root
//	[nproc]  the processes of a user can be limited in number
func Condition(name string) (bool, error) {
	switch name {
	case "tmpfs":
		return canMount(), nil
	case "modes":
		return modesBind(), nil
	case "root":
		return os.Geteuid() == 0, nil
	case "pidns":
		return exec.Command("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true").Run() == nil, nil
	case "nproc":
		return processesLimited(), nil
	}
	return false, errors.New("unknown condition")
}

// privateFolders keeps the group from writing into the folders of scenarios, whatever
// the user's default: the daemon refuses a state root that others can write.
func privateFolders() { syscall.Umask(0o022) }

func canMount() bool {
	dir, err := os.MkdirTemp("", "the-loop-mount-")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	if exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", dir).Run() != nil {
		return false
	}
	return exec.Command("umount", dir).Run() == nil
}

// confinement returns the prefix that makes a command obey file modes: root does only
// without the capabilities to ignore them.
func confinement() []string {
	if os.Getuid() != 0 {
		return nil
	}
	return []string{"setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--"}
}

func modesBind() bool {
	dir, err := os.MkdirTemp("", "the-loop-modes-")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	// The shell exits with 0 when it could read but not write.
	test := append(confinement(), "sh", "-c", `chmod 0500 "$0" && test -r "$0" && ! test -w "$0"`, dir)
	return exec.Command(test[0], test[1:]...).Run() == nil
}

// crowded returns the prefix that runs a command as a user with a limit of so many
// processes, who may write where root may. No limit binds root.
func crowded(limit string) []string {
	return []string{
		"setpriv", "--reuid=64999", "--clear-groups", "--inh-caps=+dac_override", "--ambient-caps=+dac_override",
		"--bounding-set=-sys_resource,-sys_admin", "--", "prlimit", "--nproc=" + limit, "--core=0",
	}
}

func processesLimited() bool {
	run := func(limit string) bool {
		test := append(crowded(limit), "sh", "-c", "(true) && (true)")
		return os.Getuid() == 0 && exec.Command(test[0], test[1:]...).Run() == nil
	}
	return run("50") && !run("1")
}

// confined writes a script that runs a command bound by file modes:
// confined FILE, and then exec sh FILE PROGRAM ARG….
func confined(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: confined FILE")
	}
	writePrefix(ts, args[0], confinement())
}

// limited writes a script that runs a command with a limit of $LIMIT processes:
// limited FILE, and then exec sh FILE PROGRAM ARG….
func limited(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: limited FILE")
	}
	writePrefix(ts, args[0], crowded("$LIMIT"))
}

// writePrefix writes a script that puts a command before its arguments and runs them.
func writePrefix(ts *testscript.TestScript, name string, command []string) {
	line := strings.Join(slices.Concat([]string{"exec"}, command, []string{`"$@"`}), " ")
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(line+"\n"), 0o600))
}

// tmpfs mounts an empty file system: tmpfs DIR SIZE.
func tmpfs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tmpfs DIR SIZE")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(exec.Command("mount", "-t", "tmpfs", "-o", "mode=0700,size="+args[1], "none", dir).Run())
	ts.Defer(func() { _ = exec.Command("umount", "-l", dir).Run() }) // a scenario may have done it
}
