package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/timetext"
)

// recordVersion is the newest format that this program knows. A file with a
// higher number is another program's and is not touched.
const recordVersion = 3

// formatOf returns the oldest format that knows the state: a program that does
// not know a state must leave the record alone and not set it aside.
func formatOf(s State) int {
	switch s {
	case StatePaused, StateStopped:
		return 3
	case StateQueued:
		return 2
	}
	return 1
}

// State is where an item's session stands.
type State string

// The states of a session.
const (
	StateNone    State = "none"    // no session was started yet
	StateQueued  State = "queued"  // waits for room
	StateActive  State = "active"  // its spawn was delivered
	StatePaused  State = "paused"  // a person paused it: comments are kept for later
	StateClosing State = "closing" // the session ends, the close is not delivered yet
	StateStopped State = "stopped" // over, though the item is open: nothing starts until a person asks
	StateClosed  State = "closed"  // over
	StateGaveUp  State = "gave-up" // its spawn failed as often as it may
)

func (s State) known() bool {
	switch s {
	case StateNone, StateQueued, StateActive, StatePaused, StateClosing, StateStopped, StateClosed, StateGaveUp:
		return true
	}
	return false
}

// Record is all that is remembered of one work item. Times are in UTC; the
// zero time means never.
type Record struct {
	Version int      `json:"version"`
	Ref     string   `json:"ref"`            // set by the store
	Kind    ref.Kind `json:"kind,omitempty"` // "" until listed
	// Item is set by the store. The caller may spell its owner and name in GitHub's
	// case.
	ref.Item
	Title  string `json:"title,omitempty"` // a stranger's text, to be shown with care
	URL    string `json:"url,omitempty"`
	Author string `json:"author,omitempty"`

	// Session is the session's name, which [Name] computes. The file has it for
	// people to read.
	Session string    `json:"session"`
	State   State     `json:"state"`
	SinceAt time.Time `json:"since,omitzero"` // when State became what it is
	// Generation counts the sessions that the item has had: a reopened item
	// gets another one.
	Generation int `json:"generation,omitempty"`
	// Source is the name of the source whose limit the session counts against;
	// "" where no limit was set when it began.
	Source         string    `json:"source,omitempty"`
	AdoptedBy      string    `json:"adoptedBy,omitempty"`
	LastDeliveryAt time.Time `json:"lastDeliveryAt,omitzero"`
	// StartedAt is when the present session's spawn was delivered.
	StartedAt time.Time `json:"startedAt,omitzero"`
	// GoneOnce is set while the alive handler's last answer was that the session is
	// gone. Losses are when the session was lost, within [LossWindow]; Respawns
	// counts the losses since the item's session began.
	GoneOnce bool        `json:"goneOnce,omitempty"`
	Losses   []time.Time `json:"losses,omitempty"`
	Respawns int         `json:"respawns,omitempty"`
	// StoppedBy names who paused or stopped the session: a login, [ByHand] or
	// [ByAge]. Restart is set while a stopped session is to be followed by another.
	StoppedBy string `json:"stoppedBy,omitempty"`
	Restart   bool   `json:"restart,omitempty"`

	// ReadTo is the item's updatedAt up to which its comments were read to
	// the end; Settle is set when the item changed in the previous cycle.
	ReadTo time.Time `json:"readTo,omitzero"`
	Settle bool      `json:"settle,omitempty"`
	// Fed is set on a pull request whose comments went to the session of an
	// issue: it gets none of its own unless somebody adopts it.
	Fed bool `json:"fed,omitempty"`
	// Gone is set while the item of a live session answers that it is neither
	// open nor closed: "deleted" or "moved to OWNER/REPO#N".
	Gone string `json:"gone,omitempty"`
	// Unlisted is set while something was given up for the item and no source
	// lists it; Retry while somebody has asked to try that again. Both wait for
	// the item to be listed.
	Unlisted bool `json:"unlisted,omitempty"`
	Retry    bool `json:"retry,omitempty"`
	// UnauthorizedTold is set once it was said that nobody who may do so has
	// started the item.
	UnauthorizedTold bool `json:"unauthorizedTold,omitempty"`
	// NoHandler is set while the item would have a session but for the spawn
	// handler, which the configuration lacks.
	NoHandler bool `json:"noHandler,omitempty"`

	// Unheard is set on a live session whose repository has too many pull requests
	// to list those without the label.
	Unheard bool `json:"unheard,omitempty"`

	// Recovered is set by the store on the record that takes the place of a
	// lost one, and taken back by the caller once it has made the present
	// thread the baseline. RecoveredAt stays.
	Recovered   bool      `json:"recovered,omitempty"`
	RecoveredAt time.Time `json:"recoveredAt,omitzero"`

	// Followed is set on a pull request while a session gets its updates.
	Followed *Followed `json:"followed,omitempty"`

	Pending []Pending `json:"pending,omitempty"` // oldest first
	GaveUp  []GaveUp  `json:"gaveUp,omitempty"`  // oldest first
	// Seen holds the node ids of the comments that need no delivery any more,
	// in the order of being seen; see [Record.MarkSeen].
	Seen []string `json:"seen,omitempty"`

	// Extra holds the keys that this program does not know, written by a
	// later one: they are written back unchanged. Read it only.
	Extra map[string]json.RawMessage `json:"-"`
}

