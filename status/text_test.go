package status_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/heartbeat"
	"the-loop/poller"
	"the-loop/status"
)

const disabled = "issues are disabled on this repository; its issues are skipped and re-probed every 60 cycles, its pull requests are still polled"

func at(clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", "2026-11-30 "+clock)
	if err != nil {
		panic(err)
	}
	return t
}

// running is a report of a poller that runs and whose last cycle ended twelve
// seconds ago.
func running(s poller.Summary) status.Report {
	return status.Report{
		StateRoot: "/state", Running: true, PID: 4242, Now: at("13:10:12"),
		Heartbeat: heartbeat.File{StartedAt: at("10:00:00"), LastCycleAt: at("13:10:00"), Interval: time.Minute, LastCycle: s},
	}
}

func with(r status.Report, change func(*status.Report)) status.Report {
	change(&r)
	return r
}

func failure(scope, text string) poller.ScopeFailure {
	return poller.ScopeFailure{Scope: scope, Error: text}
}

func permanent(scope, text string) poller.ScopeFailure {
	return poller.ScopeFailure{Scope: scope, Error: text, Permanent: true}
}

func caused(scope, text string, cause poller.Cause) poller.ScopeFailure {
	return poller.ScopeFailure{Scope: scope, Error: text, Cause: cause}
}

// gitHub502 is what gh prints of a 502, byte for byte.
const gitHub502 = "HTTP 502: Something went wrong while executing your query. Please include `0000:0000` when reporting this issue. (https://api.github.com/graphql)"

