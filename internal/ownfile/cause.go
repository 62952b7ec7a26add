package ownfile

import "errors"

// Cause returns the innermost reason of a failed read or write, such as "no space
// left on device". Unlike the whole text it stays the same when attempts fail at
// different steps. It returns "" for nil.
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
