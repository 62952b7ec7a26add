//go:build unix

package handlers_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Stand-ins for the tools of the recipes. Each accepts the subcommands of the recipes
// with the real tool's flags and refuses all others. It keeps a file for each thing that
// it makes in a folder.

const (
	toolsDir  = "TOOLS_DIR"  // names the folder
	toolsDown = "TOOLS_DOWN" // set where no server answers
	nomadMeta = "NOMAD_META" // holds the keys that the Nomad job allows, quoted
)

// thing returns the path of the file that stands for a thing.
func thing(kind, name string) string { return filepath.Join(os.Getenv(toolsDir), kind+" "+name) }

func keep(kind, name, text string) int {
	if err := os.WriteFile(thing(kind, name), []byte(text), 0o600); err != nil {
		return refuse(1, "%v", err)
	}
	return 0
}

func refuse(code int, format string, args ...any) int {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	return code
}

func stdin() string {
	text, err := io.ReadAll(os.Stdin)
	check(err)
	return string(text)
}

// inbox hands an event to an agent.
func inbox(args []string) int {
	if len(args) != 1 {
		return refuse(2, "usage: agent-inbox ID <EVENT")
	}
	return keep("message", args[0], stdin())
}

// line is a command line as read by pflag (kubectl) and getopt_long (systemd).
type line struct {
	flags map[string]string // the last value of each
	all   []string          // all flags in order, as --name=value
	words []string          // the other arguments before --
	after []string          // the arguments after --
}

// flagSet lists the flags: "name" without a value, "name=" with one, which may be the
// next argument, "name[=" with one only after an equals sign.
type flagSet struct {
	names string // separated by blanks
	// untilWord: no flags follow the first word.
	untilWord bool
}

func (s flagSet) read(args []string) (line, error) {
	l := line{flags: map[string]string{}}
	for ; len(args) > 0; args = args[1:] {
		arg := args[0]
		switch {
		case arg == "--":
			l.after = args[1:]
			return l, nil
		case !strings.HasPrefix(arg, "-") || arg == "-":
			l.words = append(l.words, arg)
			if s.untilWord {
				l.words = append(l.words, args[1:]...)
				return l, nil
			}
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		known := strings.Fields(s.names)
		switch {
		case slices.Contains(known, name+"=") && !given:
			if len(args) < 2 {
				return l, fmt.Errorf("flag needs an argument: %s", arg)
			}
			args, value = args[1:], args[1]
		case slices.Contains(known, name+"=") || slices.Contains(known, name+"[="):
		case slices.Contains(known, name) && !given:
			value = "true"
		default:
			return l, fmt.Errorf("unknown flag: %s", arg)
		}
		l.flags[name] = value
		l.all = append(l.all, "--"+name+"="+value)
	}
	return l, nil
}

// kubectl knows the Jobs of one namespace.
func kubectl(args []string) int {
	const global = " namespace= context= kubeconfig= request-timeout= "
	names := map[string]string{
		"create job": "image= from= dry-run[= output= save-config validate[= field-manager=",
		"get job":    "output= ignore-not-found watch show-labels selector= field-selector=",
		"delete job": "ignore-not-found cascade[= wait[= now force grace-period= timeout= all selector= output= dry-run[=",
		"exec":       "stdin tty container= quiet pod-running-timeout=",
	}
	verb := args[0]
	if verb != "exec" {
		verb = strings.Join(args[:2], " ")
	}
	known, ok := names[verb]
	if !ok {
		return refuse(1, "error: unknown command %q", verb)
	}
	l, err := flagSet{names: known + global}.read(args[len(strings.Fields(verb)):])
	if err != nil {
		return refuse(1, "error: %v", err)
	}
	if len(l.words) != 1 {
		return refuse(1, "error: exactly one NAME is required, got %q", l.words)
	}
	name := strings.TrimPrefix(l.words[0], "job/")
	if !regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`).MatchString(name) {
		return refuse(1, "error: %q is no name of a Job", name)
	}
	return kubectlJob(verb, name, l)
}

func kubectlJob(verb, name string, l line) int {
	there := exists(thing("job", name))
	switch {
	case os.Getenv(toolsDown) != "":
		return refuse(1, "Unable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout")
	case verb == "get job" && there && l.flags["output"] == "name":
		fmt.Println("job.batch/" + name)
		return 0
	case verb == "create job" && there:
		return refuse(1, "error: failed to create job: jobs.batch %q already exists", name)
	case verb == "create job":
		return keep("job", name, l.flags["image"]+": "+strings.Join(l.after, " "))
	case !there && l.flags["ignore-not-found"] != "":
		return 0
	case !there:
		return refuse(1, "Error from server (NotFound): jobs.batch %q not found", name)
	case verb == "delete job" && !slices.Contains([]string{"", "background", "orphan", "foreground"}, l.flags["cascade"]):
		return refuse(1, "error: invalid cascade value %q", l.flags["cascade"])
	case verb == "delete job":
		check(os.Remove(thing("job", name)))
	case verb == "exec" && l.flags["stdin"] == "":
		return refuse(1, "agent-inbox: nothing on stdin")
	case verb == "exec" && l.after[0] == "agent-inbox":
		return inbox(l.after[1:])
	}
	return 0
}

// nomad knows the parameterized job "agent". Like the real one it parses flags with Go's
// flag package.
func nomad(args []string) int {
	if len(args) < 2 || args[0] != "job" || args[1] != "dispatch" {
		return refuse(127, "Usage: nomad [-version] [-help] …")
	}
	var meta []string
	flags := flag.NewFlagSet("dispatch", flag.ContinueOnError)
	flags.Bool("detach", false, "")
	flags.Bool("verbose", false, "")
	token := flags.String("idempotency-token", "", "")
	prefix := flags.String("id-prefix-template", "", "")
	flags.Func("meta", "", func(s string) error {
		key, _, found := strings.Cut(s, "=")
		if !found || !strings.Contains(os.Getenv(nomadMeta), `"`+key+`"`) {
			return errors.New("the job does not allow " + s)
		}
		meta = append(meta, s)
		return nil
	})
	if err := flags.Parse(args[2:]); err != nil {
		return 1
	}
	if want := strings.Count(os.Getenv(nomadMeta), `"`) / 2; len(meta) != want {
		return refuse(1, "Dispatch did not provide required meta keys: %d of %d", len(meta), want)
	}
	if flags.NArg() != 2 || flags.Arg(0) != "agent" || flags.Arg(1) != "-" {
		return refuse(1, "no parameterized job, or no payload, which is required: %q", flags.Args())
	}
	payload := stdin()
	if len(payload) > 16<<10 {
		return refuse(1, "Payload exceeds maximum size; %d > %d", len(payload), 16<<10)
	}
	if exists(thing("instance", *token)) {
		return 0 // the existing one is the answer
	}
	return keep("instance", *token, "agent/dispatch-"+*prefix+" "+strings.Join(meta, " ")+": "+payload)
}

