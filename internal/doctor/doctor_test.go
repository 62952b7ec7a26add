package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/internal/ghtest"
	"the-loop/internal/ref"
)

// well is a client and the options of an examination that finds nothing.
func well(t *testing.T) (*ghtest.Client, Options) {
	t.Helper()
	full := gh.Quota{Limit: 5000, Remaining: 5000, Reset: time.Now().Add(30 * time.Minute)}
	d := ghtest.New(t).On("path", "/usr/bin/gh").On("version", "2.60.0").On("closing", true).
		On("login *", "octocat").On("limits *", gh.RateLimits{"core": full, "graphql": full}).
		On("repo *", gh.Repository{}).On("label *", true).On("issues *", 3).On("pulls *", 1).On("survey *", 1)
	return d, Options{
		Config:    configuration(t, source("octo/a", "octo/b")),
		StateRoot: filepath.Join(t.TempDir(), "state"),
		Client:    func(config.Source) GitHub { return d },
		Records:   func(string) (int, []error) { return 0, nil },
		Getenv:    environment("HOME=/home/mona"),
		Asking:    func(string, int, int) {},
	}
}

// asked returns the questions about repositories.
func asked(d *ghtest.Client) []string {
	return slices.DeleteFunc(d.Calls(), func(call string) bool { return !strings.HasPrefix(call, "repo ") })
}

func configuration(t *testing.T, sources ...config.Source) *config.Config {
	t.Helper()
	return &config.Config{
		File:    "/etc/config.yaml",
		Polling: config.Polling{Interval: time.Minute, Pace: true, Sources: sources},
		Routing: config.Routing{AuthorizedUsers: []string{"@me"}},
	}
}

func source(repos ...string) config.Source {
	s := config.Source{Name: "github", Limit: 1000, GHBinary: "gh", Issues: true, PullRequests: true, Concurrency: 1, Labels: []string{"the-loop"}}
	for _, name := range repos {
		r, err := ref.ParseRepo(name, "")
		if err != nil {
			panic(err)
		}
		s.Repos = append(s.Repos, r)
	}
	return s
}

