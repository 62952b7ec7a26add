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

// Catalogue returns every kind of event, each with its own fields in the order of a
// line. The constructors and docs/events.md repeat it: change all three together.
func Catalogue() []Kind {
	return slices.Concat(pollerKinds(), pollKinds(), itemKinds(), deliveryKinds())
}

func text(name, meaning string) FieldDoc    { return FieldDoc{name, "string", meaning} }
func number(name, meaning string) FieldDoc  { return FieldDoc{name, "number", meaning} }
func boolean(name, meaning string) FieldDoc { return FieldDoc{name, "boolean", meaning} }
func names(name, meaning string) FieldDoc   { return FieldDoc{name, "list of strings", meaning} }

func pollerKinds() []Kind {
	return []Kind{
		{"poller.started", Info, "The poller holds its lock and begins its first cycle.", []FieldDoc{
			text("version", "the program's version"),
			text("state_root", "its state root"),
			number("interval_seconds", "the wait from one cycle's end to the next one's start"),
			names("sources", "the names of its sources"),
		}},
		{"poller.stopped", Info, "The poller stopped in order.", []FieldDoc{
			text("reason", "what ended it"),
			number("cycles", "the cycles it ran"),
		}},
		{"poller.blocked", Warning, "A second poller found the state root taken and gave up.", []FieldDoc{
			number("holder_pid", "the owner, 0 when the lock does not say; `pid` is the poller that gave up"),
			text("path", "the lock"),
		}},
		{"config.reloaded", Info, "The changed configuration file is in force.", []FieldDoc{
			text("path", "the file"),
			names("changes", "the settings that changed, with both values; handlers without theirs; at most 20"),
		}},
		{"config.reload_failed", Warning, "The changed configuration file has faults; the previous configuration stays in force.", []FieldDoc{
			text("path", "the file"),
			text("error", "what is wrong with it"),
		}},
	}
}

