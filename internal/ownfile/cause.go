package ownfile

import "errors"

// Cause is the text of what made reading or writing fail, such as "no space left
// on device", without what was tried: it stays the same over attempts that fail
// at different steps. Of nil it is "".
func Cause(err error) string {
	if err == nil {
		return ""
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
