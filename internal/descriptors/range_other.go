//go:build unix && !linux

package descriptors

func markRange() bool { return false }
