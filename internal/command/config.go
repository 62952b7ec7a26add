package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
)

func (a *app) configCommand() *cli.Command {
	sub := func(name, usage string, action func() error) *cli.Command {
		return &cli.Command{Name: name, Usage: usage, Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return action()
		}}
	}
	return &cli.Command{
		Name:  "config",
		Usage: "find, show and check the configuration",
		Subcommands: []*cli.Command{
			sub("path", "print the path of the configuration file", a.configPath),
			sub("show", "print the configuration in effect, every key of it", a.configShow),
			sub("validate", "check the file and report every fault with its line and column", a.configValidate),
		},
	}
}

// configError marks an error as the configuration's: exit code 2.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

// lines are the error's lines: one a fault.
func (e configError) lines() []string {
	var faults config.Faults
	if !errors.As(e.error, &faults) {
		return []string{e.Error()}
	}
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.Error()
	}
	return lines
}

// configOptions say where the configuration is and what of it is replaced for
// every command alike.
func (a *app) configOptions() config.Options {
	g := a.globals()
	o := config.Options{Getenv: os.Getenv}
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

func (a *app) configPath() error {
	o := a.configOptions()
	if o.File == "" {
		return configError{errors.New("there is no place for a configuration: neither HOME nor XDG_CONFIG_HOME is set")}
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return fmt.Errorf("locating the configuration: %w", err)
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}

func (a *app) configShow() error {
	cfg, err := loadConfig(a.configOptions())
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(config.Show(cfg))
	return err
}

func (a *app) configValidate() error {
	cfg, err := loadConfig(a.configOptions())
	if err != nil {
		return err
	}
	repos := 0
	for _, s := range cfg.Polling.Sources {
		repos += len(s.Repos)
	}
	_, err = fmt.Fprintf(a.stdout, "%s is valid: %d source(s), %d repositories\n", cfg.File, len(cfg.Polling.Sources), repos)
	return err
}
