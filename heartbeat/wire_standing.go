package heartbeat

import (
	"reflect"

	"the-loop/poller"
)

// maxNamed limits the size of the file: no reader needs the names of more items.
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
	Since stamp  `json:"since"`
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
	Since stamp  `json:"since"`
}

type wireUnwritten struct {
	Count int    `json:"count"`
	Error string `json:"error"`
}

type wireDeliveries struct {
	Running  int   `json:"running"`
	Waiting  int   `json:"waiting"`
	OldestAt stamp `json:"oldestAt"`
}

// toWireStanding returns nil when nothing waits for a person.
func toWireStanding(s poller.Standing) *wireStanding {
	wire := wireStanding{
		GaveUp: toWireWaiting(s.GaveUp), Held: toWireWaiting(s.Held), NoHandler: toWireWaiting(s.NoHandler),
		Paused: toWireWaiting(s.Paused), Stopped: toWireWaiting(s.Stopped), Lost: toWireWaiting(s.Lost),
		Gone: each(s.Gone[:min(len(s.Gone), maxNamed)], func(g poller.GoneItem) wireGone { return wireGone(g) }),
		Failing: each(s.Failing[:min(len(s.Failing), maxNamed)], func(e poller.ItemError) wireItemError {
			return wireItemError{e.Ref, e.Error, stamp{e.Since}}
		}),
	}
	if s.Queue.Waiting > 0 {
		wire.Queue = (*wireQueue)(&s.Queue)
	}
	if s.Unwritten > 0 {
		wire.Unwritten = &wireUnwritten{s.Unwritten, s.UnwrittenError}
	}
	if w := s.Workload; w.Running+w.Waiting > 0 {
		wire.Deliveries = &wireDeliveries{w.Running, w.Waiting, stamp{w.OldestAt}}
	}
	if reflect.ValueOf(wire).IsZero() {
		return nil
	}
	return &wire
}

func toWireWaiting(w poller.Waiting) *wireWaiting {
	if w.Count == 0 {
		return nil
	}
	return &wireWaiting{w.Count, w.First, stamp{w.Since}}
}

func (w wireStanding) standing() poller.Standing {
	s := poller.Standing{
		GaveUp: w.GaveUp.waiting(), Held: w.Held.waiting(), NoHandler: w.NoHandler.waiting(),
		Paused: w.Paused.waiting(), Stopped: w.Stopped.waiting(), Lost: w.Lost.waiting(),
		Queue: poller.Queue(get(w.Queue)),
		Gone:  each(w.Gone, func(g wireGone) poller.GoneItem { return poller.GoneItem(g) }),
		Failing: each(w.Failing, func(e wireItemError) poller.ItemError {
			return poller.ItemError{Ref: e.Ref, Error: e.Error, Since: e.Since.Time}
		}),
		Unwritten: get(w.Unwritten).Count, UnwrittenError: get(w.Unwritten).Error,
	}
	d := get(w.Deliveries)
	s.Running, s.Waiting, s.OldestAt = d.Running, d.Waiting, d.OldestAt.Time
	return s
}

func (w *wireWaiting) waiting() poller.Waiting {
	v := get(w)
	return poller.Waiting{Count: v.Count, First: v.First, Since: v.Since.Time}
}
