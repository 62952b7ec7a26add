package handlertrial

import (
	"strconv"
	"strings"
	"time"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/dispatch"
	"the-loop/internal/ref"
	"the-loop/internal/session"
)

// firstNumber is the number of the first session's item. No repository has that many
// items, so a handler that writes to its item changes nothing.
const firstNumber = 900_000_001

// largest is the number of characters that GitHub allows in a comment.
const largest = 65_536

// largeText returns a comment of the greatest length, full of text that trips up a shell,
// a template or a line reader.
func largeText() string {
	const line = "it's \"quoted\" $HOME `true` $(true) {{.Session}} <b> é\n"
	n := len([]rune(line))
	return strings.Repeat(line, largest/n) + strings.Repeat("x", largest%n)
}

// subject is a session with its item.
type subject struct {
	target   session.Target
	item     session.InputItem
	handlers map[session.Event]argvtemplate.Template
}

func (t *trial) session(number int) subject {
	item := t.Repo.Item(number)
	url := item.URL(ref.Issue)
	return subject{
		target: session.Target{
			Ref: item.String(), Session: session.Name(item), Item: item, Kind: ref.Issue, URL: url,
		},
		item: session.InputItem{
			Kind: ref.Issue, Item: item, Title: "A trial of the handlers", URL: url, Author: "octocat", Labels: []string{"the-loop"},
		},
		handlers: t.Handlers,
	}
}

func (s subject) delivery(e session.Event, id string) dispatch.Delivery {
	return dispatch.Delivery{
		ID: string(e) + "-trial-" + id + "-" + strconv.Itoa(s.target.Item.Number), Event: e, Attempt: 1,
		Target: s.target, Handler: s.handlers[e], Item: s.item,
	}
}

func (s subject) spawn() dispatch.Delivery { return s.delivery(session.EventSpawn, "start") }

func (s subject) comment(id, body string) dispatch.Delivery {
	d := s.delivery(session.EventComment, id)
	d.Comment = &session.InputComment{
		ID: "IC_trial_" + id, Surface: "conversation", Author: "octocat", Body: body,
		URL: s.target.URL + "#issuecomment-1", CreatedAt: time.Now(),
	}
	return d
}

// update returns the failing check of a pull request that feeds the session.
func (s subject) update(id string) dispatch.Delivery {
	d := s.delivery(session.EventUpdate, id)
	d.Item.Kind, d.Item.Number = ref.PullRequest, s.item.Number+100
	d.Item.Title, d.Item.HeadRef = "A change of the trial", "issue-"+strconv.Itoa(s.item.Number)
	d.Item.URL = d.Item.Item.URL(ref.PullRequest)
	d.Update = &session.InputUpdate{
		Kind: "checks", State: "failure", HeadSHA: strings.Repeat("0a", 20),
		Failing: []session.FailingCheck{{Name: "test", URL: d.Item.URL + "/checks"}},
	}
	return d
}

func (s subject) close() dispatch.Delivery {
	d := s.delivery(session.EventClose, "end")
	d.Item.Labels = nil // as in the daemon: the item is no longer listed
	d.Closure = &session.InputClosure{State: session.ClosureClosed}
	return d
}
