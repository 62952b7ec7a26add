package ghdouble

import "time"

// What a query that asks about many repositories at once has to expect.

// longestQuery is how long GitHub works on one query before it gives up.
const longestQuery = 10 * time.Second

const timedOut = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. " +
	"Please include `0000:0000` when reporting this issue."

// SetSlow has GitHub work that long on the repository's part of a query. The double
// does not wait for it: a query whose parts add up to more than ten seconds is
// refused with a 502, any other is answered at once.
func (r *Repo) SetSlow(d time.Duration) { r.change(func() { r.slow = d }) }

// takes is how long GitHub works on the query: on one repository after the other.
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

// Gap is what an answer about many repositories lacks of one. Answers about one
// repository alone have no gaps.
type Gap string

// The gaps.
const (
	GapAlias       Gap = "alias"       // the repository is null, and no error says why
	GapConnections Gap = "connections" // its lists are null, with an error for each
	GapLimits      Gap = "limits"      // so they are, because the query asks for too much
	GapNodes       Gap = "nodes"       // its lists have a length and no nodes
	GapNode        Gap = "node"        // its lists begin with a null
	GapPlace       Gap = "place"       // it is whole, and an error beside it names no place
)

// SetGap leaves that out from now on; "" is nothing.
func (r *Repo) SetGap(gap Gap) { r.change(func() { r.gap = gap }) }

// gapped is what a query about many repositories selects the repository from.
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

// in leaves out what is missing from a list.
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
