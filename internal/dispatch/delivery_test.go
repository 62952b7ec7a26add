package dispatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

func handlersDoc(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/handlers.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// docExamples are the JSON blocks below the headings that name an event.
func docExamples(t *testing.T) map[session.Event]string {
	t.Helper()
	examples := map[session.Event]string{}
	section := regexp.MustCompile("(?s)^## (\\w+)\n.*```json\n(.*?)```")
	for _, text := range strings.Split(handlersDoc(t), "\n#") {
		if m := section.FindStringSubmatch(text); m != nil {
			examples[session.Event(m[1])] = m[2]
		}
	}
	return examples
}

func exampleDeliveries() []Delivery {
	issue := session.InputItem{
		Kind: "issue", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "hello-world"}.Item(42),
		Title: "Greet in more than one language", URL: "https://github.com/octo/hello-world/issues/42",
		Author: "alice", Labels: []string{"the-loop", "enhancement"},
	}
	own := session.Target{Ref: "github:octo/hello-world#42", Session: "hello-world-42-v7rj2c5xq3bd6wkf"}
	unlabelled := issue
	unlabelled.Labels = nil
	return []Delivery{
		{ID: "spawn-4k2mbcq6d3t5z7x2n4f6h8j2k4", Event: session.EventSpawn, Attempt: 1, Target: own, Item: issue},
		{
			ID: "comment-q3bd6wkf4k2mbcq6d3t5z7x2n4", Event: session.EventComment, Attempt: 2, Target: own,
			Item: session.InputItem{
				Kind: "pull-request", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "hello-world"}.Item(57),
				Title: "Greet in French, too", URL: "https://github.com/octo/hello-world/pull/57",
				Author: "alice", Labels: []string{"the-loop"}, HeadRef: "issue-42", Body: "Closes #42",
			},
			Comment: &session.InputComment{
				ID: "PRRC_kwDOABCDEF4AAAAB", Surface: "inline", Author: "bob", Body: `Should this not be "Bonjour"?`,
				URL:       "https://github.com/octo/hello-world/pull/57#discussion_r1",
				CreatedAt: time.Date(2026, 11, 30, 11, 0, 0, 0, time.FixedZone("", 3600)), Path: "greet.go", Line: 12,
			},
		},
		{
			ID: "update-n4f6h8j2k44k2mbcq6d3t5z7x2", Event: session.EventUpdate, Attempt: 1, Target: own,
			Item: session.InputItem{
				Kind: "pull-request", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "hello-world"}.Item(57),
				Title: "Greet in French, too", URL: "https://github.com/octo/hello-world/pull/57",
				Author: "alice", HeadRef: "issue-42", Body: "Closes #42",
			},
			Update: &session.InputUpdate{
				Kind: session.UpdateChecks, State: "failure", HeadSHA: "6dcb09b5b57875f334f61aebed695e2e4193db5e",
				Failing: []session.FailingCheck{{Name: "test (ubuntu)", URL: "https://github.com/octo/hello-world/actions/runs/1/job/2"}},
			},
		},
		{
			ID: "close-z7x2n4f6h8j2k44k2mbcq6d3t5", Event: session.EventClose, Attempt: 1, Target: own, Item: unlabelled,
			Closure: &session.InputClosure{State: "closed"},
		},
	}
}

// TestDocumentedExamples: the comment is shown whole, the update by the member that
// only it has.
func TestDocumentedExamples(t *testing.T) {
	examples := docExamples(t)
	if len(examples) != 2 {
		t.Errorf("%d examples in the document, want 2", len(examples))
	}
	for _, d := range exampleDeliveries() {
		data, err := d.input()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(data, []byte("\n")) != 1 {
			t.Errorf("%s has several lines", d.Event)
		}
		text, shown := examples[d.Event]
		if !shown {
			continue
		}
		want, got := members(t, string(data)), members(t, text)
		if d.Event == session.EventUpdate {
			want = map[string]any{"update": want["update"]}
		}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("%s in the document (-doc +code):\n%s", d.Event, diff)
		}
	}
}

func members(t *testing.T, text string) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestDocumentedKeys(t *testing.T) {
	doc := handlersDoc(t)
	var keys []string
	var collect func(typ reflect.Type, prefix string)
	collect = func(typ reflect.Type, prefix string) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Anonymous {
				collect(f.Type, prefix)
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" { // a pull request's own, written by MarshalJSON
				name = strings.ToLower(f.Name[:1]) + f.Name[1:]
			}
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[time.Time]() {
				collect(inner, prefix+name+".")
				continue
			}
			keys = append(keys, prefix+name)
		}
	}
	collect(reflect.TypeFor[session.Input](), "")
	if len(keys) < 20 {
		t.Fatalf("keys = %q", keys)
	}
	for _, key := range keys {
		if !strings.Contains(doc, "`"+key+"`") {
			t.Errorf("the document does not describe `%s`", key)
		}
	}
}

func TestDocumentedVariables(t *testing.T) {
	doc := handlersDoc(t)
	for _, entry := range (Delivery{}).variables("") {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.Contains(doc, "\n- `"+name+"`") {
			t.Errorf("the document does not describe %s", name)
		}
	}
	for _, name := range argvtemplate.Names() {
		if !strings.Contains(doc, fmt.Sprintf(", `{{.%s}}`", name)) {
			t.Errorf("the document does not describe {{.%s}}", name)
		}
	}
	if !strings.Contains(doc, "`"+session.CommentMarker+"`") {
		t.Error("the document does not show the marker")
	}
}

func TestItemKeysByKind(t *testing.T) {
	for kind, want := range map[ref.Kind]bool{ref.Issue: false, ref.PullRequest: true} {
		data, err := json.Marshal(session.InputItem{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		var keys map[string]any
		if err := json.Unmarshal(data, &keys); err != nil {
			t.Fatal(err)
		}
		if _, got := keys["body"]; got != want {
			t.Errorf("%s has a body: %v, want %v", kind, got, want)
		}
		if _, got := keys["headRef"]; got != want {
			t.Errorf("%s has a headRef: %v, want %v", kind, got, want)
		}
		if _, got := keys["draft"]; got != want {
			t.Errorf("%s has a draft: %v, want %v", kind, got, want)
		}
		if labels, ok := keys["labels"].([]any); !ok || len(labels) != 0 {
			t.Errorf("%s has the labels %v, want []", kind, keys["labels"])
		}
	}
}
