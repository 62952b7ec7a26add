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
	Respawn bool // a spawn that replaces a lost session
	// Handler is the argv. An empty one succeeds at once without starting a process.
	Handler argvtemplate.Template
	// Item, Comment, Closure and Update complete the JSON on the handler's stdin.
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

// argv is the handler's command line with its placeholders filled in.
func (d Delivery) argv(stateRoot string) []string {
	return d.Handler.Render(argvtemplate.Fields{
		Event: string(d.Event), Session: d.Target.Session, Ref: d.Target.Ref,
		Host: d.Target.Item.Host, Owner: d.Target.Item.Owner, Repo: d.Target.Item.Name,
		Number: strconv.Itoa(d.Target.Item.Number), Kind: string(d.Target.Kind), URL: d.Target.URL,
		DeliveryID: d.ID, StateRoot: stateRoot,
	})
}

// environ is base plus the delivery's own variables. It leaves out those with which
// the daemon talks to its service manager.
func (d Delivery) environ(base []string, stateRoot string) []string {
	env := slices.DeleteFunc(slices.Clone(base), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		name = strings.ToUpper(name) // Windows ignores case, and no other use of these names is known
		return name == "NOTIFY_SOCKET" || strings.HasPrefix(name, "WATCHDOG_")
	})
	return append(env, d.variables(stateRoot)...) // the last of equal names wins
}

func (d Delivery) variables(stateRoot string) []string {
	return []string{
		"THE_LOOP_EVENT=" + string(d.Event),
		"THE_LOOP_DELIVERY_ID=" + d.ID,
		"THE_LOOP_SESSION=" + d.Target.Session,
		"THE_LOOP_REF=" + d.Target.Ref,
		"THE_LOOP_HOST=" + d.Target.Item.Host,
		"THE_LOOP_OWNER=" + d.Target.Item.Owner,
		"THE_LOOP_REPO=" + d.Target.Item.Name,
		"THE_LOOP_NUMBER=" + strconv.Itoa(d.Target.Item.Number),
		"THE_LOOP_KIND=" + string(d.Target.Kind),
		"THE_LOOP_URL=" + d.Target.URL,
		"THE_LOOP_STATE_ROOT=" + stateRoot,
		"THE_LOOP_COMMENT_MARKER=" + session.CommentMarker,
	}
}

// Outcome says how a delivery ended.
type Outcome string

// The outcomes. Only Failed spends an attempt.
const (
	// Delivered: the handler exited 0, or none is configured.
	Delivered Outcome = "delivered"
	// Deferred: the handler exited 75 to be tried again later, or the system had no
	// resources to start a process.
	Deferred Outcome = "deferred"
	// Failed: any other exit, the timeout, or a handler that could not be started.
	Failed Outcome = "failed"
	// Interrupted: the shutdown ended the handler.
	Interrupted Outcome = "interrupted"
	// Dropped: never started, because the dispatcher stopped.
	Dropped Outcome = "dropped"
	// Unwanted: Prepare answered Never.
	Unwanted Outcome = "unwanted"
)

// Result is the end of one delivery.
type Result struct {
	Delivery Delivery
	Outcome  Outcome
	// Reason says in one line why the delivery failed, "" if it did not. It ends with
	// the handler's last line of output, safe to print, and the path of its log.
	Reason string
	// StartedAt is the handler's start in UTC, zero if it never started.
	StartedAt time.Time
	Duration  time.Duration
}
