package ghdouble

import "math"

// cost returns the query's cost in points by GitHub's formula: count the requests that
// fetch each connection, one for each node that its parents may have, and divide by a hundred.
func (e *execution) cost() int {
	return max(1, int(math.Round(float64(e.requests(e.doc.fields, 1, 0))/100)))
}

// maxDepth stops a fragment that contains itself.
const maxDepth = 20

func (e *execution) requests(fields []selection, parents, depth int) int {
	if depth > maxDepth {
		return 0
	}
	total := 0
	for _, f := range fields {
		if f.spread != "" {
			f = e.doc.fragments[f.spread]
		}
		nodes := parents
		args := e.arguments(f.args)
		if size := max(args.number("first"), args.number("last")); size > 0 {
			total += parents
			nodes *= size
		}
		total += e.requests(f.fields, nodes, depth+1)
	}
	return total
}

// spend subtracts the points of a call from a counted quota.
func (h *host) spend(resource string, points int) {
	if r := h.rate(resource); r.Counted {
		r.Remaining = max(0, r.Remaining-points)
		h.rates[resource] = r
	}
}