func environment(entries ...string) func(string) string {
	return func(name string) string {
		for _, e := range entries {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// examine runs all checks and returns, as text, the findings of the kinds.
func examine(t *testing.T, o Options, kinds ...string) string {
	t.Helper()
	var b strings.Builder
	o.Found = func(f Finding) {
		if f.OK != (f.Level == OK) || f.OK != (f.Fix == "") || f.Message == "" || f.Subject == "" {
			t.Errorf("contradictory: %+v", f)
		}
		for _, kind := range kinds {
			if f.Check == kind {
				fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%s %s: %s → %s", f.Level, f.Subject, f.Message, f.Fix)))
			}
		}
	}
	if err := Run(t.Context(), o); err != nil {
		t.Errorf("Run() error %v", err)
	}
	return b.String()
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestFailingQuestions(t *testing.T) {
	tests := []struct {
		name   string
		change func(*ghtest.Client, *Options)
		kinds  []string
		want   string
	}{
		{"a version that is not told", func(d *ghtest.Client, _ *Options) { d.On("version", errors.New("gh --version exited 1: boom")) },
			[]string{"gh", "login", "left-out", "repository"},
			`error gh: boom → install a newer one from https://cli.github.com, or set ghBinary to another
warning gh: 2 repositories were not checked → fix that, then run doctor again`},
		{"fields that are not told", func(d *ghtest.Client, _ *Options) {
			d.On("closing", errors.New("gh pr exited 1: unknown flag: --json"))
		},
			[]string{"closing-references", "repository"},
			`warning gh: it does not list its fields: unknown flag: --json → install a newer one from https://cli.github.com, or set ghBinary to another
ok octo/a: reachable →
ok octo/b: reachable →`},
		{"fields that a login is needed for", func(d *ghtest.Client, _ *Options) { d.On("closing", &gh.Error{Class: gh.Unauthenticated}) },
			[]string{"closing-references", "repository"}, "ok octo/a: reachable →\nok octo/b: reachable →"},
		{"a limit that stops after one", func(d *ghtest.Client, _ *Options) {
			d.On("repo octo/b", &gh.Error{Class: gh.RateLimited, Text: "gh repo view github.com/octo/b exited 1: slow down"})
		}, []string{"repository", "left-out"},
			`ok octo/a: reachable →
warning github.com: 1 of 2 repositories was not checked: slow down → run doctor again in a while`},
		{"a limit at a label", func(d *ghtest.Client, _ *Options) {
			d.On("label octo/a the-loop", &gh.Error{Class: gh.RateLimited, Text: "slow down"})
		}, []string{"repository", "label", "left-out"},
			`ok octo/a: reachable →
warning github.com: 2 repositories were not checked: slow down → run doctor again in a while`},
		{"a repository that says nothing of Issues or archives", func(d *ghtest.Client, _ *Options) {
			d.On("repo octo/a", gh.Repository{NameWithOwner: "OCTO/A"})
		}, []string{"repository", "issues", "archived"}, "ok octo/a: reachable →\nok octo/b: reachable →"},
		{"a new name that is none", func(d *ghtest.Client, _ *Options) {
			d.On("repo octo/a", gh.Repository{NameWithOwner: "a\x1b[2Jb"})
		}, []string{"repository"},
			"error octo/a: it is now called a\uFFFD[2Jb and cannot be found under this name → write a\uFFFD[2Jb instead\nok octo/b: reachable →"},
		{"records that cannot be read", func(_ *ghtest.Client, o *Options) {
			o.StateRoot = filepath.Dir(o.StateRoot)
			o.Records = func(string) (int, []error) { return 3, []error{errors.New("one"), errors.New("two")} }
		}, []string{"records"},
			"warning records: 2 of 5 cannot be read: one → let this user read it; a corrupt one is set aside at the next start, and its item taken as known"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, o := well(t)
			tt.change(d, &o)
			check(t, examine(t, o, tt.kinds...), tt.want)
		})
	}
}

// Two sources that name one repository ask for it once, with all that either
// wants of it; the calls of a cycle are those of both.
func TestSourcesAreJoined(t *testing.T) {
	d, o := well(t)
	second := source("OCTO/A", "ghe.example.com/octo/c")
	second.Labels, second.PullRequests = []string{"THE-LOOP", "more"}, false
	o.Config = configuration(t, source("octo/a"), second)
	var progress []string
	o.Asking = func(repo string, n, total int) { progress = append(progress, fmt.Sprintf("%s %d/%d", repo, n, total)) }
	check(t, examine(t, o, "repository", "label", "quota"),
		`ok octo/a: reachable →
ok octo/a: it has the label the-loop →
ok octo/a: it has the label more →
ok ghe.example.com/octo/c: reachable →
ok ghe.example.com/octo/c: it has the label THE-LOOP →
ok ghe.example.com/octo/c: it has the label more →
ok github.com: 3 calls a cycle, one cycle a minute: 240 of 5000 points an hour →
ok ghe.example.com: 1 call a cycle, one cycle a minute: 60 of 5000 points an hour →`)
	if diff := cmp.Diff([]string{"repo octo/a", "repo ghe.example.com/octo/c"}, asked(d)); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"octo/a 1/2", "ghe.example.com/octo/c 2/2"}, progress); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}

// A gh of a source's own has a login of its own, maybe the same one.
func TestEachGHIsLookedAt(t *testing.T) {
	d, o := well(t)
	other := source("octo/b")
	other.GHBinary = "/opt/gh"
	o.Config = configuration(t, source("octo/a"), other)
	broken := ghtest.New(t).On("path", errors.New("could not run gh: /opt/gh does not exist"))
	o.Client = func(s config.Source) GitHub {
		if s.GHBinary == "/opt/gh" {
			return broken
		}
		return d
	}
	check(t, examine(t, o, "gh", "repository", "left-out", "quota"),
		`ok gh: /usr/bin/gh, version 2.60.0 →
ok octo/a: reachable →
error gh: /opt/gh does not exist → install it from https://cli.github.com, or set ghBinary to its path
warning gh: 1 repository was not checked → fix that, then run doctor again
ok github.com: 2 calls a cycle, one cycle a minute: 180 of 5000 points an hour →`)
	o.Client = func(config.Source) GitHub { return d }
	check(t, examine(t, o, "quota"), "ok github.com: 4 calls a cycle, one cycle a minute: 360 of 5000 points an hour →")
}

func TestQuota(t *testing.T) {
	tests := map[string]struct {
		repos, limit int
		interval     time.Duration
		pace         bool
		references   bool // asked for, which makes a listing of pull requests cost two points
		want         string
	}{
		"little":           {1, 5000, time.Minute, true, false, "ok github.com: 2 calls a cycle, one cycle a minute: 120 of 5000 points an hour →"},
		"just enough":      {37, 5000, time.Minute, false, false, "ok github.com: 74 calls a cycle, one cycle a minute: 4440 of 5000 points an hour →"},
		"little is left":   {41, 5000, time.Minute, false, false, "warning github.com: 82 calls a cycle, one cycle a minute: 4920 of 5000 points an hour → set polling.intervalSeconds: 66"},
		"paced":            {100, 5000, time.Minute, true, false, "warning github.com: 200 calls a cycle, one cycle a minute: 12000 of 5000 points an hour → set polling.intervalSeconds: 160 (until then polling.pace waits longer)"},
		"too much":         {100, 5000, time.Minute, false, false, "error github.com: 200 calls a cycle, one cycle a minute: 12000 of 5000 points an hour → set polling.intervalSeconds: 160"},
		"another limit":    {100, 15000, time.Minute, false, false, "ok github.com: 200 calls a cycle, one cycle a minute: 12000 of 15000 points an hour →"},
		"often":            {1, 5000, 10 * time.Millisecond, true, false, "warning github.com: 2 calls a cycle, one cycle every 10ms: 720000 of 5000 points an hour → set polling.intervalSeconds: 2 (until then polling.pace waits longer)"},
		"seldom":           {1, 5000, 90 * time.Minute, true, false, "ok github.com: 2 calls a cycle, one cycle every 1h30m: 2 of 5000 points an hour →"},
		"a limit untold":   {1, 0, time.Minute, true, false, ""},
		"with references":  {25, 5000, time.Minute, false, true, "ok github.com: 50 calls a cycle, one cycle a minute: 4500 of 5000 points an hour →"},
		"too many of them": {27, 5000, time.Minute, false, true, "warning github.com: 54 calls a cycle, one cycle a minute: 4860 of 5000 points an hour → set polling.intervalSeconds: 65"},
		"hourly":           {1, 5000, time.Hour, true, false, "ok github.com: 2 calls a cycle, one cycle an hour: 2 of 5000 points an hour →"},
		"the advice holds": {1, 5000, 1600 * time.Millisecond, false, false, "ok github.com: 2 calls a cycle, one cycle every 1.6s: 4500 of 5000 points an hour →"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, o := well(t)
			d.On("closing", tt.references)
			d.On("limits *", gh.RateLimits{"graphql": {Limit: tt.limit, Remaining: 1, Reset: time.Now().Add(time.Minute)}})
			var repos []string
			for i := range tt.repos {
				repos = append(repos, fmt.Sprintf("octo/%d", i))
			}
			o.Config = configuration(t, source(repos...))
			o.Config.Polling.Interval, o.Config.Polling.Pace = tt.interval, tt.pace
			check(t, examine(t, o, "quota"), tt.want)
		})
	}
}

