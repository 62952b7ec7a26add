package fakegh

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// renderPullState reads "STATE HEAD [MERGEABLE] [DECISION] [NAME=RESULT]…" as gh
// prints it: open c1 conflicting approved build=failure status/ci=pending. A name
// may stand twice: a re-run begins a minute after the run before it.
func renderPullState(c call, text string) (any, error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return nil, fmt.Errorf("a pull request is STATE HEAD …")
	}
	v := map[string]any{"state": strings.ToUpper(words[0]), "headRefOid": words[1], "mergeable": "MERGEABLE", "reviewDecision": ""}
	if !slices.Contains([]string{"OPEN", "CLOSED", "MERGED"}, v["state"].(string)) {
		return nil, fmt.Errorf("a pull request is open, closed or merged")
	}
	checks := []any{}
	for i, word := range words[2:] {
		name, result, isCheck := strings.Cut(word, "=")
		switch word {
		case "conflicting", "unknown", "mergeable":
			v["mergeable"] = strings.ToUpper(word)
		case "approved", "changes_requested", "review_required":
			v["reviewDecision"] = strings.ToUpper(word)
		default:
			if !isCheck {
				return nil, fmt.Errorf("no state, decision or check: %q", word)
			}
			checks = append(checks, renderCheck(c, i, name, strings.ToUpper(result)))
		}
	}
	v["statusCheckRollup"] = checks
	maps.DeleteFunc(v, func(field string, _ any) bool { return !slices.Contains(c.fields, field) })
	return v, nil
}

func renderCheck(c call, minute int, name, result string) any {
	at := fmt.Sprintf("2026-01-01T00:%02d:00Z", minute)
	url := "https://ci.example.com/" + name
	if context, ok := strings.CutPrefix(name, "status/"); ok {
		return map[string]any{"__typename": "StatusContext", "context": context, "state": result, "targetUrl": url, "startedAt": at}
	}
	run := map[string]any{
		"__typename": "CheckRun", "name": name, "workflowName": "CI", "status": "COMPLETED", "conclusion": result,
		"startedAt": at, "completedAt": at, "detailsUrl": url,
	}
	switch result {
	case "PENDING", "QUEUED", "IN_PROGRESS", "WAITING":
		run["status"], run["conclusion"], run["completedAt"] = result, "", "0001-01-01T00:00:00Z"
	}
	return run
}
