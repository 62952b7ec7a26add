package github

import (
	"slices"
	"time"
)

// mostListingAge limits the age of a repository's listing, whatever the surveys say.
const mostListingAge = 30 * time.Minute

// turns spreads the listings that are due by age over the cycles. owed is the fraction
// of a listing that earlier cycles have left over.
type turns struct {
	last time.Time // start of the last walk
	owed map[string]float64
}

// take removes the repositories from a host's candidates that are listed in any case:
// those with the oldest listings, so many that each has its turn in time. Every
// candidate has been listed before.
func (t *turns) take(host string, candidates []*repository, now time.Time) []*repository {
	period := now.Sub(t.last)
	n := len(candidates)
	t.owed[host] = min(t.owed[host]+float64(n)*turnShare(period), float64(n))
	due := int(t.owed[host] + 1e-9) // sums of fractions can end slightly below the whole number
	t.owed[host] -= float64(due)

	byAge := slices.Clone(candidates)
	slices.SortStableFunc(byAge, func(a, b *repository) int { return a.kept.at.Compare(b.kept.at) })
	listed := map[*repository]bool{}
	for i, r := range byAge {
		listed[r] = i < due || now.Sub(r.kept.at)+period > mostListingAge
	}
	return slices.DeleteFunc(slices.Clone(candidates), func(r *repository) bool { return listed[r] })
}

// turnShare is the share of the repositories that a cycle lists by age. A turn may come
// a whole period late.
func turnShare(period time.Duration) float64 {
	return float64(period) / float64(max(mostListingAge-period, period))
}