func TestCycleTime(t *testing.T) {
	tests := map[string]struct {
		each     time.Duration
		interval time.Duration
		sources  []config.Source
		want     string
	}{
		"fits": {500 * time.Millisecond, time.Minute, []config.Source{source("o/a", "o/b")},
			"ok cycle: about 2s (4 calls of 500ms, one at a time) →"},
		"more at once": {3 * time.Second, 8 * time.Second, []config.Source{source("o/a", "o/b", "o/c", "o/d")},
			"warning cycle: about 24s (8 calls of 3s, one at a time), longer than the 8s interval → set the source's concurrency: 3"},
		"too few for that": {3 * time.Second, 2 * time.Second, []config.Source{source("o/a", "o/b")},
			"warning cycle: about 12s (4 calls of 3s, one at a time), longer than the 2s interval → set polling.intervalSeconds: 12"},
		"already more at once": {3 * time.Second, 5 * time.Second, []config.Source{atOnce(2, "o/a", "o/b", "o/c", "o/d")},
			"warning cycle: about 12s (8 calls of 3s, 2 at a time), longer than the 5s interval → set polling.intervalSeconds: 12"},
		"more at once than there are": {3 * time.Second, time.Minute, []config.Source{atOnce(9, "o/a")},
			"ok cycle: about 6s (2 calls of 3s, 9 at a time) →"},
		"sources one after another": {time.Second, time.Minute, []config.Source{source("o/a"), atOnce(2, "o/b", "o/c")},
			"ok cycle: about 4s (6 calls of 1s) →"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, o := well(t)
			synctest.Test(t, func(t *testing.T) {
				d.On("repo *", func() any { <-time.After(tt.each); return gh.Repository{} })
				o.Config = configuration(t, tt.sources...)
				o.Config.Polling.Interval = tt.interval
				check(t, examine(t, o, "cycle-time"), tt.want)
			})
		})
	}
	t.Run("nothing measured", func(t *testing.T) {
		d, o := well(t)
		d.On("login *", &gh.Error{Class: gh.Unauthenticated, ExitCode: 4})
		check(t, examine(t, o, "cycle-time", "quota"), "")
	})
}

