// Package ghdouble is GitHub's API in miniature, for tests: the real gh talks to
// it over a unix socket and does not notice. It holds a small world of hosts,
// repositories, items and conversations, answers what gh asks of it, and gets
// things wrong on request, in each way that GitHub and the network are known to.
//
// With it a test asks what the real gh makes of an answer, where a script that
// plays gh could only repeat what its author believed. [Facts] says what gh
// prints under each fault, and this package's tests hold a real gh against it.
//
//	s := ghdouble.Start(t)
//	s.Repo("octo/a").AddIssue(ghdouble.Item{Number: 7, Labels: []string{"the-loop"}})
//	s.Fail(ghdouble.Match{Kind: ghdouble.IssueList}, ghdouble.Fault{…})
//	cmd.Env = append(os.Environ(), s.Env()...)
//
// A scenario starts one with [New], describes the world in a file
// ([Server.LoadJSON]) and changes it with [Server.Command] or with further files:
//
//	{
//	  "hosts": [{"name": "github.com", "login": "octocat",
//	    "rates": {"graphql": {"limit": 5000, "remaining": 0, "resetInSeconds": 90}}}],
//	  "repos": [
//	    {"name": "octo/a", "formerNames": ["octo/old"], "labels": ["unused"],
//	      "issues": [
//	        {"number": 7, "title": "Fix it", "author": "alice", "labels": ["the-loop"],
//	          "comments": [{"id": "IC_1", "author": "dependabot[bot]", "body": "me too"}]},
//	        {"number": 8, "state": "closed", "index": "stale", "labels": ["the-loop"]}],
//	      "pullRequests": [
//	        {"number": 9, "headRef": "issue-7", "closes": [7], "body": "Fixes #7",
//	          "mergeable": "CONFLICTING", "reviewDecision": "CHANGES_REQUESTED",
//	          "checks": [{"name": "test", "conclusion": "FAILURE"}, {"context": "ci", "state": "PENDING"}],
//	          "reviews": [{"author": "ghost", "state": "APPROVED", "body": "good"}],
//	          "reviewComments": [{"path": "main.go", "line": 3, "body": "why?"}]}]},
//	    {"name": "octo/b", "issuesDisabled": true},
//	    {"name": "ghe.example.com/corp/c"}],
//	  "faults": [{"kind": "issue list", "repo": "octo/a", "fault": "502", "times": 2}]
//	}
//
// Tests run the gh that [RealGH] finds: the one on PATH, or the one that
// THE_LOOP_REAL_GH names. Without any they are skipped, and fail when CI or
// THE_LOOP_REQUIRE_GH is set. Server.Binary makes a program of it that needs no
// environment, for a client that is to start one.
//
// By hand, with such a file:
//
//	GHDOUBLE_WORLD=$PWD/world.json go test -run ByHand -v -timeout 0 ./internal/ghdouble
//
// prints the variables to export in another shell, where gh then sees that
// world until the test is interrupted. What makes it so is one line of
// $GH_CONFIG_DIR/config.yml, "http_unix_socket: /short/path", and a GH_TOKEN: gh
// sends its https requests as plain HTTP into the socket, so there is no
// certificate, no port and no way out of the machine.
//
// What it does not do: it changes nothing for gh (no mutations, no POST), knows
// no fields, calls and search terms but those that a daemon of ours uses (any
// other is refused with an error that names it, or is a 404), does not check
// tokens beyond their being there, counts a quota down only where that is asked for,
// and resolves no names, so gh's words for a failing DNS cannot be brought about. A connection is
// reset on Linux only; elsewhere it just ends. That GitHub still answers for the
// pull requests, as issues, of a repository whose Issues are off is an assumption.
//
// It imports the standard library only, and nothing of the project: a double
// that shared the program's assumptions could not contradict them.
package ghdouble
