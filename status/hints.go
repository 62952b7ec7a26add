package status

import (
	"fmt"

	"the-loop/poller"
)

// hint tells the reader what to type about a cause.
type hint struct {
	cause poller.Cause
	text  string
}

// knownHints lists the hints in the order of the report. A heartbeat of an older
// program has no causes, so it gets no hint.
func knownHints() []hint {
	return []hint{
		{poller.CauseNoLogin, "gh is not logged in: type gh auth login; a service needs GH_TOKEN in its environment"},
		{poller.CauseRateLimit, "the rate limit ends by itself; a longer polling.intervalSeconds or fewer repositories use less of it"},
		{poller.CauseNoGH, "gh is missing: install it from https://cli.github.com, or set polling.sources[].ghBinary to its path; a service has its own PATH"},
		{poller.CauseOldGH, "gh is too old: install a newer one from https://cli.github.com, or set polling.sources[].ghBinary to it"},
		{poller.CauseSSO, "single sign-on has not authorized gh's token: type gh auth refresh, and authorize it for the organization"},
		{poller.CauseNoNetwork, "the host cannot be reached: check the network, a proxy and the name of the host"},
	}
}

// hints returns what to type: one line for each cause in the last cycle, then one for
// each state of a running poller that waits for a person and whose own line does not
// say.
func (r Report) hints() []string {
	out := causeHints(r.Heartbeat.LastCycle)
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
		{len(s.Gone) > 0, "nothing more comes for an item that is gone: end what its session runs by hand"},
		{s.Unwritten > 0, "'the-loop doctor' says what is wrong with the state root; until it is mended a restart loses these records"},
		{s.NoHandler.Count > 0, "'the-loop config path' names the file to set it in; it takes effect without a restart"},
	} {
		if h.when {
			out = append(out, h.text)
		}
	}
	return out
}

// causeHints returns one hint for each cause in a cycle.
func causeHints(s poller.Summary) []string {
	causes := map[poller.Cause]bool{}
	for _, list := range [][]poller.ScopeFailure{s.ScopesFailed, s.ScopesSkipped} {
		for _, f := range list {
			causes[f.Cause] = true
		}
	}
	for _, e := range s.ProviderErrors {
		causes[e.Cause] = true
	}
	var out []string
	for _, h := range knownHints() {
		if causes[h.cause] {
			out = append(out, h.text)
		}
	}
	return out
}
