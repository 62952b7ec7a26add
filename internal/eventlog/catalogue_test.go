package eventlog

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// samples calls every constructor once.
func samples() []Event {
	at := time.Date(2026, 11, 30, 14, 0, 0, 0, time.FixedZone("CET", 3600))
	d := Delivery{Ref: "github:octo/x#7", Session: "octo-x-7", Handler: "comment", ID: "d-1", Attempt: 2}
	return []Event{
		Started(StartedFields{Version: "1.2.3", StateRoot: "/state", Interval: 1500 * time.Millisecond, Sources: []string{"github"}}),
		Stopped("SIGTERM", 12),
		Blocked(4242, "/state/poll.pid"),
		ConfigReloaded("/etc/config.yaml", []string{"polling.intervalSeconds: 5 instead of 60"}),
		ConfigReloadFailed("/etc/config.yaml", "3:1: polling.repos: unknown key"),
		Cycle(CycleFields{ItemsSeen: 24, Spawns: 1, CommentsForwarded: 2, Closures: 3, Failures: 4, Errors: 5,
			Interrupted: true, ScopesPolled: 6, ScopesDegraded: []string{"octo/b", "octo/m"}, Duration: 1234 * time.Millisecond}),
		ProviderError("github", "could not run gh: not found"),
		ScopeError("octo/b", "github", "gh issue list --repo exited 1: HTTP 502"),
		ScopeDegraded("octo/m", "github", "issues are disabled", 60),
		ScopeRecovered("octo/m", "github"),
		RateLimited("github.com", at),
		Paced(PacedFields{Host: "github.com", Interval: 150 * time.Second, Remaining: 900, ResetAt: at}),
		SurveyFailed("github.com", "gh api timed out after 1m0s", 500),
		SurveyRecovered("github.com"),
		ItemError(d.Ref, "gh issue view timed out after 1m0s"),
		ItemSeen(d.Ref, "issue", "octocat"),
		Unauthorized(d.Ref, "stranger"),
		Adopted(d.Ref, "operator", "IC_1"),
		Command(d.Ref, "stop", "operator", true),
		Queued(d.Ref),
		ClosureDetected(d.Ref, d.Session, "merged"),
		CommentForwarded(d, "IC_1", "operator"),
		CommentFailed(d, "IC_1", "exit status 1"),
		UpdateForwarded(d, "checks"),
		UpdateFailed(d, "checks", "exit status 1"),
		SpawnFailed(d, "exit status 1"),
		CloseFailed(d, "exit status 1"),
		UnlabelledSkipped("octo/a", "github", 60),
		ItemGone(d.Ref, d.Session, "deleted"),
		Rearmed(d.Ref, d.Session, d.Handler, "another version of the program"),
		DispatchQueued(d),
		DispatchSucceeded(d, time.Second),
		DispatchFailed(d, time.Second, "exit status 1"),
		DispatchDeferred(d, time.Second),
		DispatchAbandoned(d, "shutdown"),
		SessionSpawned(d.Ref, d.Session, d.ID),
		SessionLost(d.Ref, d.Session, 1, true),
		SessionClosed(d.Ref, d.Session, "closed"),
		NotifyFailed("gave-up", d.Ref, "exit status 1", true),
		RecordCorrupt(d.Ref, "/state/items/7.json", "/state/items/7.json.corrupt-1", "unexpected end of JSON input"),
	}
}

// The names that readers of the log rely on.
const promised = `poller.started poller.stopped poller.blocked config.reloaded config.reload_failed
poll.cycle poll.provider_error poll.scope_error poll.scope_degraded poll.scope_recovered poll.unlabelled_skipped
poll.rate_limited poll.paced poll.survey_failed poll.survey_recovered poll.item_error poll.item_seen poll.unauthorized
poll.adopted poll.command poll.queued poll.closure_detected poll.comment_forwarded
poll.comment_failed poll.update_forwarded poll.update_failed poll.spawn_failed poll.close_failed poll.item_gone poll.rearmed dispatch.queued dispatch.succeeded
dispatch.failed dispatch.deferred dispatch.abandoned session.spawned session.closed session.lost session.record_corrupt notify.failed`

func TestCatalogueNamesWhatIsPromised(t *testing.T) {
	var got []string
	for _, kind := range Catalogue() {
		got = append(got, kind.Name)
	}
	want := strings.Fields(promised)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
}

func TestConstructorsWriteWhatTheCatalogueSays(t *testing.T) {
	got := map[string]Kind{}
	for _, e := range samples() {
		if _, ok := got[e.Name()]; ok {
			t.Errorf("%s: two samples", e.Name())
		}
		got[e.Name()] = kindOf(t, e)
	}
	want := map[string]Kind{}
	for _, kind := range Catalogue() {
		kind.Meaning, kind.Fields = "", slices.Clone(kind.Fields)
		for i := range kind.Fields {
			kind.Fields[i].Meaning = ""
		}
		want[kind.Name] = kind
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("constructors (-catalogue +written):\n%s", diff)
	}
}

