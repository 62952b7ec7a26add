package github

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

// errDeleted is what gh prints for an issue that is not there any more.
var errDeleted = gh.ExitError([]string{"api", "--hostname", "github.com"}, 1, "gh: This issue was deleted (HTTP 410)")

func TestEnded(t *testing.T) {
	state := func(owner, name string, number int, state string, merged bool) gh.IssueState {
		return gh.IssueState{
			Item: ref.Repo{Owner: owner, Name: name}.Item(number), State: state, Merged: merged, PullRequest: merged,
			URL: "https://github.com/octo/a/issues/9", Title: "t", Author: "app/",
		}
	}
	here := func(e poller.Ending, kind ref.Kind) poller.Answer {
		return poller.Answer{Ending: e, Kind: kind, URL: "https://github.com/octo/a/issues/9", Title: "t"}
	}
	gone := func(to string) poller.Answer { return poller.Answer{Ending: poller.Gone, MovedTo: to} }
	for name, tt := range map[string]struct {
		answer, repository any
		want               poller.Answer
		fails              error
	}{
		"open":                    {answer: state("octo", "a", 9, "open", false), want: here(poller.StillOpen, ref.Issue)},
		"another case":            {answer: state("Octo", "A", 9, "open", false), want: here(poller.StillOpen, ref.Issue)},
		"closed":                  {answer: state("octo", "a", 9, "closed", false), want: here(poller.EndedClosed, ref.Issue)},
		"merged":                  {answer: state("octo", "a", 9, "closed", true), want: here(poller.EndedMerged, ref.PullRequest)},
		"another number":          {answer: state("octo", "a", 4, "closed", false), want: gone("octo/a#4")},
		"another repository":      {answer: state("octo", "b", 9, "closed", false), want: gone("octo/b#9")},
		"another owner":           {answer: state("corp", "a", 9, "open", false), want: gone("corp/a#9")},
		"no answer":               {answer: errGateway, fails: errGateway},
		"deleted":                 {answer: errDeleted, repository: issuesOn("Octo/A", true), want: gone("")},
		"Issues are disabled":     {answer: errDeleted, repository: issuesOn("octo/a", false), fails: errDeleted},
		"nothing known of Issues": {answer: errDeleted, repository: named("octo/a"), fails: errDeleted},
		"renamed":                 {answer: errDeleted, repository: issuesOn("octo/new", true), fails: errDeleted},
		"out of reach":            {answer: errDeleted, repository: errNoRepo, fails: errDeleted},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t).on("state octo/a#9", tt.answer)
			if tt.repository != nil {
				f.on("repo octo/a", tt.repository)
			}
			got, err := provider(t, f, "octo/a").Ended(t.Context(), "github:octo/a#9")
			if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, tt.fails) {
				t.Errorf("error %v, answer (-want +got):\n%s", err, diff)
			}
		})
	}
	for _, ref := range []string{"github:octo/other#9", "github:octo/a#x", "x"} {
		if _, err := provider(t, newFake(t), "octo/a").Ended(t.Context(), ref); err == nil {
			t.Errorf("%s: no error", ref)
		}
	}
}

// TestDeletedIsPutOff: without the repository's answer nothing is known.
func TestDeletedIsPutOff(t *testing.T) {
	f := newFake(t).on("state octo/a#9", errDeleted).on("repo octo/a", errLimit).on("limits github.com", errGateway)
	if _, err := provider(t, f, "octo/a").Ended(t.Context(), "github:octo/a#9"); !errors.Is(err, poller.ErrPutOff) {
		t.Errorf("error %v, want one that is put off", err)
	}
}
