package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/config"
)

// faultsOf loads a file that is expected to be faulty and returns its lines,
// the file's name written as F.
func faultsOf(t *testing.T, content string) []string {
	t.Helper()
	file := write(t, content)
	_, err := config.Load(config.Options{File: file, Explicit: true, Getenv: env("HOME=" + home(t))})
	if err == nil {
		t.Fatal("Load succeeded")
	}
	var faults config.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("error is a %T: %v", err, err)
	}
	lines := strings.Split(strings.ReplaceAll(err.Error(), file, "F"), "\n")
	if len(lines) != len(faults) {
		t.Errorf("%d faults in %d lines", len(faults), len(lines))
	}
	return lines
}

const (
	topKeys    = "eventLog, polling, routing, state"
	sourceKeys = "concurrency, ghBinary, host, label, labels, limit, maxSessions, monitor, name, onUnlabel, provider, repos, reprobeCycles, timeoutSeconds"
	noPolling  = "polling: is missing; it must be a mapping with the keys intervalSeconds, maxRetries, pace, skipUnchanged, sources"
	ownerRule  = "an owner is 1 to 39 letters, digits, hyphens and underscores, the first a letter or digit"
	allFields  = "accepted are {{.Event}}, {{.Session}}, {{.Ref}}, {{.Host}}, {{.Owner}}, {{.Repo}}, {{.Number}}, " +
		"{{.Kind}}, {{.URL}}, {{.DeliveryID}}, {{.StateRoot}}"
)

