package fakegh

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// writing is the body of a call that changes something, and how to print the answer.
type writing struct {
	body   string
	query  string // of --jq
	silent bool
	stdin  bool // the body comes from stdin
}

// writingCall reads a call of the REST API with a method. Its target is its host and
// the path without "repos/".
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

// log adds the call to sent.log: method, target and body.
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

// shown returns the part of an answer that gh prints.
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
