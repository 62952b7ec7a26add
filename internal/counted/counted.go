// Package counted puts numbers of things into sentences: 1 item, 2 items.
//
// It imports nothing of the project.
package counted

import "strconv"

// Of returns n and the name of the things: one if n is 1, else many.
func Of(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
