package gh

import (
	"encoding/json"
	"testing"
)

func TestNewestChecks(t *testing.T) {
	for name, tt := range map[string]struct {
		entries string
		want    CheckResult
	}{
		"skipped":            {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"SKIPPED"}`, CheckPassed},
		"neutral":            {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"NEUTRAL"}`, CheckPassed},
		"cancelled":          {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"CANCELLED"}`, CheckFailed},
		"timed out":          {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"TIMED_OUT"}`, CheckFailed},
		"action required":    {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"ACTION_REQUIRED"}`, CheckFailed},
		"stale":              {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"STALE"}`, CheckFailed},
		"in progress":        {`{"__typename":"CheckRun","name":"a","status":"IN_PROGRESS","conclusion":""}`, CheckPending},
		"a word of tomorrow": {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"MAYBE"}`, CheckPending},
		"status error":       {`{"__typename":"StatusContext","context":"a","state":"ERROR"}`, CheckFailed},
		"status expected":    {`{"__typename":"StatusContext","context":"a","state":"EXPECTED"}`, CheckPending},
		"re-run": {`{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"SUCCESS","startedAt":"2026-01-01T00:02:00Z"},
			{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"FAILURE","startedAt":"2026-01-01T00:01:00Z"}`, CheckPassed},
		"re-run that waits": {`{"__typename":"CheckRun","name":"a","status":"QUEUED","startedAt":"0001-01-01T00:00:00Z"},
			{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"FAILURE","startedAt":"2026-01-01T00:01:00Z"}`, CheckPending},
	} {
		var entries []checkJSON
		if err := json.Unmarshal([]byte("["+tt.entries+"]"), &entries); err != nil {
			t.Fatal(err)
		}
		if got := newest(entries); len(got) != 1 || got[0].Name != "a" || got[0].Result != tt.want {
			t.Errorf("%s: %+v, want one that is %s", name, got, tt.want)
		}
	}
}

func TestChecksOfTwoWorkflows(t *testing.T) {
	const text = `[{"__typename":"CheckRun","name":"a","workflowName":"x","status":"COMPLETED","conclusion":"FAILURE"},
		{"__typename":"CheckRun","name":"a","status":"COMPLETED","conclusion":"SUCCESS","checkSuite":{"workflowRun":{"workflow":{"name":"y"}}}}]`
	var entries []checkJSON
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		t.Fatal(err)
	}
	if got := newest(entries); len(got) != 2 {
		t.Errorf("%+v, want both", got)
	}
}
