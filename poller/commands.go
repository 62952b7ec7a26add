package poller

import (
	"context"
	"slices"
	"strings"
	"time"

	"the-loop/internal/eventlog"
	"the-loop/internal/session"
)

// command is the word after "the-loop" in a comment's first line.
type command string

const (
	cmdStart   command = "start"
	cmdStop    command = "stop"
	cmdPause   command = "pause"
	cmdResume  command = "resume"
	cmdRestart command = "restart"
)

// commandOf returns the comment's command, whatever its case, "" for none.
func commandOf(c Comment) command {
	first, _, _ := strings.Cut(strings.TrimLeft(c.Body, " \t\r\n"), "\n")
	words := strings.Fields(strings.ToLower(first))
	if len(words) != 2 || words[0] != "the-loop" {
		return ""
	}
	switch cmd := command(words[1]); cmd {
	case cmdStart, cmdStop, cmdPause, cmdResume, cmdRestart:
		return cmd
	}
	return ""
}

// request is a command and its author.
type request struct {
	command
	by      string
	allowed bool // the author may command sessions
}

// requests finds the commands in comments.
func (v *visit) requests(ctx context.Context, comments []Comment) ([]request, error) {
	var list []request
	for _, comment := range comments {
		cmd := commandOf(comment)
		if cmd == "" || !audible(comment) {
			continue
		}
		allowed, err := v.auth.allows(ctx, v.src, v.item.Host, comment.Author)
		if err != nil {
			return nil, err
		}
		list = append(list, request{cmd, comment.Author, allowed})
	}
	return list, nil
}

// tellCommands reports the commands, including the ignored ones of strangers.
func (p *Poller) tellCommands(ref string, requests []request) {
	for _, o := range requests {
		text := "command taken"
		if !o.allowed {
			text = "command ignored: its author is not authorized"
		}
		p.log.Info(text, "ref", ref, "command", string(o.command), "by", o.by)
		p.events.Write(eventlog.Command(ref, string(o.command), o.by, o.allowed))
	}
}

// lastRequest returns the last allowed request for one of the named commands, nil for
// none.
func lastRequest(requests []request, named ...command) *request {
	for i, o := range slices.Backward(requests) {
		if o.allowed && slices.Contains(named, o.command) {
			return &requests[i]
		}
	}
	return nil
}

// whetherToStart returns the request that decides whether an item without a session
// gets one. The last one wins.
func whetherToStart(requests []request) *request {
	return lastRequest(requests, cmdStart, cmdStop, cmdRestart)
}

// outcome returns the request that takes effect on a live session when all are
// obeyed in their order, nil if nothing changes. After a stop only a start counts,
// and makes it a restart.
func outcome(paused bool, requests []request) *request {
	var end *request
	now := paused
	var last *request
	for i, o := range requests {
		switch {
		case !o.allowed:
		case o.command == cmdStop, o.command == cmdRestart:
			end = &requests[i]
		case o.command == cmdStart && end != nil:
			end = &request{cmdRestart, o.by, true}
		case o.command == cmdPause, o.command == cmdResume:
			now, last = o.command == cmdPause, &requests[i]
		}
	}
	switch {
	case end != nil:
		return end
	case now != paused:
		return last
	}
	return nil
}

// obey carries out commands to the session that hears the item. It reports whether
// the session ends; the next session then reads all earlier comments itself.
func (v *visit) obey(ctx context.Context, comments []Comment, requests []request) (over bool, err error) {
	o := outcome(v.target.State == session.StatePaused, requests)
	if o == nil {
		return false, nil
	}
	read := func(r *session.Record) {
		v.describe(r)
		for _, comment := range comments {
			r.MarkSeen(comment.ID)
		}
		v.readToTheEnd(r)
	}
	if o.command == cmdPause || o.command == cmdResume {
		if err := v.carryOut(v.target.Ref, *o, nil); err != nil {
			return false, err
		}
		return false, v.load(ctx)
	}
	if !v.feeds() {
		err := v.carryOut(v.item.Ref, *o, read)
		v.tellCommands(v.item.Ref, requests)
		return true, err
	}
	if err := v.carryOut(v.target.Ref, *o, nil); err != nil {
		return true, err
	}
	v.tellCommands(v.target.Ref, requests)
	return true, v.store.Update(v.item.Ref, func(r *session.Record) error {
		read(r)
		r.Fed = true
		return nil
	})
}

