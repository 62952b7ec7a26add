// Package contrib checks the files that put the program under a service
// manager or into a container, as far as a machine without those can.
package contrib

import (
	"debug/elf"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// grace is what the daemon gives running handlers at a stop, KILL included.
// Every service manager must be more patient than that.
const grace = 12 * time.Second

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unit is a unit file: the values of each key, by "Section.Key".
type unit map[string][]string

func readUnit(t *testing.T, name string) unit {
	t.Helper()
	u, section := unit{}, ""
	for n, line := range strings.Split(read(t, name), "\n") {
		line = strings.TrimSpace(line)
		switch key, value, found := strings.Cut(line, "="); {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case found:
			u[section+"."+key] = append(u[section+"."+key], value)
		default:
			t.Errorf("%s:%d: neither a comment, a section nor an assignment: %q", name, n+1, line)
		}
	}
	return u
}

func units() []string {
	return []string{"systemd/the-loop.service", "systemd/the-loop@.service"}
}

func TestUnitsFitTheDaemon(t *testing.T) {
	want := map[string]string{
		"Service.Type":       "notify",
		"Service.ExecReload": "/bin/kill -HUP $MAINPID",
		"Service.Restart":    "on-failure",
		"Service.KillMode":   "process", // or what handlers left behind dies with a restart
		"Service.OOMPolicy":  "continue",
	}
	for _, name := range units() {
		u := readUnit(t, name)
		for key, value := range want {
			if got := u[key]; !slices.Equal(got, []string{value}) {
				t.Errorf("%s: %s is %q, want %q", name, key, got, value)
			}
		}
		for _, key := range []string{"Service.TimeoutStopSec", "Service.WatchdogSec", "Service.RestartSec"} {
			if d, err := time.ParseDuration(strings.Join(u[key], "") + "s"); err != nil || d <= grace {
				t.Errorf("%s: %s is %q, want seconds, more than %s", name, key, u[key], grace)
			}
		}
		start := strings.Join(u["Service.ExecStart"], "")
		if !strings.HasSuffix(start, "/the-loop run") || !filepath.IsAbs(strings.TrimPrefix(start, "%h")) {
			t.Errorf("%s: ExecStart is %q, want an absolute path of the-loop, and run", name, start)
		}
		// A missing file of secrets is no fault: gh may have a login of its own.
		if env := strings.Join(u["Service.EnvironmentFile"], ""); !strings.HasPrefix(env, "-") {
			t.Errorf("%s: EnvironmentFile is %q, want one that may be missing", name, env)
		}
		if !slices.ContainsFunc(u["Service.Environment"], func(e string) bool { return strings.HasPrefix(e, "PATH=") }) {
			t.Errorf("%s: Environment %q has no PATH", name, u["Service.Environment"])
		}
		// Exit code 2 is a faulty configuration, but what a watchdog's SIGABRT
		// makes of a Go program, too: it must not keep the unit down.
		if got := u["Service.RestartPreventExitStatus"]; got != nil {
			t.Errorf("%s: RestartPreventExitStatus is %q, want none", name, got)
		}
	}
}

func TestSystemUnitIsConfined(t *testing.T) {
	u := readUnit(t, "systemd/the-loop@.service")
	for key, want := range map[string]string{
		"User": "the-loop-%i", "StateDirectory": "the-loop-%i", "StateDirectoryMode": "0700", "UMask": "0077",
		"NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "RestrictSUIDSGID": "yes",
		"ProtectSystem": "strict", "ReadWritePaths": "/tmp /var/tmp", "ProtectHome": "yes",
		"ProtectProc": "invisible", "ProtectClock": "yes", "ProtectControlGroups": "yes", "ProtectHostname": "yes",
		"ProtectKernelLogs": "yes", "ProtectKernelModules": "yes", "ProtectKernelTunables": "yes",
		"PrivateDevices": "yes", "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
		"RestrictNamespaces": "yes", "RestrictRealtime": "yes", "LockPersonality": "yes",
		"SystemCallArchitectures": "native", "SystemCallFilter": "@system-service", "SystemCallErrorNumber": "EPERM",
	} {
		if got := u["Service."+key]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	// A tmux socket in a private /tmp would be out of reach after a restart.
	if got := u["Service.PrivateTmp"]; got != nil && u["Service.KillMode"][0] == "process" {
		t.Errorf("PrivateTmp is %q beside KillMode=process", got)
	}
}

// TestSystemdTakesTheUnits asks systemd itself, which warns of every key and
// value that it does not know.
func TestSystemdTakesTheUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed: the units are not verified")
	}
	program, err := os.Executable() // verify wants to see one
	if err != nil {
		t.Fatal(err)
	}
	binary := regexp.MustCompile(`(?m)^ExecStart=\S+`)
	for _, c := range []struct {
		name, as string
		args     []string
	}{
		{units()[0], "the-loop.service", []string{"--user", "verify"}},
		{units()[1], "the-loop@bot.service", []string{"verify"}},
	} {
		t.Run(c.as, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, c.as)
			text := binary.ReplaceAllLiteralString(read(t, c.name), "ExecStart="+program)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(analyze, append(c.args, file)...)
			cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Contains(string(out), file) {
				t.Errorf("systemd-analyze %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
			}
		})
	}
}

