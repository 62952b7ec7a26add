package fakegh

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder makes a folder with a script.
func folder(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "script", script)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run plays gh with a script in dir.
func run(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv(DirVariable, dir)
	var out, errs bytes.Buffer
	code = Main(args, &out, &errs)
	return code, out.String(), errs.String()
}

// list is a call that shows which answer it got.
func list(repo string) []string { return []string{"issue", "list", "--repo", repo, "--json", "number"} }

func TestScriptRefuses(t *testing.T) {
	for script, want := range map[string]string{
		"issue list octo/a #1":                       `script:1: no ": " between call and answers`,
		"# a comment\n\nissue list octo/a:#1":        `script:3: no ": " between call and answers`,
		"issue list octo/a: #1 ;  ; #2":              "script:1: an empty answer: write [] or none",
		"issue list octo/a: #1*0":                    `script:1: "#1*0" repeats nothing`,
		"issue list octo/a: #1*99999999999999999999": `script:1: "#1*99999999999999999999" repeats nothing`,
		"issue list octo/a: nonsense":                `answer "nonsense" to "issue list octo/a": no item at "nonsense"`,
		"issue list octo/a: #1 @alice":               `answer "#1 @alice" to "issue list octo/a": no item at "@alice"`,
		`issue list octo/a: #1"a"b`:                  `answer "#1\"a\"b" to "issue list octo/a": no item at "#1\"a\"b"`,
		"issue list octo/a: @none.json":              "open ",
		"issue list octo/a: #1 delay:soon":           `time: invalid duration "soon"`,
		"issue list octo/b: #1":                      `the script has no line for "issue list octo/a"`,
		"pr list *: #1":                              `the script has no line for "issue list octo/a"`,
		"issue list octo/a: ghost; []":               `no item at "ghost; []"`,
	} {
		code, stdout, stderr := run(t, folder(t, script), list("octo/a")...)
		if code != refused || stdout != "" || !strings.HasPrefix(stderr, "fakegh: ") || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit %d, stdout %q, stderr %q, want %s", script, code, stdout, stderr, want)
		}
	}
}

func TestScriptIsNeeded(t *testing.T) {
	if code, _, stderr := run(t, t.TempDir(), list("octo/a")...); code != refused || !strings.Contains(stderr, "no such file") {
		t.Errorf("without a script: exit %d, %q", code, stderr)
	}
	if code, _, stderr := run(t, "", list("octo/a")...); code != refused || stderr != "fakegh: FAKEGH_DIR is not set\n" {
		t.Errorf("without a folder: exit %d, %q", code, stderr)
	}
}

// TestAnswersInOrder: each line counts its own calls, over a change of the script,
// too.
func TestAnswersInOrder(t *testing.T) {
	dir := folder(t, "issue list octo/a: #1 ; #2*3 ; 502*2 ; #4\nissue list octo/*: #9 ; []\n")
	number := func(repo string) string {
		t.Helper()
		code, stdout, _ := run(t, dir, list(repo)...)
		if code != 0 {
			return "fault"
		}
		return strings.TrimSuffix(stdout, "\n")
	}
	var got []string
	for range 9 {
		got = append(got, number("octo/a"))
	}
	two, four := `[{"number":2}]`, `[{"number":4}]`
	if diff := cmp.Diff([]string{`[{"number":1}]`, two, two, two, "fault", "fault", four, four, four}, got); diff != "" {
		t.Errorf("octo/a (-want +got):\n%s", diff)
	}
	if got := number("octo/b"); got != `[{"number":9}]` {
		t.Errorf("octo/b at first: %s", got)
	}
	write(t, dir, "script", "issue list octo/a: #5 ; #6\n\n# as before:\nissue list octo/*: #9 ; []\n")
	got = []string{number("octo/a"), number("OCTO/A"), number("octo/b"), number("octo/c")}
	if diff := cmp.Diff([]string{`[{"number":5}]`, `[{"number":6}]`, "[]", "[]"}, got); diff != "" {
		t.Errorf("with a changed script (-want +got):\n%s", diff)
	}
	log, err := os.ReadFile(filepath.Join(dir, "calls.log"))
	if err != nil || strings.Count(string(log), "\n") != 14 || !strings.HasPrefix(string(log), "issue list --repo octo/a --json number\n") {
		t.Errorf("calls.log, %v:\n%s", err, log)
	}
}

