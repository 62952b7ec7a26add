//go:build unix

package endurance_test

import (
	"context"
	"math/rand/v2"

	"the-loop/gh"
	"the-loop/internal/endurance"
)

// Survey answers from the town's present state, which the search index may not show yet.
// Now and then it leaves a repository out. Every fortieth call fails; the daemon then
// makes no survey before the next reload, since a real minute is long.
func (c *client) Survey(ctx context.Context, s gh.Survey) (gh.SurveyAnswer, error) {
	if err := ctx.Err(); err != nil {
		return gh.SurveyAnswer{}, err
	}
	rng := rand.New(rand.NewPCG(c.town.world.Seed, c.calls.Add(1)))
	if c.surveys.Add(1)%40 == 0 {
		return gh.SurveyAnswer{}, failed(1, "gh: HTTP 502")
	}
	answer := gh.SurveyAnswer{Cost: 1}
	for _, asked := range s.Repos {
		var told *gh.Surveyed
		if rng.IntN(100) > 0 {
			told = c.surveyed(asked, s.First)
		}
		answer.Repos = append(answer.Repos, told)
	}
	return answer, nil
}

// surveyed returns GitHub's answer about one repository, or nil.
func (c *client) surveyed(asked gh.SurveyRepo, first int) *gh.Surveyed {
	on, name := true, asked.Repo.String()
	switch c.town.conditions[asked.Repo.Scope()] {
	case down, missing:
		return nil
	case issuesOff:
		on = false
	case renamed:
		name = "octo/elsewhere"
	}
	told := &gh.Surveyed{NameWithOwner: name, HasIssuesEnabled: &on}
	held := func(kind endurance.Kind, labelled bool) *gh.SurveyedItems {
		list := &gh.SurveyedItems{}
		for _, i := range c.town.world.Items {
			if i.Repo != asked.Repo.Scope() || i.Kind != kind || !i.Open || labelled && !i.Labelled {
				continue
			}
			if list.Total++; list.Total <= first {
				list.Items = append(list.Items, gh.SurveyedItem{Number: i.Number, UpdatedAt: second(i.UpdatedAt)})
			}
		}
		return list
	}
	if asked.FindLabel {
		told.Labels = &gh.SurveyedLabels{Total: 2, Names: []string{"bug", "the-loop"}}
	} else {
		told.Label, told.Issues, told.Labelled = "the-loop", held(endurance.Issue, true), held(endurance.Pull, true)
		if !on {
			told.Issues = &gh.SurveyedItems{}
		}
	}
	told.PullRequests = held(endurance.Pull, !asked.AllPullRequests)
	return told
}
