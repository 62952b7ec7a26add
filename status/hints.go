package status

import (
	"cmp"
	"fmt"

	"the-loop/internal/ref"
	"the-loop/poller"
)

// hint says what an operator can do about a cause.
type hint struct {
	cause   poller.Cause
	trouble string // "" if the remedy says it
	remedy  string
}

func (h hint) text() string {
	if h.trouble == "" {
		return h.remedy
	}
	return h.trouble + ": " + h.remedy
}

// knownHints lists the hints in the order of the report. A heartbeat of an older
// program has no causes, so it gets no hint. host is one that the login is missing on.
func knownHints(host string) []hint {
	return []hint{
		{poller.CauseNoLogin, "gh is not logged in", loginRemedy(host)},
		{poller.CauseRateLimit, "", "the rate limit ends by itself; a longer polling.intervalSeconds or fewer repositories use less of it"},
		{poller.CauseNoGH, "gh is missing", "install it from https://cli.github.com, or set polling.sources[].ghBinary to its path; a service has its own PATH"},
		{poller.CauseOldGH, "gh is too old", "install a newer one from https://cli.github.com, or set polling.sources[].ghBinary to it"},
		{poller.CauseGHConfig, "gh cannot use its configuration", "let the poller's user read and write gh's folder, or set GH_CONFIG_DIR to a folder where it can"},
		{poller.CauseSSO, "single sign-on has not authorized gh's token", "type gh auth refresh and authorize it for the organization, or authorize the token in GH_TOKEN at https://github.com/settings/tokens"},
		{poller.CauseNoNetwork, "the host cannot be reached", "check the network, a proxy and the name of the host"},
	}
}

func loginRemedy(host string) string {
	if host == ref.GitHubHost {
		return "type gh auth login; a service needs GH_TOKEN in its environment"
	}
	return "type gh auth login --hostname " + host + "; a service needs GH_ENTERPRISE_TOKEN in its environment"
}

// Remedy returns what to do about a cause, "" for an unknown one.
func Remedy(cause poller.Cause) string {
	for _, h := range knownHints(ref.GitHubHost) {
		if h.cause == cause {
			return h.remedy
		}
	}
	return ""
}

// hints returns what to type: one line for each cause in the last cycle, then one for
// each state of a running poller that waits for a person and whose own line does not
// say.
func (r Report) hints() []string {
	out := CauseHints(r.Heartbeat.LastCycle)
	if r.past() {
		return out
	}
	s := r.Heartbeat.Standing
	_, stale := r.Stale()
	for _, h := range []struct {
		when bool
		text string
	}{
		{stale, "see the poller's log; 'the-loop stop' ends it, then start it again"},
		{r.Heartbeat.ConfigError != "", "'the-loop config validate' names each fault of the file"},
		{s.Held.Count > 0, fmt.Sprintf("'the-loop sessions show %s' says why a delivery was put off", item(s.Held.First))},
		{len(s.Gone) > 0, "'the-loop sessions stop REF' ends the session of an item that is gone"},
		{s.Unwritten > 0, "'the-loop doctor' says what is wrong with the state root; until it is mended a restart loses these records"},
		{s.NoHandler.Count > 0, "'the-loop config path' names the file to set it in; it takes effect without a restart"},
	} {
		if h.when {
			out = append(out, h.text)
		}
	}
	return out
}

// CauseHints returns what to type about the failures of a cycle, one line for each known
// cause.
func CauseHints(s poller.Summary) []string {
	causes := map[poller.Cause]bool{}
	loggedOut := ""
	for _, list := range [][]poller.ScopeFailure{s.ScopesFailed, s.ScopesSkipped} {
		for _, f := range list {
			causes[f.Cause] = true
			if f.Cause == poller.CauseNoLogin {
				loggedOut = cmp.Or(loggedOut, shown(ref.HostOf(f.Scope)))
			}
		}
	}
	for _, e := range s.ProviderErrors {
		causes[e.Cause] = true
	}
	var out []string
	for _, h := range knownHints(cmp.Or(loggedOut, ref.GitHubHost)) {
		if causes[h.cause] {
			out = append(out, h.text())
		}
	}
	return out
}
