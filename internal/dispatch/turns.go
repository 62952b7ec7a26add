package dispatch

import (
	"slices"
	"strings"

	"the-loop/internal/session"
)

// queue is what one session has to do.
type queue struct {
	session string
	repo    string // whose turn it takes
	waiting []Delivery
	running string // the id of the delivery that runs, or whose result is being told
	held    bool   // the first that waits has to be tried again, after a Resume
}

func newQueue(t session.Target) *queue {
	repo, _, _ := strings.Cut(t.Ref, "#")
	return &queue{session: t.Session, repo: repo}
}

// turns says who is next. A slot goes to the repository that has the fewest;
// among equals to the one whose last turn is the longest ago, and in it to the
// session that has waited the longest.
//
// Handlers may hang for as long as their timeout. So a repository that has a slot
// never takes the last free one while others have none: those would wait for as
// long. The price is one slot that stays free while only one repository of
// several has something to do.
type turns struct {
	max          int // slots
	repositories int // that can have sessions

	queues  []*queue       // that could start, the one that has waited the longest first
	running int            // taken slots
	slots   map[string]int // taken ones by repository
	last    map[string]int // the number of each repository's last turn
	turn    int
}

func newTurns(slots, repositories int) turns {
	return turns{max: slots, repositories: repositories, slots: map[string]int{}, last: map[string]int{}}
}

func (t *turns) ready(q *queue) { t.queues = append(t.queues, q) }

func (t *turns) clear() { t.queues = nil }

// next takes a slot for the queue that is next, nil when none may start.
func (t *turns) next() *queue {
	if t.running >= t.max {
		return nil
	}
	best := -1
	for i, q := range t.queues {
		if t.mayStart(q.repo) && (best < 0 || t.before(q.repo, t.queues[best].repo)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	q := t.queues[best]
	t.queues = slices.Delete(t.queues, best, best+1)
	t.turn++
	t.last[q.repo] = t.turn
	t.slots[q.repo]++
	t.running++
	return q
}

func (t *turns) mayStart(repo string) bool {
	free := t.max - t.running
	return free > 1 || free == 1 && (t.slots[repo] == 0 || len(t.slots) >= t.repositories)
}

func (t *turns) before(a, b string) bool {
	if t.slots[a] != t.slots[b] {
		return t.slots[a] < t.slots[b]
	}
	return t.last[a] < t.last[b]
}

// ended gives the slot of a queue back.
func (t *turns) ended(q *queue) {
	t.running--
	if t.slots[q.repo]--; t.slots[q.repo] == 0 {
		delete(t.slots, q.repo)
	}
}
