package poller

import (
	"errors"

	"the-loop/internal/ownfile"
	"the-loop/internal/session"
)

// repeated holds the last error of each thing that every cycle does, so that a
// disk that stays full is not told of in every cycle.
type repeated map[string]string

// news reports whether err is worth a line: it is an error, and not the one of
// the last time.
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

// toldBefore reports whether the item's record could not be written in an
// earlier cycle for the same reason.
func (c *cycle) toldBefore(ref string, err error) bool {
	unwritten := (*session.UnwrittenError)(nil)
	return errors.As(err, &unwritten) && c.failing.lastError(ref) == err.Error()
}
