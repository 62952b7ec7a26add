// Package ghdouble is a small double of GitHub's API for tests. The real gh talks to it
// over a unix socket as if it were GitHub. The double holds hosts, repositories, items
// and conversations, answers gh's requests, and on demand fails in each way that GitHub
// and the network are known to fail.
//
// A test with the double shows how the real gh handles an answer; a script that
// imitates gh could only repeat its author's beliefs. [Facts] lists the output of gh
// under each fault, and this package's tests compare it with a real gh.
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
// THE_LOOP_REAL_GH names. Without one they skip, or fail when CI or THE_LOOP_REQUIRE_GH
// is set. For a client that starts gh itself, Server.Binary writes a program that needs
// no environment.
//
// By hand, with such a file:
//
//	GHDOUBLE_WORLD=$PWD/world.json go test -run ByHand -v -timeout 0 ./internal/ghdouble
//
// prints the variables to export in another shell. gh then sees that world until
// you interrupt the test. This works through one line of $GH_CONFIG_DIR/config.yml,
// "http_unix_socket: /short/path", and a GH_TOKEN: gh sends its https requests as
// plain HTTP into the socket, so the double needs no certificate and no port, and no
// request leaves the machine.
//
// Limits: the double changes nothing for gh (no mutations, no POST). It knows only the
// fields, calls and search terms that our daemon uses; for any other it returns an
// error that names it, or a 404. It checks only that a token is present. It counts a
// quota down only on request. It resolves no names, so it cannot produce gh's messages
// for a failing DNS. It resets a connection on Linux only; elsewhere the connection
// just ends. One assumption is untested: GitHub still answers for pull requests, as
// issues, of a repository whose Issues are off.
//
// It imports only the standard library and nothing of the project: a double that
// shared the program's assumptions could not contradict them.
package ghdouble
