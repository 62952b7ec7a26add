package status

import "bytes"

// Same reports whether r and o say the same but for the ages, which change by
// themselves. That nothing has moved for too long is no age.
func (r Report) Same(o Report) bool {
	_, stale := r.stale()
	_, wasStale := o.stale()
	return stale == wasStale && r.SameJSON(o)
}

// SameJSON is Same for what [Report.JSON] says.
func (r Report) SameJSON(o Report) bool {
	text, err := r.JSON()
	before, beforeErr := o.JSON()
	return err == nil && beforeErr == nil && bytes.Equal(text, before)
}
