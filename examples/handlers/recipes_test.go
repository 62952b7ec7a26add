//go:build unix

package handlers_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/config"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// blocks returns the README's code blocks in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	return list
}

// recipe returns the README's YAML block that contains mark.
func recipe(t *testing.T, mark string) string {
	t.Helper()
	for _, b := range blocks(t, "yaml") {
		if strings.Contains(b, mark) {
			return b
		}
	}
	t.Fatalf("the README has no YAML about %s", mark)
	return ""
}

// handlers loads a block as the daemon would, with a repository to watch added.
func handlers(t *testing.T, block string) config.Handlers {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(block), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Options{
		File: file, Explicit: true, Getenv: func(string) string { return "" },
		Overrides: config.Overrides{Repos: []string{"octo/a"}, StateRoot: t.TempDir()},
	})
	if err != nil {
		t.Fatalf("the README's\n%s\nis refused:\n%v", block, err)
	}
	return cfg.Routing.Handlers
}

func TestEveryBlockIsAConfiguration(t *testing.T) {
	list := blocks(t, "yaml")
	if len(list) != 4 {
		t.Errorf("%d YAML blocks, want one each for tmux, systemd-run, kubectl and nomad", len(list))
	}
	for _, b := range list {
		h := handlers(t, b)
		for _, argv := range []argvtemplate.Template{h.Spawn, h.Comment, h.Close} {
			if len(argv) == 0 {
				t.Errorf("an event has no handler in\n%s", b)
			}
		}
		if len(h.Update) == 0 || len(h.Alive) == 0 && !strings.Contains(b, "nomad") {
			t.Errorf("update or alive has no handler in\n%s", b)
		}
	}
}

// The README lists exactly the settings of the script.
func TestTmuxSettingsAreListed(t *testing.T) {
	script, err := os.ReadFile("tmux/session.sh")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	names := func(pattern string, in []byte) (list []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(in, -1) {
			list = append(list, string(m[1]))
		}
		return slices.Compact(slices.Sorted(slices.Values(list)))
	}
	listed := names("(?m)^- `([A-Z_]+)`", text)
	if diff := cmp.Diff(names(`(?m)^#   ([A-Z_]+) `, script), listed); diff != "" {
		t.Errorf("settings (-the script's comment +the README):\n%s", diff)
	}
	if diff := cmp.Diff(names(`\$\{?(AGENT|AGENT_READY|[A-Z]+_DIR|TMUX_[A-Z]+)\b`, script), listed); diff != "" {
		t.Errorf("settings (-the script +the README):\n%s", diff)
	}
	for _, m := range regexp.MustCompile(`(?m)^ +- ([A-Z_]+)=`).FindAllStringSubmatch(recipe(t, "tmux/session.sh"), -1) {
		if !slices.Contains(listed, m[1]) {
			t.Errorf("the README sets %s, which the script does not know", m[1])
		}
	}
}

// targets returns items with the worst values that an item can have, and with some
// impossible ones.
func targets(t *testing.T) map[string]argvtemplate.Fields {
	t.Helper()
	list := map[string]argvtemplate.Fields{}
	for name, v := range map[string]struct{ host, owner, repo, kind, page string }{
		"like a flag":        {"ghe-1.example.com", "o-o_corp", "--all", "pull-request", "pull"},
		"long":               {"github.com", strings.Repeat("o", 39), strings.Repeat("-9", 50), "pull-request", "pull"},
		"an impossible page": {"github.com", "o", "r", "issue", "x?a=1&b='$(touch pwned)'\"`touch pwned`\"; touch pwned #"},
	} {
		item, err := ref.New(v.host, v.owner, v.repo, 1<<31)
		if err != nil {
			t.Fatal(err)
		}
		number := strconv.Itoa(item.Number)
		list[name] = argvtemplate.Fields{
			Session: session.Name(item), Ref: item.String(), Host: v.host, Owner: v.owner, Repo: v.repo, Number: number,
			Kind: v.kind, URL: "https://" + v.host + "/" + v.owner + "/" + v.repo + "/" + v.page + "/" + number,
			StateRoot: "/state root/$(touch pwned)",
		}
	}
	return list
}

// things maps the name of each thing that the tools keep to its text.
type things map[string]string

