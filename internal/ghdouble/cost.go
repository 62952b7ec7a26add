package ghdouble

import "math"

// cost is what a query costs in points, by GitHub's formula: the requests that
// it takes to fetch each connection, one for each of its parents' nodes asked
// for, through a hundred.
func (e *execution) cost() int {
	return max(1, int(math.Round(float64(e.requests(e.doc.fields, 1, 0))/100)))
}

// maxDepth ends a fragment that holds itself.
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

// spend takes the points of a call from a quota that is counted down.
func (h *host) spend(resource string, points int) {
	if r := h.rate(resource); r.Counted {
		r.Remaining = max(0, r.Remaining-points)
		h.rates[resource] = r
	}
}
