package ghdouble

import "time"

// Faults of a query that asks about many repositories at once.

// longestQuery is how long GitHub works on one query before it gives up.
const longestQuery = 10 * time.Second

const timedOut = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. " +
	"Please include `0000:0000` when reporting this issue."

// SetSlow makes the repository's part of a query take d. The double does not wait:
// it refuses a query whose parts add up to more than ten seconds with a 502 and
// answers any other at once.
func (r *Repo) SetSlow(d time.Duration) { r.change(func() { r.slow = d }) }

// takes returns how long GitHub works on the query, one repository after the other.
func (c *call) takes(e *execution) time.Duration {
	var total time.Duration
	for _, f := range e.doc.fields {
		if args := e.arguments(f.args); f.name == "repository" {
			if r := c.host.find(args.text("owner") + "/" + args.text("name")); r != nil {
				total += r.slow
			}
		}
	}
	return total
}

// Gap is a part that an answer about many repositories lacks for one of them. Answers
// about a single repository have no gaps.
type Gap string

// The gaps.
const (
	GapAlias       Gap = "alias"       // the repository is null, without an error
	GapConnections Gap = "connections" // its lists are null, with an error for each
	GapLimits      Gap = "limits"      // the same, because the query asks for too much
	GapNodes       Gap = "nodes"       // its lists have a length and no nodes
	GapNode        Gap = "node"        // its lists begin with a null
	GapPlace       Gap = "place"       // the repository is whole, beside an error without a path
)

// SetGap leaves that part out from now on; "" restores it.
func (r *Repo) SetGap(gap Gap) { r.change(func() { r.gap = gap }) }

// gapped returns the object that a query about many repositories selects from.
func (r *Repo) gapped() (any, *queryError) {
	switch r.gap {
	case GapAlias:
		return nil, nil
	case GapPlace:
		return repoObject(r), &queryError{Message: somethingWrong, aside: true}
	}
	o := repoObject(r)
	for _, name := range []string{"issues", "pullRequests", "labels"} {
		whole := o[name].(resolver)
		o[name] = resolver(func(args arguments) (any, *queryError) { return r.gap.in(whole(args)) })
	}
	return o, nil
}

// in applies the gap to a list.
func (g Gap) in(list any, err *queryError) (any, *queryError) {
	page, ok := list.(object)
	if !ok {
		return list, err
	}
	switch g {
	case GapConnections:
		return nil, &queryError{Message: somethingWrong}
	case GapLimits:
		return nil, &queryError{Type: "RESOURCE_LIMITS_EXCEEDED", Message: "Resource limits for this query exceeded."}
	case GapNodes:
		page["nodes"] = nil
	case GapNode:
		if nodes := page["nodes"].([]object); len(nodes) > 0 {
			page["nodes"] = append([]object{nil}, nodes[1:]...)
		}
	}
	return page, nil
}
