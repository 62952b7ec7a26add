package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/counted"
	"the-loop/internal/daemon"
	"the-loop/internal/doctor"
	"the-loop/internal/runlock"
)

// runOptions are the flags of run.
type runOptions struct {
	once, strict, dryRun bool
	cycles               int
	interval             time.Duration
	repos, labels        []string
}

func (a *app) runCommand() *cli.Command {
	return &cli.Command{
		Name:  "run",
		Usage: "watch the repositories in the foreground until SIGINT or SIGTERM",
		Description: "Runs in the foreground and returns 0 after SIGINT or SIGTERM; a second signal kills the\n" +
			"handlers that still run and returns 1 at once. Under a service manager this is the command to start.\n\n" +
			"Examples:\n" +
			"   the-loop run                              as the configuration says\n" +
			"   the-loop run --repo octo/a --label agent  without a configuration\n" +
			"   the-loop run --once --strict              one cycle, for CI\n" +
			"   the-loop run --dry-run                    what it would do",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "once", Usage: "run one cycle, wait for its deliveries and return 0, even if something failed"},
			&cli.IntFlag{Name: "cycles", Usage: "stop after `N` cycles and wait for their deliveries"},
			&cli.BoolFlag{Name: "strict", Usage: "return 1 if a listing failed or a delivery was given up"},
			&cli.DurationFlag{Name: "interval", Usage: "wait `D` from one cycle's end to the next one's start, such as 90s"},
			&cli.StringSliceFlag{Name: "repo", Usage: "watch `[HOST/]OWNER/REPO` instead of the sources of the file"},
			&cli.StringSliceFlag{Name: "label", Usage: "watch items with label `L`; given twice, both must be present; \"*\" is every open item"},
			&cli.BoolFlag{Name: "dry-run", Usage: "list and report what would be delivered: no handler, no lock, no state"},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			o := runOptions{
				once: c.Bool("once"), strict: c.Bool("strict"), dryRun: c.Bool("dry-run"),
				cycles: c.Int("cycles"), interval: c.Duration("interval"),
				repos: c.StringSlice("repo"), labels: c.StringSlice("label"),
			}
			if err := o.check(c); err != nil {
				return err
			}
			return a.run(c.Context, o)
		},
	}
}

func (o *runOptions) check(c *cli.Context) error {
	switch {
	case c.IsSet("cycles") && o.cycles < 1:
		return usage{text: fmt.Sprintf("--cycles must be at least 1, got %d", o.cycles)}
	case c.IsSet("interval") && o.interval <= 0:
		return usage{text: fmt.Sprintf("--interval must be longer than 0s, got %s", o.interval)}
	case o.once && o.cycles > 1:
		return usage{text: "--once and --cycles cannot be combined", hint: "use one of them"}
	}
	if o.once {
		o.cycles = 1
	}
	return nil
}

func (a *app) run(ctx context.Context, o runOptions) error {
	a.log = daemon.NewLogOutput(a.stderr, a.globals().logger)
	a.stderr = a.log
	log, err := a.globals().logger(a.stderr)
	if err != nil {
		return err
	}
	load := a.configOptions()
	load.Overrides.Repos, load.Overrides.Labels = o.repos, o.labels
	if o.interval > 0 {
		load.Overrides.Interval = &o.interval
	}
	cfg, err := loadConfig(load)
	if err != nil {
		return err
	}
	if o.dryRun {
		cache, remove := daemon.TemporaryCache()
		defer remove()
		return attended(ctx, attendedPatience, nil, func(ctx context.Context) error { return a.dryRun(ctx, cfg, log, o.strict, cache) })
	}
	outcome, err := daemon.Run(ctx, daemon.Options{
		Config: cfg, Load: load, Cycles: o.cycles, Version: version(), Log: log, LogError: a.log.LogError, Advice: a.advice(),
	})
	if held := (*runlock.HeldError)(nil); errors.As(err, &held) {
		return hinted{
			fmt.Errorf("another the-loop is running on this state root: pid %d holds %s", held.PID, held.Path),
			"'" + a.sameRoot("stop") + "' ends it; another --state-root runs a second one",
		}
	}
	if err != nil || !o.strict {
		return err
	}
	if err := strictVerdict(outcome); err != nil {
		return hinted{err, "'" + a.sameRoot("status") + "' says what failed"}
	}
	return nil
}

// advice is what a person at a terminal can do next, "" when there is none.
func (a *app) advice() string {
	g := a.globals()
	if !g.atTerminal || g.logFormat != "" {
		return ""
	}
	return "type '" + a.sameRoot("status") + "' in another terminal to see what it sees; Ctrl-C stops it"
}

// sameRoot returns the call of another command with the same state root.
func (a *app) sameRoot(command string) string {
	g := a.globals()
	call := "the-loop "
	for _, flag := range []struct{ name, value string }{{"--config", g.config}, {"--state-root", g.stateRoot}} {
		if flag.value != "" {
			call += flag.name + " " + doctor.ShellWord(flag.value) + " "
		}
	}
	return call + command
}

// strictVerdict is the error of a run with --strict in which anything failed.
func strictVerdict(o daemon.Outcome) error {
	var failures []string
	if o.Failed > 0 {
		failures = append(failures, counted.Of(o.Failed, "listing", "listings")+" failed")
	}
	if o.GaveUp > 0 {
		failures = append(failures, counted.Of(o.GaveUp, "delivery was", "deliveries were")+" given up")
	}
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("--strict: %s", strings.Join(failures, " and "))
}
