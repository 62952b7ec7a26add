package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"the-loop/gh"
	"the-loop/internal/config"
	"the-loop/internal/daemon"
	"the-loop/internal/doctor"
	"the-loop/internal/safetext"
	"the-loop/internal/session"
)

var errDoctorStopped = errors.New("doctor was stopped; there may be more to find")

func (a *app) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "check what the poller depends on and say what to do",
		Description: "Checks the configuration, the state root, the poller, gh and its logins, each\n" +
			"repository and its labels, the handlers and the clock, and whether the hourly quota\n" +
			"and the interval are enough for that many repositories. It changes nothing. It asks\n" +
			"GitHub one question after another: one for each repository, one for each label, and\n" +
			"one listing for each source. Of more than 20 repositories or sources it checks 20,\n" +
			"unless --all is given. The daemon may run meanwhile.\n\n" +
			"It prints one line for each check and, where you need to act, a line that says how:\n" +
			"   ✓ it works\n" +
			"   ! it works, but maybe not as you expect\n" +
			"   ✗ it does not work until you fix it\n\n" +
			"Exit code: 0 without any ✗, 1 with one, 2 without a valid configuration (the checks\n" +
			"that need none still run).\n\n" +
			"--format json prints a list of {check, subject, ok, level, message, fix}, level\n" +
			"being ok, warning or error.",
		Flags: []cli.Flag{
			formatFlag(),
			&cli.BoolFlag{Name: "all", Usage: "check every repository and source, however many there are"},
		},
		Action: func(c *cli.Context) error {
			asJSON, err := formatAlone(c)
			if err != nil {
				return err
			}
			cache, remove := daemon.TemporaryCache()
			defer remove()
			return attended(c.Context, attendedPatience, errDoctorStopped, func(ctx context.Context) error {
				return a.doctor(ctx, asJSON, c.Bool("all"), cache)
			})
		},
	}
}

func (a *app) doctor(ctx context.Context, asJSON, all bool, cache gh.Cache) error {
	o := a.configOptions()
	cfg, cfgErr := config.Load(o)
	root, doubt, rootErr := config.StateRoot(o)
	if doubt != nil { // the state root depends on a faulty configuration
		root, rootErr = "", doubt
	}
	report := a.newDoctorReport(asJSON)
	err := doctor.Run(ctx, doctor.Options{
		Config: cfg, ConfigErr: cfgErr,
		StateRoot: root, StateRootErr: rootErr, All: all,
		Client: func(s config.Source) doctor.GitHub {
			return gh.New(gh.Options{Binary: s.GHBinary, Timeout: s.Timeout, Cache: cache})
		},
		Records: func(root string) (int, []error) {
			records, errs := session.ReadList(root, true)
			return len(records), errs
		},
		Getenv: os.Getenv,
		Found:  report.found,
		Asking: report.progress.show,
	})
	report.progress.clear()
	if err != nil {
		return errDoctorStopped
	}
	if err := report.end(); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	switch {
	case cfgErr != nil:
		a.code = exitUsage
	case report.failed:
		a.code = exitFailed
	}
	return nil
}

// doctorReport shows the findings: as text one by one, as JSON all together.
type doctorReport struct {
	out      io.Writer
	asJSON   bool
	colour   palette
	progress progressLine
	list     []doctor.Finding
	failed   bool
	err      error // the first failure to write
}

func (a *app) newDoctorReport(asJSON bool) *doctorReport {
	return &doctorReport{
		out: a.stdout, asJSON: asJSON, colour: newPalette(a.stdout),
		progress: newProgressLine(a.stderr), list: []doctor.Finding{},
	}
}

func (r *doctorReport) found(f doctor.Finding) {
	r.failed = r.failed || f.Level == doctor.Error
	if r.asJSON {
		r.list = append(r.list, f)
		return
	}
	r.progress.clear()
	text := fmt.Sprintf("%s %s: %s\n", r.mark(f.Level), f.Subject, f.Message)
	if f.Fix != "" {
		text += "  → " + f.Fix + "\n"
	}
	if _, err := io.WriteString(r.out, text); r.err == nil {
		r.err = err
	}
}

func (r *doctorReport) mark(l doctor.Level) string {
	switch l {
	case doctor.OK:
		return r.colour.paint(green, "✓")
	case doctor.Warning:
		return r.colour.paint(yellow, "!")
	}
	return r.colour.paint(red, "✗")
}

// end prints the JSON, and returns the first failure to write.
func (r *doctorReport) end() error {
	if r.err != nil || !r.asJSON {
		return r.err
	}
	e := json.NewEncoder(r.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // people read it, too
	return e.Encode(r.list)
}

// progressLine is a line on a terminal that shows the progress and leaves no trace.
// Elsewhere it shows nothing.
type progressLine struct {
	out   io.Writer // nil where there is no terminal
	width int
	shown bool
}

func newProgressLine(w io.Writer) progressLine {
	screen, ok := w.(*os.File)
	if !ok || !isTerminal(w) || os.Getenv("TERM") == "dumb" {
		return progressLine{}
	}
	width, _ := screenSize(screen)
	return progressLine{out: w, width: width}
}

// show replaces the text of the line. The text fits into the terminal's width: a
// line that wraps could not be erased.
func (p *progressLine) show(repo string, n, total int) {
	if p.out == nil {
		return
	}
	text := safetext.Strip(fmt.Sprintf("asking %s (%d of %d)", repo, n, total), max(1, p.width-1))
	p.clear()
	fmt.Fprint(p.out, text)
	p.shown = true
}

func (p *progressLine) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}
