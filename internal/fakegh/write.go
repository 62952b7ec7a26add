package fakegh

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// writing is what a call that changes something sends and wants to see.
type writing struct {
	body   string
	query  string // of --jq
	silent bool
	stdin  bool // the body comes from stdin
}

// writingCall is a call of the REST API with a method. Its target is the path
// without "repos/", on its host.
func writingCall(f apiFlags) (call, error) {
	path, ok := strings.CutPrefix(f.rest[0], "repos/")
	switch {
	case f.method != "POST" && f.method != "DELETE":
		return call{}, fmt.Errorf("fakegh: the method %s is unknown", f.method)
	case !ok:
		return call{}, errors.New("fakegh: unknown path " + f.rest[0])
	case f.input != "" && f.input != "-":
		return call{}, errors.New("fakegh: --input reads stdin only")
	case f.query != "" && !fieldPattern().MatchString(f.query):
		return call{}, errors.New("fakegh: --jq takes the name of one field")
	}
	if f.host != "" {
		path = unwritten(f.host + "/" + path)
	}
	return call{
		name: "api " + f.method, target: path, repo: path, path: f.rest[0],
		writes: &writing{body: strings.Join(f.fields, "&"), query: f.query, silent: f.silent, stdin: f.input == "-"},
	}, nil
}

// log adds the call to sent.log: the method, what it changes, and what it sends.
func (w *writing) log(dir string, c call, stdin io.Reader) error {
	if w.stdin {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return err
		}
		w.body = string(text)
	}
	method := strings.TrimPrefix(c.name, "api ")
	return appendLine(filepath.Join(dir, "sent.log"), strings.TrimSpace(method+" "+c.target+" "+w.body))
}

// shown is what gh prints of an answer.
func (w *writing) shown(answer string) (string, error) {
	switch {
	case w.silent:
		return "", nil
	case w.query == "":
		return answer, nil
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		return "", err
	}
	return fmt.Sprintln(fields[strings.TrimPrefix(w.query, ".")]), nil
}