func TestCallsAtOnceCountApart(t *testing.T) {
	dir := t.TempDir()
	lines, err := parseScript("api user github.com: a*50 ; b")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]bool{}
	for range 50 {
		wg.Go(func() {
			n, err := count(dir, lines[0])
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[n] {
				t.Errorf("call %d is counted twice: %v", n, err)
			}
			seen[n] = true
		})
	}
	wg.Wait()
}

func TestPatterns(t *testing.T) {
	for key, want := range map[string][2]bool{ // octo/a.b#1, ghe.corp/octo/x
		"api item octo/a.b#1": {true, false}, "api  item OCTO/A.B#1": {true, false}, "api item octo/a?b#1": {false, false},
		"api item octo/axb#1": {false, false}, "api item *": {true, true}, "api item octo/*": {true, false},
		"api item */octo/*": {false, true}, "*": {true, true}, "api item octo/a.b": {false, false},
	} {
		lines, err := parseScript(key + ": open")
		if err != nil {
			t.Fatal(err)
		}
		got := [2]bool{
			lines[0].fits(call{name: "api item", target: "octo/a.b#1"}), lines[0].fits(call{name: "api item", target: "ghe.corp/octo/x#1"}),
		}
		if got != want {
			t.Errorf("%s fits %v, want %v", key, got, want)
		}
	}
}

// TestWait: an answer is held back until a file exists.
func TestWait(t *testing.T) {
	dir := folder(t, "api user github.com: octocat wait:go")
	done := make(chan string)
	t.Setenv(DirVariable, dir)
	go func() {
		var stdout bytes.Buffer
		Main([]string{"api", "user"}, &stdout, &bytes.Buffer{})
		done <- stdout.String()
	}()
	select {
	case got := <-done:
		t.Fatalf("%q before the file was there", got)
	default:
	}
	write(t, dir, "go", "")
	if got := <-done; got != `{"login":"octocat"}`+"\n" {
		t.Errorf("got %q", got)
	}
	// A call does not outlive its scenario's folder.
	awaitFile(filepath.Join(dir, "gone", "file"))
}

// TestWaitBeforeAFault: every kind of answer may be followed by wait and delay.
func TestWaitBeforeAFault(t *testing.T) {
	dir := folder(t, "api user github.com: 401 wait:there delay:1ms")
	write(t, dir, "there", "")
	if code, _, stderr := run(t, dir, "api", "user"); code != 1 || stderr != "gh: Bad credentials (HTTP 401)\n" {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

// TestWriting: sent.log has each call that changes something with its body; --jq and
// --silent decide what is printed.
func TestWriting(t *testing.T) {
	dir := folder(t, `api POST ghe.example.com/octo/a/*: {"id":41,"content":"eyes"} ; 502
api DELETE octo/a/*: {}`)
	const path = "repos/octo/a/issues/7/reactions"
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--hostname", "ghe.example.com", "--method", "POST", "--jq", ".id", "-f", "content=eyes", path}, 0, "41\n", ""},
		{[]string{"--hostname", "ghe.example.com", "--method", "POST", path}, 1, body("Server Error"), "gh: Server Error (HTTP 502)\n"},
		{[]string{"--hostname", "github.com", "--method", "DELETE", "--silent", path + "/41"}, 0, "", ""},
		{[]string{"--method", "PATCH", path}, 1, "", "fakegh: the method PATCH is unknown\n"},
		{[]string{"--method", "POST", "user"}, 1, "", "fakegh: unknown path user\n"},
		{[]string{"--method", "POST", "--input", "file", path}, 1, "", "fakegh: --input reads stdin only\n"},
		{[]string{"--method", "POST", "--jq", ".[]", path}, 1, "", "fakegh: --jq takes the name of one field\n"},
		{[]string{"--silent", path}, 1, "", "fakegh: --jq, --input and --silent go with --method only\n"},
	} {
		code, stdout, stderr := run(t, dir, append([]string{"api"}, tt.args...)...)
		if code != tt.code || stdout != tt.stdout || stderr != tt.stderr {
			t.Errorf("api %q: %d, %q, %q; want %d, %q, %q", tt.args, code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "sent.log"))
	want := "POST ghe.example.com/octo/a/issues/7/reactions content=eyes\nPOST ghe.example.com/octo/a/issues/7/reactions\nDELETE octo/a/issues/7/reactions/41\n"
	if err != nil || string(got) != want {
		t.Errorf("sent.log = %q, %v, want %q", got, err, want)
	}
}
