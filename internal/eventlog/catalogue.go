package eventlog

import "slices"

// Kind describes one kind of event.
type Kind struct {
	Name    string
	Level   Level
	Meaning string // one sentence
	Fields  []FieldDoc
}

// FieldDoc describes one field of a kind of event.
type FieldDoc struct {
	Name    string
	Type    string // string, number, boolean or list of strings
	Meaning string
}

// Catalogue lists every kind of event, each with its own fields in the order
// in which they are written. docs/events.md and the constructors say the same;
// the three change together.
func Catalogue() []Kind {
	return slices.Concat(pollerKinds(), pollKinds(), itemKinds(), deliveryKinds())
}

// CommonFields lists what every line begins with.
func CommonFields() []FieldDoc {
	return []FieldDoc{
		text("ts", "when it was written: UTC, RFC 3339 with milliseconds and Z"),
		text("event", "the event's name"),
		text("level", "`info`, `warning` or `error`"),
		number("pid", "the process that wrote the line"),
	}
}

func text(name, meaning string) FieldDoc    { return FieldDoc{name, "string", meaning} }
func number(name, meaning string) FieldDoc  { return FieldDoc{name, "number", meaning} }
func boolean(name, meaning string) FieldDoc { return FieldDoc{name, "boolean", meaning} }
func names(name, meaning string) FieldDoc   { return FieldDoc{name, "list of strings", meaning} }

func pollerKinds() []Kind {
	return []Kind{
		{"poller.started", Info, "The poller holds its lock and is about to run its first cycle.", []FieldDoc{
			text("version", "the program's version"),
			text("state_root", "the folder it keeps its state in"),
			number("interval_seconds", "the wait from one cycle's end to the next one's start"),
			names("sources", "the names of the sources it asks"),
		}},
		{"poller.stopped", Info, "The poller has come to an orderly end.", []FieldDoc{
			text("reason", "what ended it"),
			number("cycles", "the cycles it ran"),
		}},
		{"poller.blocked", Warning, "A second poller was started on a state root that another one owns, and gave up.", []FieldDoc{
			number("holder_pid", "the process that owns it, 0 when the lock does not tell; `pid` is the one that gave up"),
			text("path", "the lock"),
		}},
		{"config.reloaded", Info, "The configuration file had changed and is in force.", []FieldDoc{
			text("path", "the file"),
		}},
		{"config.reload_failed", Warning, "The configuration file has changed and is at fault, so the previous configuration stays in force.", []FieldDoc{
			text("path", "the file"),
			text("error", "what is wrong with it"),
		}},
	}
}

func pollKinds() []Kind {
	scope, provider := text("scope", "the repository, `[host/]owner/repo`"), text("provider", "the source's name")
	retry := boolean("will_retry", "always true: it is asked again in the next cycle")
	return []Kind{
		{"poll.cycle", Info, "A pass over all sources has ended.", []FieldDoc{
			number("items_seen", "work items that were listed"),
			number("spawns", "spawn deliveries handed over, retries included"),
			number("comments_forwarded", "comment deliveries handed over, retries included"),
			number("closures", "items found closed or merged"),
			number("failures", "deliveries given up"),
			number("errors", "listings, sources and items that failed"),
			boolean("interrupted", "whether a stop request cut the pass short"),
			number("scopes_polled", "repositories that answered, fully or partly"),
			number("scopes_unchanged", "repositories among them that a survey spared a listing"),
			names("scopes_degraded", "repositories that failed or were skipped"),
			number("duration_ms", "how long the pass took, in milliseconds"),
		}},
		{"poll.provider_error", Error, "A source could not be asked at all.", []FieldDoc{
			provider,
			text("error", "why"),
			retry,
		}},
		{"poll.scope_error", Error, "A repository's listing failed.", []FieldDoc{
			scope, provider,
			text("error", "why"),
			retry,
		}},
		{"poll.scope_degraded", Warning, "A repository has a condition that only somebody's action ends, told of once.", []FieldDoc{
			scope, provider,
			text("error", "the condition"),
			number("retry_after_cycles", "after how many cycles it is asked again"),
		}},
		{"poll.scope_recovered", Info, "A repository's standing condition has ended.", []FieldDoc{scope, provider}},
		{"poll.rate_limited", Warning, "A host's rate limit is used up, so the host is left alone for a while.", []FieldDoc{
			text("host", "the host"),
			text("until", "when it is asked again: UTC, RFC 3339"),
		}},
		{"poll.paced", Warning, "The wait between cycles was changed so that a host's quota lasts.", []FieldDoc{
			text("host", "the host"),
			number("interval_seconds", "the wait from now on"),
			number("remaining", "points left of the host's quota"),
			text("reset_at", "when the quota is renewed: UTC, RFC 3339"),
		}},
		{"poll.survey_failed", Warning, "A host cannot be surveyed, so its repositories are listed in full; told of once.", []FieldDoc{
			text("host", "the host"),
			text("error", "why"),
			number("repositories", "repositories that are listed instead"),
			boolean("will_retry", "always true: a survey is tried again later"),
		}},
		{"poll.survey_recovered", Info, "A host's surveys answer again.", []FieldDoc{text("host", "the host")}},
	}
}

