package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
)

// reply is what a survey of a town gets in place of the whole one.
type reply = func(s gh.Survey, whole map[string]any) (string, error)

// wholeFaults are the ways in which a survey as a whole can go wrong.
func wholeFaults() map[string]reply {
	say := func(text string) reply {
		return func(gh.Survey, map[string]any) (string, error) { return text, nil }
	}
	fail := func(code int, stderr string) reply {
		return func(gh.Survey, map[string]any) (string, error) {
			return "", gh.ExitError([]string{"api", "graphql", "--hostname"}, code, stderr)
		}
	}
	return map[string]reply{
		"an empty object": say("{}"), "no data": say(`{"data":null}`), "no alias": say(`{"data":{}}`),
		"html": say("<html>"), "nothing": say(""), "a list": say("[]"), "half": say(`{"data":{"r0":`),
		"an error without a path":    withErrors(`[{"message":"Something went wrong"}]`),
		"an error with null path":    withErrors(`[{"path":null,"message":"Something went wrong"}]`),
		"an error about no alias":    withErrors(`[{"path":[0],"message":"Something went wrong"}]`),
		"one of many without a path": withErrors(`[{"path":["r0"],"message":"x"},{"path":[],"message":"x"}]`),
		"errors of another form":     withErrors(`{"message":"no"}`),
		"rate limited":               withErrors(`[{"type":"RATE_LIMITED","path":["r0"],"message":"API rate limit exceeded"}]`),
		"rate limited as a whole":    say(`{"data":null,"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`),
		"errors everywhere":          withErrors(`[{"path":["r0"],"message":"x"},{"path":["r1","issues"],"message":"x"},{"path":["r2","label"],"message":"x"}]`),
		"too large":                  withErrors(`[{"type":"RESOURCE_LIMITS_EXCEEDED","path":["r0"],"message":"x"},{"path":["r1"],"message":"x"},{"path":["r2"],"message":"x"}]`),
		"null aliases":               say(`{"data":{"r0":null,"r1":null,"r2":null}}`),
		"502":                        fail(1, "gh: HTTP 502"),
		"504":                        fail(1, "gh: HTTP 504"),
		"no network":                 fail(1, "error connecting to api.github.com"),
		"a rate limit":               fail(1, "gh: API rate limit exceeded for user ID 1. (HTTP 403)"),
		"a secondary limit":          fail(1, "gh: You have exceeded a secondary rate limit. (HTTP 403)"),
		"no login":                   fail(4, "To get started with GitHub CLI, please run:  gh auth login"),
		"bad credentials":            fail(1, "gh: Bad credentials (HTTP 401)"),
		"it takes too long": func(gh.Survey, map[string]any) (string, error) {
			return "", errors.New("gh api timed out after 1m0s")
		},
		"it panics": func(gh.Survey, map[string]any) (string, error) { panic("survey") },
	}
}

// withErrors is a whole answer beside which GitHub reports errors.
func withErrors(text string) reply {
	return func(_ gh.Survey, data map[string]any) (string, error) {
		whole, err := json.Marshal(data)
		return `{"data":` + string(whole) + `,"errors":` + text + `}`, err
	}
}

// gaps are what can be missing from the answer about one repository.
func gaps() map[string]func(alias map[string]any) {
	lists := func(change func(alias map[string]any, name string)) func(map[string]any) {
		return func(alias map[string]any) {
			for _, name := range []string{"issues", "pullRequests", "labelled", "labels"} {
				if alias[name] != nil {
					change(alias, name)
				}
			}
		}
	}
	of := func(field string, value any) func(map[string]any) {
		return lists(func(alias map[string]any, name string) {
			list := maps.Clone(alias[name].(map[string]any))
			if list[field] = value; value == nil && field == "totalCount" {
				delete(list, field)
			}
			alias[name] = list
		})
	}
	set := func(field string, value any) func(map[string]any) {
		return func(alias map[string]any) { alias[field] = value }
	}
	return map[string]func(map[string]any){
		"null connections": lists(func(alias map[string]any, name string) { alias[name] = nil }),
		"no connections":   lists(func(alias map[string]any, name string) { delete(alias, name) }),
		"null nodes":       of("nodes", nil),
		"a null node":      of("nodes", []any{nil}),
		"no count":         of("totalCount", nil),
		"one more":         of("totalCount", 7),
		"no name":          set("nameWithOwner", nil),
		"issues unknown":   set("hasIssuesEnabled", nil),
		"another type":     set("hasIssuesEnabled", "yes"),
	}
}

// gapped is an answer in which something of every repository is missing, with or
// without errors that say so.
func gapped(gap func(alias map[string]any), errors bool) reply {
	return func(s gh.Survey, data map[string]any) (string, error) {
		var said []string
		for i := range s.Repos {
			name := fmt.Sprintf("r%d", i)
			alias := maps.Clone(data[name].(map[string]any))
			gap(alias)
			data[name] = alias
			said = append(said, fmt.Sprintf(`{"path":[%q,"issues"],"message":"no"}`, name))
		}
		if !errors {
			said = nil
		}
		return withErrors("["+strings.Join(said, ",")+"]")(s, data)
	}
}

// TestSurveyFaults has each way in which a survey can go wrong: the calls are those
// of never, nothing is degraded and no host is left alone.
func TestSurveyFaults(t *testing.T) {
	faults := wholeFaults()
	for name, gap := range gaps() {
		faults[name] = gapped(gap, false)
		faults[name+", with errors"] = gapped(gap, true)
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { leavesTheCallsOfNever(t, fault) })
		})
	}
}

// leavesTheCallsOfNever compares a town whose surveys are answered so with one that
// is not surveyed. octo/a has a live session with a pull request, octo/c holds
// nothing.
func leavesTheCallsOfNever(t *testing.T, fault reply) {
	names := []string{"octo/a", "octo/b", "octo/c"}
	plain, surveyed := newTown(t, names...), newTown(t, names...)
	surveyed.answer = fault
	for _, w := range []*town{plain, surveyed} {
		w.put("octo/a", 1, false, time.Now())
		w.repos["octo/a"].items[3] = resident{pull: true, closes: 1, updated: time.Now()}
		w.put("octo/b", 2, true, time.Now())
	}
	p, s := plain.watch(SurveyNever, time.Second, nil, names...), surveyed.watch(SurveyAlways, time.Second, nil, names...)
	for range 4 {
		p.live("octo/a#1")
		s.live("octo/a#1")
		want, got := p.cycle(t), s.cycle(t)
		if diff := cmp.Diff(want.Items, got.Items); diff != "" || len(got.Degraded()) > 0 || len(got.Limited) > 0 || len(got.Polled) != 3 || len(got.Unchanged) > 0 {
			t.Errorf("degraded %v, limited %v, polled %v, unchanged %v, items (-never +surveyed): %s",
				got.Degraded(), got.Limited, got.Polled, got.Unchanged, diff)
		}
	}
	// What is left of the quota costs nothing, and a surprise has it asked for.
	ordinary := func(w *town) []string {
		return slices.DeleteFunc(slices.Clone(w.calls), func(c string) bool {
			return strings.HasPrefix(c, "survey") || c == "rate_limit"
		})
	}
	if diff := cmp.Diff(ordinary(plain), ordinary(surveyed)); diff != "" {
		t.Errorf("calls (-never +surveyed): %s", diff)
	}
	if surveyed.called("survey") == 0 {
		t.Error("no survey was made")
	}
}