func atOnce(n int, repos ...string) config.Source {
	s := source(repos...)
	s.Concurrency = n
	return s
}

func TestClock(t *testing.T) {
	const fix = " → set it, for example with 'timedatectl set-ntp true': waiting for rate limits depends on it"
	tests := map[string]struct {
		limits map[string]time.Duration
		want   string
	}{
		"now":           {map[string]time.Duration{"graphql": 0}, "ok github.com: this machine's clock agrees with it →"},
		"a full window": {map[string]time.Duration{"graphql": time.Hour + 59*time.Second}, "ok github.com: this machine's clock agrees with it →"},
		"behind":        {map[string]time.Duration{"graphql": 2 * time.Hour}, "warning github.com: this machine's clock is behind by 1h or more" + fix},
		"just past":     {map[string]time.Duration{"graphql": -59 * time.Second}, "ok github.com: this machine's clock agrees with it →"},
		"ahead":         {map[string]time.Duration{"graphql": -26 * time.Hour}, "warning github.com: this machine's clock is ahead by 26h or more" + fix},
		"REST alone":    {map[string]time.Duration{"core": 3 * time.Hour}, "warning github.com: this machine's clock is behind by 2h or more" + fix},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, o := well(t)
			synctest.Test(t, func(t *testing.T) {
				limits := gh.RateLimits{}
				for name, ahead := range tt.limits {
					limits[name] = gh.Quota{Limit: 5000, Remaining: 1, Reset: time.Now().Add(ahead)}
				}
				d.On("limits *", limits)
				check(t, examine(t, o, "clock"), tt.want)
			})
		})
	}
}

// The end of the context ends the checks, and what an interrupted call says is
// no finding.
func TestInterrupted(t *testing.T) {
	d, o := well(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.On("repo octo/a", func() any { cancel(); return context.Canceled })
	var last Finding
	o.Found = func(f Finding) { last = f }
	if err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("Run() = %v, want it interrupted", err)
	}
	if last.Check != "closing-references" {
		t.Errorf("the last finding is %+v", last)
	}
	if diff := cmp.Diff([]string{"repo octo/a"}, asked(d)); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}

func TestWithoutConfiguration(t *testing.T) {
	_, o := well(t)
	o.Config, o.ConfigErr = nil, errors.New("read the configuration: permission denied")
	o.Getenv = environment("GH_HOST=GHE.example.com", "HOME=/h")
	got := examine(t, o, "configuration", "login", "handler", "quota", "cycle-time", "left-out")
	check(t, got, `error configuration: read the configuration: permission denied → let this user read it, or name another one with --config
ok ghe.example.com: logged in as octocat →`)
}
