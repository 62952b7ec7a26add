package doctor

import "fmt"

// sampleSize bounds the repositories that are checked without --all. Each costs a
// call, and one more for each label, at about half a second.
const sampleSize = 20

// draw picks the repositories of each host that are checked.
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

// spread returns n elements of the list in order: the first, the last, and others as
// far apart as possible.
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

// sampled says how many repositories of a host are checked.
func (e *examination) sampled(h *host) {
	if len(h.sample) < len(h.repos) {
		e.ok("sample", h.name, fmt.Sprintf("checking %d of %d repositories; 'the-loop doctor --all' checks all of them",
			len(h.sample), len(h.repos)))
	}
}
