package github

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"the-loop/gh"
)

// With a label, both listings use GitHub's search. It answers with an empty list for a
// renamed repository and, for pull requests, for one that does not exist or is out of
// reach. This file therefore asks repositories that answered with nothing at all for
// their names: seldom, and few of them in one walk.

// planRechecks selects the renamed repositories to ask for their names again in this
// walk. Their listings are withheld, so they come before the empty ones.
func (w *walk) planRechecks() {
	w.rechecks = map[*repository]bool{}
	var due []*repository
	for _, r := range w.repos {
		if r.renamed.present() && !r.renamed.withheld(w.cycle, w.ReprobeCycles) {
			due = append(due, r)
		}
	}
	for _, r := range w.longestUnasked(due) {
		w.rechecks[r] = true
	}
}

// longestUnasked selects as many repositories as this walk may still check, those
// with the oldest checks first.
func (w *walk) longestUnasked(due []*repository) []*repository {
	slices.SortStableFunc(due, func(a, b *repository) int { return a.checked - b.checked })
	due = due[:min(len(due), w.checks)]
	w.checks -= len(due)
	return due
}

// oldNameAnswers settles a renamed repository for this walk and reports whether to
// list it after all.
func (w *walk) oldNameAnswers(ctx context.Context, r *repository, o *outcome) bool {
	if !w.rechecks[r] {
		o.skip(r, r.renamed.problem(), true)
		return false
	}
	name, err := w.nameOf(ctx, r)
	switch {
	case ctx.Err() != nil:
		o.interrupted = true
		return false
	case r.unnamed.text != "":
		o.fail(r, r.unnamed, false)
		return false
	case err != nil:
		o.skip(r, r.renamed.problem(), true)
		return false
	case name != "":
		r.renamed = standing{since: w.cycle, text: fmt.Sprintf(textRenamed, name)}
		o.skip(r, r.renamed.problem(), true)
		return false
	}
	r.renamed = standing{}
	o.recovered = true
	return true
}

// checkNames asks repositories that answered with nothing for their names.
func (w *walk) checkNames(ctx context.Context) {
	var due []*repository
	outcomes := map[*repository]*outcome{}
	for i, r := range w.repos {
		if w.outcomes[i].suspect(w.Labels) && r.nameDue(w.cycle, w.ReprobeCycles) {
			due = append(due, r)
			outcomes[r] = &w.outcomes[i]
		}
	}
	asked := w.longestUnasked(due)
	for _, r := range asked {
		if ctx.Err() != nil {
			outcomes[r].interrupted = true
			return
		}
		if _, stopped := w.gate.stopped(r.Host); !stopped {
			w.checkName(ctx, r, outcomes[r])
		}
	}
	for _, r := range due {
		if r.unnamed.text != "" && !slices.Contains(asked, r) {
			outcomes[r].fail(r, r.unnamed, false) // no answer since has mended it
		}
	}
}

// suspect reports whether an empty answer may be due to another name. Without a label
// gh asks the repository itself and follows a rename, so an empty answer is true,
// unless gh listed items of another name.
func (o *outcome) suspect(labels []string) bool { return o.empty && (len(labels) > 0 || o.dropped) }

// nameDue reports whether to ask an empty repository for its name. One that does not
// exist, or may not be seen, is due in every cycle, but after those with older checks.
func (r *repository) nameDue(cycle, reprobe int) bool {
	return r.checked == 0 || r.unnamed.text != "" && r.checked != cycle || cycle-r.checked >= reprobe
}

func (w *walk) checkName(ctx context.Context, r *repository, o *outcome) {
	name, err := w.nameOf(ctx, r)
	switch {
	case ctx.Err() != nil:
		o.interrupted = true
	case r.unnamed.text != "":
		o.fail(r, r.unnamed, false)
	case err == nil && name != "":
		w.renamed(r, o, name)
	}
}

// renamed handles the first sighting of a new name.
func (w *walk) renamed(r *repository, o *outcome, name string) {
	r.renamed = standing{since: w.cycle, text: fmt.Sprintf(textRenamed, name)}
	o.fail(r, r.renamed.problem(), true)
}

// nameOf asks GitHub for the repository's present name, "" if that is the configured
// one.
func (w *walk) nameOf(ctx context.Context, r *repository) (string, error) {
	repo, err := w.view(ctx, r)
	if err != nil || r.isCalled(repo.NameWithOwner) {
		return "", err
	}
	return repo.NameWithOwner, nil
}

// isCalled reports whether nameWithOwner is the configured name, or "".
func (r *repository) isCalled(nameWithOwner string) bool {
	return nameWithOwner == "" || strings.EqualFold(nameWithOwner, r.NameWithOwner())
}

// view asks for the repository's name and settings. If GitHub refuses, or knows no such
// repository, the repository remembers that until the next answer.
func (w *walk) view(ctx context.Context, r *repository) (gh.Repository, error) {
	repo, err := w.Client.Repository(ctx, r.Repo)
	w.Hosts.meter.listed(r.Host, 1, 1)
	w.heed(ctx, r.Host, err)
	if ctx.Err() != nil {
		return gh.Repository{}, ctx.Err()
	}
	r.checked, r.unnamed = w.cycle, problem{}
	if gh.NotResolvable(err) || gh.Refused(err) {
		r.unnamed = problemOf(err)
	}
	return repo, err
}
