package eventlog

import "time"

// Delivery is one run of a handler, as events name it.
type Delivery struct {
	Ref     string // the item of the session, unless the event says otherwise
	Session string
	Handler string // spawn, comment or close
	ID      string // the same for every attempt
	Attempt int    // from 1
}

// ItemError reports an item that could not be processed in this cycle.
func ItemError(ref, err string) Event {
	return event("poll.item_error", Error, field{"ref", ref}, field{"error", err})
}

// ItemSeen reports a new item that waits because no spawn handler is configured. kind
// is issue or pull-request; author is "" for a deleted account.
func ItemSeen(ref, kind, author string) Event {
	return event("poll.item_seen", Info, field{"ref", ref}, field{"kind", kind}, field{"author", author})
}

// Unauthorized reports an item that waits because no authorized user asked for it.
// author opened it, "" for a deleted account.
func Unauthorized(ref, author string) Event {
	return event("poll.unauthorized", Info, field{"ref", ref}, field{"author", author})
}

// Adopted reports an item that an authorized user's comment asked for.
func Adopted(ref, author, commentID string) Event {
	return event("poll.adopted", Info,
		field{"ref", ref}, field{"author", author}, field{"comment_id", commentID})
}

// Command reports a command for a session, from a comment or the command line; by is
// the author of the comment. A command that is not accepted came from an unauthorized
// user and changes nothing.
func Command(ref, command, by string, accepted bool) Event {
	return event("poll.command", Info,
		field{"ref", ref}, field{"command", command}, field{"by", by}, field{"accepted", accepted})
}

// Queued reports an item that waits because the limit of live sessions is reached.
func Queued(ref string) Event { return event("poll.queued", Info, field{"ref", ref}) }

// ClosureDetected reports an active session whose item has ended; state is closed or
// merged.
func ClosureDetected(ref, session, state string) Event {
	return event("poll.closure_detected", Info,
		field{"ref", ref}, field{"session", session}, field{"state", state})
}

// ItemGone reports a live session whose item is neither open nor closed; reason says
// where it went.
func ItemGone(ref, session, reason string) Event {
	return event("poll.item_gone", Warning,
		field{"ref", ref}, field{"session", session}, field{"reason", reason})
}

// CommentForwarded reports a comment that a cycle handed over, retries included. The
// Ref of d is the item of the comment.
func CommentForwarded(d Delivery, commentID, author string) Event {
	return event("poll.comment_forwarded", Info,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"attempt", d.Attempt}, field{"comment_id", commentID}, field{"author", author})
}

// CommentFailed reports a comment that was given up. The Ref of d is the item of the
// comment.
func CommentFailed(d Delivery, commentID, err string) Event {
	return event("poll.comment_failed", Error,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"comment_id", commentID}, field{"attempts", d.Attempt}, field{"error", err})
}

// UpdateForwarded reports news of a pull request that a cycle handed over, retries
// included; kind is checks, conflict, review or ended. The delivery's Ref is here
// the pull request.
func UpdateForwarded(d Delivery, kind string) Event {
	return event("poll.update_forwarded", Info,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"attempt", d.Attempt}, field{"kind", kind})
}

// UpdateFailed reports news of a pull request that was given up. The delivery's Ref is
// here the pull request.
func UpdateFailed(d Delivery, kind, err string) Event {
	return event("poll.update_failed", Error,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"kind", kind}, field{"attempts", d.Attempt}, field{"error", err})
}

// SpawnFailed reports a session whose start was given up.
func SpawnFailed(d Delivery, err string) Event {
	return givenUp("poll.spawn_failed", d, err)
}

// CloseFailed reports a session whose close handler was given up. The session counts
// as closed.
func CloseFailed(d Delivery, err string) Event {
	return givenUp("poll.close_failed", d, err)
}

func givenUp(name string, d Delivery, err string) Event {
	return event(name, Error,
		field{"ref", d.Ref}, field{"session", d.Session}, field{"delivery_id", d.ID},
		field{"attempts", d.Attempt}, field{"error", err})
}

// Rearmed reports a given-up delivery that starts over; reason gives the cause.
func Rearmed(ref, session, handler, reason string) Event {
	return event("poll.rearmed", Info,
		field{"ref", ref}, field{"session", session}, field{"handler", handler}, field{"reason", reason})
}

// DispatchQueued reports a delivery that waits for its turn.
func DispatchQueued(d Delivery) Event { return dispatch("dispatch.queued", Info, d) }

// DispatchSucceeded reports a handler that exited 0.
func DispatchSucceeded(d Delivery, took time.Duration) Event {
	return dispatch("dispatch.succeeded", Info, d, field{"duration_ms", took.Milliseconds()})
}

// DispatchFailed reports a handler that failed or timed out, which spends an attempt.
func DispatchFailed(d Delivery, took time.Duration, err string) Event {
	return dispatch("dispatch.failed", Warning, d,
		field{"duration_ms", took.Milliseconds()}, field{"error", err})
}

// DispatchDeferred reports a handler that asked for the next cycle, which spends no
// attempt.
func DispatchDeferred(d Delivery, took time.Duration) Event {
	return dispatch("dispatch.deferred", Info, d, field{"duration_ms", took.Milliseconds()})
}

// DispatchAbandoned reports a delivery without a result: a stop put it back, which
// spends no attempt, or it is no longer wanted. reason says which.
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

// NotifyFailed reports a notice whose command failed.
func NotifyFailed(kind, subject, err string, willRetry bool) Event {
	return event("notify.failed", Warning, field{"kind", kind}, field{"subject", subject},
		field{"error", err}, field{"will_retry", willRetry})
}

// SessionSpawned reports a session that its handler has started.
func SessionSpawned(ref, session, deliveryID string) Event {
	return event("session.spawned", Info,
		field{"ref", ref}, field{"session", session}, field{"delivery_id", deliveryID})
}

// SessionLost reports a session that the alive handler says is gone, for the losses-th
// time within 24 hours. It is started again, or given up.
func SessionLost(ref, session string, losses int, startsAgain bool) Event {
	return event("session.lost", Warning,
		field{"ref", ref}, field{"session", session}, field{"losses", losses}, field{"starts_again", startsAgain})
}

// SessionClosed reports a session that has ended. state is closed or merged, like its
// item, or says why it ended earlier: stopped, unlabelled or expired.
func SessionClosed(ref, session, state string) Event {
	return event("session.closed", Info,
		field{"ref", ref}, field{"session", session}, field{"state", state})
}

// RecordCorrupt reports an unreadable record of a session. movedTo is its new place,
// "" if it could not be moved.
func RecordCorrupt(ref, path, movedTo, err string) Event {
	return event("session.record_corrupt", Warning,
		field{"ref", ref}, field{"path", path}, field{"moved_to", movedTo}, field{"error", err})
}
