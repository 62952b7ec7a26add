package dispatch

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/session"
)

// Delivery is one run of a handler for one event.
type Delivery struct {
	ID      string // the same at each retry
	Event   session.Event
	Attempt int // 1 for the first try
	Target  session.Target
	Respawn bool // a spawn in place of a session that was lost
	// Handler is the argv; an empty one succeeds at once and starts nothing.
	Handler argvtemplate.Template
	// Item, Comment, Closure and Update are what the handler reads on stdin, beside
	// the above.
	Item    session.InputItem
	Comment *session.InputComment // for a comment
	Closure *session.InputClosure // for a close
	Update  *session.InputUpdate  // for an update
}

// input is the JSON on the handler's stdin.
func (d Delivery) input() ([]byte, error) {
	return session.Input{
		Event: d.Event, DeliveryID: d.ID, Attempt: d.Attempt,
		Respawn: d.Respawn, Session: session.InputSession{Name: d.Target.Session, Ref: d.Target.Ref},
		Item: d.Item, Comment: d.Comment, Closure: d.Closure, Update: d.Update,
	}.Encode()
}

// argv is the handler's command line, filled in.
func (d Delivery) argv(stateRoot string) []string {
	return d.Handler.Render(argvtemplate.Fields{
		Event: string(d.Event), Session: d.Target.Session, Ref: d.Target.Ref,
		Host: d.Target.Host, Owner: d.Target.Owner, Repo: d.Target.Repo,
		Number: strconv.Itoa(d.Target.Number), Kind: d.Target.Kind, URL: d.Target.URL,
		DeliveryID: d.ID, StateRoot: stateRoot,
	})
}

// environ is base without what is the daemon's own business with its service
// manager, and with what the handler is told.
func (d Delivery) environ(base []string, stateRoot string) []string {
	env := slices.DeleteFunc(slices.Clone(base), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		name = strings.ToUpper(name) // Windows knows no case here, and nobody has another use for these
		return name == "NOTIFY_SOCKET" || strings.HasPrefix(name, "WATCHDOG_")
	})
	return append(env, d.variables(stateRoot)...) // the last of equal names counts
}

func (d Delivery) variables(stateRoot string) []string {
	return []string{
		"THE_LOOP_EVENT=" + string(d.Event),
		"THE_LOOP_DELIVERY_ID=" + d.ID,
		"THE_LOOP_SESSION=" + d.Target.Session,
		"THE_LOOP_REF=" + d.Target.Ref,
		"THE_LOOP_HOST=" + d.Target.Host,
		"THE_LOOP_OWNER=" + d.Target.Owner,
		"THE_LOOP_REPO=" + d.Target.Repo,
		"THE_LOOP_NUMBER=" + strconv.Itoa(d.Target.Number),
		"THE_LOOP_KIND=" + d.Target.Kind,
		"THE_LOOP_URL=" + d.Target.URL,
		"THE_LOOP_STATE_ROOT=" + stateRoot,
		"THE_LOOP_COMMENT_MARKER=" + session.CommentMarker,
	}
}

// Outcome is how a delivery ended.
type Outcome string

// The outcomes. Only Failed spends an attempt.
const (
	// Delivered: the handler exited with 0, or there is none.
	Delivered Outcome = "delivered"
	// Deferred: the handler asked with exit code 75 to be tried again later, or
	// the system could start no process just now.
	Deferred Outcome = "deferred"
	// Failed: any other exit, the timeout, or it could not be started.
	Failed Outcome = "failed"
	// Interrupted: ended by the shutdown.
	Interrupted Outcome = "interrupted"
	// Dropped: never started, since the dispatcher stops.
	Dropped Outcome = "dropped"
	// Unwanted: not to be made any more, as Prepare said.
	Unwanted Outcome = "unwanted"
)

// Result is what became of a delivery.
type Result struct {
	Delivery Delivery
	Outcome  Outcome
	// Reason is one line that says why it was not delivered, "" when it was. It
	// ends with the last line that the handler printed, fit to be shown, and the
	// log's path.
	Reason string
	// StartedAt is when the handler was started, in UTC; zero when it was not.
	StartedAt time.Time
	Duration  time.Duration
}
