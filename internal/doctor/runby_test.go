package doctor

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunBy(t *testing.T) {
	tests := map[string]string{ // "" for what is not looked behind
		"/opt/agent --fast":               "",
		"/usr/bin/env agent --fast":       "agent --fast",
		"env -i -u HOME A=1 B= agent x":   "agent x",
		"env -S|agent --fast|x":           "agent --fast x",
		"env":                             "",
		"env A=1":                         "",
		"env -S":                          "",
		"sh /opt/agent.sh x":              "script /opt/agent.sh x",
		"/bin/bash -eu -o pipefail a.sh":  "script a.sh",
		"bash -c|exec agent":              "",
		"bash -lc|exec agent":             "",
		"bash --norc a.sh":                "",
		"bash -- -a.sh":                   "script -a.sh",
		"bash -s":                         "",
		"bash -":                          "",
		"python3.12 -u -X dev a.py":       "script a.py",
		"python3 -m agent":                "",
		"node a.js":                       "script a.js",
		"node --import x a.js":            "",
		"perl -w a.pl":                    "script a.pl",
		"perl -e 1":                       "",
		"/usr/local/bin/ruby3.3 a.rb":     "script a.rb",
		"php -f a.php":                    "",
		"{{.Session}}":                    "",
		"C:/tools/python.exe C:/agent.py": "script C:/agent.py",
	}
	for line, want := range tests {
		var argv []string
		for i, part := range strings.Split(line, "|") {
			if i == 1 { // one word with blanks in it
				argv = append(argv, part)
				continue
			}
			argv = append(argv, strings.Fields(part)...)
		}
		got := ""
		if next, ok := runBy(argv); ok {
			got = strings.Join(next.argv, " ")
			if next.script {
				got = "script " + got
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}
