//go:build unix

package endurance_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"the-loop/internal/endurance"
	"the-loop/internal/session"
)

// condition is the trouble of a repository.
type condition int

const (
	healthy condition = iota
	down              // every call fails
	issuesOff
	renamed
	missing
)

// town is the world and its people. Items come and go, but their number stays about
// the same.
type town struct {
	rng        *rand.Rand
	world      *endurance.World
	conditions map[string]condition
	said, came int
	// still keeps new items and comments out of the town: people edit, close and
	// reopen items, and the daemon reads old comments again.
	still bool
	// dir is the folder in which a gh process looks for the world, "" without processes.
	dir string
}

const (
	// perRepository is the number of items of a repository, threadLength the number of
	// comments that an item keeps.
	perRepository = 5
	threadLength  = 10
)

func newTown(seed uint64, repositories int) *town {
	t := &town{
		rng:        rand.New(rand.NewPCG(seed, 0)),
		world:      &endurance.World{Seed: seed, Login: operator},
		conditions: map[string]condition{},
	}
	for n := range repositories {
		repo := fmt.Sprintf("octo/repo-%d", n)
		t.world.Repos = append(t.world.Repos, repo)
		for range perRepository {
			t.come(repo)
		}
	}
	return t
}

// come adds an item. Every third is a pull request, and some of these link to an
// unlabelled issue.
func (t *town) come(repo string) {
	t.came++
	i := endurance.Item{Repo: repo, Kind: endurance.Issue, Author: operator}
	if t.came%3 == 0 {
		i.Kind = endurance.Pull
		if t.came%2 == 0 {
			i.Closes = 1_000_000 + t.came
		}
	}
	if t.came%7 == 0 {
		i.Author = stranger
	}
	t.world.Add(i)
}

func (t *town) any() *endurance.Item { return t.world.Items[t.rng.IntN(len(t.world.Items))] }

// live changes the town between two cycles.
func (t *town) live(cycle int) error {
	for range 2 {
		t.talk()
	}
	if i := t.any(); t.rng.IntN(10) == 0 {
		t.world.SetOpen(i, !i.Open)
	}
	if i := t.any(); t.rng.IntN(20) == 0 {
		t.world.SetLabelled(i, !i.Labelled)
	}
	if i := t.any(); t.rng.IntN(20) == 0 {
		i.Stale = &endurance.Shown{Open: !i.Open, Labelled: true, UpdatedAt: i.UpdatedAt}
	}
	t.any().CatchUp()
	if cycle%20 == 0 && !t.still {
		t.replace()
	}
	repo := t.world.Repos[t.rng.IntN(len(t.world.Repos))]
	t.conditions[repo] = healthy
	if t.rng.IntN(4) == 0 {
		t.conditions[repo] = condition(t.rng.IntN(int(missing) + 1))
	}
	if t.dir == "" {
		return nil
	}
	return t.world.Save(t.dir)
}

// talk adds a comment; a few come from a stranger or an agent. It deletes old comments
// so that the thread stays short.
func (t *town) talk() {
	i := t.any()
	if t.still {
		t.world.SetLabelled(i, i.Labelled) // an edit
		return
	}
	t.said++
	c := endurance.Comment{ID: fmt.Sprintf("IC_kwDO%012d", t.said), Author: operator, Body: "please look at this"}
	switch {
	case t.said%7 == 0:
		c.Author = stranger
	case t.said%11 == 0:
		c.Body = session.CommentMarker
	case i.Author == stranger && t.said%5 == 0:
		c.Body = "the-loop start"
	}
	if i.Kind == endurance.Pull {
		c.Surface = []string{endurance.Conversation, endurance.Review, endurance.Inline}[t.said%3]
	}
	t.world.Say(i, c)
	i.Comments = slices.Clone(i.Comments[max(0, len(i.Comments)-threadLength):])
}

// replace puts a new item in the place of a finished one.
func (t *town) replace() {
	n := slices.IndexFunc(t.world.Items, func(i *endurance.Item) bool { return !i.Open && i.Stale == nil })
	if n < 0 {
		return
	}
	repo := t.world.Items[n].Repo
	t.world.Items = slices.Delete(t.world.Items, n, n+1)
	t.come(repo)
}
