package status

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"the-loop/poller"
)

// OpenMetrics returns the report as OpenMetrics text, for a textfile collector. Every
// family is always present; an unknown value has no sample.
func (r Report) OpenMetrics() []byte {
	var m metrics
	f := r.Heartbeat
	m.gauge("the_loop_up", "", "Whether the poller runs: 1 or 0.")
	m.sample(truth(r.Running))
	m.gauge("the_loop_start_time_seconds", "seconds", "When the poller, or the last one, was started, in Unix time.")
	m.time(f.StartedAt)
	m.gauge("the_loop_cycle_age_seconds", "seconds", "Time since the end of the last cycle.")
	m.age(r.Now, f.LastCycleAt)
	m.gauge("the_loop_cycle_duration_seconds", "seconds", "Duration of the last cycle.")
	cycled := !f.LastCycleAt.IsZero()
	c := f.LastCycle
	m.sampleIf(cycled, c.Duration.Seconds())
	m.gauge("the_loop_interval_seconds", "seconds", "Configured wait between two cycles.")
	m.sampleIf(f.Interval > 0, f.Interval.Seconds())
	m.gauge("the_loop_items", "", "Items that the last cycle listed.")
	m.sampleIf(cycled, float64(c.ItemsSeen))
	m.gauge("the_loop_errors", "", "Listings, sources and items that failed in the last cycle.")
	m.sampleIf(cycled, float64(c.Errors))
	r.scopes(&m, cycled)
	m.counter("the_loop_deliveries", "Runs of handlers since the start of the poller, by outcome.")
	m.by("outcome", f.Standing.Counts.Deliveries, "_total")
	m.gauge("the_loop_sessions", "", "Sessions that have not ended, by state.")
	m.by("state", f.Standing.Counts.Sessions, "")
	m.gauge("the_loop_deliveries_running", "", "Handlers that run.")
	m.sampleIf(cycled, float64(f.Standing.Running))
	m.gauge("the_loop_deliveries_waiting", "", "Deliveries that wait for a handler.")
	m.sampleIf(cycled, float64(f.Standing.Waiting))
	m.gauge("the_loop_gave_up", "", "Deliveries that were given up and wait for a person.")
	m.sampleIf(cycled, float64(f.Standing.GaveUp.Count))
	r.quotas(&m)
	m.text.WriteString("# EOF\n")
	return []byte(m.text.String())
}

func (r Report) scopes(m *metrics, cycled bool) {
	c := r.Heartbeat.LastCycle
	m.gauge("the_loop_scopes", "", "Repositories of the last cycle: those that answered, of these the unchanged ones that were not listed, and those of which a listing failed or was skipped.")
	if !cycled {
		return
	}
	for _, s := range []struct {
		result string
		n      int
	}{{"polled", c.ScopesPolled}, {"failed", distinct(c.ScopesFailed)}, {"skipped", distinct(c.ScopesSkipped)}, {"unchanged", c.ScopesUnchanged}} {
		m.labelled("", "result", s.result, float64(s.n))
	}
}

func (r Report) quotas(m *metrics) {
	quotas := r.Heartbeat.Quotas
	hosts := slices.Sorted(maps.Keys(quotas))
	m.gauge("the_loop_quota_remaining", "", "Points left of a host's hourly quota when it was last asked.")
	for _, host := range hosts {
		m.labelled("", "host", host, float64(quotas[host].Remaining))
	}
	m.gauge("the_loop_quota_limit", "", "Points that a host gives an hour.")
	for _, host := range hosts {
		m.labelled("", "host", host, float64(quotas[host].Limit))
	}
	m.gauge("the_loop_quota_reset_time_seconds", "seconds", "When a host's quota is renewed, in Unix time.")
	for _, host := range hosts {
		if at := quotas[host].ResetAt; !at.IsZero() {
			m.labelled("", "host", host, float64(at.Unix()))
		}
	}
}

// metrics writes one family after another.
type metrics struct {
	text   strings.Builder
	family string
}

func (m *metrics) gauge(name, unit, help string) { m.begin(name, "gauge", unit, help) }

func (m *metrics) counter(name, help string) { m.begin(name, "counter", "", help) }

func (m *metrics) begin(name, kind, unit, help string) {
	m.family = name
	fmt.Fprintf(&m.text, "# TYPE %s %s\n", name, kind)
	if unit != "" {
		fmt.Fprintf(&m.text, "# UNIT %s %s\n", name, unit)
	}
	fmt.Fprintf(&m.text, "# HELP %s %s\n", name, help)
}

func (m *metrics) sample(value float64) {
	fmt.Fprintf(&m.text, "%s %s\n", m.family, strconv.FormatFloat(value, 'f', -1, 64))
}

func (m *metrics) sampleIf(known bool, value float64) {
	if known {
		m.sample(value)
	}
}

func (m *metrics) labelled(suffix, label, value string, sample float64) {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
	fmt.Fprintf(&m.text, "%s%s{%s=\"%s\"} %s\n", m.family, suffix, label, escaped, strconv.FormatFloat(sample, 'f', -1, 64))
}

func (m *metrics) by(label string, counts map[string]int, suffix string) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		m.labelled(suffix, label, name, float64(counts[name]))
	}
}

func (m *metrics) time(at time.Time) { m.sampleIf(!at.IsZero(), float64(at.Unix())) }

func (m *metrics) age(now, at time.Time) { m.sampleIf(!at.IsZero(), max(0, now.Sub(at).Seconds())) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// distinct counts the scopes of a list, in which a scope with two failures stands
// twice.
func distinct(list []poller.ScopeFailure) int {
	scopes := map[string]bool{}
	for _, f := range list {
		scopes[f.Scope] = true
	}
	return len(scopes)
}
