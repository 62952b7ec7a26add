package status

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// noise is the part of an error that GitHub and the network add and no reader needs.
// The heartbeat and the event log keep it.
type noise struct {
	form *regexp.Regexp
	kept string // the replacement
}

var noises = sync.OnceValue(func() []noise {
	return []noise{
		// GitHub explains a 502 with three sentences and a request number.
		{regexp.MustCompile(`(HTTP \d{3}): Something went wrong while executing your query\..* when reporting this issue\.`), "$1"},
		{regexp.MustCompile(`(Something went wrong while executing your query)\..* when reporting this issue\.`), "$1"},
		// gh appends the address of its request, Go puts it first.
		{regexp.MustCompile(` \(https?://[^\s()]*\)`), ""},
		{regexp.MustCompile(`\b(Get|Post) "https?://[^"\s]*": `), ""},
		{regexp.MustCompile(`\bread (tcp|unix) \S+->\S+: `), ""},
	}
})

// Brief returns the text of an error without noise, made fit for one line.
func Brief(text string) string {
	short := shown(text)
	for _, n := range noises() {
		short = n.form.ReplaceAllString(short, n.kept)
	}
	return shown(short)
}

// listingForm matches the failure of one of the two listings of a repository.
var listingForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^gh (issue|pr)( list)?(?: --repo)? (.+)$`)
})

// once drops repeated texts. If both listings of a repository met the same error, one
// text names both.
func once(texts []string) []string {
	var out, kinds []string
	at := map[string]int{}
	for _, text := range texts {
		if slices.Contains(out, text) {
			continue
		}
		m := listingForm().FindStringSubmatch(text)
		if m == nil {
			out = append(out, text)
			continue
		}
		call := "gh " + m[1] + m[2]
		if i, met := at[m[2]+m[3]]; met && kinds[i] != call {
			out[i] = strings.Join([]string{kinds[i], "and", call, m[3]}, " ")
			continue
		}
		out = append(out, text)
		for len(kinds) < len(out) {
			kinds = append(kinds, "")
		}
		kinds[len(out)-1] = call
		at[m[2]+m[3]] = len(out) - 1
	}
	return out
}