func systemdRun(args []string) int {
	l, err := flagSet{untilWord: true, names: "user system scope unit= property= description= slice= slice-inherit " +
		"remain-after-exit send-sighup service-type= uid= gid= nice= working-directory= same-dir setenv= pty pipe quiet " +
		"no-block wait collect no-ask-password host= machine="}.read(args)
	switch command := append(l.words, l.after...); {
	case err != nil:
		return refuse(1, "systemd-run: %v", err)
	case len(command) == 0:
		return refuse(1, "Command line to execute required.")
	case l.flags["user"] == "":
		return refuse(1, "Interactive authentication required.")
	case exists(thing("unit", l.flags["unit"])):
		return refuse(1, "Failed to start transient service unit: Unit %s was already loaded or has a fragment file.", l.flags["unit"])
	default:
		var properties []string
		for _, f := range l.all {
			if strings.HasPrefix(f, "--property=") {
				properties = append(properties, f)
			}
		}
		slices.Sort(properties)
		return keep("unit", l.flags["unit"], strings.Join(properties, " ")+": "+strings.Join(command, " "))
	}
}

func systemctl(args []string) int {
	l, err := flagSet{names: "user quiet no-block now"}.read(args)
	if err != nil || len(l.words) != 2 || l.flags["user"] == "" {
		return refuse(1, "systemctl: %v: %q", err, args)
	}
	unit := thing("unit", l.words[1])
	say := func(word string) {
		if l.flags["quiet"] == "" {
			fmt.Println(word)
		}
	}
	switch there := exists(unit); {
	case os.Getenv(toolsDown) != "":
		return refuse(1, "Failed to connect to bus: No medium found")
	case l.words[0] == "is-active" && there:
		say("active")
		return 0
	case l.words[0] == "is-active":
		say("inactive")
		return 3
	case l.words[0] == "stop" && there:
		check(os.Remove(unit))
		return 0
	case l.words[0] == "stop":
		return refuse(5, "Failed to stop %s: Unit %s not loaded.", l.words[1], l.words[1])
	}
	return refuse(1, "Unknown command verb %s.", l.words[0])
}
