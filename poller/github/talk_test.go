package github

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/ref"
	"the-loop/poller"
)

func at(minute int) time.Time { return time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC) }

func pullItem() poller.WorkItem {
	return poller.WorkItem{Ref: "github:octo/a#9", Item: ref.Repo{Host: "github.com", Owner: "octo", Name: "a"}.Item(9), Kind: ref.PullRequest}
}

func TestCommentsOfAPullRequest(t *testing.T) {
	f := newFake(t).
		on("comments octo/a#9", []gh.Comment{{ID: "c1", Author: "alice", Body: "first", CreatedAt: at(1)}, {ID: "c2", Author: "app/", Body: "last", CreatedAt: at(9)}}).
		on("reviews octo/a#9", []gh.Review{
			{NodeID: "r1", Author: "bob", Body: "please change", State: "CHANGES_REQUESTED", SubmittedAt: at(3)},
			{NodeID: "r2", Author: "bob", Body: " \n", State: "APPROVED", SubmittedAt: at(4)},
			{NodeID: "r3", Author: "bob", Body: "draft", State: "PENDING"},
		}).
		on("inline octo/a#9", []gh.ReviewComment{{NodeID: "i1", Author: "bob", Body: "here", Path: "a.go", Line: 7, CreatedAt: at(2)}})
	got, err := provider(t, f, "octo/a").Comments(t.Context(), pullItem())
	if err != nil {
		t.Fatal(err)
	}
	want := []poller.Comment{
		{ID: "c1", Surface: poller.SurfaceConversation, Author: "alice", Body: "first", CreatedAt: at(1)},
		{ID: "i1", Surface: poller.SurfaceInline, Author: "bob", Body: "here", Path: "a.go", Line: 7, CreatedAt: at(2)},
		{ID: "r1", Surface: poller.SurfaceReview, Author: "bob", Body: "please change", ReviewState: "CHANGES_REQUESTED", CreatedAt: at(3)},
		{ID: "c2", Surface: poller.SurfaceConversation, Author: "", Body: "last", CreatedAt: at(9)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func TestAPartOfTheCommentsIsNone(t *testing.T) {
	f := newFake(t).on("comments octo/a#9", []gh.Comment{{ID: "c1"}}).on("reviews octo/a#9", errGateway)
	if got, err := provider(t, f, "octo/a").Comments(t.Context(), pullItem()); err == nil {
		t.Errorf("comments %v and no error, though the reviews failed", got)
	}
}

// TestRateLimitPutsOff: a limit that is met while an item is read stops the
// reading of all items of that host, and none of them is an error.
func TestRateLimitPutsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t).on("comments octo/a#9", errLimit).
			on("limits github.com", gh.RateLimits{"graphql": {Reset: time.Now().Add(10 * time.Minute)}})
		p := provider(t, f, "octo/a")
		_, err := p.Comments(t.Context(), pullItem())
		var first *poller.PutOffError
		if !errors.As(err, &first) || !errors.Is(err, poller.ErrPutOff) || first.Limit == nil || first.Limit.Host != "github.com" {
			t.Fatalf("error %v, want one that is put off and tells of the limit", err)
		}
		_, err = p.Ended(t.Context(), "github:octo/a#9")
		var second *poller.PutOffError
		if !errors.As(err, &second) || second.Limit != nil {
			t.Errorf("error %v, want one that is put off and tells nothing new", err)
		}
		if len(f.took()) != 2 {
			t.Errorf("calls %v, want no further one", f.took())
		}
	})
}

func TestLoginIsOfItsHost(t *testing.T) {
	f := newFake(t).on("login ghe.corp", "root")
	if me, err := provider(t, f, "octo/a").Login(t.Context(), "ghe.corp"); err != nil || me != "root" {
		t.Errorf("login %q, error %v", me, err)
	}
}
