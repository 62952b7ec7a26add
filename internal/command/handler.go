package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/config"
	"the-loop/internal/dispatch"
	"the-loop/internal/handlertrial"
	"the-loop/internal/ref"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
)

const (
	// trialRepo belongs to a host that can never exist (RFC 2606), so that a handler
	// cannot touch an item of anybody by accident.
	trialRepo = "github.invalid/octo/hello-world"
	// trialPause is the longest wait before a handler that exited with 75 runs again.
	trialPause = 2 * time.Second
	// trialPatience is how long a stopped test may take to end a handler.
	trialPatience = 5 * time.Second
)

var (
	errTrialStopped = errors.New("the test was stopped; what the handlers started may still be there")
	errTrialFailed  = errors.New("a handler failed the test")
)

func trialEvents() []session.Event {
	return []session.Event{session.EventSpawn, session.EventComment, session.EventUpdate, session.EventClose}
}

func (a *app) handlerCommand() *cli.Command {
	return &cli.Command{
		Name:        "handler",
		Usage:       "test your handlers",
		Description: "Handlers are the commands of routing.handlers, which the daemon runs for each event.",
		Subcommands: []*cli.Command{{
			Name:      "test",
			Usage:     "run the handlers as the daemon would and say what to change",
			ArgsUsage: "[EVENT…]",
			Description: "Really runs the configured handlers, or those of the named events (spawn, comment,\n" +
				"update, close), the way the daemon runs them: each event, the same delivery again, a kill at\n" +
				"the deadline, a comment of 64 KiB, a session that is not there, and another run after\n" +
				"each exit code 75. Naming comment runs the spawn and the close, too.\n\n" +
				"Whatever the handlers start really starts. State root, sessions and items are made up:\n" +
				"the items belong to " + trialRepo + " unless you name a\n" +
				"repository, and their numbers are too high to exist in it. The daemon may run\n" +
				"meanwhile; its files are not touched.\n\n" +
				"It prints one line for each check and, where you need to act, a line that says how.\n\n" +
				"Exit code: 0 without any ✗, 1 with one, 2 without a valid configuration.",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "repo", Value: trialRepo, Usage: "let the items belong to repository `R`"},
				&cli.DurationFlag{Name: "timeout", Value: time.Minute, Usage: "kill a handler that runs longer than `D`"},
			},
			Action: func(c *cli.Context) error {
				o, err := a.trialOptions(c)
				if err != nil {
					return err
				}
				return attended(c.Context, trialPatience, errTrialStopped, func(ctx context.Context) error {
					return a.handlerTest(ctx, o)
				})
			},
		}},
	}
}

// trialOptions reads the command line and the configuration.
func (a *app) trialOptions(c *cli.Context) (handlertrial.Options, error) {
	o := handlertrial.Options{Timeout: c.Duration("timeout")}
	if o.Timeout <= 0 {
		return o, usage{text: fmt.Sprintf("--timeout must be longer than 0s, got %s", o.Timeout)}
	}
	var err error
	if o.Judged, err = namedEvents(c); err != nil {
		return o, err
	}
	item, err := ref.Parse(ref.Prefix + c.String("repo") + "#1")
	if err != nil {
		return o, usage{text: fmt.Sprintf("--repo: %q is not a repository", c.String("repo")), hint: "write [HOST/]OWNER/REPO"}
	}
	o.Repo = item.Repo
	cfg, err := loadConfig(a.configOptions())
	if err != nil {
		return o, err
	}
	o.Handlers = configuredHandlers(cfg)
	o.Pause = min(cfg.Polling.Interval, trialPause)
	for _, e := range o.Judged {
		if c.NArg() > 0 && len(o.Handlers[e]) == 0 {
			return o, hinted{fmt.Errorf("no handler is configured for %s", e), fmt.Sprintf("set routing.handlers.%s", e)}
		}
	}
	if len(o.Handlers) == 0 {
		return o, hinted{errors.New("no handler is configured"), "set routing.handlers.spawn to the command that starts a session"}
	}
	return o, nil
}

// namedEvents returns the events that the command line names, or all.
func namedEvents(c *cli.Context) ([]session.Event, error) {
	all := trialEvents()
	if c.NArg() == 0 {
		return all, nil
	}
	if err := arguments(c, c.NArg(), ""); err != nil {
		return nil, err
	}
	var named []session.Event
	for _, arg := range c.Args().Slice() {
		if !slices.Contains(all, session.Event(arg)) {
			return nil, usage{text: fmt.Sprintf("%q is not an event of a handler", arg), hint: "use spawn, comment, update or close"}
		}
		named = append(named, session.Event(arg))
	}
	return named, nil
}

func configuredHandlers(cfg *config.Config) map[session.Event]argvtemplate.Template {
	h := cfg.Routing.Handlers
	all := map[session.Event]argvtemplate.Template{
		session.EventSpawn: h.Spawn, session.EventComment: h.Comment, session.EventUpdate: h.Update, session.EventClose: h.Close,
	}
	for e, argv := range all {
		if len(argv) == 0 {
			delete(all, e)
		}
	}
	return all
}

// handlerTest runs the handlers in a temporary state root. The root stays when a
// handler failed, for its logs.
func (a *app) handlerTest(ctx context.Context, o handlertrial.Options) error {
	root, err := os.MkdirTemp("", "the-loop-handler-")
	if err != nil {
		return fmt.Errorf("state root of the test: %w", err)
	}
	a.warn("the handlers really run, and whatever they start really starts")
	failed := false
	colour := newPalette(a.stdout)
	o.Run = dispatch.NewTrial(root).Run
	o.Found = func(f handlertrial.Finding) {
		failed = failed || f.Level == handlertrial.Error
		a.showTrialFinding(colour, f)
	}
	if err := handlertrial.Run(ctx, o); err != nil {
		if ctx.Err() != nil {
			err = errTrialStopped
		}
		return errors.Join(err, os.RemoveAll(root))
	}
	if failed {
		return hinted{errTrialFailed, "what the handlers printed is in " + filepath.Join(root, "logs")}
	}
	return os.RemoveAll(root)
}

func (a *app) showTrialFinding(colour palette, f handlertrial.Finding) {
	mark := map[handlertrial.Level]string{
		handlertrial.OK: colour.paint(green, "✓"), handlertrial.Warning: colour.paint(yellow, "!"), handlertrial.Error: colour.paint(red, "✗"),
	}[f.Level]
	fmt.Fprintf(a.stdout, "%s %s, %s: %s\n", mark, f.Event, f.Check, strings.TrimSpace(safetext.Line(f.Message)))
	if f.Fix != "" {
		fmt.Fprintf(a.stdout, "  → %s\n", f.Fix)
	}
}
