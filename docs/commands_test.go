//go:build unix

package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// manual is what the program says of itself, by the path of the command: "" is
// the program, "config show" a command of a command.
type manual map[string]helpPage

// helpPage is the help of one command.
type helpPage struct {
	commands [][2]string     // name and usage
	flags    map[string]bool // by name with its dashes: whether it takes a value
	text     string
}

// ask runs the program of this tree, in an environment that tells it nothing.
func ask(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	cmd := exec.Command("the-loop", args...)
	// A program with the race detector in it would wait a second at its end.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GORACE=atexit_sleep_ms=0"}
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.Stderr = t.Output()
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func readManual(t *testing.T) manual {
	t.Helper()
	m := manual{}
	m.add(t, nil)
	return m
}

func (m manual) add(t *testing.T, path []string) {
	t.Helper()
	text, code := ask(t, slices.Concat(path, []string{"--help"})...)
	if code != 0 {
		t.Fatalf("the-loop %s --help: exit code %d", strings.Join(path, " "), code)
	}
	h := readHelp(text)
	m[strings.Join(path, " ")] = h
	for _, c := range h.commands {
		m.add(t, append(slices.Clone(path), c[0]))
	}
}

func readHelp(text string) helpPage {
	h := helpPage{flags: map[string]bool{}, text: text}
	option := regexp.MustCompile(`^   (--?[\w-]+(?:, --?[\w-]+)*)( \S.*?)?(?:\s{2,}|$)`)
	command := regexp.MustCompile(`^   (\S+)\s{2,}(.*)$`)
	section := ""
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line != "" && line[0] != ' ':
			section = strings.TrimSuffix(line, ":")
		case strings.HasSuffix(section, "OPTIONS"):
			if m := option.FindStringSubmatch(line); m != nil {
				for name := range strings.SplitSeq(m[1], ", ") {
					h.flags[name] = m[2] != ""
				}
			}
		case section == "COMMANDS":
			if m := command.FindStringSubmatch(line); m != nil {
				h.commands = append(h.commands, [2]string{m[1], m[2]})
			} else if n := len(h.commands); n > 0 && strings.TrimSpace(line) != "" {
				h.commands[n-1][1] += " " + strings.TrimSpace(line)
			}
		}
	}
	return h
}

// fault is what is wrong with a command line, "" for nothing.
func (m manual) fault(words []string) string {
	path, arguments := "", 0
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "COMMAND" && path == "":
			return "" // any of them
		case word == "…":
		case strings.HasPrefix(word, "-"):
			name, _, joined := strings.Cut(word, "=")
			takes, known := m.flag(path, name)
			switch {
			case !known:
				return "no flag " + name
			case arguments > 0:
				return "the flag " + name + " comes after an argument"
			case takes && !joined && i+1 == len(words):
				return "no value for " + name
			case takes && !joined:
				i++
			}
		case len(m[path].commands) > 0:
			parent := path
			for one := range strings.SplitSeq(word, "|") { // a list, as in "config path|show"
				path = strings.TrimSpace(parent + " " + one)
				if _, known := m[path]; !known {
					return "no command " + path
				}
			}
		default:
			arguments++
		}
	}
	return ""
}

// flag looks a flag up. Global ones hold after the command, too.
func (m manual) flag(path, name string) (takesValue, known bool) {
	if takes, known := m[path].flags[name]; known {
		return takes, true
	}
	takes, known := m[""].flags[name]
	return takes, known
}

// commandLine takes the words after the program's name out of a line of a shell,
// nil when it calls something else. What follows a comment, a pipe or two blanks
// is not part of them.
func commandLine(line string) []string {
	words := shellWords(line)
	before := regexp.MustCompile(`^([A-Z_]+=.*|sudo|env|exec|\$)$`)
	for len(words) > 0 {
		switch {
		case words[0] == "sudo" && len(words) > 3 && words[1] == "-u":
			words = words[3:]
		case words[0] == "podman" && len(words) > 3 && words[1] == "exec":
			words = words[3:]
		case before.MatchString(words[0]):
			words = words[1:]
		case words[0] == "the-loop" || words[0] == "./the-loop":
			return append([]string{}, words[1:]...)
		case len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "."}):
			return append([]string{}, words[3:]...)
		default:
			return nil
		}
	}
	return nil
}

