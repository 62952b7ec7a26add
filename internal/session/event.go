package session

import (
	"time"

	"the-loop/internal/ref"
)

// CommentMarker, anywhere in a comment, says that a session wrote it: it is
// never handed to one. Handlers find it in THE_LOOP_COMMENT_MARKER.
const CommentMarker = "<!-- the-loop:agent-comment -->"

// Event is what a handler is run for.
type Event string

// The events, each with a handler of its own.
const (
	EventSpawn   Event = "spawn"
	EventComment Event = "comment"
	EventClose   Event = "close"
	EventUpdate  Event = "update"
)

// inputVersion is the version of the JSON on a handler's stdin. It changes
// when a key goes or changes its meaning, and not when one is added.
const inputVersion = 1

// Input is the JSON object on a handler's stdin. docs/handlers.md describes
// it, and a test compares the two.
type Input struct {
	Version    int    `json:"version"` // inputVersion
	Event      Event  `json:"event"`
	DeliveryID string `json:"deliveryId"`
	Attempt    int    `json:"attempt"` // 1 for the first try
	// Respawn is set for the spawn in place of a session that was lost.
	Respawn bool          `json:"respawn,omitempty"`
	Session InputSession  `json:"session"`
	Item    InputItem     `json:"item"`
	Comment *InputComment `json:"comment,omitempty"` // for a comment
	Closure *InputClosure `json:"closure,omitempty"` // for a close
	Update  *InputUpdate  `json:"update,omitempty"`  // for an update
}

// Target is the session that a delivery goes to, by its own item. None of it
// is text that a stranger wrote, so it may stand in argv and environment.
type Target struct {
	Ref     string
	Session string // the session's name
	Item    ref.Item
	Kind    ref.Kind
	URL     string
}

// InputSession is the session that the delivery goes to.
type InputSession struct {
	Name string `json:"name"`
	Ref  string `json:"ref"`
}

// InputItem is the item that the event is about. It is the session's own, or
// a pull request that feeds the session of an issue.
type InputItem struct {
	Kind ref.Kind `json:"kind"`
	ref.Item
	Title  string   `json:"title"`
	URL    string   `json:"url"`
	Author string   `json:"author"` // "" for a deleted account
	Labels []string `json:"labels"` // [] when there are none
	// HeadRef, Body and Draft are written for pull requests only, even when empty.
	HeadRef string `json:"-"`
	Body    string `json:"-"`
	Draft   bool   `json:"-"`
}

// MarshalJSON writes the keys that belong to the item's kind.
func (i InputItem) MarshalJSON() ([]byte, error) {
	type plain InputItem
	if i.Labels == nil {
		i.Labels = []string{}
	}
	if i.Kind != ref.PullRequest {
		return marshalPlain(plain(i))
	}
	return marshalPlain(struct {
		plain
		HeadRef string `json:"headRef"`
		Body    string `json:"body"`
		Draft   bool   `json:"draft"`
	}{plain(i), i.HeadRef, i.Body, i.Draft})
}

// InputComment is a comment, on whichever surface it was written.
type InputComment struct {
	ID        string    `json:"id"`      // GitHub's node id
	Surface   string    `json:"surface"` // "conversation", "review", "inline"
	Author    string    `json:"author"`
	Body      string    `json:"body"`
	URL       string    `json:"url"`
	CreatedAt time.Time `json:"createdAt"`
	// Path and Line are an inline comment's place. Line is 0, and left out,
	// when GitHub knows none.
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	// ReviewState is a review's, as GitHub spells it: "APPROVED", ….
	ReviewState string `json:"reviewState,omitempty"`
}

// InputClosure is why the session ends.
type InputClosure struct {
	State string `json:"state"` // one of the Closure constants
}

// The states of a closure. With the first two the item has ended; with the
// others it is open.
const (
	ClosureClosed     = "closed"
	ClosureMerged     = "merged"
	ClosureStopped    = "stopped"    // a person stopped the session
	ClosureUnlabelled = "unlabelled" // its label was taken off
	ClosureExpired    = "expired"    // the session reached its greatest age
)

// StateAfter is the state of a session whose close is over. Of an item that is
// open, a stopped session must not be taken for one that can begin again.
func StateAfter(closure string) State {
	if closure == ClosureStopped || closure == ClosureExpired {
		return StateStopped
	}
	return StateClosed
}

// Encode is the document as a handler gets it, in one line. It sets the version.
func (in Input) Encode() ([]byte, error) {
	in.Version = inputVersion
	if in.Comment != nil {
		c := *in.Comment
		c.CreatedAt = c.CreatedAt.UTC()
		in.Comment = &c
	}
	data, err := marshalPlain(in)
	return append(data, '\n'), err
}