func itemKinds() []Kind {
	ref := text("ref", "the item, `github:[host/]owner/repo#N`")
	session := text("session", "the session's name")
	return []Kind{
		{"poll.item_error", Error, "An item could not be processed in this cycle.", []FieldDoc{
			ref,
			text("error", "why"),
		}},
		{"poll.item_seen", Info, "An item was seen for the first time while no spawn handler is configured, so no session starts.", []FieldDoc{
			ref,
			text("kind", "`issue` or `pull-request`"),
			text("author", "who opened it, empty for a deleted account"),
		}},
		{"poll.unauthorized", Info, "An item is left alone because nobody trusted has asked for it, told of once.", []FieldDoc{
			ref,
			text("author", "who opened it, empty for a deleted account"),
		}},
		{"poll.adopted", Info, "An authorized user's comment has asked for an item.", []FieldDoc{
			ref,
			text("author", "who wrote the comment"),
			text("comment_id", "the comment"),
		}},
		{"poll.closure_detected", Info, "The item of an active session has ended.", []FieldDoc{
			ref, session,
			text("state", "`closed` or `merged`"),
		}},
		{"poll.item_gone", Warning, "The item of an active session was deleted or moved, told of once; the session is kept.", []FieldDoc{
			ref, session,
			text("reason", "`deleted` or `moved to OWNER/REPO#N`"),
		}},
		{"poll.rearmed", Info, "A delivery that was given up is tried again.", []FieldDoc{
			ref, session,
			handlerDoc(),
			text("reason", "what armed it"),
		}},
		{"session.spawned", Info, "A session was started.", []FieldDoc{ref, session, deliveryDoc()}},
		{"session.closed", Info, "A session has ended.", []FieldDoc{
			ref, session,
			text("state", "its item's: `closed` or `merged`"),
		}},
		{"session.record_corrupt", Warning, "An item's record could not be read and was set aside; nothing is replayed.", []FieldDoc{
			ref,
			text("path", "the record"),
			text("moved_to", "where it was put, empty when it could not be moved"),
			text("error", "what is wrong with it"),
		}},
	}
}

func deliveryDoc() FieldDoc {
	return text("delivery_id", "the delivery, the same at each attempt")
}

func handlerDoc() FieldDoc {
	return text("handler", "`spawn`, `comment` or `close`")
}

func deliveryKinds() []Kind {
	ref, session := text("ref", "the session's item, `github:[host/]owner/repo#N`"), text("session", "the session's name")
	commented := text("ref", "the item that the comment stands on, `github:[host/]owner/repo#N`")
	comment := text("comment_id", "the comment")
	attempt := number("attempt", "which attempt it is, from 1")
	attempts := number("attempts", "the attempts that were spent")
	took := number("duration_ms", "how long the handler ran, in milliseconds")
	givenUp := []FieldDoc{ref, session, deliveryDoc(), attempts, text("error", "how the last attempt failed")}
	dispatched := func(more ...FieldDoc) []FieldDoc {
		return append([]FieldDoc{ref, session, handlerDoc(), deliveryDoc(), attempt}, more...)
	}
	return []Kind{
		{"poll.comment_forwarded", Info, "A comment was handed over to its session's handler.", []FieldDoc{
			commented, session, deliveryDoc(), attempt, comment,
			text("author", "who wrote it"),
		}},
		{"poll.comment_failed", Error, "A comment was given up.", []FieldDoc{
			commented, session, deliveryDoc(), comment, attempts,
			text("error", "how the last attempt failed"),
		}},
		{"poll.spawn_failed", Error, "The start of a session was given up.", givenUp},
		{"poll.close_failed", Error, "The close handler of a session was given up; the session is closed all the same.", givenUp},
		{"dispatch.queued", Info, "A delivery waits for its turn.", dispatched()},
		{"dispatch.succeeded", Info, "A handler exited 0.", dispatched(took)},
		{"dispatch.failed", Warning, "A handler failed or ran out of time, which spends an attempt.", dispatched(took,
			text("error", "how it failed"))},
		{"dispatch.deferred", Info, "A handler asked to be run in the next cycle, which spends no attempt.", dispatched(took)},
		{"dispatch.abandoned", Info, "A delivery was dropped or stopped unspent, and is made again after the next start.", dispatched(
			text("reason", "why"))},
	}
}
