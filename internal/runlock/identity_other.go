//go:build !linux && !darwin && !windows

package runlock

// identify identifies no process on this system, so none is ever signalled.
func identify(int) identity { return identity{} }
