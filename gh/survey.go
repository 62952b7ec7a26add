package gh

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"the-loop/internal/ref"
	"the-loop/internal/safetext"
)

// A survey is one GraphQL call that asks what many repositories of a host hold
// now. It costs about as much as one listing.

// Survey is the question.
type Survey struct {
	Host  string
	Repos []SurveyRepo
	// First is how many items of each kind are asked for, 1 to 100.
	First int
}

// SurveyRepo is the part of the question about one repository, which must be on the
// survey's host.
type SurveyRepo struct {
	Repo ref.Repo
	// Label is the label to filter by, spelled as the repository spells it:
	// unlike gh's search this filter is case-sensitive. "" is every item.
	Label string
	// FindLabel asks for the names of the repository's labels in place of the items
	// with the label.
	FindLabel            bool
	Issues, PullRequests bool
	// AllPullRequests asks for the pull requests without the label, too, and which
	// of them have it.
	AllPullRequests bool
}

// Connections is how many lists the question asks of the repository. GitHub
// charges one point for up to 149 of them.
func (r SurveyRepo) Connections() int {
	n := 0
	for _, asked := range []bool{r.FindLabel, r.Issues && !r.FindLabel, r.PullRequests && !r.FindLabel, r.AllPullRequests} {
		if asked {
			n++
		}
	}
	return n
}

// MaxSurveyed is the most items or labels of one repository that an answer holds.
const MaxSurveyed = pageSize

// Query returns the question in GraphQL, in one line. Repositories with the same
// question share a fragment.
func (s Survey) Query() string {
	var query, fragments strings.Builder
	names := map[SurveyRepo]string{}
	query.WriteString("query{rateLimit{cost}")
	for i, r := range s.Repos {
		shared := r
		shared.Repo = ref.Repo{}
		name, known := names[shared]
		if !known {
			name = "q"
			if len(names) > 0 {
				name += strconv.Itoa(len(names))
			}
			names[shared] = name
			fmt.Fprintf(&fragments, " fragment %s on Repository{%s}", name, r.fields(s.First))
		}
		fmt.Fprintf(&query, " %s:repository(owner:%s,name:%s){...%s}", alias(i), graphQLString(r.Repo.Owner), graphQLString(r.Repo.Name), name)
	}
	return query.String() + "}" + fragments.String()
}

// alias is the name under which the answer has the repository.
func alias(i int) string { return "r" + strconv.Itoa(i) }

func (r SurveyRepo) fields(first int) string {
	fields := "nameWithOwner hasIssuesEnabled"
	all := fmt.Sprintf("first:%d,states:OPEN", first)
	open := func(name, filter string) {
		fields += fmt.Sprintf(" %s(%s){totalCount nodes{number updatedAt}}", name, filter)
	}
	if r.FindLabel {
		fields += fmt.Sprintf(" labels(first:%d){totalCount nodes{name}}", MaxSurveyed)
		if r.AllPullRequests {
			open("pullRequests", all)
		}
		return fields
	}
	filter := all
	if r.Label != "" {
		name := graphQLString(r.Label)
		fields += fmt.Sprintf(" label(name:%s){name}", name)
		filter += fmt.Sprintf(",labels:[%s]", name)
	}
	if r.Issues {
		open("issues", filter)
	}
	switch {
	case r.AllPullRequests:
		open("pullRequests", all)
		open("labelled:pullRequests", filter)
	case r.PullRequests:
		open("pullRequests", filter)
	}
	return fields
}

// graphQLString quotes s. GraphQL reads a string as JSON does.
func graphQLString(s string) string {
	quoted, _ := json.Marshal(s) // a string always has a form in JSON
	return string(quoted)
}

// Survey asks what the repositories of s hold. gh exits 1 when GitHub could not
// answer for all of them and prints the rest all the same, so an answer counts
// whatever the exit status. Every error is an [*Error]; it says nothing of any
// repository.
func (c *Client) Survey(ctx context.Context, s Survey) (SurveyAnswer, error) {
	args := []string{"api", "graphql", "--hostname", strings.ToLower(s.Host), "-f", "query=" + s.Query()}
	if !ref.ValidHost(s.Host) {
		return SurveyAnswer{}, newError(nil, "could not run gh: %s is not a host", safetext.Quote(s.Host))
	}
	for _, r := range s.Repos {
		if err := checkRepo(r.Repo); err != nil {
			return SurveyAnswer{}, err
		}
	}
	end, err := c.call(ctx, args)
	if err != nil && end.code != 1 {
		return SurveyAnswer{}, err
	}
	answer, unusable := s.Read(end.stdout)
	switch {
	case unusable == nil:
		return answer, nil
	case err != nil: // gh's own words
		return SurveyAnswer{}, err
	}
	return SurveyAnswer{}, invalidJSON(args, unusable)
}
