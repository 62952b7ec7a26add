package eventlog

import "time"

// Delivery is one run of a handler, as the events about it name it.
type Delivery struct {
	Ref     string // the session's own item, unless the event says otherwise
	Session string
	Handler string // spawn, comment or close
	ID      string // the same at each retry
	Attempt int    // from 1
}

// ItemError is an item that could not be processed in this cycle.
func ItemError(ref, err string) Event {
	return event("poll.item_error", Error, field{"ref", ref}, field{"error", err})
}

// ItemSeen is an item that is seen for the first time while no spawn handler
// is configured; kind is issue or pull-request, author "" for a deleted account.
func ItemSeen(ref, kind, author string) Event {
	return event("poll.item_seen", Info, field{"ref", ref}, field{"kind", kind}, field{"author", author})
}

// Unauthorized is an item that nobody trusted has asked for; author is its
// own, "" for a deleted account.
func Unauthorized(ref, author string) Event {
	return event("poll.unauthorized", Info, field{"ref", ref}, field{"author", author})
}

// Adopted is an item that an authorized user's comment has asked for.
func Adopted(ref, author, commentID string) Event {
	return event("poll.adopted", Info,
		field{"ref", ref}, field{"author", author}, field{"comment_id", commentID})
}

// Command is a command for a session, in a comment or from the command line; by is
// the comment's author. One that is not accepted is a stranger's and changes
// nothing.
func Command(ref, command, by string, accepted bool) Event {
	return event("poll.command", Info,
		field{"ref", ref}, field{"command", command}, field{"by", by}, field{"accepted", accepted})
}

// Queued is an item that waits for room: as many sessions live as may.
func Queued(ref string) Event { return event("poll.queued", Info, field{"ref", ref}) }

// ClosureDetected is an active session whose item has ended; state is closed
// or merged.
func ClosureDetected(ref, session, state string) Event {
	return event("poll.closure_detected", Info,
		field{"ref", ref}, field{"session", session}, field{"state", state})
}

// ItemGone is a live session whose item is neither open nor closed; reason says
// where it went.
func ItemGone(ref, session, reason string) Event {
	return event("poll.item_gone", Warning,
		field{"ref", ref}, field{"session", session}, field{"reason", reason})
}

// CommentForwarded is a comment that a cycle handed over, retries included.
// The delivery's Ref is here the item that the comment stands on.
func CommentForwarded(d Delivery, commentID, author string) Event {
	return event("poll.comment_forwarded", Info,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"attempt", d.Attempt}, field{"comment_id", commentID}, field{"author", author})
}

// CommentFailed is a comment that was given up. The delivery's Ref is here the
// item that the comment stands on.
func CommentFailed(d Delivery, commentID, err string) Event {
	return event("poll.comment_failed", Error,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"comment_id", commentID}, field{"attempts", d.Attempt}, field{"error", err})
}

// SpawnFailed is a session whose start was given up.
func SpawnFailed(d Delivery, err string) Event {
	return givenUp("poll.spawn_failed", d, err)
}

// CloseFailed is a session whose close handler was given up; the session is
// closed all the same.
func CloseFailed(d Delivery, err string) Event {
	return givenUp("poll.close_failed", d, err)
}

func givenUp(name string, d Delivery, err string) Event {
	return event(name, Error,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"attempts", d.Attempt}, field{"error", err})
}

// Rearmed is a delivery that was given up and is tried again; reason says what
// armed it.
func Rearmed(ref, session, handler, reason string) Event {
	return event("poll.rearmed", Info,
		field{"ref", ref}, field{"session", session}, field{"handler", handler}, field{"reason", reason})
}

// DispatchQueued is a delivery that waits for its turn.
func DispatchQueued(d Delivery) Event { return dispatch("dispatch.queued", Info, d) }

// DispatchSucceeded is a handler that exited 0.
func DispatchSucceeded(d Delivery, took time.Duration) Event {
	return dispatch("dispatch.succeeded", Info, d, field{"duration_ms", took.Milliseconds()})
}

// DispatchFailed is a handler that failed or ran out of time: an attempt spent.
func DispatchFailed(d Delivery, took time.Duration, err string) Event {
	return dispatch("dispatch.failed", Warning, d,
		field{"duration_ms", took.Milliseconds()}, field{"error", err})
}

// DispatchDeferred is a handler that asked for the next cycle: no attempt spent.
func DispatchDeferred(d Delivery, took time.Duration) Event {
	return dispatch("dispatch.deferred", Info, d, field{"duration_ms", took.Milliseconds()})
}

// DispatchAbandoned is a delivery that ended without a result, for the reason
// given: put back by a stop, which spends no attempt, or not wanted any more.
func DispatchAbandoned(d Delivery, reason string) Event {
	return dispatch("dispatch.abandoned", Info, d, field{"reason", reason})
}

func dispatch(name string, level Level, d Delivery, more ...field) Event {
	fields := []field{
		{"ref", d.Ref}, {"session", d.Session}, {"handler", d.Handler},
		{"delivery_id", d.ID}, {"attempt", d.Attempt},
	}
	return event(name, level, append(fields, more...)...)
}

// NotifyFailed is a notice whose command failed.
func NotifyFailed(kind, subject, err string, willRetry bool) Event {
	return event("notify.failed", Warning, field{"kind", kind}, field{"subject", subject},
		field{"error", err}, field{"will_retry", willRetry})
}

// SessionSpawned is a session that its handler has started.
func SessionSpawned(ref, session, deliveryID string) Event {
	return event("session.spawned", Info,
		field{"ref", ref}, field{"session", session}, field{"delivery_id", deliveryID})
}

// SessionClosed is a session that has ended; state is its item's, closed or
// merged, or why it ended before that: stopped, unlabelled or expired.
func SessionClosed(ref, session, state string) Event {
	return event("session.closed", Info,
		field{"ref", ref}, field{"session", session}, field{"state", state})
}

// RecordCorrupt is a session's record that could not be read; movedTo is where
// it was put, "" when it could not be moved.
func RecordCorrupt(ref, path, movedTo, err string) Event {
	return event("session.record_corrupt", Warning,
		field{"ref", ref}, field{"path", path}, field{"moved_to", movedTo}, field{"error", err})
}
