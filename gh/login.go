package gh

import "strings"

// SameLogin reports whether a and b name the same account. Case does not
// matter, and an app's "app/x" (as GraphQL has it) equals its "x[bot]" (REST),
// which is not the user x. An empty login, that of a deleted account, equals no
// other, not even another empty one.
func SameLogin(a, b string) bool {
	nameA, botA := account(a)
	nameB, botB := account(b)
	return nameA != "" && nameA == nameB && botA == botB
}

// account splits a login into its name in lower case and whether it is an
// app's. Only ASCII is folded: GitHub's logins are ASCII, and Unicode folding
// would make a K out of the Kelvin sign.
func account(login string) (name string, app bool) {
	name = strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, login)
	name, prefixed := strings.CutPrefix(name, "app/")
	name, suffixed := strings.CutSuffix(name, "[bot]")
	return name, prefixed || suffixed
}
