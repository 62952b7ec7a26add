// Package nearest finds the name that somebody who mistyped most likely meant:
// a key of the configuration, a command, a flag.
//
// It guarantees that nothing is suggested that is not near: at most a third of
// the typed letters may differ. What it is given is never long enough to make
// it work for long.
//
// It imports only the standard library.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// longest is the length in characters above which nothing is near: no name is
// as long, and the search takes the product of both lengths.
const longest = 60

// To is the known name nearest to the typed one, "" when none is near. Of two
// that are as near it is the first.
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

// letters leaves out what people spell differently: interval_seconds,
// interval-seconds, IntervalSeconds.
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
