// Package eventlog is the record of what the daemon did: one JSON object a
// line, for people, scripts and dashboards to follow.
//
// Every event has one typed constructor here and one entry in [Catalogue], and
// docs/events.md describes the same. A line begins with ts (UTC, milliseconds),
// event, level and pid; the event's own fields follow in the catalogue's order.
//
// It guarantees that a line is valid JSON and valid UTF-8 whatever the texts
// in it were, that it holds no character that a terminal would act on, and that
// neither a crash nor a full disk glues two events together. A write that fails
// is warned of once and costs the caller nothing. It does not guarantee that an
// event survives a power cut: nothing is synced.
//
// Of this project it imports internal/safetext alone.
package eventlog
