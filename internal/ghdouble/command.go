package ghdouble

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Command changes or queries the double with the words of a scenario and returns the
// result as text. A usage error shows the correct form.
//
//	fail FAULT [kind=K] [repo=R] [host=H] [times=N]
//	heal
//	state R#N open|closed|merged
//	labels R#N [LABEL]…
//	relabel R#N [LABEL]…
//	comment R#N LOGIN TEXT [ID]
//	chatter R#N LOGIN COUNT
//	crowd R LABEL
//	delete R#N
//	transfer R#N R#M
//	rename R OWNER/NAME
//	rename-label R LABEL NEW
//	slow R DURATION
//	gap R [GAP]
//	remove R
//	login HOST LOGIN
//	requests [kind=K] [repo=R] [host=H]
//	count [kind=K] [repo=R] [host=H]
//
// R is [HOST/]OWNER/NAME. "chatter" adds COUNT comments; "crowd" calls [Repo.Crowd].
// "relabel" keeps the item's UpdatedAt. A GAP is a value of [Gap]. A kind takes a hyphen
// in place of the blank: kind=issue-list. "requests" prints a line for each request:
// its kind and, if any, its repository, "later-page" and its fault.
func (s *Server) Command(args ...string) (string, error) {
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	at := func(least, most int) bool { return len(args) >= least && len(args) <= most }
	switch {
	case verb == "fail" && at(1, 5):
		return "", s.failCommand(args[0], args[1:])
	case verb == "heal" && at(0, 0):
		s.Heal()
		return "", nil
	case (verb == "state" && at(2, 2)) || ((verb == "labels" || verb == "relabel") && at(1, 100)) || (verb == "comment" && at(3, 4)) || (verb == "chatter" && at(3, 3)) || (verb == "delete" && at(1, 1)) || (verb == "transfer" && at(2, 2)):
		return "", s.itemCommand(verb, args[0], args[1:])
	case verb == "crowd" && at(2, 2):
		s.Repo(args[0]).Crowd(args[1])
		return "", nil
	case (verb == "rename" && at(2, 2)) || (verb == "rename-label" && at(3, 3)) || (verb == "slow" && at(2, 2)) || (verb == "gap" && at(1, 2)):
		return "", s.Repo(args[0]).command(verb, args[1:])
	case verb == "remove" && at(1, 1):
		s.RemoveRepo(args[0])
		return "", nil
	case verb == "login" && at(2, 2):
		s.SetLogin(args[0], args[1])
		return "", nil
	case (verb == "requests" || verb == "count") && at(0, 3):
		return s.logCommand(verb, args)
	}
	return "", fmt.Errorf("github double: no such command: %s %s", verb, strings.Join(args, " "))
}

func (s *Server) failCommand(name string, options []string) error {
	match, times, err := parseMatch(options)
	if err != nil {
		return err
	}
	f, err := newFault(name, match, times)
	if err != nil {
		return fmt.Errorf("github double: %w", err)
	}
	s.stand(f)
	return nil
}

// parseMatch reads which requests a fault or a query covers, and how often.
func parseMatch(options []string) (match Match, times int, err error) {
	for _, option := range options {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "kind":
			match.Kind = Kind(strings.Replace(value, "-", " ", 1))
		case "repo":
			match.Repo = value
		case "host":
			match.Host = value
		case "times":
			if times, err = strconv.Atoi(value); err != nil {
				return match, 0, fmt.Errorf("github double: %s: %w", option, err)
			}
		default:
			return match, 0, fmt.Errorf("github double: %q is not kind=, repo=, host= or times=", option)
		}
	}
	if err := match.check(); err != nil {
		return match, 0, fmt.Errorf("github double: %w", err)
	}
	return match, times, nil
}

// itemCommand changes one existing item.
func (s *Server) itemCommand(verb, ref string, args []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, number, err := s.named(ref)
	if err != nil {
		return err
	}
	it := r.items[number]
	if it == nil {
		return fmt.Errorf("github double: there is no %s", ref)
	}
	switch verb {
	case "delete":
		r.depart(number, nil)
	case "transfer":
		to, as, err := s.named(args[0])
		if err != nil {
			return err
		}
		r.transfer(number, to, as)
	case "state":
		it.State = args[0]
		it.touch()
	case "labels":
		it.Labels = args
		it.touch()
	case "relabel":
		it.Labels = args
	case "comment":
		c := Comment{Author: args[0], Body: args[1]}
		if len(args) == 3 {
			c.ID = args[2]
		}
		it.addComment(c)
	case "chatter":
		count, err := strconv.Atoi(args[1])
		if err != nil {
			return fmt.Errorf("github double: %q is not a number of comments", args[1])
		}
		for range count {
			it.addComment(Comment{Author: args[0], Body: "a comment"})
		}
	}
	return nil
}

// command changes a repository.
func (r *Repo) command(verb string, args []string) error {
	switch verb {
	case "rename":
		r.Rename(args[0])
	case "rename-label":
		r.RenameLabel(args[0], args[1])
	case "slow":
		d, err := time.ParseDuration(args[0])
		if err != nil {
			return fmt.Errorf("github double: %w", err)
		}
		r.SetSlow(d)
	case "gap":
		gap := Gap(strings.Join(args, ""))
		if known := []Gap{"", GapAlias, GapConnections, GapLimits, GapNodes, GapNode, GapPlace}; !slices.Contains(known, gap) {
			return fmt.Errorf("github double: no gap is called %q; there are %q", gap, known[1:])
		}
		r.SetGap(gap)
	}
	return nil
}

// named returns the repository and the number of R#N.
func (s *Server) named(ref string) (*Repo, int, error) {
	name, text, _ := strings.Cut(ref, "#")
	number, err := strconv.Atoi(text)
	if err != nil {
		return nil, 0, fmt.Errorf("github double: %q is not OWNER/NAME#N", ref)
	}
	hostName, full := splitRepo(name)
	r := s.host(hostName).find(full)
	if r == nil {
		return nil, 0, fmt.Errorf("github double: there is no %s", ref)
	}
	return r, number, nil
}

func (s *Server) logCommand(verb string, options []string) (string, error) {
	match, _, err := parseMatch(options)
	if err != nil {
		return "", err
	}
	if verb == "count" {
		return fmt.Sprintln(s.Count(match)), nil
	}
	var lines strings.Builder
	for _, r := range s.Requests() {
		if match.fits(r) {
			fmt.Fprintln(&lines, r)
		}
	}
	return lines.String(), nil
}

// String returns the request as a line of a log.
func (r Request) String() string {
	words := []string{string(r.Kind)}
	if r.Repo != "" {
		words = append(words, r.Repo)
	}
	if r.LaterPage {
		words = append(words, "later-page")
	}
	if r.Fault != "" {
		words = append(words, r.Fault)
	}
	return strings.Join(words, " ")
}
