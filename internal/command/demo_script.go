package command

import "fmt"

// demoConfig hurries: its interval is about a second instead of a minute, its
// quarantine two cycles instead of an hour.
func demoConfig(program string) string {
	return fmt.Sprintf(`polling:
  intervalSeconds: 1.2
  pace: false # or the hurry would be found out
  sources:
    - provider: github
      repos: [octo/api, octo/web, octo/old-fork]
      reprobeCycles: 2
routing:
  handlers:
    spawn: [%[1]q, demo-agent]
    comment: [%[1]q, demo-agent]
    close: [%[1]q, demo-agent]
`, program)
}

// demoScript holds the answers of the simulated gh, in the language of
// internal/fakegh.
const demoScript = `issue list octo/api: #7"Login fails with a long password"*3 ; #7~1"Login fails with a long password"*3 ; []
pr list octo/api: []
issue list octo/web: #12@mallory"Buy my coins" ; 502 ; #12@mallory"Buy my coins"
pr list octo/web: []
issue list octo/old-fork: #3"Upgrade the parser"*2 ; disabled*2 ; #3"Upgrade the parser"
pr list octo/old-fork: #4"Fix the build"
issue view octo/api#7: none*2 ; c1@octocat "Please add a test for 73 characters, too."
issue view *: none
pr view *: none
api reviews *: none
api inline *: none
api item octo/api#7: open ; closed
repo view octo/old-fork: off
repo view *: on
api user *: octocat
`

// demoAct is one cycle: the text before it, and whether the demo shows status
// after it.
type demoAct struct {
	text   string
	status bool
}

// demoActs returns the cycles of the demo in order.
func demoActs() []demoAct {
	return []demoAct{
		{"Three repositories, all healthy. Your own items get a session each;\n   a stranger's waits until an authorized user asks for it.", false},
		{"GitHub answers 502 for the issues of octo/web. The others carry on.", true},
		{"octo/web is back by itself. octo/old-fork has its Issues switched off now:\n   one warning, and the session of its issue is kept.", true},
		{"octo/old-fork is in quarantine: its issues are not asked for, its pull requests are.\n   Meanwhile you comment on octo/api#7; its session gets the comment once.", false},
		{"Time to ask again: still off, and no second warning.", false},
		{"In quarantine again.", true},
		{"Asked again, and Issues are on: recovered, without a restart.\n   octo/api#7 was closed, and so is its session.", true},
	}
}
