package status

import (
	"slices"
	"strings"

	"the-loop/poller"
)

// cause is something that goes wrong in a known way, told by what the errors
// say, since a heartbeat holds nothing else.
type cause struct {
	// signs are lower-case; a text shows the cause when it contains all parts
	// of one sign.
	signs [][]string
	hint  string
}

// causes are the known ones, in the order in which their hints are printed.
func causes() []cause {
	const cannotRun = "could not run gh"
	return []cause{
		{
			signs: [][]string{
				{"gh is not logged in to"}, {"gh auth login"}, {"exited 4:"}, {"http 401"}, {"status code: 401"}, {"bad credentials"},
				{"invalid header field value for \"authorization\""},
			},
			hint: "gh is not logged in: type gh auth login; a service needs GH_TOKEN in its environment",
		},
		{
			signs: [][]string{{"rate limit"}, {"http 429"}, {"status code: 429"}},
			hint:  "the rate limit ends by itself; a longer polling.intervalSeconds or fewer repositories use less of it",
		},
		{
			signs: [][]string{
				{"executable file not found"}, {cannotRun, "not found"}, {cannotRun, "does not exist"},
				{cannotRun, "no such file"}, {cannotRun, "is a directory"}, {cannotRun, "not executable"},
				{cannotRun, "permission denied"}, {cannotRun, "exec format error"}, {cannotRun, "absolute"},
			},
			hint: "gh is missing: install it from https://cli.github.com, or set polling.sources[].ghBinary to its path; a service has its own PATH",
		},
		{
			signs: [][]string{{"unknown json field"}, {"unknown flag"}, {"unknown shorthand flag"}, {"unknown command"}},
			hint:  "gh is too old: install a newer one from https://cli.github.com, or set polling.sources[].ghBinary to it",
		},
	}
}

// hints are what to do about a cycle, one for each cause that its texts show.
func hints(s poller.Summary) []string {
	var texts []string
	for _, list := range [][]poller.ScopeFailure{s.ScopesFailed, s.ScopesSkipped} {
		for _, f := range list {
			texts = append(texts, strings.ToLower(f.Error))
		}
	}
	for _, e := range s.ProviderErrors {
		texts = append(texts, strings.ToLower(e.Error))
	}
	var out []string
	for _, c := range causes() {
		if slices.ContainsFunc(texts, c.shows) {
			out = append(out, c.hint)
		}
	}
	return out
}

func (c cause) shows(text string) bool {
	return slices.ContainsFunc(c.signs, func(parts []string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
	})
}
