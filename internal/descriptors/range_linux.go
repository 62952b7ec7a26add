package descriptors

import (
	"math"

	"golang.org/x/sys/unix"
)

// markRange does the work of Keep in one call, which Linux has since 5.11.
func markRange() bool {
	return unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil
}
