package doctor

import "fmt"

// sampleSize is how many repositories are asked for at most, unless all are to be:
// each costs a call and one more for each label, half a second or so apiece.
const sampleSize = 20

// draw picks the repositories of each host that are asked for.
func (p *plan) draw(all bool) {
	total := 0
	for _, owner := range p.programs {
		total += owner.repos()
	}
	for _, owner := range p.programs {
		for _, h := range owner.hosts {
			n := len(h.repos)
			if !all && total > sampleSize {
				n = min(n, max(1, n*sampleSize/total))
			}
			h.sample = spread(h.repos, n)
			p.asked += len(h.sample)
		}
	}
}

// spread is n of the list in its order, the first and the last among them and the
// others as far apart as can be.
func spread[T any](list []T, n int) []T {
	if n >= len(list) {
		return list
	}
	out := make([]T, 0, n)
	for i := range n {
		at := 0
		if n > 1 {
			at = i * (len(list) - 1) / (n - 1)
		}
		out = append(out, list[at])
	}
	return out
}

// sampled says of how many repositories of a host the findings are.
func (e *examination) sampled(h *host) {
	if len(h.sample) < len(h.repos) {
		e.ok("sample", h.name, fmt.Sprintf("checking %d of %d repositories; 'the-loop doctor --all' checks all of them",
			len(h.sample), len(h.repos)))
	}
}