// kindOf returns the event's kind as a reader would derive it from its line.
func kindOf(t *testing.T, e Event) Kind {
	t.Helper()
	line, err := e.line(time.Now(), 1)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	kind := Kind{Name: stored.Event, Level: stored.Level}
	at := func(name string) int { return bytes.Index(line, []byte(`,"`+name+`":`)) }
	inOrder := func(a, b string) int { return at(a) - at(b) }
	for _, name := range slices.SortedFunc(maps.Keys(stored.Fields), inOrder) {
		kind.Fields = append(kind.Fields, FieldDoc{Name: name, Type: typeOf(t, stored.Fields[name])})
	}
	return kind
}

func typeOf(t *testing.T, value json.RawMessage) string {
	t.Helper()
	switch value[0] {
	case '"':
		return "string"
	case '[':
		return "list of strings"
	case 't', 'f':
		return "boolean"
	}
	var n float64
	if err := json.Unmarshal(value, &n); err != nil {
		t.Errorf("unexpected value %s", value)
	}
	return "number"
}

func TestCatalogueIsReadable(t *testing.T) {
	for _, kind := range Catalogue() {
		if !strings.HasSuffix(kind.Meaning, ".") || strings.Contains(kind.Meaning, ". ") {
			t.Errorf("%s: want one sentence, got %q", kind.Name, kind.Meaning)
		}
		seen := map[string]bool{}
		for _, f := range append(commonFields(), kind.Fields...) {
			if seen[f.Name] || f.Meaning == "" {
				t.Errorf("%s: field %q is there twice or without a meaning", kind.Name, f.Name)
			}
			seen[f.Name] = true
		}
	}
}

// commonFields returns the fields that begin every line.
func commonFields() []FieldDoc {
	return []FieldDoc{
		text("ts", "when, with milliseconds and Z"),
		text("event", "the event's name"),
		text("level", "`info`, `warning` or `error`"),
		number("pid", "the writing process"),
	}
}

const referenceMark = "<!-- the reference: written from the catalogue, a test compares them -->\n"

var update = flag.Bool("u", false, "rewrite the reference in docs/events.md")

func TestDocumentation(t *testing.T) {
	const path = "../../docs/events.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, got, found := strings.Cut(string(data), referenceMark)
	if !found {
		t.Fatalf("%s has no line %q", path, referenceMark)
	}
	want := reference()
	if *update {
		if err := os.WriteFile(path, []byte(head+referenceMark+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, after the mark (-catalogue +file; \"go test ./internal/eventlog -u\" rewrites it):\n%s", path, diff)
	}
}

// reference returns the documentation of the catalogue.
func reference() string {
	var b strings.Builder
	b.WriteString("\nEvents without a level are `info`, fields without a type strings.\n\n## Every line\n\n")
	for _, f := range commonFields() {
		writeField(&b, f)
	}
	shared := sharedFields()
	b.WriteString("\n## Fields of several events\n\nEvents name these first, then their own fields.\n\n")
	for _, f := range shared {
		writeField(&b, f)
	}
	for _, kind := range Catalogue() {
		fmt.Fprintf(&b, "\n## %s\n\n", kind.Name)
		if kind.Level != Info {
			fmt.Fprintf(&b, "`%s`: ", kind.Level)
		}
		fmt.Fprintf(&b, "%s\n", kind.Meaning)
		var names []string
		var own strings.Builder
		for _, f := range kind.Fields {
			if slices.Contains(shared, f) {
				names = append(names, "`"+f.Name+"`")
			} else {
				writeField(&own, f)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "\n%s\n", strings.Join(names, ", "))
		}
		if own.Len() > 0 {
			fmt.Fprintf(&b, "\n%s", own.String())
		}
	}
	return b.String()
}

// sharedFields lists each field that means the same in several events once, with its most
// frequent meaning, or the first of equally frequent ones.
func sharedFields() []FieldDoc {
	var order []FieldDoc
	count := map[FieldDoc]int{}
	for _, kind := range Catalogue() {
		for _, f := range kind.Fields {
			if count[f]++; count[f] == 1 {
				order = append(order, f)
			}
		}
	}
	var shared []FieldDoc
	for _, f := range order {
		best := !slices.ContainsFunc(order, func(o FieldDoc) bool { return o.Name == f.Name && count[o] > count[f] })
		taken := slices.ContainsFunc(shared, func(s FieldDoc) bool { return s.Name == f.Name })
		if count[f] > 1 && best && !taken {
			shared = append(shared, f)
		}
	}
	return shared
}

func writeField(b *strings.Builder, f FieldDoc) {
	if f.Type == "string" {
		fmt.Fprintf(b, "- `%s`: %s\n", f.Name, f.Meaning)
		return
	}
	fmt.Fprintf(b, "- `%s` (%s): %s\n", f.Name, f.Type, f.Meaning)
}
