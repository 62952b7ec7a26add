// Package fakegh is a gh that answers from a script: the scenarios put it on
// PATH as gh, and the demo runs the daemon over it. It prints what the real gh
// was measured to print, byte for byte where the program reads it, and refuses
// every call, flag and field that the real one would refuse or that the script
// does not answer.
//
// The folder that FAKEGH_DIR names holds
//
//	script     the answers
//	fields     further --json fields that this gh knows, if the file exists
//	version    the version of "gh --version", 2.23.0 without such a file
//	labels     the labels of pull requests in a listing without --label, the-loop
//	           without such a file
//	calls.log  one line per call: the arguments, quoted where they need it
//	sent.log   one line per call that changes something: the method, the target and
//	           what was sent
//	held.log   one line per answer that is held back: the FILE that it waits for
//
// and the files that the script refers to. A line of the script is a call, a
// colon and its answers in order, separated by " ; ", of which the last repeats
// for ever. Each line counts its own calls, so a script can be replaced while
// a daemon runs: the lines that did not change go on where they were.
//
//	issue list octo/a:        #1 #2~3@alice
//	issue list octo/b:        502 ; disabled*61 ; []
//	pr list octo/*:           []
//	issue view octo/a#1:      @comments.json
//	repo view octo/b:         off
//	api user github.com:      octocat
//
// An answer is
//
//	[] or other JSON    printed as it is, exit 0
//	@FILE               the contents of a file of the folder, read at the call
//	#N…                 listed items: #7 is issue or pull request 7, ! without the
//	                    label, ~3 its third revision (a later updatedAt), @alice its
//	                    author, =fix/issue-7 a pull request's branch, =eve:issue-7
//	                    one of eve's fork, ^7 the issue that it closes, "…" its title
//	                    and "…" its body
//	c1@alice "text" …   a conversation: comment c1 by alice; r1 a review, i1 an
//	                    inline comment for the two api calls; none is an empty one
//	open, closed, closed-pr, merged  an item's state, for "api item", and then
//	                    how many comments it has, 0 when not written
//	on, off, archived, now NEW/NAME  a repository: Issues enabled or not, read-only,
//	                    or renamed
//	there               a label, for "api label"; the fault missing where it is not
//	NAME                a login, for "api user"
//	listed              a survey, for "api graphql HOST": each repository holds what
//	                    the script answers to its next listing; what differs
//	                    follows, as in "listed | octo/b off": see survey.go
//	a fault             502, 502-html, 401, no-login, sso, rate-limit, secondary,
//	                    429, no-repo, disabled, html, cut, empty, null, reset,
//	                    dns, graphql, missing, app-token, hang, …: see faults.go
//
// and ANSWER*N stands for N times the same. "wait:FILE" after an answer holds it
// back until the folder holds such a file, "delay:2s" for that long. A call is
// matched by the first line whose pattern fits it; in the pattern * stands for
// any text. A repository on github.com may be written with or without its host, and
// so may the one that is asked for. An item about which no line says anything
// is open.
//
// The name of a call is that of gh's command, and of gh api "api item", "api
// reviews", "api inline", "api label", "api repo", "api graphql", "api rate_limit"
// and "api user"; "api more reviews" and "api more inline" are the page after the last.
// "api POST" and "api DELETE" are calls that change something; their target is the
// path without "repos/".
//
// It imports nothing of the project: a fake that shared the program's
// assumptions could not contradict them.
package fakegh
