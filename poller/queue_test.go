package poller

import (
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// TestLineOrder: the most urgent label first, then the longest wait, then the
// repository and the number, however the items were visited.
func TestLineOrder(t *testing.T) {
	now := time.Now().UTC()
	waiting := func(ago time.Duration) session.Record {
		return session.Record{State: session.StateQueued, SinceAt: now.Add(-ago)}
	}
	type item struct {
		name   string
		labels string
		rec    session.Record
	}
	for _, c := range []struct {
		name     string
		priority []string
		items    []item
		want     string
	}{
		{"the longest wait", nil, []item{
			{"a#1", "", waiting(time.Minute)}, {"a#2", "", waiting(time.Hour)}, {"a#3", "", waiting(time.Second)},
		}, "a#2 a#1 a#3"},
		{"what came just now waits behind", nil, []item{
			{"a#1", "", session.Record{State: session.StateNone}}, {"a#2", "", waiting(time.Minute)},
		}, "a#2 a#1"},
		{"an old record in another state has not waited", nil, []item{
			{"a#1", "", session.Record{State: session.StateStopped, SinceAt: now.Add(-time.Hour)}}, {"a#2", "", waiting(time.Minute)},
		}, "a#2 a#1"},
		{"a label beats the wait", []string{"urgent", "soon"}, []item{
			{"a#1", "", waiting(time.Hour)}, {"a#2", "soon", waiting(time.Minute)}, {"a#3", "urgent", waiting(time.Second)},
		}, "a#3 a#2 a#1"},
		{"in any case, the first of several labels", []string{"Urgent", "soon"}, []item{
			{"a#1", "soon", waiting(time.Hour)}, {"a#2", "SOON,bug,uRGENT", waiting(time.Minute)},
		}, "a#2 a#1"},
		{"among equals the longest wait", []string{"urgent"}, []item{
			{"a#1", "urgent", waiting(time.Minute)}, {"a#2", "urgent", waiting(time.Hour)},
		}, "a#2 a#1"},
		{"a label without a rank is none", []string{"urgent"}, []item{
			{"a#1", "bug", waiting(time.Minute)}, {"a#2", "", waiting(time.Hour)},
		}, "a#2 a#1"},
		{"then the repository and the number", nil, []item{
			{"b#1", "", waiting(time.Hour)}, {"a#10", "", waiting(time.Hour)}, {"a#9", "", waiting(time.Hour)},
		}, "a#9 a#10 b#1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New(Options{Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
			p.SetRouting(Routing{Priority: c.priority})
			for _, backwards := range []bool{false, true} {
				cy := &cycle{Poller: p}
				for _, i := range c.items {
					scope, digits, _ := strings.Cut(i.name, "#")
					number := 0
					for _, d := range digits {
						number = 10*number + int(d-'0')
					}
					cy.line = append(cy.line, &visit{cycle: cy, rec: i.rec, item: WorkItem{
						Ref: i.name, Scope: scope, Item: ref.Item{Number: number}, Labels: strings.FieldsFunc(i.labels, func(r rune) bool { return r == ',' }),
					}})
				}
				if backwards {
					slices.Reverse(cy.line)
				}
				cy.sortLine()
				var got []string
				for _, v := range cy.line {
					got = append(got, v.item.Ref)
				}
				if s := strings.Join(got, " "); s != c.want {
					t.Errorf("order = %s, want %s", s, c.want)
				}
			}
		})
	}
}