// The values of Record.StoppedBy that are no login.
const (
	ByHand = "the command line"
	ByAge  = "maxSessionSeconds"
)

// Pending is a delivery that was begun and is not over: handed over, to be
// tried again, or both.
type Pending struct {
	ID        string `json:"id"` // the delivery id, the same at each try
	Event     Event  `json:"event"`
	CommentID string `json:"commentId,omitempty"`
	// SessionRef is the ref of the item whose session it goes to, "" for the
	// record's own.
	SessionRef string `json:"sessionRef,omitempty"`
	// Closure is the state of the [InputClosure], for a close.
	Closure string `json:"closure,omitempty"`
	// Update is what an update says: GitHub may say something else at a retry.
	Update *InputUpdate `json:"update,omitempty"`

	// Order is set by the store: of two deliveries to one session, whichever
	// records note them, the one that was begun first has the lower one.
	Order int `json:"order,omitempty"`

	Attempts      int       `json:"attempts"` // spent ones
	LastError     string    `json:"lastError,omitempty"`
	LastAttemptAt time.Time `json:"lastAttemptAt,omitzero"`
	// HeldSince is when the delivery was first put off without an attempt being
	// spent; zero when its last run was not.
	HeldSince time.Time `json:"heldSince,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // as in Record
}

// Deferred reports whether the delivery was tried and put off, and no attempt
// of it spent.
func (p Pending) Deferred() bool { return p.Attempts == 0 && p.LastError != "" }

// GaveUp is a delivery that failed as often as it may.
type GaveUp struct {
	DeliveryID string       `json:"deliveryId"`
	Event      Event        `json:"event"`
	CommentID  string       `json:"commentId,omitempty"`
	SessionRef string       `json:"sessionRef,omitempty"`
	Closure    string       `json:"closure,omitempty"`
	Update     *InputUpdate `json:"update,omitempty"`
	Program    string       `json:"program"` // the version of the program that gave up
	At         time.Time    `json:"at,omitzero"`
	Error      string       `json:"error,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // as in Record
}

// newRecord is the record of an item that nothing is known of yet.
func newRecord(item ref.Item) Record {
	return Record{
		Version: formatOf(StateNone), Ref: item.String(),
		Item:    item,
		Session: Name(item), State: StateNone,
	}
}

// recoveredRecord takes the place of a lost one. Its state is active because
// that is the only one from which nothing is spawned: comments that come from
// now on reach the session that most likely exists, and the closure question
// ends it. Generation cannot be known; RecoveredAt keeps delivery ids apart.
func recoveredRecord(item ref.Item, now time.Time) Record {
	r := newRecord(item)
	r.State, r.SinceAt = StateActive, now
	r.Recovered, r.RecoveredAt = true, now
	return r
}

// shared is the record for a reader: its slices are the store's own, and an
// append to one of them makes another.
func (r Record) shared() Record {
	r.Seen = slices.Clip(r.Seen)
	r.Pending = slices.Clip(r.Pending)
	r.GaveUp = slices.Clip(r.GaveUp)
	r.Losses = slices.Clip(r.Losses)
	return r
}

// clone is a copy that shares nothing that a caller may change.
func (r Record) clone() Record {
	r.Seen = slices.Clone(r.Seen)
	r.Pending = slices.Clone(r.Pending)
	r.GaveUp = slices.Clone(r.GaveUp)
	r.Losses = slices.Clone(r.Losses)
	if r.Followed != nil {
		f := *r.Followed
		f.Checks = slices.Clone(f.Checks)
		r.Followed = &f
	}
	return r
}

