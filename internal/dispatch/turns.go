package dispatch

import (
	"slices"
	"strings"

	"the-loop/internal/session"
)

// queue holds the deliveries of one session.
type queue struct {
	session string
	repo    string // whose turn it takes
	waiting []Delivery
	running string // id of the delivery that runs or whose result Done is handling
	held    bool   // the first waiting delivery is to be retried after a Resume
}

func newQueue(t session.Target) *queue {
	repo, _, _ := strings.Cut(t.Ref, "#")
	return &queue{session: t.Session, repo: repo}
}

// turns decides which session starts next. A free slot goes to the repository with
// the fewest slots; among equals, to the one whose last turn is longest ago; within
// it, to the session that has waited longest.
//
// Handlers may hang until their timeout. A repository that holds a slot therefore
// never takes the last free one while others hold none: they would have to wait
// that long. The price is one idle slot while only one of several repositories has
// work.
type turns struct {
	max          int // slots
	repositories int // number of those that can have sessions

	queues  []*queue       // ready to start, the longest wait first
	running int            // slots in use
	slots   map[string]int // slots in use by repository
	last    map[string]int // number of each repository's last turn
	turn    int
}

func newTurns(slots, repositories int) turns {
	return turns{max: slots, repositories: repositories, slots: map[string]int{}, last: map[string]int{}}
}

func (t *turns) ready(q *queue) { t.queues = append(t.queues, q) }

func (t *turns) clear() { t.queues = nil }

// next takes a slot for the next queue and returns it, nil if none may start.
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

// ended frees the slot of a queue.
func (t *turns) ended(q *queue) {
	t.running--
	if t.slots[q.repo]--; t.slots[q.repo] == 0 {
		delete(t.slots, q.repo)
	}
}
