package dispatch

import "time"

// acceptance is what a [Dispatcher] knows of a delivery that is not over.
type acceptance struct {
	at    time.Time // of its Submit
	stage Stage
}

// Pending reports whether the delivery of that id is not over: waiting, held,
// running, or its result not yet told to the end.
func (d *Dispatcher) Pending(id string) bool { return d.Stage(id) != Absent }

// Stage is where a delivery stands in a [Dispatcher].
type Stage int

// The stages.
const (
	Absent  Stage = iota // the dispatcher does not have it
	Waiting              // for a slot, or behind another one of its session
	Running              // its handler runs, or its result is being told
	Held                 // it has to be tried again, after the next Resume
)

// Stage is where the delivery of that id stands.
func (d *Dispatcher) Stage(id string) Stage {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a := d.accepted[id]; a != nil {
		return a.stage
	}
	return Absent
}

// Running is how many handlers run, those included whose result is being told.
func (d *Dispatcher) Running() int { return d.Workload().Running }

// Workload is what a [Dispatcher] has to do at one moment.
type Workload struct {
	Running int // handlers that run
	Waiting int // deliveries that wait for a slot, or for an earlier one of their session
	// OldestAt is when the oldest of both was handed over; zero without any.
	OldestAt time.Time
}

// Workload returns the present one. What is held does not count.
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
