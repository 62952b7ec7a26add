package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/timetext"
)

// recordVersion is the newest format that this program knows. It does not touch a file
// with a higher number.
const recordVersion = 3

// formatOf returns the oldest format with the state, so that a program that does not
// know the state leaves the record alone instead of setting it aside.
func formatOf(s State) int {
	switch s {
	case StatePaused, StateStopped:
		return 3
	case StateQueued:
		return 2
	}
	return 1
}

// State is the state of an item's session.
type State string

// The states of a session.
const (
	StateNone    State = "none"    // no session has started yet
	StateQueued  State = "queued"  // waits for room
	StateActive  State = "active"  // its spawn was delivered
	StatePaused  State = "paused"  // a person paused it; comments wait
	StateClosing State = "closing" // the session ends, its close is not delivered yet
	StateStopped State = "stopped" // over, though the item is open: nothing starts until a person asks
	StateClosed  State = "closed"  // over
	StateGaveUp  State = "gave-up" // its spawn was given up
)

func (s State) known() bool {
	switch s {
	case StateNone, StateQueued, StateActive, StatePaused, StateClosing, StateStopped, StateClosed, StateGaveUp:
		return true
	}
	return false
}

// Record is the memory of one work item. Times are in UTC; the zero time means never.
type Record struct {
	Version int      `json:"version"`
	Ref     string   `json:"ref"`            // set by the store
	Kind    ref.Kind `json:"kind,omitempty"` // "" until listed
	// Item is set by the store. The caller may spell its owner and name in GitHub's
	// case.
	ref.Item
	Title  string `json:"title,omitempty"` // possibly a stranger's text: print it with care
	URL    string `json:"url,omitempty"`
	Author string `json:"author,omitempty"`

	// Session is the session's name, which [Name] computes. The file has it for
	// people to read.
	Session string    `json:"session"`
	State   State     `json:"state"`
	SinceAt time.Time `json:"since,omitzero"` // last change of State
	// Generation counts the item's earlier sessions: a reopened item gets another one.
	Generation int `json:"generation,omitempty"`
	// Source is the name of the source whose limit the session uses; "" if no limit was
	// set when it began.
	Source         string    `json:"source,omitempty"`
	AdoptedBy      string    `json:"adoptedBy,omitempty"`
	LastDeliveryAt time.Time `json:"lastDeliveryAt,omitzero"`
	// StartedAt is the time at which the present session's spawn was delivered.
	StartedAt time.Time `json:"startedAt,omitzero"`
	// GoneOnce is set if the alive handler's last answer was that the session is gone.
	// Losses are the times of the losses within [LossWindow]; Respawns counts all losses
	// since the item's session began.
	GoneOnce bool        `json:"goneOnce,omitempty"`
	Losses   []time.Time `json:"losses,omitempty"`
	Respawns int         `json:"respawns,omitempty"`
	// StoppedBy says who paused or stopped the session: a login, [ByHand] or [ByAge].
	// Restart is set if another session must follow the stopped one.
	StoppedBy string `json:"stoppedBy,omitempty"`
	Restart   bool   `json:"restart,omitempty"`

	// ReadTo is the updatedAt of the item when its comments were last read to the end;
	// Settle is set if the item changed in the previous cycle.
	ReadTo time.Time `json:"readTo,omitzero"`
	Settle bool      `json:"settle,omitempty"`
	// Fed is set on a pull request whose comments went to the session of an issue. It gets
	// a session of its own only if an authorized user adopts it.
	Fed bool `json:"fed,omitempty"`
	// Gone is set while the item of a live session answers that it is neither
	// open nor closed: "deleted" or "moved to OWNER/REPO#N".
	Gone string `json:"gone,omitempty"`
	// Unlisted is set while a given-up delivery of the item waits and no source lists the
	// item; Retry while a person has asked to try it again. Both wait until the item is
	// listed.
	Unlisted bool `json:"unlisted,omitempty"`
	Retry    bool `json:"retry,omitempty"`
	// UnauthorizedTold is set once the log has said that the item waits for an authorized
	// user.
	UnauthorizedTold bool `json:"unauthorizedTold,omitempty"`
	// NoHandler is set while the item has no session only because the configuration lacks
	// a spawn handler.
	NoHandler bool `json:"noHandler,omitempty"`

	// Unheard is set on a live session whose repository has too many pull requests
	// to list those without the label.
	Unheard bool `json:"unheard,omitempty"`

	// Recovered is set by the store on a record that replaces a lost one. The caller
	// clears it once it has made the present thread the baseline. RecoveredAt stays.
	Recovered   bool      `json:"recovered,omitempty"`
	RecoveredAt time.Time `json:"recoveredAt,omitzero"`

	// Followed is set on a pull request while a session gets its updates.
	Followed *Followed `json:"followed,omitempty"`

	Pending []Pending `json:"pending,omitempty"` // oldest first
	GaveUp  []GaveUp  `json:"gaveUp,omitempty"`  // oldest first
	// Seen holds the node ids of comments that need no delivery, in the order in which
	// they were seen; see [Record.MarkSeen].
	Seen []string `json:"seen,omitempty"`

	// Extra holds the keys of a later version of the program. They are written back
	// unchanged. Do not modify it.
	Extra map[string]json.RawMessage `json:"-"`
}