// SetState changes the state, and SinceAt to now when it is another one.
func (r *Record) SetState(s State, now time.Time) {
	if r.State != s {
		r.State, r.SinceAt = s, now.UTC()
	}
}

// SeenSet is Seen for many questions.
func (r *Record) SeenSet() map[string]bool {
	set := make(map[string]bool, len(r.Seen))
	for _, id := range r.Seen {
		set[id] = true
	}
	return set
}

// HasSeen reports whether id was seen. For many questions take [Record.SeenSet].
func (r *Record) HasSeen(id string) bool { return slices.Contains(r.Seen, id) }

// MarkSeen adds the ids that are not in Seen yet, in their order.
func (r *Record) MarkSeen(ids ...string) {
	if len(ids) == 1 { // one comment delivered: not worth a set
		if !r.HasSeen(ids[0]) {
			r.Seen = append(r.Seen, ids[0])
		}
		return
	}
	set := r.SeenSet()
	for _, id := range ids {
		if !set[id] {
			set[id] = true
			r.Seen = append(r.Seen, id)
		}
	}
}

// PendingByID is the pending delivery of that id, to be changed in place, and
// nil when there is none.
func (r *Record) PendingByID(id string) *Pending {
	for i := range r.Pending {
		if r.Pending[i].ID == id {
			return &r.Pending[i]
		}
	}
	return nil
}

// RemovePending forgets the pending delivery of that id, and reports whether
// there was one.
func (r *Record) RemovePending(id string) bool {
	n := len(r.Pending)
	r.Pending = slices.DeleteFunc(r.Pending, func(p Pending) bool { return p.ID == id })
	return len(r.Pending) < n
}

// HasPending reports whether a delivery of that event is pending.
func (r *Record) HasPending(e Event) bool {
	return slices.ContainsFunc(r.Pending, func(p Pending) bool { return p.Event == e })
}

// Standing reports whether something about the item waits for a person.
func (r *Record) Standing() bool {
	held := func(p Pending) bool { return !p.HeldSince.IsZero() }
	return r.NoHandler || r.Lost() || r.Gone != "" || r.State == StatePaused || r.State == StateStopped || len(r.GaveUp) > 0 || slices.ContainsFunc(r.Pending, held)
}

// Live reports whether the item has a session: one that was started, or one
// whose start is being delivered.
func (r *Record) Live() bool {
	return r.State == StateActive || r.State == StatePaused || r.State == StateNone && r.HasPending(EventSpawn)
}

// Over reports whether the item's last session has ended or is being ended.
func (r *Record) Over() bool {
	return r.State == StateClosing || r.State == StateClosed || r.State == StateStopped
}

// DeliveryID is the id of the delivery of an event, and of a comment's node id
// for a comment, to this item's present session. It is computed and not drawn,
// so that it is the same at each retry even where the record of the first try
// was lost, and it holds lower-case letters, digits and dashes only.
func (r *Record) DeliveryID(e Event, commentID string) string {
	lost := ""
	if !r.RecoveredAt.IsZero() {
		lost = timetext.UTC(r.RecoveredAt)
	}
	if e == EventSpawn && r.Respawns > 0 {
		commentID = "respawn " + strconv.Itoa(r.Respawns)
	}
	return string(e) + "-" + hashed(26, r.Ref, strconv.Itoa(r.Generation), lost, string(e), commentID)
}

// Target is the item as the session's own: what a handler's environment and
// argv name.
func (r *Record) Target() Target {
	return Target{
		Ref: r.Ref, Session: r.Session, Item: r.Item, Kind: r.Kind, URL: r.URL,
	}
}

// InputItem is the item as far as the record knows it, for a delivery about an item
// that is not listed: labels, head ref and body are not kept.
func (r *Record) InputItem() InputItem {
	return InputItem{
		Kind: r.Kind, Item: r.Item, Title: r.Title, URL: r.URL, Author: r.Author,
	}
}

// belongsTo reports whether the record can be the one of item: host, owner and
// repository in any case.
func (r *Record) belongsTo(item ref.Item) bool {
	named, err := ref.New(r.Host, r.Owner, r.Name, r.Number)
	return err == nil && named == item && r.Host != "" && r.Ref == item.String() && r.Session == Name(item)
}
