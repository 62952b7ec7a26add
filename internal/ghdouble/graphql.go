package ghdouble

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// root returns the object that a query of the host selects from. cost is the query's
// cost. gaps is true for a query about many repositories: it shows their gaps.
func root(h *host, cost int, gaps bool) object {
	return object{
		"rateLimit":  rateLimitObject(h.rate("graphql"), cost),
		"__typename": "Query",
		"viewer":     object{"__typename": "User", "login": h.login, "id": "U_" + h.login, "name": h.login},
		"repository": resolver(func(args arguments) (any, *queryError) {
			name := args.text("owner") + "/" + args.text("name")
			if r := h.find(name); r != nil && gaps {
				return r.gapped()
			} else if r != nil {
				return repoObject(r), nil
			}
			return nil, notFound("Could not resolve to a Repository with the name '%s'.", name)
		}),
		"search": resolver(func(args arguments) (any, *queryError) {
			if kind := args.text("type"); !slices.Contains(h.searchTypes(), kind) {
				return nil, undefinedType(kind)
			}
			found, err := h.search(args.text("query"))
			if err != nil {
				return nil, err
			}
			return connection("SearchResultItem", itemObjects(found))(args)
		}),
		"node": resolver(func(args arguments) (any, *queryError) {
			if it := h.byID(args.text("id")); it != nil {
				return itemObject(it), nil
			}
			return nil, notFound("Could not resolve to a node with the global id of '%s'", args.text("id"))
		}),
		"__type": resolver(func(args arguments) (any, *queryError) {
			return h.introspect(args.text("name")), nil
		}),
	}
}

func rateLimitObject(r Rate, cost int) object {
	return object{
		"__typename": "RateLimit",
		"cost":       cost,
		"limit":      r.Limit,
		"remaining":  r.Remaining,
		"used":       r.Limit - r.Remaining,
		"resetAt":    stamp(r.Reset),
	}
}

func notFound(format string, about any) *queryError {
	return &queryError{Type: "NOT_FOUND", Message: fmt.Sprintf(format, about)}
}

func repoObject(r *Repo) object {
	return object{
		"__typename":       "Repository",
		"id":               fmt.Sprintf("R_%d", r.id),
		"name":             r.name,
		"nameWithOwner":    r.fullName(),
		"owner":            object{"__typename": "User", "login": r.owner, "id": "U_" + r.owner},
		"url":              r.page(),
		"hasIssuesEnabled": !r.issuesOff,
		"isArchived":       r.archived,
		"issues": resolver(func(args arguments) (any, *queryError) {
			if r.issuesOff {
				return connection("Issue", nil)(args)
			}
			return connection("Issue", itemObjects(r.sorted(false, asked(args))))(args)
		}),
		"pullRequests": resolver(func(args arguments) (any, *queryError) {
			return connection("PullRequest", itemObjects(r.sorted(true, asked(args))))(args)
		}),
		"labels": connection("Label", labelObjects(r.allLabels())),
		"label": resolver(func(args arguments) (any, *queryError) {
			if name, ok := r.label(args.text("name")); ok {
				return labelObjects([]string{name})[0], nil
			}
			return nil, nil
		}),
		"issue": itemResolver(r, "an Issue", func(it *item) bool { return !it.pull }),
		"pullRequest": itemResolver(r, "a PullRequest", func(it *item) bool {
			return it.pull
		}),
		"issueOrPullRequest": itemResolver(r, "an issue or pull request", func(*item) bool { return true }),
	}
}

func itemResolver(r *Repo, what string, fits func(*item) bool) resolver {
	return func(args arguments) (any, *queryError) {
		number := args.number("number")
		if it := r.visible(number); it != nil && fits(it) {
			return itemObject(it), nil
		}
		return nil, notFound("Could not resolve to "+what+" with the number of %d.", number)
	}
}

