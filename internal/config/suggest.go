package config

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// nearest is the accepted key that a mistyped one most likely meant, "" when
// none is near: at most a third of its letters may differ.
func nearest(typed string, accepted []string) string {
	best, least := "", len(typed)/3+1
	if len(typed) > mostQuoted {
		return ""
	}
	for _, key := range accepted {
		if d := distance(letters(typed), letters(key)); d < least {
			best, least = key, d
		}
	}
	return best
}

// letters leaves out what people spell differently: interval_seconds,
// interval-seconds, IntervalSeconds.
func letters(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(key))
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

// homesOf lists the sections of the schema that know a key, sorted by name: a
// key that is spelled right often only stands at the wrong level.
func homesOf(s *jsonschema.Schema, name, path string) []string {
	s = resolve(s)
	var homes []string
	for _, key := range keysOf(s) {
		if key == name && path != "" {
			homes = append(homes, path)
		}
		homes = append(homes, homesOf(s.Properties[key], name, join(path, key))...)
	}
	if s.Items2020 != nil {
		homes = append(homes, homesOf(s.Items2020, name, path+"[]")...)
	}
	return homes
}

func list(keys []string) string { return strings.Join(keys, ", ") }
