package status

import "bytes"

// Same reports whether r and o differ only in their ages, which change by themselves.
// A poller that became stale, or deliveries that now take longer than an interval, are
// a difference.
func (r Report) Same(o Report) bool {
	_, stale := r.Stale()
	_, wasStale := o.Stale()
	busy, wasBusy := r.workload() != "", o.workload() != ""
	return stale == wasStale && busy == wasBusy && r.SameJSON(o)
}

// SameJSON does the same for the output of [Report.JSON].
func (r Report) SameJSON(o Report) bool {
	text, err := r.JSON()
	before, beforeErr := o.JSON()
	return err == nil && beforeErr == nil && bytes.Equal(text, before)
}
