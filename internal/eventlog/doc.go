// Package eventlog records what the daemon did, as one JSON object a line, for people,
// scripts and dashboards.
//
// Every event has a typed constructor here, an entry in [Catalogue] and a section in
// docs/events.md. A line begins with ts (UTC, milliseconds), event, level and pid; the
// event's own fields follow in the order of the catalogue.
//
// It guarantees that every line is valid JSON and valid UTF-8 whatever text went in,
// that no line holds a character that a terminal would obey, and that neither a crash
// nor a full disk joins two events. A failing write costs the caller nothing and is
// logged once. It does not guarantee that an event survives a power cut: it never
// syncs.
//
// Of this project it imports internal/ownfile, internal/safetext and internal/timetext.
package eventlog