// wantText compares the report with lines that are indented like this code.
func wantText(t *testing.T, r status.Report, want string) {
	t.Helper()
	want = strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "\t", "")
	if diff := cmp.Diff(want, r.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	healthy := poller.Summary{ItemsSeen: 24, CommentsForwarded: 1, ScopesPolled: 12}
	for _, c := range []struct {
		name   string
		report status.Report
		want   string
	}{
		{"the contract's example", running(poller.Summary{
			ItemsSeen: 24, CommentsForwarded: 1, Errors: 1, ScopesPolled: 12,
			ScopesFailed:  []poller.ScopeFailure{failure("octo/repo-b", "gh issue list --repo exited 1: HTTP 502")},
			ScopesSkipped: []poller.ScopeFailure{permanent("octo/repo-m", disabled)},
		}), `
		poller      running (pid 4242)
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded, 1 error(s)
		            degraded:   octo/repo-b — listing failed, retried next cycle: gh issue list --repo exited 1: HTTP 502
		            degraded:   octo/repo-m — ` + disabled + `
		`},
		{"nothing degraded", running(healthy), `
		poller      running (pid 4242)
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded
		`},
		{"all counters", running(poller.Summary{ItemsSeen: 1, Spawns: 2, CommentsForwarded: 3, Closures: 4, Failures: 5, Errors: 6, Interrupted: true}), `
		poller      running (pid 4242)
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 1 item(s), 2 spawn(s), 3 comment(s) forwarded, 4 closed, 5 gave up, 6 error(s), interrupted
		`},
		{"stopping", with(running(healthy), func(r *status.Report) { r.Stopping = true }), `
		poller      running (pid 4242), stopping
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded
		`},
		{"not running", with(running(healthy), func(r *status.Report) { r.Running, r.PID, r.Now = false, 0, at("13:13:59") }), `
		poller      not running
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (3m ago, before it stopped) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded
		`},
		{"a clock that went back", with(running(healthy), func(r *status.Report) { r.Now = at("09:00:00") }), `
		poller      running (pid 4242)
		            started:    2026-11-30T10:00:00Z (in the future)
		            last cycle: 2026-11-30T13:10:00Z (in the future) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded
		`},
		{"no heartbeat", status.Report{HeartbeatError: fs.ErrNotExist}, `
		poller      not running
		            last cycle: unknown — no heartbeat recorded
		`},
		{"a heartbeat that is no heartbeat", status.Report{Running: true, PID: 4242, HeartbeatError: errors.New("/state/poll-status.json: empty")}, `
		poller      running (pid 4242)
		            last cycle: unknown — the heartbeat cannot be read: /state/poll-status.json: empty
		`},
		{"a lock that cannot be asked", with(running(healthy), func(r *status.Report) {
			r.Running, r.PID, r.LockError = false, 0, errors.New("open /state/poll.pid: permission denied")
		}), `
		poller      unknown — open /state/poll.pid: permission denied
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded
		`},
		{"a lock that tells no pid", with(running(healthy), func(r *status.Report) { r.PID = 0 }), `
		poller      running (pid unknown)
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (12s ago) — 24 item(s), 0 spawn(s), 1 comment(s) forwarded
		`},
		{"before the first cycle", with(running(healthy), func(r *status.Report) {
			r.Heartbeat = heartbeat.File{StartedAt: at("13:10:00"), Interval: time.Minute}
		}), `
		poller      running (pid 4242)
		            started:    2026-11-30T13:10:00Z (12s ago)
		            last cycle: none recorded yet
		`},
		{"a heartbeat that tells nothing", with(running(healthy), func(r *status.Report) { r.Heartbeat = heartbeat.File{} }), `
		poller      running (pid 4242)
		            started:    unknown
		            last cycle: none recorded yet
		`},
		{"every line in its order", with(running(poller.Summary{
			Errors: 3, ScopesFailed: []poller.ScopeFailure{{Scope: "octo/b", Error: "HTTP 401: Bad credentials", Cause: poller.CauseNoLogin}},
			ProviderErrors: []poller.ProviderError{{Provider: "github-2", Error: "could not run gh: gh was not found on PATH", Cause: poller.CauseNoGH}},
		}), func(r *status.Report) {
			r.Now = at("13:30:00")
			r.Heartbeat.Progress = &heartbeat.Progress{UpdatedAt: at("13:15:30"), Done: 17, Total: 41, Scope: "octo/repo-x"}
			r.Heartbeat.Pace = &heartbeat.Pace{Host: "github.com", Interval: 150 * time.Second, Calls: 200}
			r.Heartbeat.ConfigError = "config.yaml:3:1: polling.sorces: unknown key\nconfig.yaml:4:1: also wrong"
			r.Heartbeat.LogError = "2 lines of the log are lost: broken pipe"
		}), `
		poller      running (pid 4242)
		            started:    2026-11-30T10:00:00Z (3h ago)
		            last cycle: 2026-11-30T13:10:00Z (20m ago) — 0 item(s), 0 spawn(s), 0 comment(s) forwarded, 3 error(s)
		            progress:   17 of 41 repositories, now octo/repo-x for 14m
		            stale:      nothing moved for 14m
		            pace:       one cycle every 2m30s: 200 calls a cycle would use up the hourly quota of github.com
		            config:     reload failed, keeping the previous one: config.yaml:3:1: polling.sorces: unknown key config.yaml:4:1: also wrong
		            log:        2 lines of the log are lost: broken pipe
		            degraded:   no repository was polled — every listing failed
		            degraded:   github-2 — the source could not be asked, retried next cycle: could not run gh: gh was not found on PATH
		            degraded:   octo/b — listing failed, retried next cycle: HTTP 401: Bad credentials
		            hint:       gh is not logged in: type gh auth login; a service needs GH_TOKEN in its environment
		            hint:       gh is missing: install it from https://cli.github.com, or set polling.sources[].ghBinary to its path; a service has its own PATH
		            hint:       see the poller's log; 'the-loop stop' ends it, then start it again
		            hint:       'the-loop config validate' names each fault of the file
		`},
	} {
		t.Run(c.name, func(t *testing.T) { wantText(t, c.report, c.want) })
	}
}

// line returns the one line of the report that has the key, without the key.
func line(t *testing.T, r status.Report, key string) string {
	t.Helper()
	var found []string
	prefix := strings.Repeat(" ", 12) + (key + ":            ")[:12]
	for _, l := range r.Lines() {
		if text, ok := strings.CutPrefix(l, prefix); ok {
			found = append(found, text)
		}
	}
	return strings.Join(found, "\n")
}