func pollKinds() []Kind {
	scope, provider := text("scope", "the repository, `[host/]owner/repo`"), text("provider", "the source's name")
	retry := boolean("will_retry", "always true: the next cycle asks again")
	return []Kind{
		{"poll.cycle", Info, "A cycle ended.", []FieldDoc{
			number("items_seen", "listed work items"),
			number("spawns", "spawn deliveries handed over, retries included"),
			number("comments_forwarded", "comment deliveries handed over, retries included"),
			number("closures", "items found closed or merged"),
			number("failures", "deliveries given up"),
			number("errors", "listings, sources and items that failed"),
			boolean("interrupted", "whether a stop cut the cycle short"),
			number("scopes_polled", "repositories that answered, fully or partly"),
			number("scopes_unchanged", "repositories among them that a survey spared a listing"),
			names("scopes_degraded", "repositories that failed or were skipped"),
			number("duration_ms", "how long it took, in milliseconds"),
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
		{"poll.scope_degraded", Warning, "A repository has a standing condition, which you must end; reported once.", []FieldDoc{
			scope, provider,
			text("error", "the condition"),
			number("retry_after_cycles", "cycles until it is asked again"),
		}},
		{"poll.scope_recovered", Info, "A repository's standing condition has ended.", []FieldDoc{scope, provider}},
		{"poll.unlabelled_skipped", Warning, "A repository with a live session has more than 300 open pull requests, so those without the label are not listed; reported once.", []FieldDoc{
			scope, provider,
			number("retry_after_cycles", "cycles until they are listed again"),
		}},
		{"poll.rate_limited", Warning, "A host's rate limit is used up; the daemon leaves the host alone.", []FieldDoc{
			text("host", "the host"),
			text("until", "when it is asked again: UTC, RFC 3339"),
		}},
		{"poll.paced", Warning, "The wait between cycles changed so that a host's quota lasts.", []FieldDoc{
			text("host", "the host"),
			number("interval_seconds", "the wait from now on"),
			number("remaining", "points left of the host's quota"),
			text("reset_at", "when the quota is renewed: UTC, RFC 3339"),
		}},
		{"poll.survey_failed", Warning, "A host cannot be surveyed, so its repositories are listed in full; reported once.", []FieldDoc{
			text("host", "the host"),
			text("error", "why"),
			number("repositories", "repositories that are listed instead"),
			boolean("will_retry", "always true: a survey is tried again later"),
		}},
		{"poll.survey_recovered", Info, "A host's surveys answer again.", []FieldDoc{text("host", "the host")}},
	}
}

func itemKinds() []Kind {
	ref := refDoc()
	session := text("session", "the session's name")
	return []Kind{
		{"poll.item_error", Error, "An item could not be processed in this cycle.", []FieldDoc{
			ref,
			text("error", "why"),
		}},
		{"poll.item_seen", Info, "A new item waits because no spawn handler is configured.", []FieldDoc{
			ref,
			text("kind", "`issue` or `pull-request`"),
			text("author", "who opened it, empty for a deleted account"),
		}},
		{"poll.unauthorized", Info, "An item waits because no authorized user asked for it; reported once.", []FieldDoc{
			ref,
			text("author", "who opened it, empty for a deleted account"),
		}},
		{"poll.adopted", Info, "An authorized user's comment asked for an item.", []FieldDoc{
			ref,
			text("author", "who wrote the comment"),
			text("comment_id", "the comment"),
		}},
		{"poll.command", Info, "Someone commanded a session, in a comment or from the command line.", []FieldDoc{
			ref,
			text("command", "`start`, `stop`, `pause`, `resume` or `restart`"),
			text("by", "who wrote the comment, or `the command line`"),
			boolean("accepted", "false when the author is not authorized: the command does nothing"),
		}},
		{"poll.queued", Info, "An item waits because as many sessions live as may, told of once.", []FieldDoc{ref}},
		{"poll.closure_detected", Info, "A session ends: its item has ended, or the configuration ends it.", []FieldDoc{
			ref, session,
			text("state", "`closed` or `merged`; `unlabelled` (`onUnlabel`) or `expired` (`maxSessionSeconds`)"),
		}},
		{"poll.item_gone", Warning, "The item of an active session was deleted or moved; reported once, the session stays.", []FieldDoc{
			ref, session,
			text("reason", "`deleted` or `moved to OWNER/REPO#N`"),
		}},
		{"poll.rearmed", Info, "A delivery that was given up gets new attempts, or a pull request whose issue's session has ended gets one of its own.", []FieldDoc{
			ref, session,
			handlerDoc(),
			text("reason", "what armed it"),
		}},
		{"session.spawned", Info, "A session was started.", []FieldDoc{ref, session, deliveryDoc()}},
		{"session.lost", Warning, "The alive handler said twice in a row that a session is gone.", []FieldDoc{
			ref, session,
			number("losses", "how often it was lost within 24 hours"),
			boolean("starts_again", "whether it gets another spawn; the third loss is given up"),
		}},
		{"session.closed", Info, "A session has ended.", []FieldDoc{
			ref, session,
			text("state", "its item's, `closed` or `merged`; `stopped`, `unlabelled` or `expired` when the item is open"),
		}},
		{"session.record_corrupt", Warning, "An item's record could not be read and was set aside; nothing is replayed.", []FieldDoc{
			ref,
			text("path", "the record"),
			text("moved_to", "its new place, empty when it could not be moved"),
			text("error", "what is wrong with it"),
		}},
		{"notify.failed", Warning, "The notify handler failed for a notice; it is tried once more and then dropped.", []FieldDoc{
			text("kind", "what the notice is about, such as `scope-degraded`"),
			text("subject", "the repository, item, host or file"),
			text("error", "why"),
			boolean("will_retry", "whether it is tried once more"),
		}},
	}
}

func refDoc() FieldDoc {
	return text("ref", "the item, of a delivery the session's: `github:[host/]owner/repo#N`")
}

func deliveryDoc() FieldDoc {
	return text("delivery_id", "the delivery, the same for each attempt")
}

func handlerDoc() FieldDoc {
	return text("handler", "`spawn`, `comment`, `update` or `close`")
}

func deliveryKinds() []Kind {
	ref, session := refDoc(), text("session", "the session's name")
	commented := text("ref", "the item that the comment stands on, `github:[host/]owner/repo#N`")
	comment := text("comment_id", "the comment")
	pull := text("ref", "the pull request, `github:[host/]owner/repo#N`")
	news := text("kind", "`checks`, `conflict`, `review` or `ended`")
	attempt := number("attempt", "the attempt, from 1")
	attempts := number("attempts", "attempts spent")
	took := number("duration_ms", "how long it took, in milliseconds")
	givenUp := []FieldDoc{ref, session, deliveryDoc(), attempts, text("error", "the last attempt's failure")}
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
			text("error", "the last attempt's failure"),
		}},
		{"poll.update_forwarded", Info, "News of a session's pull request was handed over to its handler.", []FieldDoc{
			pull, session, deliveryDoc(), attempt, news,
		}},
		{"poll.update_failed", Error, "News of a session's pull request was given up.", []FieldDoc{
			pull, session, deliveryDoc(), news, attempts,
			text("error", "the last attempt's failure"),
		}},
		{"poll.spawn_failed", Error, "The start of a session was given up.", givenUp},
		{"poll.close_failed", Error, "The close handler of a session was given up; the session is closed all the same.", givenUp},
		{"dispatch.queued", Info, "A delivery waits for its turn.", dispatched()},
		{"dispatch.succeeded", Info, "A handler exited 0.", dispatched(took)},
		{"dispatch.failed", Warning, "A handler failed or ran out of time, which spends an attempt.", dispatched(took,
			text("error", "why"))},
		{"dispatch.deferred", Info, "A handler asked for the next cycle, which spends no attempt.", dispatched(took)},
		{"dispatch.abandoned", Info, "A stop put a delivery back without spending an attempt, and the next start makes it again; or its comment or session is gone, and nothing does.", dispatched(
			text("reason", "why"))},
	}
}
