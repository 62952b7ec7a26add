//go:build unix

package endurance_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"the-loop/internal/endurance"
	"the-loop/internal/session"
)

const (
	operator = "operator"
	friend   = "friend"
	stranger = "stranger"

	mostOpen = 14
)

// said holds the facts about a comment.
type said struct {
	item     string // ref
	position int    // in its thread
	trusted  bool   // by an authorized user, neither a command nor marked as an agent's
	// due is true while the daemon must deliver it to a session: see people.certify.
	due bool
}

// people change the world and record the consequences.
type people struct {
	rng   *rand.Rand
	stage *stage
	world *endurance.World

	comments map[string]*said
	adopted  map[string]bool
	feeds    map[string]string // from a pull request to the issue whose session it feeds
	pinned   map[string]bool   // issues that stay open
	reopened map[string]int    // how often, by item
	closed   map[string]bool   // items that were closed at least once
	next     map[string]int    // position of the next comment, by item
	// before is the generation of the item's record when it was reopened.
	before map[string]int
	// certain holds the items past their first sight: every new comment on them
	// belongs to a session.
	certain map[string]bool

	// delivered holds the comments that a handler has accepted. The ledger fills it.
	delivered map[string]bool

	deeds map[string]int // how often each deed was done
	moot  int            // comments that were no longer due when their item ended
}

func newPeople(s *stage, rng *rand.Rand) *people {
	p := &people{
		rng: rng, stage: s,
		world: &endurance.World{
			Seed: rng.Uint64(), Login: operator, Repos: []string{"octo/a", "octo/b"},
		},
		comments: map[string]*said{}, adopted: map[string]bool{}, feeds: map[string]string{}, pinned: map[string]bool{},
		reopened: map[string]int{}, closed: map[string]bool{}, next: map[string]int{}, before: map[string]int{}, certain: map[string]bool{},
		delivered: map[string]bool{}, deeds: map[string]int{},
	}
	for _, repo := range p.world.Repos {
		p.pinned[p.world.Add(endurance.Item{Repo: repo, Kind: endurance.Issue, Author: operator}).Ref()] = true
		p.world.Add(endurance.Item{Repo: repo, Kind: endurance.Pull, Author: operator})
	}
	return p
}

// unrest returns the world's unrest between two rests.
func unrest() endurance.Unrest {
	return endurance.Unrest{Fault: 0.03, Fail: 0.1, Defer: 0.05, Slow: 0.3, MostSlow: 6}
}

func (p *people) save() { p.stage.check(p.world.Save(p.stage.world)) }

// act does one random deed.
func (p *people) act() {
	what := pick(p.rng,
		choice[string]{55, "comment"}, choice[string]{10, "new item"}, choice[string]{9, "closing"},
		choice[string]{7, "reopening"}, choice[string]{5, "label"}, choice[string]{7, "lag"})
	deed := map[string]func() bool{
		"comment": p.comment, "new item": p.create, "closing": p.close,
		"reopening": p.reopen, "label": p.label, "lag": p.lag,
	}[what]
	if deed() {
		p.deeds[what]++
		p.save()
	}
}

