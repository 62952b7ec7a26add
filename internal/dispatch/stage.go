package dispatch

import "time"

// acceptance is the state of an unfinished delivery.
type acceptance struct {
	at    time.Time // of its Submit
	stage Stage
}

// Pending reports whether the delivery with that id is unfinished: waiting, held,
// running, or still being reported to Done.
func (d *Dispatcher) Pending(id string) bool { return d.Stage(id) != Absent }

// Stage is the progress of a delivery in a [Dispatcher].
type Stage int

// The stages.
const (
	Absent  Stage = iota // the dispatcher does not have it
	Waiting              // for a slot, or behind another delivery of its session
	Running              // its handler runs, or Done is handling its result
	Held                 // to be retried after the next Resume
)

// Stage returns the progress of the delivery with that id.
func (d *Dispatcher) Stage(id string) Stage {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a := d.accepted[id]; a != nil {
		return a.stage
	}
	return Absent
}

// Running counts the running handlers, including those whose result Done is handling.
func (d *Dispatcher) Running() int { return d.Workload().Running }

// Workload is the work of a [Dispatcher] at one moment.
type Workload struct {
	Running int // running handlers
	Waiting int // deliveries that wait for a slot or behind another of their session
	// OldestAt is the time of the earliest Submit among both, zero without any.
	OldestAt time.Time
}

// Workload returns the present work. Held deliveries do not count.
func (d *Dispatcher) Workload() Workload {
	d.mu.Lock()
	defer d.mu.Unlock()
	var w Workload
	for _, a := range d.accepted {
		switch a.stage {
		case Running:
			w.Running++
		case Waiting:
			w.Waiting++
		default:
			continue
		}
		if w.OldestAt.IsZero() || a.at.Before(w.OldestAt) {
			w.OldestAt = a.at
		}
	}
	return w
}
