package gh

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"the-loop/internal/safetext"
)

// SurveyAnswer is what GitHub says of the repositories of a [Survey].
type SurveyAnswer struct {
	// Cost is the points that the call cost, 0 where the host does not count.
	Cost int
	// Repos has an entry for each repository of the question, nil where GitHub
	// did not answer or reported an error.
	Repos []*Surveyed
	// TooLarge is set when GitHub left out something because the question asks
	// for too much at once.
	TooLarge bool
}

// Surveyed is what a repository holds. A list that GitHub gave only in part is nil.
type Surveyed struct {
	NameWithOwner    string
	HasIssuesEnabled *bool
	Label            string // as the repository spells it; "" without one
	Labels           *SurveyedLabels
	Issues           *SurveyedItems
	PullRequests     *SurveyedItems
	// Labelled are the pull requests with the label, where all were asked for.
	Labelled *SurveyedItems
}

// SurveyedLabels are the first labels of a repository.
type SurveyedLabels struct {
	Total int
	Names []string
}

// SurveyedItems are the first open items of one kind.
type SurveyedItems struct {
	Total int
	Items []SurveyedItem
}

// SurveyedItem is one open issue or pull request.
type SurveyedItem struct {
	Number    int       // greater than 0
	UpdatedAt time.Time // never zero
}

type surveyJSON struct {
	Data   map[string]json.RawMessage `json:"data"`
	Errors []surveyError              `json:"errors"`
}

type surveyError struct {
	Type    string `json:"type"`
	Path    []any  `json:"path"`
	Message string `json:"message"`
}

const (
	typeTooLarge    = "RESOURCE_LIMITS_EXCEEDED"
	typeRateLimited = "RATE_LIMITED"
)

// Read reads the JSON that answers s. It is an error when the answer as a whole
// proves nothing: an error that names no place may concern every repository.
func (s Survey) Read(out []byte) (SurveyAnswer, error) {
	var raw surveyJSON
	if err := decode(out, &raw); err != nil {
		return SurveyAnswer{}, err
	}
	answer := SurveyAnswer{Repos: make([]*Surveyed, len(s.Repos))}
	faulty := map[string]bool{}
	for _, e := range raw.Errors {
		place, ok := e.place()
		if !ok || e.Type == typeRateLimited {
			return SurveyAnswer{}, fmt.Errorf("GitHub says %s", safetext.Quote(e.Message))
		}
		faulty[place] = true
		answer.TooLarge = answer.TooLarge || e.Type == typeTooLarge
	}
	answered := false
	for i := range s.Repos {
		text, ok := raw.Data[alias(i)]
		answered = answered || ok
		if ok && !faulty[alias(i)] {
			answer.Repos[i] = readSurveyed(text)
		}
	}
	if !answered {
		return SurveyAnswer{}, errors.New("no repository is in it")
	}
	answer.Cost = readCost(raw.Data["rateLimit"])
	return answer, nil
}

// place is the alias that the error is about.
func (e surveyError) place() (string, bool) {
	if len(e.Path) == 0 {
		return "", false
	}
	name, ok := e.Path[0].(string)
	return name, ok
}

func readCost(text json.RawMessage) int {
	var limit struct {
		Cost int `json:"cost"`
	}
	if text == nil || json.Unmarshal(text, &limit) != nil {
		return 0
	}
	return max(0, limit.Cost)
}

type surveyedJSON struct {
	NameWithOwner    string `json:"nameWithOwner"`
	HasIssuesEnabled *bool  `json:"hasIssuesEnabled"`
	Label            *struct {
		Name string `json:"name"`
	} `json:"label"`
	Labels       *surveyedList `json:"labels"`
	Issues       *surveyedList `json:"issues"`
	PullRequests *surveyedList `json:"pullRequests"`
	Labelled     *surveyedList `json:"labelled"`
}

type surveyedList struct {
	TotalCount *int `json:"totalCount"`
	Nodes      []*struct {
		Name      *string `json:"name"`
		Number    int     `json:"number"`
		UpdatedAt stamp   `json:"updatedAt"`
	} `json:"nodes"`
}

// readSurveyed returns nil for anything but an object of the requested form.
func readSurveyed(text json.RawMessage) *Surveyed {
	var raw *surveyedJSON
	if json.Unmarshal(text, &raw) != nil || raw == nil {
		return nil
	}
	s := &Surveyed{
		NameWithOwner: raw.NameWithOwner, HasIssuesEnabled: raw.HasIssuesEnabled,
		Labels: raw.Labels.labels(), Issues: raw.Issues.items(), PullRequests: raw.PullRequests.items(),
		Labelled: raw.Labelled.items(),
	}
	if raw.Label != nil {
		s.Label = raw.Label.Name
	}
	return s
}

// told reports whether the answer holds the list's length and entries.
func (l *surveyedList) told() bool { return l != nil && l.TotalCount != nil && l.Nodes != nil }

func (l *surveyedList) labels() *SurveyedLabels {
	if !l.told() {
		return nil
	}
	labels := &SurveyedLabels{Total: *l.TotalCount}
	for _, node := range l.Nodes {
		if node == nil || node.Name == nil {
			return nil
		}
		labels.Names = append(labels.Names, *node.Name)
	}
	return labels
}

func (l *surveyedList) items() *SurveyedItems {
	if !l.told() {
		return nil
	}
	items := &SurveyedItems{Total: *l.TotalCount}
	for _, node := range l.Nodes {
		if node == nil || node.Number <= 0 || node.UpdatedAt.IsZero() {
			return nil
		}
		items.Items = append(items.Items, SurveyedItem{Number: node.Number, UpdatedAt: node.UpdatedAt.Time})
	}
	return items
}
