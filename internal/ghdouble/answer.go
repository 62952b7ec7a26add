package ghdouble

import (
	"net/http"
)

// answer chooses the reply to a request and records the request in the log.
func (s *Server) answer(r *http.Request, body []byte) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.newCall(r, body)
	c.usedUp = s.usedUp(c.Host)
	reply := s.reply(c)
	s.requests = append(s.requests, c.Request)
	close(s.asked)
	s.asked = make(chan struct{})
	return reply
}

func (s *Server) reply(c *call) Reply {
	if fault := s.takeFault(c); fault != nil {
		if fault.bend == nil {
			return fault.reply(c)
		}
		bent := fault.bend(c.repo)
		defer func(was bool) { *bent = was }(*bent)
		*bent = true
		c.find()
	}
	if !c.token && (c.graphql || c.Kind == APIUser) {
		return errorReply(http.StatusUnauthorized, "This endpoint requires you to be authenticated.")
	}
	if reply, ok := c.limited(); ok {
		return reply
	}
	if c.graphql {
		return c.query()
	}
	if c.Kind != APIRateLimit {
		c.host.spend("core", 1)
	}
	if c.Method != http.MethodGet {
		return errorReply(http.StatusMethodNotAllowed, "the double only answers")
	}
	return c.rest()
}

// query answers a GraphQL request.
func (c *call) query() Reply {
	if c.badBody != nil {
		return queryErrors("", c.badBody.Error())
	}
	if c.doc.mutation {
		return queryErrors("", "the double only answers")
	}
	e := &execution{doc: c.doc, vars: c.vars}
	cost := e.cost()
	c.host.spend("graphql", cost)
	if c.takes(e) > longestQuery {
		c.Fault = "slow"
		return Reply{Status: http.StatusBadGateway, Body: `{"data":null,"errors":[{"message":"` + timedOut + `"}]}`}
	}
	return jsonReply(http.StatusOK, e.run(root(c.host, cost, c.Kind == APIGraphQL)))
}
