package ghdouble

import (
	"cmp"
	"fmt"
	"time"
)

// headSHA returns the SHA of the pull request's head.
func (it *item) headSHA() string {
	if it.HeadSHA != "" {
		return it.HeadSHA
	}
	return fmt.Sprintf("%040x", it.Number)
}

// headCommit returns the pull request's one commit. As on GitHub, its roll-up is null
// when the commit has no checks.
func headCommit(it *item) object {
	commit := object{"__typename": "Commit", "oid": it.headSHA(), "statusCheckRollup": nil}
	if len(it.Checks) > 0 {
		commit["statusCheckRollup"] = object{
			"__typename": "StatusCheckRollup",
			"contexts":   connection("StatusCheckRollupContext", checkObjects(it.Checks)),
		}
	}
	return object{"__typename": "PullRequestCommit", "commit": commit}
}

func checkObjects(checks []Check) []object {
	all := make([]object, len(checks))
	for i, c := range checks {
		if c.Context != "" {
			all[i] = object{
				"__typename": "StatusContext", "context": c.Context, "state": c.State, "targetUrl": c.URL,
				"createdAt": timeOrNull(c.StartedAt), "description": "", "isRequired": false,
			}
			continue
		}
		all[i] = object{
			"__typename": "CheckRun", "name": c.Name, "status": cmp.Or(c.Status, "COMPLETED"), "conclusion": textOrNull(c.Conclusion),
			"startedAt": timeOrNull(c.StartedAt), "completedAt": nil, "detailsUrl": c.URL, "isRequired": false,
			"checkSuite": object{"__typename": "CheckSuite", "workflowRun": object{
				"__typename": "WorkflowRun", "event": "pull_request",
				"workflow": object{"__typename": "Workflow", "name": c.Workflow},
			}},
		}
	}
	return all
}

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}
