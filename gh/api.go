package gh

import (
	"context"
	"strings"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/safetext"
)

// api begins the arguments of a call to the REST API of host. It names
// github.com, too; see [ref.Repo.Full].
func api(host string) []string { return []string{"api", "--hostname", strings.ToLower(host)} }

// restPath is the repository's place in the REST API.
func restPath(r ref.Repo) string { return "repos/" + r.NameWithOwner() }

// ask runs gh with args and decodes the one JSON object it prints into answer.
func (c *Client) ask(ctx context.Context, args []string, answer any) error {
	out, err := c.run(ctx, args...)
	if err != nil {
		return err
	}
	if err := decode(out, answer); err != nil {
		return invalidJSON(args, err)
	}
	return nil
}

// Repository is what GitHub says of a repository.
type Repository struct {
	// NameWithOwner is its present OWNER/REPO. After a renaming it differs from
	// the one asked for. It is never empty.
	NameWithOwner string
	// HasIssuesEnabled is nil when the answer does not say.
	HasIssuesEnabled *bool
	// IsArchived is nil when the answer does not say; [Client.Inspect] alone
	// asks for it.
	IsArchived *bool
}

const repositoryFields = "nameWithOwner,hasIssuesEnabled"

// Repository asks who r is. An answer without a name is an error.
func (c *Client) Repository(ctx context.Context, r ref.Repo) (Repository, error) {
	return c.repository(ctx, r, repositoryFields)
}

func (c *Client) repository(ctx context.Context, r ref.Repo, fields string) (Repository, error) {
	if err := checkRepo(r); err != nil {
		return Repository{}, err
	}
	args := []string{"repo", "view", r.Full(), "--json", fields}
	var answer struct {
		NameWithOwner    string `json:"nameWithOwner"`
		HasIssuesEnabled *bool  `json:"hasIssuesEnabled"`
		IsArchived       *bool  `json:"isArchived"`
	}
	if err := c.ask(ctx, args, &answer); err != nil {
		return Repository{}, err
	}
	// gh joins the parts of an empty answer to a lone slash. Do not show that as
	// a name.
	if !ref.IsNameWithOwner(answer.NameWithOwner) {
		return Repository{}, without(args, "a name")
	}
	return Repository(answer), nil
}

// Quota is the state of one rate limit.
type Quota struct {
	Limit     int // calls, or points, in a window
	Remaining int
	Reset     time.Time // when the window ends
}

// RateLimits are a login's limits by resource: "graphql" for what the list and
// view commands ask, "core" for the REST API, and others. A resource that the
// answer describes only in part is left out.
type RateLimits map[string]Quota

// RateLimit asks for the login's remaining limits on host, which costs no
// points. An answer with neither "core" nor "graphql" is an error.
func (c *Client) RateLimit(ctx context.Context, host string) (RateLimits, error) {
	args, err := apiOn(host, "rate_limit")
	if err != nil {
		return nil, err
	}
	var answer rateLimitAnswer
	if err := c.ask(ctx, args, &answer); err != nil {
		return nil, err
	}
	limits := answer.limits()
	_, core := limits["core"]
	_, graphQL := limits["graphql"]
	if !core && !graphQL {
		return nil, without(args, "a rate limit")
	}
	return limits, nil
}

type rateLimitAnswer struct {
	Resources map[string]struct {
		Limit     int    `json:"limit"`
		Remaining *int   `json:"remaining"`
		Reset     *int64 `json:"reset"` // in seconds since 1970
	} `json:"resources"`
}

// limits leaves out what has no remainder or reset: read as 0, a missing one
// would be a limit that is used up.
func (a rateLimitAnswer) limits() RateLimits {
	limits := RateLimits{}
	for name, r := range a.Resources {
		if r.Remaining != nil && r.Reset != nil {
			limits[name] = Quota{Limit: r.Limit, Remaining: *r.Remaining, Reset: time.Unix(*r.Reset, 0).UTC()}
		}
	}
	return limits
}

// Login asks for the account that gh uses on host. An answer without one is an error.
func (c *Client) Login(ctx context.Context, host string) (string, error) {
	args, err := apiOn(host, "user")
	if err != nil {
		return "", err
	}
	var answer actor
	if err := c.ask(ctx, args, &answer); err != nil {
		return "", err
	}
	if answer.Login == "" {
		return "", without(args, "a login")
	}
	return answer.Login, nil
}

// apiOn is the arguments of a call to the REST API of a host that no [ref.Repo]
// vouches for.
func apiOn(host, endpoint string) ([]string, error) {
	if !ref.ValidHost(host) {
		return nil, newError(nil, "could not run gh: %s is not a host", safetext.Quote(host))
	}
	return append(api(host), endpoint), nil
}

// Version asks gh for its version, such as "2.60.0".
func (c *Client) Version(ctx context.Context) (string, error) {
	args := []string{"--version"}
	out, err := c.run(ctx, args...)
	if err != nil {
		return "", err
	}
	version, ok := parseVersion(string(out))
	if !ok {
		return "", without(args, "a version")
	}
	return version, nil
}

// parseVersion reads "gh version 2.60.0 (2024-10-31)".
func parseVersion(out string) (string, bool) {
	words := strings.Fields(out)
	if len(words) < 3 || words[0] != "gh" || words[1] != "version" {
		return "", false
	}
	return words[2], true
}