// propertyList reads an XML property list into maps, slices, strings and
// booleans; a number stays a string.
func propertyList(t *testing.T, name string) map[string]any {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(read(t, name)))
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "dict" {
			dict, err := propertyValue(d, start)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			rest(t, d, name)
			return dict.(map[string]any)
		}
	}
}

// rest reads to the end: a list that is not closed is no list.
func rest(t *testing.T, d *xml.Decoder, name string) {
	t.Helper()
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func propertyValue(d *xml.Decoder, start xml.StartElement) (any, error) {
	switch start.Name.Local {
	case "true", "false":
		return start.Name.Local == "true", d.Skip()
	case "dict", "array":
		return propertyItems(d, start.Name.Local == "dict")
	case "string", "integer", "key":
		var text string
		err := d.DecodeElement(&text, &start)
		return text, err
	}
	return nil, fmt.Errorf("unknown element %s", start.Name.Local)
}

func propertyItems(d *xml.Decoder, dict bool) (any, error) {
	byKey, list, key := map[string]any{}, []any{}, ""
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		if _, ended := token.(xml.EndElement); ended {
			if dict {
				return byKey, nil
			}
			return list, nil
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		value, err := propertyValue(d, start)
		switch {
		case err != nil:
			return nil, err
		case dict && start.Name.Local == "key":
			key = value.(string)
		case dict && key == "":
			return nil, errors.New("a value without a key")
		case dict:
			byKey[key], key = value, ""
		default:
			list = append(list, value)
		}
	}
}

func TestAgentOfLaunchd(t *testing.T) {
	const name = "launchd/the-loop.plist"
	p := propertyList(t, name)
	want := []string{
		"AbandonProcessGroup", "EnvironmentVariables", "ExitTimeOut", "KeepAlive", "Label", "ProgramArguments",
		"RunAtLoad", "StandardErrorPath", "ThrottleInterval", "WorkingDirectory",
	}
	if got := slices.Sorted(maps.Keys(p)); !slices.Equal(got, want) {
		t.Errorf("keys are %q, want %q", got, want)
	}
	if p["Label"] != strings.TrimSuffix(filepath.Base(name), ".plist") {
		t.Errorf("Label is %q, want the file's name", p["Label"])
	}
	args, _ := p["ProgramArguments"].([]any)
	if len(args) != 2 || args[0] != "/usr/local/bin/the-loop" || args[1] != "run" {
		t.Errorf("ProgramArguments are %q", args)
	}
	if keep, _ := p["KeepAlive"].(map[string]any); keep["SuccessfulExit"] != false {
		t.Errorf("KeepAlive is %v: \"the-loop stop\" could not stop it", p["KeepAlive"])
	}
	if d, err := time.ParseDuration(p["ExitTimeOut"].(string) + "s"); err != nil || d <= grace {
		t.Errorf("ExitTimeOut is %v, want more than %s", p["ExitTimeOut"], grace)
	}
	for _, key := range []string{"StandardErrorPath", "WorkingDirectory"} {
		if path, _ := p[key].(string); !strings.HasPrefix(path, "/") || strings.Contains(path, "$") {
			t.Errorf("%s is %q, want an absolute path: launchd replaces nothing in it", key, path)
		}
	}
}

// instruction is one line of a Containerfile, its continuations joined.
type instruction struct{ name, rest string }

func containerfile(t *testing.T) []instruction {
	t.Helper()
	var list []instruction
	text := strings.ReplaceAll(read(t, "Containerfile"), "\\\n", " ")
	for _, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		list = append(list, instruction{name, strings.Join(strings.Fields(rest), " ")})
	}
	return list
}