// carryOut applies a request to the item's session if the session's state permits.
// also is a further change in the same write, or nil.
func (c *cycle) carryOut(ref string, o request, also func(*session.Record)) error {
	closing, resumed := false, false
	err := c.store.Update(ref, func(r *session.Record) error {
		closing, resumed = false, false
		if also != nil {
			also(r)
		}
		switch {
		case o.command == cmdPause && r.Live():
			r.SetState(session.StatePaused, c.now())
			r.StoppedBy = o.by
		case o.command == cmdResume && r.State == session.StatePaused:
			c.unpause(r)
			resumed = true
		case (o.command == cmdStop || o.command == cmdRestart) && r.Live():
			c.end(r, session.ClosureStopped, o)
			closing = true
		case o.command == cmdStop:
			c.hold(r, o)
		case o.command == cmdRestart && (r.State == session.StateStopped || r.State == session.StateGaveUp):
			c.hold(r, o)
			r.Restart = true
		case o.command == cmdRestart && beingStopped(r):
			r.Restart = true
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case closing:
		return c.submitClose(ref)
	case resumed:
		c.owe(ref)
	}
	return nil
}

// unpause returns a session to the state before its pause. An undelivered start goes
// on.
func (c *cycle) unpause(r *session.Record) {
	state := session.StateActive
	if r.HasPending(session.EventSpawn) {
		state = session.StateNone
	}
	r.SetState(state, c.now())
	r.StoppedBy = ""
}

// end begins the close of a session whose item is still open. Undelivered events end
// with the session.
func (c *cycle) end(r *session.Record, closure string, o request) {
	r.SetState(session.StateClosing, c.now())
	r.StoppedBy, r.Restart = o.by, o.command == cmdRestart
	r.Gone = ""
	forgetGivenUp(r)
	r.Pending = nil
	addPending(r, session.EventClose, "", "").Closure = closure
}

// hold keeps an item without a session from starting one. It leaves ended items
// alone, and lets a close under way finish without a session after it.
func (c *cycle) hold(r *session.Record, o request) {
	r.Restart = false
	if r.State == session.StateClosing || r.State == session.StateClosed {
		return
	}
	r.SetState(session.StateStopped, c.now())
	r.StoppedBy, r.NoHandler = o.by, false
	r.Pending = nil
	forgetGivenUp(r)
}

// beingStopped reports whether the item's close will leave it stopped.
func beingStopped(r *session.Record) bool {
	p := r.PendingByID(r.DeliveryID(session.EventClose, ""))
	return r.State == session.StateClosing && p != nil && session.StateAfter(p.Closure) == session.StateStopped
}

// startAgain prepares a stopped item for another session. by is the author of the
// comment that asked for it, "" for the command line.
func startAgain(r *session.Record, by string) {
	r.Generation++
	r.ForgetLosses()
	r.Pending, r.GaveUp = nil, nil
	r.Restart, r.StoppedBy, r.StartedAt = false, "", time.Time{}
	if by != "" {
		r.AdoptedBy = by
	}
}

// owe queues the events kept for a session, oldest first across all items, ahead of
// new ones.
func (c *cycle) owe(to string) {
	delete(c.owed, to)
	for rec := range c.store.All() {
		c.addOwed(rec, to)
	}
	c.sortOwed(to)
}

// keepsComments reports whether the session is paused.
func keepsComments(target *session.Record) bool {
	return target != nil && target.State == session.StatePaused
}

// isPaused reports whether the session of ref is paused.
func (p *Poller) isPaused(ref string) bool {
	rec, _, err := p.store.Get(ref)
	return err == nil && keepsComments(&rec)
}