func TestAllFaultsInOneReport(t *testing.T) {
	got := faultsOf(t, `
polling:
  intervalSecond: 5
  intervalSeconds: fast
  max_retries: 2
  maxRetries: 1.5
  pace: yes
  sources:
    - provider: gitlab
      nmae: x
      repos: [nope, "-evil/x", "a b/c", octo/ok, 12]
      label: [x]
      labels: []
      monitor: {issues: false, pullRequests: false}
      timeoutSeconds: .inf
      limit: -3
      reprobeCycles: 010
      concurrency: 1e9
      host: "bad host"
    - repos: []
      name: twin
    - text
    - name: twin
      provider: github
      repos: [octo/ok, -]
intervalSeconds: 3
routing:
  handlers:
    spawn: ["", "{{.Foo}}", 7]
    comment: []
    close: run
  authorizedUsers: [octo, "@octo", 5]
state: {root: ""}
eventLog: [1]
`)
	want := []string{
		`F:3:3: polling.intervalSecond: unknown key "intervalSecond"; did you mean "intervalSeconds"?`,
		`F:4:20: polling.intervalSeconds: must be a number above 0, at most 86400, got "fast"`,
		`F:5:3: polling.max_retries: unknown key "max_retries"; did you mean "maxRetries"?`,
		`F:6:15: polling.maxRetries: must be a whole number from 1 to 1000, got 1.5`,
		`F:7:9: polling.pace: must be true or false, got "yes"`,
		`F:9:17: polling.sources[0].provider: must be "github", got "gitlab"`,
		`F:10:7: polling.sources[0].nmae: unknown key "nmae"; did you mean "name"?`,
		`F:11:15: polling.sources[0].repos[0]: "nope" is not [HOST/]OWNER/REPO`,
		`F:11:21: polling.sources[0].repos[1]: "-evil/x" is not [HOST/]OWNER/REPO: ` + ownerRule,
		`F:11:32: polling.sources[0].repos[2]: "a b/c" is not [HOST/]OWNER/REPO: ` + ownerRule,
		`F:11:50: polling.sources[0].repos[4]: must be a repository as [HOST/]OWNER/REPO, got 12; put text like this in quotes`,
		`F:12:14: polling.sources[0].label: must be a label, got a list; text that begins with { or [ must be put in quotes`,
		`F:13:7: polling.sources[0]: label and labels exclude each other; keep one of them`,
		`F:13:15: polling.sources[0].labels: must be a list of one or more labels, got an empty list`,
		`F:14:32: polling.sources[0].monitor: issues and pullRequests are both false, so nothing would be asked; set one of them to true`,
		`F:15:23: polling.sources[0].timeoutSeconds: must be a number above 0, at most 3600, got .inf`,
		`F:16:14: polling.sources[0].limit: must be a whole number from 1 to 100000, got -3`,
		`F:17:22: polling.sources[0].reprobeCycles: must be a whole number from 1 to 1000000, got 010; write it without the leading zero`,
		`F:18:20: polling.sources[0].concurrency: must be a whole number from 1 to 64, got 1e9`,
		`F:19:13: polling.sources[0].host: "bad host" is not a host name, such as github.com or ghe.example.com:8443`,
		`F:20:7: polling.sources[1].provider: is missing; it must be "github"`,
		`F:20:14: polling.sources[1].repos: must be a list of one or more repositories as [HOST/]OWNER/REPO, got an empty list`,
		`F:22:7: polling.sources[2]: must be a mapping with the keys ` + sourceKeys + `, got "text"`,
		`F:23:13: polling.sources[3].name: "twin" is already the name of polling.sources[1]; each source needs its own`,
		`F:25:24: polling.sources[3].repos[1]: "-" is not [HOST/]OWNER/REPO`,
		`F:26:1: intervalSeconds: unknown key "intervalSeconds"; it belongs in polling`,
		`F:29:13: routing.handlers.spawn[0]: the first argument is the command and must not be empty`,
		`F:29:17: routing.handlers.spawn[1]: unknown field "{{.Foo}}"; ` + allFields,
		`F:29:29: routing.handlers.spawn[2]: must be a word, got 7; put text like this in quotes`,
		`F:30:14: routing.handlers.comment: must be a list: the command, then its arguments, got an empty list`,
		`F:31:12: routing.handlers.close: must be a list: the command, then its arguments, got "run"`,
		`F:32:27: routing.authorizedUsers[1]: "@octo" is not a login; accepted are a login without the @, "@me" and "*"`,
		`F:32:36: routing.authorizedUsers[2]: must be a login, "@me" or "*", got 5; put text like this in quotes`,
		`F:33:15: state.root: a path must not be empty`,
		`F:34:11: eventLog: must be a mapping with the keys enabled, maxBackups, maxSizeMB, path, got a list`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// source is a file with one line in its source, at line 5 and column 7.
func source(line string) string {
	return "polling:\n  sources:\n    - provider: github\n      repos: [octo/a]\n      " + line + "\n"
}

func TestSingleFaults(t *testing.T) {
	tests := []struct {
		name, content string
		want          []string
	}{
		{"nothing at all", "", []string{"F:1:1: polling: is missing, the file is empty; it must be a mapping with the keys intervalSeconds, maxRetries, pace, skipUnchanged, sources"}},
		{"only comments", "# a\n# b\n", []string{"F:1:1: polling: is missing, the file is empty; it must be a mapping with the keys intervalSeconds, maxRetries, pace, skipUnchanged, sources"}},
		{"text", "just text", []string{`F:1:1: must be a mapping with the keys ` + topKeys + `, got "just text"`}},
		{"a list", "- x", []string{"F:1:1: must be a mapping with the keys " + topKeys + ", got a list"}},
		{"no polling", "state:\n", []string{"F:1:1: " + noPolling}},
		{"no sources", "polling:\n  pace: true\n", []string{"F:2:3: polling.sources: is missing; it must be a list of one or more mappings"}},
		{"sources without entries", "polling:\n  sources:\n", []string{"F:2:3: polling.sources: must be a list of one or more mappings, got nothing"}},
		{"an empty list of sources", "polling: {sources: []}", []string{"F:1:20: polling.sources: must be a list of one or more mappings, got an empty list"}},
		{"polling without keys", "polling:\n", []string{"F:1:1: polling: must be a mapping with the keys intervalSeconds, maxRetries, pace, skipUnchanged, sources, got nothing"}},
		{"zero", source("limit: 0"), []string{"F:5:14: polling.sources[0].limit: must be a whole number from 1 to 100000, got 0"}},
		{"zero seconds", source("timeoutSeconds: 0.0"), []string{"F:5:23: polling.sources[0].timeoutSeconds: must be a number above 0, at most 3600, got 0.0"}},
		{"not a number", source("timeoutSeconds: .nan"), []string{"F:5:23: polling.sources[0].timeoutSeconds: must be a number above 0, at most 3600, got .nan"}},
		{"less than any number", source("timeoutSeconds: -.inf"), []string{"F:5:23: polling.sources[0].timeoutSeconds: must be a number above 0, at most 3600, got -.inf"}},
		{"more than 64 bits", source("limit: 99999999999999999999999"), []string{"F:5:14: polling.sources[0].limit: must be a whole number from 1 to 100000, got 99999999999999999999999"}},
		{"more than any float", source("limit: 1e999"), []string{"F:5:14: polling.sources[0].limit: must be a whole number from 1 to 100000, got 1e999"}},
		{"a number as text", source(`limit: "5"`), []string{`F:5:14: polling.sources[0].limit: must be a whole number from 1 to 100000, got "5"`}},
		{"a key without a value", source("label:"), []string{"F:5:7: polling.sources[0].label: must be a label, got nothing"}},
		{"a mode that there is not", "polling:\n  skipUnchanged: sometimes\n  sources: [{provider: github, repos: [a/b]}]\n",
			[]string{`F:2:18: polling.skipUnchanged: must be "auto", "always" or "never", got "sometimes"`}},
		{"an empty label", source(`label: " "`), []string{`F:5:14: polling.sources[0].label: a label must not be empty; "*" stands for every open item`}},
		{"a label that is a number", source("label: 42"), []string{"F:5:14: polling.sources[0].label: must be a label, got 42; put text like this in quotes"}},
		{"a label that is true", source("label: true"), []string{"F:5:14: polling.sources[0].label: must be a label, got true; put text like this in quotes"}},
		{"a label of two lines", source(`label: "a\nb"`), []string{`F:5:14: polling.sources[0].label: "a\nb" holds a control character or a line break, which no label has`}},
		{"an escape in a label", source(`label: "\e[31m"`), []string{`F:5:14: polling.sources[0].label: "\x1b[31m" holds a control character or a line break, which no label has`}},
		{"every item and a label", source(`labels: [a, "*"]`), []string{"F:5:15: polling.sources[0].labels: `*` stands for every open item, so it takes no other label beside it"}},
		{"an empty name", source(`name: ""`), []string{"F:5:13: polling.sources[0].name: a name must not be empty"}},
		{"a name that does not print", source(`name: "a\u202eb"`), []string{`F:5:13: polling.sources[0].name: "a\u202eb" holds a character that cannot be printed`}},
		{"a long name", source("name: " + strings.Repeat("x", 101)), []string{`F:5:13: polling.sources[0].name: "` + strings.Repeat("x", 60) + `…" is longer than 100 characters`}},
		{"a NUL in a path", source(`ghBinary: "a\0b"`), []string{"F:5:17: polling.sources[0].ghBinary: a path must not hold a NUL character"}},
		{"an unknown key with odd letters", source(`"a.b c": 1`), []string{`F:5:7: polling.sources[0]."a.b c": unknown key "a.b c"; accepted here: ` + sourceKeys}},
		{"a key that is a number", source("1: x"), []string{`F:5:7: polling.sources[0].1: unknown key "1"; accepted here: ` + sourceKeys}},
		{"a key in another spelling", source("ReProbe-Cycles: 1"), []string{`F:5:7: polling.sources[0].ReProbe-Cycles: unknown key "ReProbe-Cycles"; did you mean "reprobeCycles"?`}},
		{"a key of a section below", source("pullRequests: true"), []string{`F:5:7: polling.sources[0].pullRequests: unknown key "pullRequests"; it belongs in polling.sources[].monitor`}},
		{"a key that is there twice", source("limit: 1\n      limit: 2"), []string{"F:6:7: polling.sources[0].limit: the key is already set at line 5"}},
		{"a tag", source("label: !!str 7"), []string{`F:5:14: polling.sources[0].label: YAML tags are not supported: remove "!!str", and put text in quotes`,
			"F:5:19: polling.sources[0].label: must be a label, got 7; put text like this in quotes"}},
		{"a number of 64 bits", source("limit: 18446744073709551615"), []string{"F:5:14: polling.sources[0].limit: must be a whole number from 1 to 100000, got 18446744073709551615"}},
		{"an octal number that is too large", source("concurrency: 0o777"), []string{"F:5:20: polling.sources[0].concurrency: must be a whole number from 1 to 64, got 0o777"}},
		{"a label in several lines", source("label: |\n        a\n        b"), []string{`F:5:14: polling.sources[0].label: "a\nb\n" holds a control character or a line break, which no label has`}},
		{"a second document", source("limit: 1") + "---\npolling: {}\n", []string{"F:7:1: a second document begins here; the configuration is one YAML document"}},
		{"columns count characters", "{é: ü, ж: 1}", []string{
			`F:1:2: "é": unknown key "é"; accepted here: ` + topKeys,
			"F:1:2: " + noPolling,
			`F:1:8: "ж": unknown key "ж"; accepted here: ` + topKeys,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, faultsOf(t, tt.content)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilesThatAreNoYAML(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"@me without quotes", "routing:\n  authorizedUsers: [@me]\n", "F:2:21: not valid YAML: text that begins with @ must be put in quotes"},
		{"* without quotes", source("label: *"), `F:5:14: YAML aliases are not supported: write the value out, or put text that begins with * in quotes, as in "*"`},
		{"* in a list", source("labels: [*]"), `F:5:16: YAML aliases are not supported: write the value out, or put text that begins with * in quotes, as in "*"`},
		{"a field without quotes", "routing:\n  handlers:\n    spawn: [run, {{.Ref}}]\n", "F:3:19: not valid YAML: text that begins with { must be put in quotes"},
		{"a tab", "polling:\n\tpace: true\n", "F:2:1: not valid YAML: a tab indents this line; indent with spaces"},
		{"quotes that do not close", "state:\n  root: \"x\npolling:\n", "F:2:9: not valid YAML: could not find end character of double-quoted text"},
		{"a bracket that does not close", "polling: [1, 2\n", "F:1:10: not valid YAML: sequence end token ']' not found"},
		{"a wrong indentation", "state:\n  root: x\n pace: y\n", "F:3:2: not valid YAML: value is not allowed in this context; check the indentation, and put text with a colon in quotes"},
		{"a NUL", "polling:\n  a\x00b: 1\n", "F:2:4: a NUL byte is not allowed in the file"},
		{"an escape", "polling: \x1b[31m\n", "F:1:10: a control character is not allowed in the file"},
		{"no UTF-8", "polling:\n  é\xff: 1\n", "F:2:4: the file is not UTF-8 text"},
		{"UTF-16", "\xff\xfep\x00", "F:1:1: the file is not UTF-8 text"},
		{"far too deep", strings.Repeat("[", 100_000), "F:1:41: nested too deeply"},
		{"far too deep in lines", strings.Repeat("- ", 200), "F:1:201: nested too deeply"},
		{"far too many entries", strings.Repeat("- x\n", 100_000), "F:10001:1: more than 10000 entries"},
		{"far too many marks", strings.Repeat("!a ", 100_000), "F:1:1001: more than 500 tags"},
		{"far too many blank lines", "state:\n" + strings.Repeat(" \n", 200) + smallest, "F:102:1: more than 100 blank lines in a row"},
		{"an anchor", source("labels: &l [a]"), "F:5:15: YAML anchors are not supported: write the value out, or put text that begins with & in quotes"},
		{"an alias", source("label: *x"), `F:5:14: YAML aliases are not supported: write the value out, or put text that begins with * in quotes, as in "*"`},
		{"a merge key", source("<<: {limit: 1}"), "F:5:7: YAML merge keys (<<) are not supported: write the keys out"},
		{"a key that is an alias", "*x : 1\n", `F:1:1: YAML aliases are not supported: write the value out, or put text that begins with * in quotes, as in "*"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff([]string{tt.want}, faultsOf(t, tt.content)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaultText(t *testing.T) {
	tests := []struct {
		name  string
		fault config.Fault
		want  string
	}{
		{"in a file", config.Fault{File: "f.yaml", Line: 3, Column: 9, Path: "a.b", Message: "is wrong"}, "f.yaml:3:9: a.b: is wrong"},
		{"a whole file", config.Fault{File: "f.yaml", Line: 1, Column: 1, Message: "is wrong"}, "f.yaml:1:1: is wrong"},
		{"a flag", config.Fault{Path: "--repo", Message: "is wrong"}, "--repo: is wrong"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.fault.Error(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