// shellWords splits a line as a shell would, as far as the pages need it.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, inWord := rune(0), false
	flush := func() {
		if inWord {
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ':
			flush()
			if len(words) > 0 && strings.HasPrefix(line[i:], "  ") {
				return words
			}
		case !inWord && strings.ContainsRune("#|>;&", r):
			return words
		case r == '>' || r == ';' || r == ')':
			flush()
			return words
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	flush()
	return words
}

func TestCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"the-loop run --repo OWNER/REPO    # watch it":    "run,--repo,OWNER/REPO",
		"./the-loop run --label '*'":                      "run,--label,*",
		"go run . demo":                                   "demo",
		"the-loop stop       ask it to stop":              "stop",
		"the-loop status --format json | jq -e .running":  "status,--format,json",
		"sudo -u bot the-loop --state-root /x status":     "--state-root,/x,status",
		"A=1 THE_LOOP_CONFIG=~/x.yaml the-loop run":       "run",
		"podman exec the-loop the-loop status":            "status",
		"cp the-loop /usr/local/bin":                      "",
		"the-loop: error: no command given":               "",
		"systemctl --user enable --now the-loop":          "",
		"the-loop events --type 'poll.*_failed' >x; true": "events,--type,poll.*_failed",
	} {
		if got := strings.Join(commandLine(line), ","); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// inComments reports whether people write the line on GitHub, not into a shell.
func inComments(line string) bool {
	switch strings.TrimSpace(line) {
	case "the-loop start", "the-loop stop", "the-loop pause", "the-loop resume", "the-loop restart":
		return true
	}
	return false
}

func TestCommandsOfThePagesExist(t *testing.T) {
	m := readManual(t)
	seen := 0
	check := func(where, line string) {
		words := commandLine(line)
		if words == nil || inComments(line) {
			return
		}
		seen++
		if fault := m.fault(words); fault != "" {
			t.Errorf("%s: %s: %s", where, line, fault)
		}
	}
	for _, p := range pages(t) {
		for _, b := range p.code {
			for line := range strings.SplitSeq(strings.ReplaceAll(b.text(), "\\\n", " "), "\n") {
				check(p.name, strings.TrimSpace(line))
			}
		}
		for _, span := range p.spans {
			check(p.name, span)
		}
	}
	for path, h := range m {
		for line := range strings.SplitSeq(h.text, "\n") {
			if strings.HasPrefix(line, "      ") {
				check("the-loop "+path+" --help", strings.TrimSpace(line))
			}
		}
	}
	if seen < 50 {
		t.Errorf("found %d command lines, of which there are many more", seen)
	}
}

func TestManualFindsFaults(t *testing.T) {
	m := readManual(t)
	for line, want := range map[string]string{
		"run --once --repo octo/a":    "",
		"run --onse":                  "no flag --onse",
		"run --repo":                  "no value for --repo",
		"statsu":                      "no command statsu",
		"config path|shwo":            "no command config shwo",
		"--config x status":           "",
		"status --state-root=x":       "",
		"status here --format json":   "the flag --format comes after an argument",
		"COMMAND --help":              "",
		"sessions show --format json": "",
	} {
		if got := m.fault(strings.Fields(line)); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestListOfCommands: the page has what "the-loop --help" has, word for word.
func TestListOfCommands(t *testing.T) {
	var want []string
	for _, c := range readManual(t)[""].commands {
		want = append(want, c[0]+": "+c[1])
	}
	var got []string
	for _, line := range readPage(t, "docs/commands.md").block(t, "the-loop run  ").lines {
		name, usage, _ := strings.Cut(strings.TrimPrefix(line, "the-loop "), " ")
		got = append(got, name+": "+strings.TrimSpace(usage))
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/commands.md lists\n\t%s\n\"the-loop --help\" lists\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// TestExitCodes: those of the table are all there are, and each means
// what the table says.
func TestExitCodes(t *testing.T) {
	var got []string
	for _, table := range readPage(t, "docs/commands.md").tablesWith("exit code", "meaning") {
		for _, row := range table {
			got = append(got, row[0])
		}
	}
	if want := []string{"0", "1", "2"}; !slices.Equal(got, want) {
		t.Errorf("docs/commands.md has the exit codes %q, want %q", got, want)
	}
	for want, args := range map[int][]string{
		0: {"--version"},
		1: {"status", "--state-root", t.TempDir()},
		2: {"--no-such-flag"},
	} {
		if _, code := ask(t, args...); code != want {
			t.Errorf("the-loop %s: exit code %d, want %d", strings.Join(args, " "), code, want)
		}
	}
}