// asked selects items in the requested states, all without any, that carry at least
// one of the requested labels. Unlike the search, a connection compares labels
// case-sensitively.
func asked(args arguments) func(*item) bool {
	states, labels := args.list("states"), args.list("labels")
	return func(it *item) bool {
		carries := func(label string) bool { return slices.Contains(it.Labels, label) }
		return (len(states) == 0 || hasFold(states, it.State)) && (len(labels) == 0 || slices.ContainsFunc(labels, carries))
	}
}

func itemObjects(items []*item) []object {
	all := make([]object, len(items))
	for i, it := range items {
		all[i] = itemObject(it)
	}
	return all
}

// itemObject returns the item as an object, or null for nil.
func itemObject(it *item) object {
	if it == nil {
		return nil
	}
	o := object{
		"__typename":  "Issue",
		"id":          it.nodeID(),
		"number":      it.Number,
		"title":       it.Title,
		"body":        it.Body,
		"url":         it.url(),
		"state":       strings.ToUpper(it.State),
		"stateReason": nil,
		"closed":      it.State != "open",
		"createdAt":   stamp(it.CreatedAt),
		"updatedAt":   stamp(it.UpdatedAt),
		"closedAt":    it.closedAt("closed", "merged"),
		"author":      actor(it.Author),
		"labels":      connection("Label", labelObjects(it.Labels)),
		"comments":    connection("IssueComment", commentObjects(it)),
	}
	if it.pull {
		o["__typename"] = "PullRequest"
		o["isDraft"] = it.Draft
		o["headRefName"] = it.HeadRef
		o["isCrossRepository"] = it.Fork
		o["baseRefName"] = "main"
		o["headRefOid"] = it.headSHA()
		o["mergeable"] = cmp.Or(it.Mergeable, "UNKNOWN")
		o["reviewDecision"] = textOrNull(it.ReviewDecision)
		o["commits"] = connection("PullRequestCommit", []object{headCommit(it)})
		o["mergedAt"] = it.closedAt("merged")
		o["closingIssuesReferences"] = connection("Issue", closedBy(it))
		delete(o, "stateReason")
	}
	return o
}

// closedBy lists the existing issues that a pull request closes.
func closedBy(it *item) []object {
	var issues []object
	for _, n := range it.Closes {
		if issue := it.repo.visible(n); issue != nil {
			issues = append(issues, object{
				"__typename": "Issue",
				"id":         issue.nodeID(),
				"number":     n,
				"url":        issue.url(),
				"repository": repoObject(it.repo),
			})
		}
	}
	return issues
}

func labelObjects(names []string) []object {
	all := make([]object, len(names))
	for i, name := range names {
		all[i] = object{
			"__typename": "Label", "id": "LA_" + name, "name": name, "description": "", "color": "ededed",
		}
	}
	return all
}

func commentObjects(it *item) []object {
	all := make([]object, len(it.Comments))
	for i, c := range it.Comments {
		all[i] = object{
			"__typename":          "IssueComment",
			"id":                  c.ID,
			"author":              actor(c.Author),
			"authorAssociation":   "NONE",
			"body":                c.Body,
			"createdAt":           stamp(c.CreatedAt),
			"includesCreatedEdit": false,
			"isMinimized":         c.Minimized,
			"minimizedReason":     "",
			"reactionGroups":      []object{},
			"url":                 fmt.Sprintf("%s#issuecomment-%d", it.url(), databaseID(c.ID)),
			"viewerDidAuthor":     strings.EqualFold(c.Author, it.repo.host.login),
		}
	}
	return all
}

// actor returns an author: a user, an app without its "[bot]", or null for a deleted
// account.
func actor(login string) any {
	if login == deletedAccount {
		return nil
	}
	if app, ok := strings.CutSuffix(login, "[bot]"); ok {
		return object{"__typename": "Bot", "login": app, "id": "BOT_" + app}
	}
	return object{"__typename": "User", "login": login, "id": "U_" + login, "name": ""}
}

const deletedAccount = "ghost"

// closedAt returns when the item reached one of these states, or null.
func (it *item) closedAt(states ...string) any {
	if hasFold(states, it.State) {
		return stamp(it.UpdatedAt)
	}
	return nil
}
