//go:build unix

package doctor

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// interpreterFault returns why the kernel would refuse to run the executable file at
// path, and what to do; "" if it sees no fault. A shell would run some of these files,
// but handlers are started without one.
func interpreterFault(path string) (fault, fix string) {
	f, err := os.Open(path)
	if err != nil {
		return "", "" // a program may be unreadable
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	if n == 0 {
		if err == io.EOF {
			return "it is empty", "write something into it"
		}
		return "", ""
	}
	return headFault(head[:n])
}

func headFault(head []byte) (fault, fix string) {
	line, isScript := bytes.CutPrefix(head, []byte("#!"))
	if !isScript {
		if bytes.IndexByte(head, 0) < 0 && utf8.Valid(head[:min(len(head), 4)]) {
			return "it has no #! line", "begin it with #!/bin/sh, or whatever it is written in"
		}
		return "", ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if bytes.HasSuffix(line, []byte("\r")) {
		return "its lines end the Windows way", "save it with Unix line ends"
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return "its #! line names no program", "name one, as in #!/bin/sh"
	}
	const get = "install it, or correct the #! line"
	if _, err := os.Stat(words[0]); err != nil {
		return "there is no " + words[0], get
	}
	if filepath.Base(words[0]) != "env" || len(words) < 2 || strings.HasPrefix(words[1], "-") || strings.Contains(words[1], "=") {
		return "", ""
	}
	if _, err := exec.LookPath(words[1]); err != nil {
		return words[1] + " is not on PATH", get
	}
	return "", ""
}
