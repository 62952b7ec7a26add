package gh

import (
	"runtime"
	"slices"
	"strings"
)

// environ is the operator's environment as gh gets it. What is set keeps gh
// from asking, announcing, colouring and paging. What is removed would colour
// or mix foreign text into its output, or, with GH_REPO and GH_HOST, change
// what is asked: with GH_HOST set, a gh without a login asks anonymously
// instead of saying so.
func environ(operator []string) []string {
	set := []string{
		"GH_PROMPT_DISABLED=1",
		"GH_NO_UPDATE_NOTIFIER=1",
		"GH_SPINNER_DISABLED=1",
		"GH_TELEMETRY=false",
		"DO_NOT_TRACK=1",
		"NO_COLOR=1",
		"GH_PAGER=cat",
	}
	drop := []string{"GH_DEBUG", "DEBUG", "GH_FORCE_TTY", "CLICOLOR_FORCE", "GH_REPO", "GH_HOST"}
	for _, entry := range set {
		drop = append(drop, variable(entry))
	}
	env := make([]string, 0, len(operator)+len(set))
	for _, entry := range operator {
		if !slices.Contains(drop, variable(entry)) {
			env = append(env, entry)
		}
	}
	return append(env, frugal(operator, set)...)
}

// frugal adds what makes gh cheaper. Nearly all of a call is gh's own start,
// in which its garbage collector runs several times for nothing: without it a
// call takes a tenth less CPU (docs/performance.md). A limit brings it back for
// an answer that is huge. An operator who has settings of his own keeps them.
func frugal(operator, set []string) []string {
	for _, entry := range operator {
		if name := variable(entry); name == "GOGC" || name == "GOMEMLIMIT" {
			return set
		}
	}
	return append(set, "GOGC=off", "GOMEMLIMIT=256MiB")
}

// variable is the name in an entry of an environment, in upper case where the
// system does not tell the cases apart.
func variable(entry string) string {
	name, _, _ := strings.Cut(entry, "=")
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}