func named(list []instruction, name string) []string {
	var out []string
	for _, i := range list {
		if i.name == name {
			out = append(out, i.rest)
		}
	}
	return out
}

func TestContainerfile(t *testing.T) {
	all := containerfile(t)
	known := strings.Fields("FROM WORKDIR COPY RUN USER ENV VOLUME HEALTHCHECK ENTRYPOINT CMD")
	for _, i := range all {
		if !slices.Contains(known, i.name) {
			t.Errorf("unknown instruction %s", i.name)
		}
	}
	from := named(all, "FROM")
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../go.mod"))[1]
	if len(from) != 2 || !strings.Contains(from[0], "golang:"+language+"-") || !strings.HasSuffix(from[0], " AS build") {
		t.Errorf("FROM are %q, want one to build with Go %s and one to run", from, language)
	}
	if user := named(all, "USER"); len(user) != 1 || strings.HasPrefix(user[0], "0") || user[0] == "root" {
		t.Errorf("USER is %q, want one who is not root", user)
	}
	env := strings.Join(named(all, "ENV"), " ")
	if volume := named(all, "VOLUME"); len(volume) != 1 || !strings.Contains(env, "THE_LOOP_STATE_ROOT="+volume[0]) {
		t.Errorf("VOLUME is %q and ENV %q, want the state root in the volume", volume, env)
	}
	// As the first process the daemon would have to take in orphans.
	if got := named(all, "ENTRYPOINT"); !slices.Equal(got, []string{`["/usr/bin/tini", "--", "the-loop"]`}) {
		t.Errorf("ENTRYPOINT is %q", got)
	}
	if got := named(all, "CMD"); !slices.Equal(got, []string{`["run"]`}) {
		t.Errorf("CMD is %q", got)
	}
}

// TestContainersBuildStep does what the Containerfile does to build, and runs
// the result as bare as it is there.
func TestContainersBuildStep(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no go to build with, or no sh to run the step: the container's build step is not reproduced")
	}
	const target = "/out/the-loop"
	var step string
	for _, run := range named(containerfile(t), "RUN") {
		if strings.Contains(run, "go build") {
			step = run
		}
	}
	if !strings.HasPrefix(step, "CGO_ENABLED=0 go build -trimpath ") || !strings.Contains(step, target) {
		t.Fatalf("the build step is %q", step)
	}
	program := filepath.Join(t.TempDir(), "the-loop")
	build := exec.Command("sh", "-c", strings.Replace(step, target, `"$0"`, 1), program)
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", step, err, out)
	}
	if runtime.GOOS == "linux" {
		checkStatic(t, program)
	}
	checkBare(t, program)
}

func checkStatic(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("it needs the libraries %q (%v), want none", libraries, err)
	}
}

// checkBare runs the program without any environment.
func checkBare(t *testing.T, program string) {
	t.Helper()
	for _, c := range []struct {
		args   []string
		code   int
		stdout string
	}{
		{[]string{"--version"}, 0, "the-loop version "},
		{[]string{"status", "--state-root", t.TempDir()}, 1, "poller      not running\n"},
	} {
		cmd := exec.Command(program, c.args...)
		cmd.Env = []string{}
		cmd.Dir = t.TempDir()
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.HasPrefix(string(out), c.stdout) {
			t.Errorf("the-loop %s: exit %d (%v), printed %q, want exit %d and %q…", strings.Join(c.args, " "), code, err, out, c.code, c.stdout)
		}
	}
}
