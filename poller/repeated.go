package poller

import (
	"errors"

	"the-loop/internal/ownfile"
	"the-loop/internal/session"
)

// repeated holds the last error of each recurring step, so that a disk that stays
// full is not reported in every cycle.
type repeated map[string]string

// news reports whether err is worth a line: an error other than the last one of this
// step.
func (r repeated) news(what string, err error) bool {
	if err == nil {
		delete(r, what)
		return false
	}
	cause := ownfile.Cause(err)
	before, known := r[what]
	r[what] = cause
	return !known || before != cause
}

// toldBefore reports whether an earlier cycle already reported that the item's record
// could not be written for the same reason.
func (c *cycle) toldBefore(ref string, err error) bool {
	unwritten := (*session.UnwrittenError)(nil)
	return errors.As(err, &unwritten) && c.failing.lastError(ref) == err.Error()
}
