//go:build unix

package gh

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/ref"
)

// entries is a JSON list of that many entries with an id.
func entries(length int) string {
	list := make([]string, length)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id":"IC_%d","node_id":"R_%d"}`, i, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// thenAnswering prints the first answer to a reading call, and the second to
// the one that asks whether that was all.
func thenAnswering(t *testing.T, first, second string) *fake {
	t.Helper()
	f := newFake(t, `printf '%s\n' "$@" "" >>"$D/argv"; case "$*" in *--json*|*--paginate) cat "$D/first";; *) cat "$D/second";; esac`)
	f.write("first", first)
	f.write("second", second)
	return f
}

// wantEntries checks the outcome of a reading, which is transient if it failed, and the
// calls that it took.
func (f *fake) wantEntries(t *testing.T, got int, err error, want int, wantErr string, calls []string) {
	t.Helper()
	if wantErr != "" {
		wantText(t, err, wantErr)
		wantClass(t, err, Transient)
	} else if err != nil {
		t.Error(err)
	}
	if got != want {
		t.Errorf("%d entries, want %d", got, want)
	}
	if diff := cmp.Diff(calls, f.calls()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestConversationIsWhole(t *testing.T) {
	const view = "pr | view | 5 | --repo | github.com/octo/repo-b | --json | comments"
	const ask = "api | --hostname | github.com | repos/octo/repo-b/issues/5"
	tests := []struct {
		name, comments, item string
		want                 int
		err                  string
		asks                 bool
	}{
		{"99", entries(99), "", 99, "", false},
		{"101", entries(101), "", 101, "", false},
		{"none", "[]", "", 0, "", false},
		{"100", entries(100), `{"number":5,"comments":100}`, 100, "", true},
		{"100 of 130", entries(100), `{"number":5,"comments":130}`, 0, "gh pr view --json returned 100 of 130 comments", true},
		{"200 of 201", entries(200), `{"number":5,"comments":201}`, 0, "gh pr view --json returned 200 of 201 comments", true},
		{"one was deleted meanwhile", entries(100), `{"number":5,"comments":99}`, 100, "", true},
		{"null of none", "null", `{"number":5,"comments":0}`, 0, "", true},
		{"null of 3", "null", `{"number":5,"comments":3}`, 0, "gh pr view --json returned 0 of 3 comments", true},
		{"not told", "null", `{"number":5}`, 0, "gh api returned an answer without a number of comments", true},
		{"no answer", entries(100), "", 0, "gh api printed nothing", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := thenAnswering(t, `{"comments":`+tt.comments+`}`, tt.item)
			got, err := f.PullRequestComments(t.Context(), repo, 5)
			calls := []string{view}
			if tt.asks {
				calls = append(calls, ask)
			}
			f.wantEntries(t, len(got), err, tt.want, tt.err, calls)
		})
	}
}

func TestPagesAreWhole(t *testing.T) {
	const list = "api | --hostname | ghe.example.com | repos/octo/repo-b/pulls/5/reviews?per_page=100"
	ghe := ref.Repo{Host: "ghe.example.com", Owner: "octo", Name: "repo-b"}
	tests := []struct {
		name, pages, next string
		want              int
		err               string
		asks              string
	}{
		{"none", "[]", "", 0, "", ""},
		{"130 in two", entries(100) + entries(30), "", 130, "", ""},
		{"100", entries(100), "[]", 100, "", list + "&page=2"},
		{"200 in two", entries(100) + entries(100), "[]", 200, "", list + "&page=3"},
		{"200 of 201", entries(100) + entries(100), entries(1), 0, "gh api --paginate returned 200 entries and left out the next page", list + "&page=3"},
		{"no answer", entries(100), "", 0, "gh api printed nothing", list + "&page=2"},
		{"no list", entries(100), `{"data":null}`, 0, "gh api returned invalid JSON: unexpected object", list + "&page=2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := thenAnswering(t, tt.pages, tt.next)
			got, err := f.Reviews(t.Context(), ghe, 5)
			calls := []string{list + " | --paginate"}
			if tt.asks != "" {
				calls = append(calls, tt.asks)
			}
			f.wantEntries(t, len(got), err, tt.want, tt.err, calls)
		})
	}
}
