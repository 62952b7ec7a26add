package poller

import (
	"the-loop/internal/eventlog"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// hearing holds the live sessions at the start of a cycle, and whether its listings
// heard their pull requests without the label.
type hearing struct {
	live map[string]ref.Kind
	// told holds, for each live session of an issue by ref, whether its record already
	// says that pull requests without the label go unheard.
	told           map[string]bool
	heard, unheard map[string]string // name of the reporting source, by scope
}

func (c *cycle) findLive() {
	c.hearing = hearing{
		live: map[string]ref.Kind{}, told: map[string]bool{},
		heard: map[string]string{}, unheard: map[string]string{},
	}
	for rec := range c.store.Live() {
		c.live[rec.Ref] = rec.Kind
		if rec.Kind != ref.PullRequest {
			c.told[rec.Ref] = rec.Unheard
		}
	}
}

func (c *cycle) noteHearing(src Source, l Listing) {
	for _, scope := range l.Heard {
		c.heard[scope] = src.Name
	}
	for _, scope := range l.Unheard {
		c.unheard[scope] = src.Name
	}
}

// recordHearing records for the live sessions of each scope whether pull requests
// without the label are heard. The first record of a scope is an event.
func (c *cycle) recordHearing() {
	defer c.contain("unlabelled pull requests", func(text string) {
		c.log.Error("notes on unlabelled pull requests could not be written, tried again next cycle", "error", text)
		c.sum.Errors++
	})
	news := map[string]bool{}
	for scope := range c.unheard {
		news[scope] = true
	}
	var changed []string
	for ref, told := range c.told {
		scope, unheard := c.hearingOf(ref)
		if told {
			news[scope] = false
		}
		if scope != "" && unheard != told {
			changed = append(changed, ref)
		}
	}
	for _, ref := range changed {
		_, unheard := c.hearingOf(ref)
		err := c.store.Update(ref, func(r *session.Record) error {
			r.Unheard = unheard
			return nil
		})
		if err != nil {
			c.itemError(ref, err)
		}
	}
	for scope, isNew := range news {
		if isNew {
			c.tellUnheard(scope, c.unheard[scope])
		}
	}
}

// hearingOf returns the scope of a live session's item and whether its unlabelled
// pull requests go unheard. The scope is "" if no listing of this cycle knows.
func (c *cycle) hearingOf(ref string) (scope string, unheard bool) {
	for _, src := range c.sources {
		if scope, _ = src.Provider.Watches(ref, ""); scope != "" {
			break
		}
	}
	if _, unheard = c.unheard[scope]; unheard {
		return scope, true
	}
	if _, heard := c.heard[scope]; heard {
		return scope, false
	}
	return "", false
}

func (c *cycle) tellUnheard(scope, source string) {
	c.log.Warn("more than 300 open pull requests: those without the label are not listed", "scope", scope, "provider", source)
	c.events.Write(eventlog.UnlabelledSkipped(scope, source, c.reprobeCycles(source)))
}

func (c *cycle) reprobeCycles(source string) int {
	for _, src := range c.sources {
		if src.Name == source {
			return src.ReprobeCycles
		}
	}
	return 0
}