// one returns a random item that fits, or nil.
func (p *people) one(fits func(*endurance.Item) bool) *endurance.Item {
	var list []*endurance.Item
	for _, i := range p.world.Items {
		if fits(i) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[p.rng.IntN(len(list))]
}

func open(i *endurance.Item) bool   { return i.Open }
func closed(i *endurance.Item) bool { return !i.Open }

// starts reports whether the item gets its own session: an authorized user wrote or
// adopted it, and it feeds no other session.
func (p *people) starts(i *endurance.Item) bool {
	return p.feeds[i.Ref()] == "" && (i.Author != stranger || p.adopted[i.Ref()])
}

func (p *people) comment() bool {
	i := p.one(open)
	author := pick(p.rng, choice[string]{5, operator}, choice[string]{3, friend}, choice[string]{2, stranger})
	body := "please look at this"
	command := false
	marked := author == operator && p.rng.IntN(5) == 0
	switch {
	case marked:
		body += "\n" + session.CommentMarker
	// An adoption would beat the links of a pull request that feeds a session, from the
	// cycle that reads it on. No test could then know the session of each comment.
	case author != stranger && i.Author == stranger && p.feeds[i.Ref()] == "" && p.rng.IntN(4) == 0:
		body = "the-loop start\nit is a good one"
		command = true
		p.adopted[i.Ref()] = true
	}
	p.observe(i)
	comments := make([]endurance.Comment, 1+p.rng.IntN(4)/3)
	for n := range comments {
		c := endurance.Comment{ID: fmt.Sprintf("C_%d", len(p.comments)), Author: author, Body: body}
		if i.Kind == endurance.Pull && len(comments) == 1 {
			c.Surface = pick(p.rng, choice[string]{2, endurance.Conversation},
				choice[string]{1, endurance.Review}, choice[string]{1, endurance.Inline})
		}
		comments[n] = c
		trusted := author != stranger && !marked && !command
		p.comments[c.ID] = &said{
			item: i.Ref(), position: p.next[i.Ref()], trusted: trusted, due: trusted && p.certain[i.Ref()],
		}
		p.next[i.Ref()]++
	}
	p.world.Say(i, comments...)
	return true
}

func (p *people) create() bool {
	count := 0
	for _, i := range p.world.Items {
		if i.Open {
			count++
		}
	}
	if count >= mostOpen {
		return false
	}
	item := endurance.Item{
		Repo:   p.world.Repos[p.rng.IntN(len(p.world.Repos))],
		Kind:   pick(p.rng, choice[endurance.Kind]{2, endurance.Issue}, choice[endurance.Kind]{1, endurance.Pull}),
		Author: pick(p.rng, choice[string]{4, operator}, choice[string]{1, stranger}),
	}
	issue := p.one(func(i *endurance.Item) bool {
		p.observe(i)
		return p.pinned[i.Ref()] && i.Repo == item.Repo && p.certain[i.Ref()]
	})
	if item.Kind == endurance.Pull && issue != nil && p.rng.IntN(3) == 0 {
		item.Closes = issue.Number
	}
	added := p.world.Add(item)
	if item.Closes != 0 {
		p.feeds[added.Ref()] = issue.Ref()
	}
	if p.rng.IntN(5) == 0 {
		added.Stale = &endurance.Shown{}
	}
	return true
}

func (p *people) close() bool {
	i := p.one(func(i *endurance.Item) bool { return i.Open && !p.pinned[i.Ref()] })
	if i == nil {
		return false
	}
	p.end(i)
	return true
}

func (p *people) end(i *endurance.Item) {
	ref := i.Ref()
	if p.feeds[ref] == "" { // the session that it feeds lives on
		delete(p.certain, ref)
		for id, c := range p.comments {
			if c.item == ref && c.due && !p.delivered[id] {
				c.due = false
				p.moot++
			}
		}
	}
	p.closed[ref] = true
	p.world.SetOpen(i, false)
}

func (p *people) reopen() bool {
	i := p.one(closed)
	if i == nil {
		return false
	}
	p.before[i.Ref()] = p.record(i).Generation
	p.reopened[i.Ref()]++
	p.world.SetOpen(i, true)
	return true
}

// label removes an item's label or adds it again.
func (p *people) label() bool {
	i := p.one(open)
	p.world.SetLabelled(i, !i.Labelled)
	return true
}

// lag makes the search index fall behind, lose an open item, show a closed one as open,
// or catch up.
func (p *people) lag() bool {
	i := p.world.Items[p.rng.IntN(len(p.world.Items))]
	switch n := p.rng.IntN(3); {
	case i.Stale != nil:
		i.CatchUp()
	case n == 0:
		i.Lag()
	default:
		i.Stale = &endurance.Shown{Open: !i.Open, Labelled: true, UpdatedAt: i.UpdatedAt}
	}
	return true
}

// record returns the item's record on disk, or a blank one.
func (p *people) record(i *endurance.Item) session.Record {
	rec, err := session.ReadOne(p.stage.state, i.Ref())
	if err != nil {
		return session.Record{}
	}
	return rec
}

// observe checks, possibly beside a running daemon, whether the item's record proves
// that first sight is over. For an item that was never closed, any record of a session
// proves it; for a reopened one, only the record of a later session than before.
func (p *people) observe(i *endurance.Item) {
	ref := i.Ref()
	if p.certain[ref] || !i.Open {
		return
	}
	rec := p.record(i)
	switch {
	case p.feeds[ref] != "":
		p.certain[ref] = rec.Fed
	case p.closed[ref] && rec.Generation <= p.before[ref]:
	default:
		p.certain[ref] = rec.State == session.StateActive ||
			rec.State == session.StateNone && rec.HasPending(session.EventSpawn)
	}
}

// certify does the same while no daemon runs. Then an active session of an open item is
// proof, since no pending answer can contradict it.
func (p *people) certify() {
	for _, i := range p.world.Items {
		p.observe(i)
		if ref := i.Ref(); i.Open && p.feeds[ref] == "" && p.record(i).State == session.StateActive {
			p.certain[ref] = true
		}
	}
}

// rest ends the unrest: it updates the index, labels every open item and reopens the
// items that feed a session.
func (p *people) rest() {
	p.world.Unrest = endurance.Unrest{}
	for _, i := range p.world.Items {
		i.CatchUp()
		if !i.Open && p.feeds[i.Ref()] != "" {
			p.world.SetOpen(i, true)
		}
		if i.Open && !i.Labelled {
			p.world.SetLabelled(i, true)
		}
	}
	p.save()
}

// retire removes finished things so that the world stays small: closed items, except for
// a few that feed a session, and long threads. The world is at rest, so the daemon has no
// more questions about them.
func (p *people) retire() {
	feeding := 0
	p.world.Items = slices.DeleteFunc(p.world.Items, func(i *endurance.Item) bool {
		if p.feeds[i.Ref()] != "" {
			feeding++
			return feeding > 2
		}
		return !i.Open
	})
	for _, i := range p.world.Items {
		i.Comments = i.Comments[max(0, len(i.Comments)-50):]
	}
	p.save()
}
