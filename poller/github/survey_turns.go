package github

import (
	"slices"
	"time"
)

// mostListingAge is how old the listing of a repository may get, whatever the
// surveys say.
const mostListingAge = 30 * time.Minute

// turns spreads the listings that are due for their age over the cycles. owed
// is the part of a listing that the cycles so far have left to do.
type turns struct {
	last time.Time // when the last walk began
	owed map[string]float64
}

// take removes those repositories from the candidates of a host, which have all
// been listed, that are listed now in any case: the longest unlisted ones, so
// many that each has its turn in time.
func (t *turns) take(host string, candidates []*repository, now time.Time) []*repository {
	period := now.Sub(t.last)
	n := len(candidates)
	t.owed[host] = min(t.owed[host]+float64(n)*turnShare(period), float64(n))
	due := int(t.owed[host] + 1e-9) // sums of fractions may come out a little below the whole number
	t.owed[host] -= float64(due)

	byAge := slices.Clone(candidates)
	slices.SortStableFunc(byAge, func(a, b *repository) int { return a.kept.at.Compare(b.kept.at) })
	listed := map[*repository]bool{}
	for i, r := range byAge {
		listed[r] = i < due || now.Sub(r.kept.at)+period > mostListingAge
	}
	return slices.DeleteFunc(slices.Clone(candidates), func(r *repository) bool { return listed[r] })
}

// turnShare is the share of the repositories that is listed for its age in one
// cycle of so many. A turn may come a whole period late.
func turnShare(period time.Duration) float64 {
	return float64(period) / float64(max(mostListingAge-period, period))
}
