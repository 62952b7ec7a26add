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
	path := text("path", "the file")
	return []Kind{
		{"poller.started", Info, "The poller has its lock and begins.", []FieldDoc{
			text("version", "the program's version"),
			text("state_root", "the state root"),
			intervalDoc(),
			names("sources", "their names"),
		}},
		{"poller.stopped", Info, "The poller stopped.", []FieldDoc{
			reasonDoc(),
			number("cycles", "cycles run"),
		}},
		{"poller.blocked", Warning, "Another poller, `pid`, found the state root taken and ended.", []FieldDoc{
			number("holder_pid", "the owner, 0 if unknown"),
			text("path", "the lock"),
		}},
		{"config.reloaded", Info, "The changed configuration is in force.", []FieldDoc{
			path,
			names("changes", "up to 20 settings; of handlers without values"),
		}},
		{"config.reload_failed", Warning, "The changed configuration has faults; the previous one stays in force.", []FieldDoc{
			path, errorDoc(),
		}},
	}
}

func pollKinds() []Kind {
	scope, provider := text("scope", "the repository, `[host/]owner/repo`"), text("provider", "the source's name")
	host := text("host", "the host")
	askedAgain := number("retry_after_cycles", "cycles until it is listed again")
	return []Kind{
		{"poll.cycle", Info, "A cycle ended.", []FieldDoc{
			number("items_seen", "listed items"),
			number("spawns", "spawns handed over, with retries"),
			number("comments_forwarded", "comments, likewise"),
			number("closures", "items found closed or merged"),
			number("failures", "deliveries given up"),
			number("errors", "failed listings, sources and items"),
			boolean("interrupted", "a stop cut the cycle short"),
			number("scopes_polled", "repositories that answered, even in part"),
			number("scopes_unchanged", "of these, spared by a survey"),
			names("scopes_degraded", "repositories that failed or were skipped"),
			tookDoc(),
		}},
		{"poll.provider_error", Error, "A source could not be asked.", []FieldDoc{provider, errorDoc(), retryDoc()}},
		{"poll.scope_error", Error, "A repository's listing failed.", []FieldDoc{scope, provider, errorDoc(), retryDoc()}},
		{"poll.scope_degraded", Warning, "A repository has a condition that you must end; reported once.", []FieldDoc{
			scope, provider,
			text("error", "the condition"),
			askedAgain,
		}},
		{"poll.scope_recovered", Info, "A standing condition has ended.", []FieldDoc{scope, provider}},
		{"poll.unlabelled_skipped", Warning, "Of a repository's over 300 open pull requests those without the label are not listed; reported once.", []FieldDoc{
			scope, provider, askedAgain,
		}},
		{"poll.rate_limited", Warning, "A host's rate limit is used up.", []FieldDoc{
			host,
			text("until", "when it is asked again"),
		}},
		{"poll.paced", Warning, "The wait between cycles changed so that the quota lasts.", []FieldDoc{
			host, intervalDoc(),
			number("remaining", "points left"),
			text("reset_at", "when the quota is renewed"),
		}},
		{"poll.survey_failed", Warning, "A host answers no survey; reported once.", []FieldDoc{
			host, errorDoc(),
			number("repositories", "listed instead"),
			retryDoc(),
		}},
		{"poll.survey_recovered", Info, "A host's surveys answer again.", []FieldDoc{host}},
	}
}

