package heartbeat

import "the-loop/poller"

// maxNamed bounds the size of the file: no one reads the names of more items.
const maxNamed = 1000

type wireStanding struct {
	GaveUp     *wireWaiting    `json:"gaveUp,omitempty"`
	Held       *wireWaiting    `json:"held,omitempty"`
	NoHandler  *wireWaiting    `json:"noHandler,omitempty"`
	Paused     *wireWaiting    `json:"paused,omitempty"`
	Stopped    *wireWaiting    `json:"stopped,omitempty"`
	Lost       *wireWaiting    `json:"lost,omitempty"`
	Queue      *wireQueue      `json:"queue,omitempty"`
	Gone       []wireGone      `json:"gone,omitempty"`
	Failing    []wireItemError `json:"failing,omitempty"`
	Unwritten  *wireUnwritten  `json:"unwritten,omitempty"`
	Deliveries *wireDeliveries `json:"deliveries,omitempty"`
}

type wireWaiting struct {
	Count int    `json:"count"`
	First string `json:"first"`
	Since string `json:"since"`
}

type wireQueue struct {
	Waiting int    `json:"waiting"`
	Live    int    `json:"live"`
	Limit   int    `json:"limit"`
	Source  string `json:"source,omitempty"`
}

type wireGone struct {
	Ref  string `json:"ref"`
	Note string `json:"note"`
}

type wireItemError struct {
	Ref   string `json:"ref"`
	Error string `json:"error"`
	Since string `json:"since"`
}

type wireUnwritten struct {
	Count int    `json:"count"`
	Error string `json:"error"`
}

type wireDeliveries struct {
	Running  int    `json:"running"`
	Waiting  int    `json:"waiting"`
	OldestAt string `json:"oldestAt"`
}

// toWireStanding returns nil when nothing waits for a person.
func toWireStanding(s poller.Standing) *wireStanding {
	wire := wireStanding{
		GaveUp: toWireWaiting(s.GaveUp), Held: toWireWaiting(s.Held), NoHandler: toWireWaiting(s.NoHandler),
		Paused: toWireWaiting(s.Paused), Stopped: toWireWaiting(s.Stopped), Lost: toWireWaiting(s.Lost),
	}
	if s.Queue.Waiting > 0 {
		q := wireQueue(s.Queue)
		wire.Queue = &q
	}
	for _, g := range s.Gone[:min(len(s.Gone), maxNamed)] {
		wire.Gone = append(wire.Gone, wireGone(g))
	}
	for _, e := range s.Failing[:min(len(s.Failing), maxNamed)] {
		wire.Failing = append(wire.Failing, wireItemError{e.Ref, e.Error, stamp(e.Since)})
	}
	if s.Unwritten > 0 {
		wire.Unwritten = &wireUnwritten{s.Unwritten, s.UnwrittenError}
	}
	if w := s.Workload; w.Running+w.Waiting > 0 {
		wire.Deliveries = &wireDeliveries{w.Running, w.Waiting, stamp(w.OldestAt)}
	}
	if wire.empty() {
		return nil
	}
	return &wire
}

func (w wireStanding) empty() bool {
	return w.GaveUp == nil && w.Held == nil && w.NoHandler == nil && w.Paused == nil && w.Stopped == nil && w.Lost == nil &&
		w.Queue == nil && len(w.Gone) == 0 && len(w.Failing) == 0 && w.Unwritten == nil && w.Deliveries == nil
}

func toWireWaiting(w poller.Waiting) *wireWaiting {
	if w.Count == 0 {
		return nil
	}
	return &wireWaiting{w.Count, w.First, stamp(w.Since)}
}

func (o object) standing() poller.Standing {
	s := poller.Standing{
		GaveUp:    o.object("gaveUp").waiting(),
		Held:      o.object("held").waiting(),
		NoHandler: o.object("noHandler").waiting(),
		Paused:    o.object("paused").waiting(),
		Stopped:   o.object("stopped").waiting(),
		Lost:      o.object("lost").waiting(),
		Unwritten: o.object("unwritten").int("count"), UnwrittenError: o.object("unwritten").string("error"),
	}
	for _, g := range o.list("gone") {
		s.Gone = append(s.Gone, poller.GoneItem{Ref: g.string("ref"), Note: g.string("note")})
	}
	for _, e := range o.list("failing") {
		s.Failing = append(s.Failing, poller.ItemError{Ref: e.string("ref"), Error: e.string("error"), Since: e.time("since")})
	}
	q := o.object("queue")
	s.Queue = poller.Queue{Waiting: q.int("waiting"), Live: q.int("live"), Limit: q.int("limit"), Source: q.string("source")}
	d := o.object("deliveries")
	s.Running, s.Waiting, s.OldestAt = d.int("running"), d.int("waiting"), d.time("oldestAt")
	return s
}

func (o object) waiting() poller.Waiting {
	return poller.Waiting{Count: o.int("count"), First: o.string("first"), Since: o.time("since")}
}
