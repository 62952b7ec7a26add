package gh

import (
	"runtime"
	"slices"
	"strings"
)

// environ is the operator's environment as gh gets it. What is set keeps gh
// from asking, announcing, colouring and paging. What is removed would colour
// or mix foreign text into its output, or, with GH_REPO and GH_HOST, change the
// question: with GH_HOST set, a gh without a login asks anonymously instead of
// saying so. cache is the folder for what gh learns of its hosts; "" leaves gh its own.
func environ(operator []string, cache string) []string {
	set := []string{
		"GH_PROMPT_DISABLED=1",
		"GH_NO_UPDATE_NOTIFIER=1",
		"GH_SPINNER_DISABLED=1",
		"GH_TELEMETRY=false",
		"DO_NOT_TRACK=1",
		"NO_COLOR=1",
		"GH_PAGER=cat",
	}
	set = append(set, cacheVariables(cache)...)
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

// frugal adds variables that make gh cheaper (docs/performance.md has the figures),
// except those that the operator has set. Nearly all of a call is gh's own
// start. In it, the garbage collector runs several times for nothing; a limit
// brings it back for an answer that is huge. And up to gh 2.46 at least, a
// library for full-screen programs computes a table that no listing needs;
// TCELL_MINIMIZE=1 spares it that.
func frugal(operator, set []string) []string {
	if !sets(operator, "GOGC", "GOMEMLIMIT") {
		set = append(set, "GOGC=off", "GOMEMLIMIT=256MiB")
	}
	if !sets(operator, "TCELL_MINIMIZE") {
		set = append(set, "TCELL_MINIMIZE=1")
	}
	return set
}

// sets reports whether an environment has one of the variables.
func sets(environment []string, names ...string) bool {
	return slices.ContainsFunc(environment, func(entry string) bool {
		return slices.Contains(names, variable(entry))
	})
}

// variable returns the name in an entry of an environment, in upper case where the
// system ignores case.
func variable(entry string) string {
	name, _, _ := strings.Cut(entry, "=")
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}