// The values of Record.StoppedBy that are no logins.
const (
	ByHand = "the command line"
	ByAge  = "maxSessionSeconds"
)

// Pending is a delivery that was begun and is not over.
type Pending struct {
	ID        string `json:"id"` // the delivery id, the same at each try
	Event     Event  `json:"event"`
	CommentID string `json:"commentId,omitempty"`
	// SessionRef is the ref of the item whose session gets it, "" for the record's own.
	SessionRef string `json:"sessionRef,omitempty"`
	// Closure is the state of the [InputClosure], for a close.
	Closure string `json:"closure,omitempty"`
	// Update is the content of an update, kept because GitHub could answer differently at
	// a retry.
	Update *InputUpdate `json:"update,omitempty"`

	// Order is set by the store. Of two deliveries to one session, in whichever records,
	// the one begun first has the lower Order.
	Order int `json:"order,omitempty"`

	Attempts      int       `json:"attempts"` // spent ones
	LastError     string    `json:"lastError,omitempty"`
	LastAttemptAt time.Time `json:"lastAttemptAt,omitzero"`
	// HeldSince is the time at which the delivery was first put off without spending an
	// attempt; zero if its last run was not put off.
	HeldSince time.Time `json:"heldSince,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // as in Record
}

// Deferred reports whether the delivery was tried and put off without spending an
// attempt.
func (p Pending) Deferred() bool { return p.Attempts == 0 && p.LastError != "" }

// GaveUp is a delivery that used up its attempts.
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

// newRecord returns the record of an unknown item.
func newRecord(item ref.Item) Record {
	return Record{
		Version: formatOf(StateNone), Ref: item.String(),
		Item:    item,
		Session: Name(item), State: StateNone,
	}
}

// recoveredRecord replaces a lost record. Its state is active, the only one from which
// nothing is spawned: new comments reach the session that most likely exists, and the
// closure question ends it. Generation is unknown; RecoveredAt keeps delivery ids
// unique.
func recoveredRecord(item ref.Item, now time.Time) Record {
	r := newRecord(item)
	r.State, r.SinceAt = StateActive, now
	r.Recovered, r.RecoveredAt = true, now
	return r
}

// shared returns the record for a reader. Its slices are the store's own; appending to
// one makes a copy.
func (r Record) shared() Record {
	r.Seen = slices.Clip(r.Seen)
	r.Pending = slices.Clip(r.Pending)
	r.GaveUp = slices.Clip(r.GaveUp)
	r.Losses = slices.Clip(r.Losses)
	return r
}

// clone returns a copy that shares nothing a caller may change.
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

// SetState changes the state and, if it is another one, sets SinceAt to now.
func (r *Record) SetState(s State, now time.Time) {
	if r.State != s {
		r.State, r.SinceAt = s, now.UTC()
	}
}

// SeenSet returns Seen as a set, for many questions.
func (r *Record) SeenSet() map[string]bool {
	set := make(map[string]bool, len(r.Seen))
	for _, id := range r.Seen {
		set[id] = true
	}
	return set
}

// HasSeen reports whether id was seen. For many questions use [Record.SeenSet].
func (r *Record) HasSeen(id string) bool { return slices.Contains(r.Seen, id) }

// MarkSeen adds ids that are not in Seen yet, in their order.
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

// PendingByID returns the pending delivery with that id, nil for none. The caller may
// change it in place.
func (r *Record) PendingByID(id string) *Pending {
	for i := range r.Pending {
		if r.Pending[i].ID == id {
			return &r.Pending[i]
		}
	}
	return nil
}

// RemovePending removes the pending delivery with that id and reports whether there was
// one.
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

// Live reports whether the item has a session: a started one, or one whose start is
// being delivered.
func (r *Record) Live() bool {
	return r.State == StateActive || r.State == StatePaused || r.State == StateNone && r.HasPending(EventSpawn)
}

// Over reports whether the item's last session has ended or is ending.
func (r *Record) Over() bool {
	return r.State == StateClosing || r.State == StateClosed || r.State == StateStopped
}

// DeliveryID returns the id for delivering an event, and for a comment its node id, to
// the item's present session. The id is computed, not random: each retry has the same
// one, even after the record of the first try was lost. It consists of lower-case
// letters, digits and dashes.
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

// Target returns the description of the session for a handler's environment and argv.
func (r *Record) Target() Target {
	return Target{
		Ref: r.Ref, Session: r.Session, Item: r.Item, Kind: r.Kind, URL: r.URL,
	}
}

// InputItem returns the item for a delivery about an unlisted item, as far as the record
// describes it: without labels, head ref, body and draft state.
func (r *Record) InputItem() InputItem {
	return InputItem{
		Kind: r.Kind, Item: r.Item, Title: r.Title, URL: r.URL, Author: r.Author,
	}
}

// belongsTo reports whether the record can be that of item, whatever the case of host,
// owner and repository.
func (r *Record) belongsTo(item ref.Item) bool {
	named, err := ref.New(r.Host, r.Owner, r.Name, r.Number)
	return err == nil && named == item && r.Host != "" && r.Ref == item.String() && r.Session == Name(item)
}