func TestAges(t *testing.T) {
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{-time.Nanosecond, "in the future"},
		{-time.Hour, "in the future"},
		{0, "0s ago"},
		{59*time.Second + 999*time.Millisecond, "59s ago"},
		{time.Minute, "1m ago"},
		{time.Hour - 1, "59m ago"},
		{time.Hour, "1h ago"},
		{24*time.Hour - 1, "23h ago"},
		{24 * time.Hour, "1d ago"},
		{1000*24*time.Hour + 1, "1000d ago"},
	} {
		r := with(running(poller.Summary{}), func(r *status.Report) { r.Now = r.Heartbeat.StartedAt.Add(c.ago) })
		if got, want := line(t, r, "started"), "2026-11-30T10:00:00Z ("+c.want+")"; got != want {
			t.Errorf("%v: got %q, want %q", c.ago, got, want)
		}
	}
}

func TestStale(t *testing.T) {
	const limit = 3*time.Minute + time.Minute
	cycle := func(ago time.Duration) func(*status.Report) {
		return func(r *status.Report) { r.Heartbeat.LastCycleAt = r.Now.Add(-ago) }
	}
	for _, c := range []struct {
		name   string
		change func(*status.Report)
		want   string
	}{
		{"just in time", cycle(limit), ""},
		{"too late", cycle(limit + time.Second), "nothing moved for 4m"},
		{"not running", func(r *status.Report) { cycle(time.Hour)(r); r.Running = false }, ""},
		{"progress moves", func(r *status.Report) {
			cycle(time.Hour)(r)
			r.Heartbeat.Progress = &heartbeat.Progress{UpdatedAt: r.Now.Add(-limit)}
		}, ""},
		{"progress stands still", func(r *status.Report) {
			cycle(time.Hour)(r)
			r.Heartbeat.Progress = &heartbeat.Progress{UpdatedAt: r.Now.Add(-14 * time.Minute)}
		}, "nothing moved for 14m"},
		{"no cycle yet", func(r *status.Report) {
			r.Heartbeat = heartbeat.File{StartedAt: r.Now.Add(-limit), Interval: time.Minute}
		}, ""},
		{"no cycle for long", func(r *status.Report) {
			r.Heartbeat = heartbeat.File{StartedAt: r.Now.Add(-2 * time.Hour), Interval: time.Minute}
		}, "nothing moved for 2h"},
		{"started again, no cycle yet", func(r *status.Report) { r.Heartbeat = heartbeat.File{} }, ""},
		{"paced", func(r *status.Report) {
			cycle(time.Hour)(r)
			r.Heartbeat.Pace = &heartbeat.Pace{Interval: 20 * time.Minute}
		}, ""},
		{"paced and too late", func(r *status.Report) {
			cycle(2 * time.Hour)(r)
			r.Heartbeat.Pace = &heartbeat.Pace{Interval: 20 * time.Minute}
		}, "nothing moved for 2h"},
		{"a pace shorter than the interval", func(r *status.Report) {
			cycle(limit)(r)
			r.Heartbeat.Pace = &heartbeat.Pace{Interval: time.Second}
		}, ""},
		{"in the future", cycle(-time.Hour), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := line(t, with(running(poller.Summary{}), c.change), "stale"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		name     string
		progress heartbeat.Progress
		want     string
	}{
		{"all of it", heartbeat.Progress{UpdatedAt: at("13:10:00"), Done: 17, Total: 41, Scope: "octo/repo-x"}, "17 of 41 repositories, now octo/repo-x for 12s"},
		{"total not known", heartbeat.Progress{UpdatedAt: at("13:10:00"), Done: 17, Scope: "octo/repo-x"}, "17 repositories, now octo/repo-x for 12s"},
		{"no scope", heartbeat.Progress{UpdatedAt: at("13:10:00"), Done: 41, Total: 41}, "41 of 41 repositories for 12s"},
		{"no time", heartbeat.Progress{Total: 41}, "0 of 41 repositories"},
		{"in the future", heartbeat.Progress{UpdatedAt: at("15:00:00"), Total: 41}, "0 of 41 repositories for 0s"},
	} {
		r := with(running(poller.Summary{}), func(r *status.Report) { r.Heartbeat.Progress = &c.progress })
		if got := line(t, r, "progress"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := line(t, with(r, func(r *status.Report) { r.Running = false }), "progress"); got != "" {
			t.Errorf("%s: not running, got %q", c.name, got)
		}
	}
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		pace heartbeat.Pace
		want string
	}{
		{heartbeat.Pace{Host: "github.com", Interval: 150 * time.Second, Calls: 200}, "one cycle every 2m30s: 200 calls a cycle would use up the hourly quota of github.com"},
		{heartbeat.Pace{Host: "ghe.example.com", Interval: 15 * time.Minute}, "one cycle every 15m: its calls would use up the hourly quota of ghe.example.com"},
		{heartbeat.Pace{Host: "h", Interval: 2 * time.Hour, Calls: 1}, "one cycle every 2h: 1 calls a cycle would use up the hourly quota of h"},
		{heartbeat.Pace{Host: "h", Interval: 90 * time.Second, Calls: 2}, "one cycle every 1m30s: 2 calls a cycle would use up the hourly quota of h"},
		{heartbeat.Pace{Host: "h", Interval: 10 * time.Second, Calls: 2}, "one cycle every 10s: 2 calls a cycle would use up the hourly quota of h"},
	} {
		r := with(running(poller.Summary{}), func(r *status.Report) { r.Heartbeat.Pace = &c.pace })
		if got := line(t, r, "pace"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestDegraded(t *testing.T) {
	for _, c := range []struct {
		name    string
		summary poller.Summary
		want    []string
	}{
		{"permanent", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{permanent("octo/m", "the 'octo/m' repository has disabled issues")}},
			[]string{"octo/m — listing failed, permanent: the 'octo/m' repository has disabled issues"}},
		{"two failures of one scope", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{failure("octo/b", "HTTP 502"), failure("octo/b", "timed out")}},
			[]string{"octo/b — listing failed, retried next cycle: HTTP 502; timed out"}},
		{"the same error twice", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{failure("octo/b", "HTTP 502"), failure("octo/b", "HTTP\n502")}},
			[]string{"octo/b — listing failed, retried next cycle: HTTP 502"}},
		{"one failure of two is permanent", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{permanent("octo/b", "disabled"), failure("octo/b", "HTTP 502")}},
			[]string{"octo/b — listing failed, retried next cycle: disabled; HTTP 502"}},
		{"both are", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{permanent("octo/b", "disabled"), permanent("octo/b", "renamed")}},
			[]string{"octo/b — listing failed, permanent: disabled; renamed"}},
		{"skipped and failed", poller.Summary{ScopesPolled: 1,
			ScopesFailed:  []poller.ScopeFailure{failure("octo/m", "HTTP 502"), failure("octo/n", "HTTP 503")},
			ScopesSkipped: []poller.ScopeFailure{permanent("octo/m", disabled), failure("octo/k", "not asked")}},
			[]string{"octo/m — " + disabled + "; listing failed, retried next cycle: HTTP 502",
				"octo/n — listing failed, retried next cycle: HTTP 503", "octo/k — not asked"}},
		{"every listing failed", poller.Summary{ScopesFailed: []poller.ScopeFailure{failure("octo/b", "HTTP 502")}, ScopesSkipped: []poller.ScopeFailure{failure("octo/k", "not asked")}},
			[]string{"no repository was polled — every listing failed", "octo/b — listing failed, retried next cycle: HTTP 502", "octo/k — not asked"}},
		{"every listing was skipped", poller.Summary{ScopesSkipped: []poller.ScopeFailure{failure("octo/k", "not asked")}},
			[]string{"no repository was polled — every listing was skipped", "octo/k — not asked"}},
		{"a source that could not be asked", poller.Summary{ProviderErrors: []poller.ProviderError{{Provider: "github", Error: "no repositories"}}},
			[]string{"github — the source could not be asked, retried next cycle: no repositories"}},
		{"one error of both listings", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{
			failure("octo/b", "gh issue list --repo exited 1: "+gitHub502), failure("octo/b", "gh pr list --repo exited 1: "+gitHub502)}},
			[]string{"octo/b — listing failed, retried next cycle: gh issue list and gh pr list exited 1: HTTP 502"}},
		{"two errors of both listings", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{
			failure("octo/b", "gh issue list --repo exited 1: HTTP 502"), failure("octo/b", "gh pr list --repo exited 1: HTTP 504")}},
			[]string{"octo/b — listing failed, retried next cycle: gh issue list --repo exited 1: HTTP 502; gh pr list --repo exited 1: HTTP 504"}},
		{"both listings took too long", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{
			failure("octo/b", "gh issue timed out after 1s"), failure("octo/b", "gh pr timed out after 1s")}},
			[]string{"octo/b — listing failed, retried next cycle: gh issue and gh pr timed out after 1s"}},
		{"addresses", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{
			failure("octo/b", `gh issue list --repo exited 1: Post "https://api.github.com/graphql": read tcp 10.0.0.1:4711->140.82.121.6:443: read: connection reset by peer`),
			failure("octo/b", `gh pr list --repo exited 1: Post "https://api.github.com/graphql": read tcp 10.0.0.1:4712->140.82.121.6:443: read: connection reset by peer`)}},
			[]string{"octo/b — listing failed, retried next cycle: gh issue list and gh pr list exited 1: read: connection reset by peer"}},
		{"an error of GraphQL", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{
			failure("octo/b", "gh issue list --repo exited 1: GraphQL: Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `A1` when reporting this issue.")}},
			[]string{"octo/b — listing failed, retried next cycle: gh issue list --repo exited 1: GraphQL: Something went wrong while executing your query"}},
		{"a cause of a host", poller.Summary{ScopesPolled: 1,
			ScopesFailed:  []poller.ScopeFailure{caused("octo/a", "gh issue list --repo exited 4: To get started", poller.CauseNoLogin), failure("octo/x", "HTTP 502")},
			ScopesSkipped: []poller.ScopeFailure{caused("octo/b", "not asked: gh is not logged in to github.com", poller.CauseNoLogin), caused("octo/c", "not asked: gh is not logged in to github.com", poller.CauseNoLogin), caused("ghe.corp/octo/a", "not asked", poller.CauseNoLogin), permanent("octo/b", disabled)}},
			[]string{"github.com — 3 repositories: not asked: gh is not logged in to github.com; listing failed, retried next cycle: gh issue list --repo exited 4: To get started",
				"octo/x — listing failed, retried next cycle: HTTP 502", "ghe.corp/octo/a — not asked", "octo/b — " + disabled}},
		{"text from outside", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{failure("octo/b\nhint: run this", "\x1b[31mred\x9b \u202etxt\r\nnext\u2028line\x7f")}},
			[]string{"octo/b hint: run this — listing failed, retried next cycle: \ufffd[31mred\ufffd \ufffdtxt next line\ufffd"}},
		{"nothing said", poller.Summary{ScopesPolled: 1, ScopesFailed: []poller.ScopeFailure{{}}, ScopesSkipped: []poller.ScopeFailure{failure("octo/b", " ")}},
			[]string{"unknown — listing failed, retried next cycle: unknown", "octo/b — unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Split(line(t, running(c.summary), "degraded"), "\n")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHints(t *testing.T) {
	const text = "gh issue list --repo exited 1: HTTP 401: no rate limit configured"
	for cause, want := range map[poller.Cause]string{
		poller.CauseNoLogin:   "gh is not logged in: type gh auth login; a service needs GH_TOKEN in its environment",
		poller.CauseRateLimit: "the rate limit ends by itself; a longer polling.intervalSeconds or fewer repositories use less of it",
		poller.CauseNoGH:      "gh is missing: install it from https://cli.github.com, or set polling.sources[].ghBinary to its path; a service has its own PATH",
		poller.CauseOldGH:     "gh is too old: install a newer one from https://cli.github.com, or set polling.sources[].ghBinary to it",
		poller.CauseGHConfig:  "gh cannot use its configuration: let the poller's user read and write gh's folder, or set GH_CONFIG_DIR to a folder where it can",
		poller.CauseSSO:       "single sign-on has not authorized gh's token: type gh auth refresh and authorize it for the organization, or authorize the token in GH_TOKEN at https://github.com/settings/tokens",
		poller.CauseNoNetwork: "the host cannot be reached: check the network, a proxy and the name of the host",
		"":                    "", // the text alone has no hint
		"of another version":  "",
	} {
		f := failure("octo/b", text)
		f.Cause = cause
		for kind, summary := range map[string]poller.Summary{
			"failed":   {ScopesFailed: []poller.ScopeFailure{f, f}},
			"skipped":  {ScopesSkipped: []poller.ScopeFailure{f}},
			"provider": {ProviderErrors: []poller.ProviderError{{Provider: "github", Error: text, Cause: cause}}},
		} {
			if got := line(t, running(summary), "hint"); got != want {
				t.Errorf("%s, %q: got %q, want %q", kind, cause, got, want)
			}
		}
	}
}
