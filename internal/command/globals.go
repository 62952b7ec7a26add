package command

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
	"the-loop/internal/safetext"
)

// globals are the settings that every command takes.
type globals struct {
	config, stateRoot, logLevel, logFormat string
	console                                palette
	atTerminal                             bool // the log goes to a terminal, which console colours
}

// place says where a global flag stands.
type place int

const (
	// fromEnvironment is before the command; a variable sets the flag, too.
	fromEnvironment place = iota
	// hiddenHere is after the command, where people type them, too.
	hiddenHere
)

func (g *globals) flags(p place) []cli.Flag {
	var flags []cli.Flag
	for _, f := range []struct {
		name, usage string
		value       *string
	}{
		{"config", "read the configuration from `FILE`", &g.config},
		{"state-root", "keep records, logs and the heartbeat in `DIR`", &g.stateRoot},
		{"log-level", "log from `LEVEL` on: debug, info, warn or error (default: info)", &g.logLevel},
		{"log-format", "log as `FORMAT`: text or json (default: text; on a terminal lines for people)", &g.logFormat},
	} {
		flag := &cli.StringFlag{Name: f.name, Usage: f.usage, Destination: f.value, Hidden: p == hiddenHere}
		if p == fromEnvironment {
			flag.EnvVars = []string{"THE_LOOP_" + strings.ToUpper(strings.ReplaceAll(f.name, "-", "_"))}
		}
		flags = append(flags, flag)
	}
	return flags
}

// globals joins the settings from before and after the command. The last one wins.
func (a *app) globals() globals {
	return globals{
		config:    firstNonEmpty(a.inner.config, a.middle.config, a.outer.config),
		stateRoot: firstNonEmpty(a.inner.stateRoot, a.middle.stateRoot, a.outer.stateRoot),
		logLevel:  firstNonEmpty(a.inner.logLevel, a.middle.logLevel, a.outer.logLevel),
		logFormat: firstNonEmpty(a.inner.logFormat, a.middle.logFormat, a.outer.logFormat),
		console:   a.console, atTerminal: a.atTerminal,
	}
}

func firstNonEmpty(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// logger returns a logger that writes to w. On a terminal it writes lines for people
// unless a format was asked for.
func (g globals) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if g.logLevel != "" {
		if !slices.Contains([]string{"debug", "info", "warn", "error"}, strings.ToLower(g.logLevel)) {
			return nil, usage{text: fmt.Sprintf("unknown log level %q", g.logLevel), hint: "use debug, info, warn or error"}
		}
		if err := level.UnmarshalText([]byte(g.logLevel)); err != nil {
			return nil, err
		}
	}
	o := &slog.HandlerOptions{Level: level}
	switch {
	case g.logFormat == "" && g.atTerminal:
		return slog.New(newLines(w, level, g.console)), nil
	case g.logFormat == "" || g.logFormat == "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	case g.logFormat == "json":
		return slog.New(slog.NewJSONHandler(plainJSON{w}, o)), nil
	}
	return nil, usage{text: fmt.Sprintf("unknown log format %q", g.logFormat), hint: "use text or json"}
}

// plainJSON removes the characters that a terminal would obey. slog's handler for
// text escapes them, its handler for JSON does not.
type plainJSON struct{ out io.Writer }

func (p plainJSON) Write(line []byte) (int, error) {
	if _, err := p.out.Write(safetext.JSON(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// stateRoot returns the folder of the poller that a command is about. A broken
// configuration costs a warning only: the poller runs on, and its user still
// needs the commands.
func (a *app) stateRoot() (string, error) {
	root, doubt, err := config.StateRoot(a.configOptions())
	if err != nil {
		return "", configError{err}
	}
	if doubt != nil {
		a.warn(config.InOneLine(doubt) + "; taking " + root + " for the state root")
	}
	return root, nil
}

// configOptions returns the place of the configuration and the settings that flags
// override for every command.
func (a *app) configOptions() config.Options {
	g := a.globals()
	o := config.Options{Getenv: os.Getenv, Once: &a.once}
	o.File, o.Explicit = config.Locate(g.config, os.Getenv)
	o.Overrides.StateRoot = g.stateRoot
	return o
}

func loadConfig(o config.Options) (*config.Config, error) {
	cfg, err := config.Load(o)
	if err != nil {
		return nil, configError{err}
	}
	return cfg, nil
}
