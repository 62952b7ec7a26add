package fakegh

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// DirVariable names the folder with the script.
const DirVariable = "FAKEGH_DIR"

// refused is the exit code for a call that the script does not answer. No real gh
// uses it, so it stands out wherever gh's error is repeated.
const refused = 97

// Main is the whole program: it answers one call and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	dir := os.Getenv(DirVariable)
	if dir == "" {
		fmt.Fprintf(stderr, "fakegh: %s is not set\n", DirVariable)
		return refused
	}
	if err := logCall(dir, args); err != nil {
		fmt.Fprintf(stderr, "fakegh: %v\n", err)
		return refused
	}
	more, _ := os.ReadFile(filepath.Join(dir, "fields"))
	c, err := parseCall(args, strings.Fields(string(more)))
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	c.carried = usualLabels(dir)
	if c.writes != nil {
		if err := c.writes.log(dir, c, os.Stdin); err != nil {
			fmt.Fprintf(stderr, "fakegh: %v\n", err)
			return refused
		}
	}
	r, err := answer(dir, c)
	if err != nil {
		fmt.Fprintf(stderr, "fakegh: %v\n", err)
		return refused
	}
	return r.give(stdout, stderr)
}

// usualLabels returns the labels of pull requests that the file "labels" names.
func usualLabels(dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, "labels"))
	if err != nil {
		return []string{"the-loop"}
	}
	return strings.Fields(string(text))
}

// logCall appends the call to calls.log. Calls made at the same time stay lines of
// their own.
func logCall(dir string, args []string) error {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a
		if a == "" || strings.ContainsAny(a, " \"'\n\t") {
			words[i] = strconv.Quote(a)
		}
	}
	return appendLine(filepath.Join(dir, "calls.log"), strings.Join(words, " "))
}

// appendLine adds a line to a file in one write.
func appendLine(name, line string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line + "\n")
	return err
}

// versionReply returns the version in the file "version", or a measured one.
func versionReply(dir string) (reply, error) {
	version := "2.23.0"
	text, err := os.ReadFile(filepath.Join(dir, "version"))
	switch {
	case err == nil:
		version = strings.TrimSpace(string(text))
	case !errors.Is(err, fs.ErrNotExist):
		return reply{}, err
	}
	return reply{stdout: "gh version " + version + " (fakegh)\n"}, nil
}

// answer finds the script's answer to a call.
func answer(dir string, c call) (reply, error) {
	if c.name == "version" {
		return versionReply(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "script"))
	if err != nil {
		return reply{}, err
	}
	lines, err := parseScript(string(text))
	if err != nil {
		return reply{}, err
	}
	for _, l := range lines {
		if !l.fits(c) {
			continue
		}
		n, err := count(dir, l)
		if err != nil {
			return reply{}, err
		}
		return makeReply(dir, c, l.nth(n))
	}
	if c.name == "api item" { // what a script lists is open unless it says otherwise
		return makeReply(dir, c, "open")
	}
	return reply{}, fmt.Errorf("the script has no line for %q", c.key())
}
