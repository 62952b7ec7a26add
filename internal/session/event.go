package session

import (
	"time"

	"the-loop/internal/ref"
)

// CommentMarker, anywhere in a comment except in a quoted line, says that a session
// wrote it. Such a comment reaches no session. Handlers find the marker in
// THE_LOOP_COMMENT_MARKER.
const CommentMarker = "<!-- the-loop:agent-comment -->"

// Event is the reason to run a handler.
type Event string

// The events, each with a handler of its own.
const (
	EventSpawn   Event = "spawn"
	EventComment Event = "comment"
	EventClose   Event = "close"
	EventUpdate  Event = "update"
)

// inputVersion is the version of the JSON on a handler's stdin. It changes when a key is
// removed or changes its meaning, not when one is added.
const inputVersion = 1

// Input is the JSON object on a handler's stdin. docs/handlers.md describes
// it, and a test compares the two.
type Input struct {
	Version    int    `json:"version"` // inputVersion
	Event      Event  `json:"event"`
	DeliveryID string `json:"deliveryId"`
	Attempt    int    `json:"attempt"` // 1 for the first try
	// Respawn is set for the spawn that replaces a lost session.
	Respawn bool          `json:"respawn,omitempty"`
	Session InputSession  `json:"session"`
	Item    InputItem     `json:"item"`
	Comment *InputComment `json:"comment,omitempty"` // for a comment
	Closure *InputClosure `json:"closure,omitempty"` // for a close
	Update  *InputUpdate  `json:"update,omitempty"`  // for an update
}

// Target is the session of a delivery, described by its own item. It holds no text of
// strangers, so it may stand in argv and environment.
type Target struct {
	Ref     string
	Session string // the session's name
	Item    ref.Item
	Kind    ref.Kind
	URL     string
}

// InputSession is the session of the delivery.
type InputSession struct {
	Name string `json:"name"`
	Ref  string `json:"ref"`
}

// InputItem is the item of the event: the session's own, or a pull request that feeds
// the session of an issue.
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

// InputComment is a comment on any surface.
type InputComment struct {
	ID        string    `json:"id"`      // GitHub's node id
	Surface   string    `json:"surface"` // "conversation", "review", "inline"
	Author    string    `json:"author"`
	Body      string    `json:"body"`
	URL       string    `json:"url"`
	CreatedAt time.Time `json:"createdAt"`
	// Path and Line are the place of an inline comment. Line is left out if GitHub knows
	// none.
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	// ReviewState is the state of a review in GitHub's spelling: "APPROVED", ….
	ReviewState string `json:"reviewState,omitempty"`
}

// InputClosure is the reason for the session's end.
type InputClosure struct {
	State string `json:"state"` // one of the Closure constants
}

// The states of a closure. In the first two the item has ended, in the others it is
// still open.
const (
	ClosureClosed     = "closed"
	ClosureMerged     = "merged"
	ClosureStopped    = "stopped"    // a person stopped the session
	ClosureUnlabelled = "unlabelled" // its label was taken off
	ClosureExpired    = "expired"    // the session reached the maximum age
)

// StateAfter returns the state of a session after its close. A stopped or expired
// session of an open item must not start again by itself.
func StateAfter(closure string) State {
	if closure == ClosureStopped || closure == ClosureExpired {
		return StateStopped
	}
	return StateClosed
}

// Encode returns the document for a handler, in one line. It sets the version.
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
