package heartbeat

import "the-loop/poller"

type wireStanding struct {
	NoHandler *wireWaiting `json:"noHandler,omitempty"`
}

type wireWaiting struct {
	Count int    `json:"count"`
	First string `json:"first"`
	Since string `json:"since"`
}

// toWireStanding is nil when nothing waits.
func toWireStanding(s poller.Standing) *wireStanding {
	wire := wireStanding{NoHandler: toWireWaiting(s.NoHandler)}
	if wire == (wireStanding{}) {
		return nil
	}
	return &wire
}

func toWireWaiting(w poller.Waiting) *wireWaiting {
	if w.Count == 0 {
		return nil
	}
	return &wireWaiting{w.Count, w.First, stamp(w.Since)}
}

func (o object) standing() poller.Standing {
	return poller.Standing{NoHandler: o.object("noHandler").waiting()}
}

func (o object) waiting() poller.Waiting {
	return poller.Waiting{Count: o.int("count"), First: o.string("first"), Since: o.time("since")}
}
