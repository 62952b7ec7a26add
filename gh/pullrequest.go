package gh

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"the-loop/internal/ref"
)

// PullRequestState is how a pull request stands. Its words are GitHub's, in upper case.
type PullRequestState struct {
	HeadSHA        string
	State          string // OPEN, CLOSED, MERGED
	Mergeable      string // MERGEABLE, CONFLICTING, UNKNOWN
	ReviewDecision string // APPROVED, CHANGES_REQUESTED, REVIEW_REQUIRED; "" where no review is required
	// Checks hold the newest run of each check, sorted by name.
	Checks []Check
	// Entries is how many entries gh printed, earlier runs among them.
	Entries int
}

// CheckResult is what a check says.
type CheckResult string

// The results. A check that was skipped or is neutral has passed, as on GitHub's
// own page. A word that this program does not know is pending: it proves nothing.
const (
	CheckPassed  CheckResult = "passed"
	CheckFailed  CheckResult = "failed"
	CheckPending CheckResult = "pending"
)

// Check is one check run or commit status of a head.
type Check struct {
	Name   string
	URL    string // may be ""
	Result CheckResult
}

const pullStateFields = "headRefOid,statusCheckRollup,mergeable,reviewDecision,state"

// PullRequest asks how pull request n stands. An answer without a head or a state,
// which gh prints when GitHub sent no data, is an error.
func (c *Client) PullRequest(ctx context.Context, r ref.Repo, n int) (PullRequestState, error) {
	if err := checkItem(r, n); err != nil {
		return PullRequestState{}, err
	}
	args := []string{"pr", "view", strconv.Itoa(n), "--repo", r.Full(), "--json", pullStateFields}
	var answer struct {
		HeadRefOid        string      `json:"headRefOid"`
		StatusCheckRollup []checkJSON `json:"statusCheckRollup"`
		Mergeable         string      `json:"mergeable"`
		ReviewDecision    string      `json:"reviewDecision"`
		State             string      `json:"state"`
	}
	if err := c.ask(ctx, args, &answer); err != nil {
		return PullRequestState{}, err
	}
	switch answer.State {
	case "OPEN", "CLOSED", "MERGED":
	default:
		return PullRequestState{}, without(args, "a state")
	}
	if answer.HeadRefOid == "" {
		return PullRequestState{}, without(args, "a head")
	}
	return PullRequestState{
		HeadSHA: answer.HeadRefOid, State: answer.State, Mergeable: answer.Mergeable,
		ReviewDecision: answer.ReviewDecision,
		Checks:         newest(answer.StatusCheckRollup), Entries: len(answer.StatusCheckRollup),
	}, nil
}

// checkJSON is an entry of statusCheckRollup: a CheckRun, which has a name, a
// status and a conclusion, or a StatusContext, which has a context and a state.
type checkJSON struct {
	Type       string    `json:"__typename"`
	Name       string    `json:"name"`
	Workflow   string    `json:"workflowName"`
	Status     string    `json:"status"`
	Conclusion string    `json:"conclusion"`
	DetailsURL string    `json:"detailsUrl"`
	Context    string    `json:"context"`
	State      string    `json:"state"`
	TargetURL  string    `json:"targetUrl"`
	StartedAt  time.Time `json:"startedAt"`
	// CheckSuite names the workflow in older versions of gh.
	CheckSuite struct {
		WorkflowRun struct {
			Workflow struct {
				Name string `json:"name"`
			} `json:"workflow"`
		} `json:"workflowRun"`
	} `json:"checkSuite"`
}

func (j checkJSON) workflow() string {
	return cmp.Or(j.Workflow, j.CheckSuite.WorkflowRun.Workflow.Name)
}

func (j checkJSON) isStatus() bool {
	return j.Type == "StatusContext" || j.Type == "" && j.Context != ""
}

func (j checkJSON) check() Check {
	switch {
	case j.isStatus():
		return Check{Name: j.Context, URL: j.TargetURL, Result: statusResult(j.State)}
	case j.Status != "COMPLETED":
		return Check{Name: j.Name, URL: j.DetailsURL, Result: CheckPending}
	}
	return Check{Name: j.Name, URL: j.DetailsURL, Result: runResult(j.Conclusion)}
}

func statusResult(state string) CheckResult {
	switch state {
	case "SUCCESS":
		return CheckPassed
	case "FAILURE", "ERROR":
		return CheckFailed
	}
	return CheckPending // PENDING, EXPECTED
}

func runResult(conclusion string) CheckResult {
	switch conclusion {
	case "SUCCESS", "NEUTRAL", "SKIPPED":
		return CheckPassed
	case "FAILURE", "CANCELLED", "TIMED_OUT", "ACTION_REQUIRED", "STARTUP_FAILURE", "STALE":
		return CheckFailed // a stale run never ends any more
	}
	return CheckPending
}

// began is when the run started. One that waits for a runner has no such time and
// is later than all that have.
func (j checkJSON) began() time.Time {
	if j.StartedAt.IsZero() && j.check().Result == CheckPending {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return j.StartedAt
}

// newest keeps the last run of each check: GitHub lists a re-run beside the run
// before it. Of two that began in the same second a failure counts.
func newest(entries []checkJSON) []Check {
	type key struct {
		workflow, name string
		status         bool
	}
	last := map[key]checkJSON{}
	for _, e := range entries {
		k := key{e.workflow(), e.check().Name, e.isStatus()}
		old, known := last[k]
		newer := e.began().Compare(old.began())
		if !known || newer > 0 || newer == 0 && old.check().Result == CheckPassed {
			last[k] = e
		}
	}
	checks := make([]Check, 0, len(last))
	for _, e := range last {
		checks = append(checks, e.check())
	}
	slices.SortFunc(checks, func(a, b Check) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.URL+string(a.Result), b.URL+string(b.Result))
	})
	return checks
}
