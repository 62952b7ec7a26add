package gh

import (
	"errors"
	"strings"
)

// Cause is why a call failed, for an operator who wants to mend it. It is finer than
// [Class], and no caller's behaviour depends on it.
type Cause string

// The known causes.
const (
	NoCause   Cause = ""
	NoLogin   Cause = "no-login"   // gh has no login on the host, or a bad one
	RateLimit Cause = "rate-limit" // the host's primary or secondary rate limit
	NoGH      Cause = "no-gh"      // gh is missing or cannot be run
	OldGH     Cause = "old-gh"     // gh does not know what it was asked for
	GHConfig  Cause = "gh-config"  // gh cannot read or rewrite its own configuration
	SSO       Cause = "sso"        // single sign-on has not authorized the login
	NoNetwork Cause = "no-network" // the host cannot be reached
)

// CauseOf is the cause of the [Error] in err's chain.
func CauseOf(err error) Cause {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return NoCause
	}
	switch {
	case e.Class == Unauthenticated:
		return NoLogin
	case e.Class == RateLimited:
		return RateLimit
	case e.unrunnable:
		return NoGH
	case e.says("unknown json field", "unknown flag", "unknown shorthand flag", "unknown command"):
		return OldGH
	case e.says("failed to write config", "failed to read configuration"):
		return GHConfig
	case e.says("saml enforcement"):
		return SSO
	case e.says("error connecting to ", "dial tcp", "no such host", "network is unreachable", "connection refused"):
		return NoNetwork
	}
	return NoCause
}

func (e *Error) says(words ...string) bool {
	for _, w := range words {
		if strings.Contains(e.stderr, w) {
			return true
		}
	}
	return false
}

// missing marks an error about a gh that is not there or cannot be run.
func missing(e *Error) *Error {
	e.unrunnable = true
	return e
}
