package config

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzLoad checks what must hold for any content of a file: no panic, every
// fault within the file and in one line, and a configuration that was accepted
// survives being shown and loaded again.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"",
		string(Starter()),
		"polling:\n  sources:\n  - {provider: github, repos: [octo/a], labels: [x, 'y'], limit: 1e2}\n",
		"polling:\n  sources:\n  - &a\n    provider: github\n    repos: &r\n      - octo/a\n    timeoutSeconds: .5\n  - <<: [*a, {name: n}]\n    repos: *r\n",
		"routing: {handlers: {spawn: [x, \"{{.Ref}}\"]}, authorizedUsers: [\"@me\", 7]}\nx: |\n  a\n  b\n",
		"? [a]\n: {b: !!str 1}\n--- >-\n c\n...\n",
		"%YAML 1.2\n---\n\"a\\u0000\": 'b''c'\n",
		"\uFEFFa:\r\n\tb: \x00\xff",
		"- - - ? : - &a *a !b {[\n",
		"a: .inf\nb: .nan\nc: 010\nd: 99999999999999999999\ne: -\n",
	} {
		f.Add([]byte(seed))
	}
	o := Options{File: "f.yaml", Getenv: environment("HOME=/home/octo", "USERPROFILE=/home/octo")}
	f.Fuzz(func(t *testing.T, content []byte) {
		cfg, err := o.load(file{path: "/etc/f.yaml", exists: true, content: content})
		if err != nil {
			checkFaults(t, content, err)
			return
		}
		again, err := o.load(file{path: "/etc/f.yaml", exists: true, content: mustShow(t, cfg)})
		if err != nil {
			t.Fatalf("what Show wrote does not load: %v\n%s", err, mustShow(t, cfg))
		}
		if first, second := mustShow(t, cfg), mustShow(t, again); string(first) != string(second) {
			t.Errorf("shown\n%s\nand after loading that\n%s", first, second)
		}
	})
}

func checkFaults(t *testing.T, content []byte, err error) {
	t.Helper()
	var faults Faults
	if !errors.As(err, &faults) || len(faults) == 0 {
		t.Fatalf("error is a %T: %v", err, err)
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(content)), "\n")
	for _, fault := range faults {
		switch {
		case fault.Message == "" || strings.ContainsAny(fault.Error(), "\n\x1b\x00"):
			t.Errorf("fault is not one line of text: %q", fault)
		case fault.Line < 1 || fault.Line > len(lines):
			t.Errorf("fault lies outside of the file's %d lines: %v", len(lines), fault)
		case fault.Column < 1 || fault.Column > utf8.RuneCountInString(lines[fault.Line-1])+1:
			t.Errorf("fault lies outside of its line %q: %v", lines[fault.Line-1], fault)
		}
	}
}