// The test runs the recipes twice for each event, as the daemon does after an untimely
// crash.
func TestRecipes(t *testing.T) {
	for tool, want := range map[string]struct {
		spawned, commented, closed account
	}{
		"systemd-run": {unitOf, account(unitOf).and("comment"), account(nothing).and("comment")},
		"kubectl":     {jobOf, account(jobOf).and("comment"), account(nothing).and("comment")},
		"nomad":       {instances("spawn"), instances("spawn", "comment"), instances("spawn", "comment", "close")},
	} {
		h := handlers(t, recipe(t, tool))
		for name, f := range targets(t) {
			t.Run(tool+"/"+name, func(t *testing.T) {
				k := newKitchen(t)
				event := func(e string) string { return k.event(f, e) }
				k.twice(f, "spawn", h.Spawn)
				k.expect("spawn", want.spawned(f, event))
				k.asks("after the spawn", f, h.Alive, 0)
				k.asks("without an answer", f, h.Alive, 2, toolsDown+"=1")
				k.twice(f, "comment", h.Comment)
				k.expect("comment", want.commented(f, event))
				k.twice(f, "close", h.Close)
				k.expect("close", want.closed(f, event))
				k.asks("after the close", f, h.Alive, 1)
			})
		}
	}
}

// account returns the things that the tools should keep for an item; event returns the
// text on a handler's stdin.
type account func(f argvtemplate.Fields, event func(string) string) things

func unitOf(f argvtemplate.Fields, _ func(string) string) things {
	return things{"unit " + f.Session + ".service": "--property=MemoryMax=8G --property=Type=exec: agent " + f.URL}
}

func jobOf(f argvtemplate.Fields, _ func(string) string) things {
	return things{"job " + f.Session: "registry.example/agent:1: agent " + f.URL}
}

func nothing(argvtemplate.Fields, func(string) string) things { return things{} }

// and adds the comment that agent-inbox receives.
func (a account) and(event string) account {
	return func(f argvtemplate.Fields, text func(string) string) things {
		all := a(f, text)
		all["message "+event+"-id"] = text(event)
		return all
	}
}

func instances(events ...string) account {
	return func(f argvtemplate.Fields, event func(string) string) things {
		all := things{}
		for _, e := range events {
			all["instance "+e+"-id"] = "agent/dispatch-" + f.Session + " event=" + e + " session=" + f.Session +
				" url=" + f.URL + ": " + event(e)
		}
		return all
	}
}

// kitchen is the workplace of recipes: an empty working folder, and a folder for the
// things that the tools keep.
type kitchen struct {
	t            *testing.T
	work, things string
	meta         string // the keys that the README's Nomad job allows
}

func newKitchen(t *testing.T) *kitchen {
	t.Helper()
	k := &kitchen{t: t, work: t.TempDir(), things: t.TempDir()}
	for _, b := range blocks(t, "hcl") {
		k.meta += regexp.MustCompile(`meta_required *= *(\[.*\])`).FindString(b)
	}
	return k
}

// event returns a handler's input on stdin, full of hostile text.
func (k *kitchen) event(f argvtemplate.Fields, event string) string {
	in := session.Input{
		Version: 1, Event: session.Event(event), DeliveryID: event + "-id", Attempt: 1,
		Session: session.InputSession{Name: f.Session, Ref: f.Ref},
		Item:    session.InputItem{Kind: ref.Kind(f.Kind), Title: "$(touch pwned)", URL: f.URL},
	}
	if event == "comment" {
		in.Comment = &session.InputComment{Body: "`touch pwned`; touch pwned\n\x1b[201~ EOF {{.Ref}} %s"}
	}
	data, err := json.Marshal(in)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(data)
}

func (k *kitchen) twice(f argvtemplate.Fields, event string, handler argvtemplate.Template) {
	k.t.Helper()
	f.Event, f.DeliveryID = event, event+"-id"
	argv := handler.Render(f)
	for range 2 {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Stdin = k.work, bytes.NewReader([]byte(k.event(f, event)))
		cmd.Env = append(os.Environ(), toolsDir+"="+k.things, nomadMeta+"="+k.meta, "GORACE=atexit_sleep_ms=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			k.t.Fatalf("%s with %q: %v\n%s", event, argv, err, out)
		}
	}
}

// asks checks the exit code of an alive handler. A recipe may have none.
func (k *kitchen) asks(when string, f argvtemplate.Fields, handler argvtemplate.Template, want int, env ...string) {
	k.t.Helper()
	if len(handler) == 0 {
		return
	}
	argv := handler.Render(f)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = k.work
	cmd.Env = append(append(os.Environ(), toolsDir+"="+k.things, "GORACE=atexit_sleep_ms=0"), env...)
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want {
		k.t.Errorf("%s the alive handler exits with %d, want %d: %v\n%s", when, got, want, err, out)
	}
}

// expect compares the things that the tools keep and looks for traces of a shell.
func (k *kitchen) expect(after string, want things) {
	k.t.Helper()
	got := things{}
	files, err := os.ReadDir(k.things)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(k.things, f.Name()))
		if err != nil {
			k.t.Fatal(err)
		}
		got[f.Name()] = string(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		k.t.Errorf("after the %s (-want +got):\n%s", after, diff)
	}
	if files, err := os.ReadDir(k.work); err != nil || len(files) > 0 {
		k.t.Errorf("after the %s the working folder holds %v (%v)", after, files, err)
	}
}
