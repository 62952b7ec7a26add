package ghdouble

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Match chooses requests. What is left zero matches all.
type Match struct {
	// Kind is a kind, or the first word of several: "issue", "pr", "api".
	Kind Kind
	// Repo is [HOST/]OWNER/NAME as gh asks for it, in any case.
	Repo string
	// Host is "github.com" or an Enterprise server.
	Host string
}

func (m Match) fits(r Request) bool {
	return (m.Kind == "" || m.Kind == r.Kind || strings.HasPrefix(string(r.Kind), string(m.Kind)+" ")) &&
		(m.Repo == "" || strings.EqualFold(strings.TrimPrefix(m.Repo, defaultHost+"/"), r.Repo)) &&
		(m.Host == "" || strings.EqualFold(m.Host, r.Host))
}

// check refuses a kind that no request is of.
func (m Match) check() error {
	kinds := []Kind{
		IssueList, IssueView, PRList, PRView, RepoView, APIIssue, APIReviews, APIReviewComments, APIRepo, APILabel,
		APIRateLimit, APIUser, APIGraphQL, Root, Viewer, Introspect, Meta, Other,
	}
	for _, kind := range kinds {
		if (Match{Kind: m.Kind}).fits(Request{Kind: kind}) {
			return nil
		}
	}
	return fmt.Errorf("no request is of the kind %q; the kinds are %q", m.Kind, kinds)
}

// Fault is what matching requests get instead of their answer.
type Fault struct {
	// Name is how the request log calls it.
	Name string
	// GraphQL and REST are the replies by API. Requests of an API whose reply is
	// zero are answered as if there were no fault.
	GraphQL, REST Reply
	// LaterPages spares the first page of everything.
	LaterPages bool
	// Times is how many requests get it; 0 is all until it is removed.
	Times int

	// bend picks a property of the repository that is asked about, which is on
	// while the request is answered: this fault is a state of the world.
	bend func(*Repo) *bool
	// usesUp says that the host's quotas are used up for as long as it stands.
	usesUp bool
}

// concerns reports whether the call gets the fault.
func (f Fault) concerns(c *call) bool {
	switch {
	case f.LaterPages && !c.LaterPage:
		return false
	case f.bend != nil:
		return c.repo != nil
	}
	return !f.reply(c).isZero()
}

// reply is what the call gets instead of its answer.
func (f Fault) reply(c *call) Reply {
	if c.graphql {
		return f.GraphQL
	}
	return f.REST
}

// Reply is one reply, just as it goes out.
type Reply struct {
	Status int // 200 when zero
	// Header is added to a Content-Type that fits the body.
	Header map[string]string
	Body   string
	// Wire is what happens to the connection; normally it carries the reply.
	Wire Wire
}

func (r Reply) isZero() bool { return r.Status == 0 && r.Body == "" && r.Wire == "" }

// Wire is a fate of a connection.
type Wire string

// The fates of a connection.
const (
	// Reset has the kernel say "connection reset by peer". Where unix sockets
	// do not know that, outside Linux, it is the same as EOF.
	Reset Wire = "reset"
	// EOF closes the connection without an answer.
	EOF Wire = "eof"
	// Hang holds the connection until the client leaves or the double is closed.
	Hang Wire = "hang"
	// Cut closes the connection in the middle of the body.
	Cut Wire = "cut"
)

// standing is a fault that was set and not yet used up.
type standing struct {
	match Match
	fault Fault
	left  int // requests still to get it; below 0 without end
}

// Fail makes matching requests get the fault; of several that match, the one
// set last holds. The function it returns removes it.
func (s *Server) Fail(match Match, fault Fault) (remove func()) {
	f := newStanding(match, fault)
	s.stand(f)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(other *standing) bool { return other == f })
	}
}

func newStanding(match Match, fault Fault) *standing {
	f := &standing{match: match, fault: fault, left: fault.Times}
	if fault.Times == 0 {
		f.left = -1
	}
	return f
}

func (s *Server) stand(f *standing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// Heal removes every fault.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// takeFault spends the fault that holds for the call; nil when there is none.
func (s *Server) takeFault(c *call) *Fault {
	for _, f := range slices.Backward(s.faults) {
		if f.left != 0 && f.match.fits(c.Request) && f.fault.concerns(c) {
			f.left--
			c.Fault = f.fault.Name
			return &f.fault
		}
	}
	return nil
}

// usedUp reports whether a fault that stands has used up the host's quotas.
func (s *Server) usedUp(hostName string) bool {
	return slices.ContainsFunc(s.faults, func(f *standing) bool {
		of := f.match.Host
		if f.match.Repo != "" {
			of, _ = splitRepo(f.match.Repo)
		}
		return f.fault.usesUp && f.left != 0 && (of == "" || strings.EqualFold(of, hostName))
	})
}

// limited refuses a call of which the host's quota has none left.
func (c *call) limited() (Reply, bool) {
	resource := "core"
	switch {
	case c.Kind == APIRateLimit:
		return Reply{}, false
	case c.graphql:
		resource = "graphql"
	}
	rate := c.host.rate(resource)
	if rate.Remaining > 0 || time.Now().After(rate.Reset) {
		return Reply{}, false
	}
	c.Fault = "rate-limit"
	if c.graphql {
		return queryErrors("RATE_LIMITED", exceeded), true
	}
	reply := errorReply(http.StatusForbidden, exceeded)
	reply.Header = map[string]string{
		"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(rate.Reset.Unix()),
	}
	return reply, true
}

// queryErrors is an answer of the GraphQL API that holds one error and no data.
func queryErrors(kind, message string) Reply {
	return jsonReply(http.StatusOK, map[string]any{"errors": []queryError{{Type: kind, Message: message}}})
}