func itemKinds() []Kind {
	ref, session := refDoc(), sessionDoc()
	return []Kind{
		{"poll.item_error", Error, "An item could not be processed.", []FieldDoc{ref, errorDoc()}},
		{"poll.item_seen", Info, "A new item waits for a spawn handler.", []FieldDoc{
			ref,
			text("kind", "`issue` or `pull-request`"),
			authorDoc(),
		}},
		{"poll.unauthorized", Info, "An item waits until an authorized user asks for it; reported once.", []FieldDoc{ref, authorDoc()}},
		{"poll.adopted", Info, "An authorized user's comment asked for an item.", []FieldDoc{ref, authorDoc(), commentDoc()}},
		{"poll.command", Info, "A comment or the command line commanded a session.", []FieldDoc{
			ref,
			text("command", "`start`, `stop`, `pause`, `resume` or `restart`"),
			text("by", "the comment's author, or `the command line`"),
			boolean("accepted", "false if the author is not authorized"),
		}},
		{"poll.queued", Info, "An item waits for room; reported once.", []FieldDoc{ref}},
		{"poll.closure_detected", Info, "A session ends, by its item or by the configuration.", []FieldDoc{
			ref, session,
			text("state", "`closed`, `merged`, `unlabelled` or `expired`"),
		}},
		{"poll.item_gone", Warning, "A live session's item was deleted or moved; reported once, the session stays.", []FieldDoc{
			ref, session,
			text("reason", "`deleted` or `moved to OWNER/REPO#N`"),
		}},
		{"poll.rearmed", Info, "A delivery given up gets new attempts, or a pull request that fed an ended session its own.", []FieldDoc{
			ref, session, handlerDoc(), reasonDoc(),
		}},
		{"session.spawned", Info, "A session started.", []FieldDoc{ref, session, deliveryDoc()}},
		{"session.lost", Warning, "The alive handler found a session gone twice in a row.", []FieldDoc{
			ref, session,
			number("losses", "within 24 hours"),
			boolean("starts_again", "false at the third loss: given up"),
		}},
		{"session.closed", Info, "A session ended.", []FieldDoc{
			ref, session,
			text("state", "`closed`, `merged`, `stopped`, `unlabelled` or `expired`"),
		}},
		{"session.record_corrupt", Warning, "An unreadable record was set aside; nothing is replayed.", []FieldDoc{
			ref,
			text("path", "the record"),
			text("moved_to", "its new path, empty if it could not be moved"),
			errorDoc(),
		}},
		{"notify.failed", Warning, "The notify handler failed; a notice gets two attempts.", []FieldDoc{
			text("kind", "the notice's kind"),
			text("subject", "its subject"),
			errorDoc(), retryDoc(),
		}},
	}
}

func errorDoc() FieldDoc  { return text("error", "why") }
func retryDoc() FieldDoc  { return boolean("will_retry", "whether the daemon tries again") }
func reasonDoc() FieldDoc { return text("reason", "why") }
func tookDoc() FieldDoc   { return number("duration_ms", "how long it took") }
func intervalDoc() FieldDoc {
	return number("interval_seconds", "the wait between cycles")
}
func refDoc() FieldDoc {
	return text("ref", "the item, of a delivery the session's: `github:[host/]owner/repo#N`")
}
func authorDoc() FieldDoc {
	return text("author", "of the item or comment, empty for a deleted account")
}
func commentDoc() FieldDoc  { return text("comment_id", "the comment") }
func sessionDoc() FieldDoc  { return text("session", "the session's name") }
func deliveryDoc() FieldDoc { return text("delivery_id", "the delivery, the same at each attempt") }
func handlerDoc() FieldDoc  { return text("handler", "`spawn`, `comment`, `update` or `close`") }

func deliveryKinds() []Kind {
	ref, session, delivery := refDoc(), sessionDoc(), deliveryDoc()
	commented, pull := text("ref", "the item with the comment"), text("ref", "the pull request")
	news := text("kind", "`checks`, `conflict`, `review` or `ended`")
	attempt, attempts := number("attempt", "from 1"), number("attempts", "attempts spent")
	givenUp := []FieldDoc{ref, session, delivery, attempts, errorDoc()}
	dispatched := func(more ...FieldDoc) []FieldDoc {
		return append([]FieldDoc{ref, session, handlerDoc(), delivery, attempt}, more...)
	}
	return []Kind{
		{"poll.comment_forwarded", Info, "A comment was handed over to its session.", []FieldDoc{
			commented, session, delivery, attempt, commentDoc(), authorDoc(),
		}},
		{"poll.comment_failed", Error, "A comment was given up.", []FieldDoc{
			commented, session, delivery, commentDoc(), attempts, errorDoc(),
		}},
		{"poll.update_forwarded", Info, "News of a pull request was handed over.", []FieldDoc{
			pull, session, delivery, attempt, news,
		}},
		{"poll.update_failed", Error, "News of a pull request was given up.", []FieldDoc{
			pull, session, delivery, news, attempts, errorDoc(),
		}},
		{"poll.spawn_failed", Error, "A session's start was given up.", givenUp},
		{"poll.close_failed", Error, "The close handler was given up; the session is closed all the same.", givenUp},
		{"dispatch.queued", Info, "A delivery waits for its turn.", dispatched()},
		{"dispatch.succeeded", Info, "A handler exited 0.", dispatched(tookDoc())},
		{"dispatch.failed", Warning, "A handler failed or timed out: an attempt is spent.", dispatched(tookDoc(), errorDoc())},
		{"dispatch.deferred", Info, "A handler asked for the next cycle: no attempt is spent.", dispatched(tookDoc())},
		{"dispatch.abandoned", Info, "A stop put a delivery back until the next start, no attempt spent; or its comment or session is gone.", dispatched(reasonDoc())},
	}
}
