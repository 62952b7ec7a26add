// Package nearest finds the name that a person most likely meant to type: a key of the
// configuration, a command, a flag.
//
// It suggests only names in which at most a third of the typed letters differ. It
// ignores long input, so it never works for long.
//
// It imports only the standard library.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// longest is the length in characters above which no name is near: the search takes
// the product of both lengths, and no known name is so long.
const longest = 60

// To returns the known name nearest to the typed one, "" if none is near. Of equally
// near names it returns the first.
func To(typed string, known []string) string {
	best, least := "", utf8.RuneCountInString(typed)/3+1
	if len(typed) > longest {
		return ""
	}
	for _, name := range known {
		if d := distance(letters(typed), letters(name)); d < least {
			best, least = name, d
		}
	}
	return best
}

// letters drops differences of style: interval_seconds, interval-seconds,
// IntervalSeconds.
func letters(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// distance counts the letters to add, drop, replace or swap with a neighbour.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(from); i++ {
		for j := 1; j <= len(to); j++ {
			cost := 1
			if from[i-1] == to[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(from)][len(to)]
}
