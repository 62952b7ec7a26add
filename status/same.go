package status

import "bytes"

// Same reports whether r and o say the same but for the ages, which change by
// themselves. Not an age: that nothing has moved for too long, and that deliveries
// take longer than an interval.
func (r Report) Same(o Report) bool {
	_, stale := r.Stale()
	_, wasStale := o.Stale()
	busy, wasBusy := r.workload() != "", o.workload() != ""
	return stale == wasStale && busy == wasBusy && r.SameJSON(o)
}

// SameJSON is Same for what [Report.JSON] says.
func (r Report) SameJSON(o Report) bool {
	text, err := r.JSON()
	before, beforeErr := o.JSON()
	return err == nil && beforeErr == nil && bytes.Equal(text, before)
}
