package ghdouble

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Match selects requests. A zero field matches all.
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

// check rejects an unknown kind.
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

// Fault replaces the answer to matching requests.
type Fault struct {
	// Name stands for the fault in the request log.
	Name string
	// GraphQL and REST are the replies by API. A zero reply leaves requests of that
	// API unaffected.
	GraphQL, REST Reply
	// LaterPages exempts first pages.
	LaterPages bool
	// Times limits the number of affected requests; 0 is no limit.
	Times int

	// bend selects a property of the requested repository that is true while the
	// double answers: this fault is a state of the world.
	bend func(*Repo) *bool
	// usesUp empties the host's quotas while the fault stands.
	usesUp bool
}

// concerns reports whether the fault applies to the call.
func (f Fault) concerns(c *call) bool {
	switch {
	case f.LaterPages && !c.LaterPage:
		return false
	case f.bend != nil:
		return c.repo != nil
	}
	return !f.reply(c).isZero()
}

// reply returns the reply that replaces the call's answer.
func (f Fault) reply(c *call) Reply {
	if c.graphql {
		return f.GraphQL
	}
	return f.REST
}

// Reply is one reply, sent as it is.
type Reply struct {
	Status int // 200 when zero
	// Header adds to a Content-Type that fits the body.
	Header map[string]string
	Body   string
	// Wire is the fate of the connection. Zero delivers the reply.
	Wire Wire
}

func (r Reply) isZero() bool { return r.Status == 0 && r.Body == "" && r.Wire == "" }

// Wire is the fate of a connection.
type Wire string

// The fates of a connection.
const (
	// Reset makes the kernel report "connection reset by peer". Outside Linux, where
	// unix sockets have no reset, it acts like EOF.
	Reset Wire = "reset"
	// EOF closes the connection without an answer.
	EOF Wire = "eof"
	// Hang holds the connection until the client leaves or the double closes.
	Hang Wire = "hang"
	// Cut closes the connection in the middle of the body.
	Cut Wire = "cut"
)

// standing is a fault in force.
type standing struct {
	match Match
	fault Fault
	left  int // requests still to fail; negative for no limit
}

// Fail applies the fault to matching requests. When several faults match, the latest
// wins. The returned function removes the fault.
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

// takeFault uses up one turn of the fault for the call, or returns nil without one.
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

// usedUp reports whether a fault in force has emptied the host's quotas.
func (s *Server) usedUp(hostName string) bool {
	return slices.ContainsFunc(s.faults, func(f *standing) bool {
		of := f.match.Host
		if f.match.Repo != "" {
			of, _ = splitRepo(f.match.Repo)
		}
		return f.fault.usesUp && f.left != 0 && (of == "" || strings.EqualFold(of, hostName))
	})
}

// limited refuses a call when the host's quota for it is empty.
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

// queryErrors returns a GraphQL answer with one error and no data.
func queryErrors(kind, message string) Reply {
	return jsonReply(http.StatusOK, map[string]any{"errors": []queryError{{Type: kind, Message: message}}})
}
