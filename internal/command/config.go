package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
	"the-loop/internal/counted"
)

func (a *app) configCommand() *cli.Command {
	sub := func(name, usage, description string, action func() error) *cli.Command {
		return &cli.Command{Name: name, Usage: usage, Description: description, Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return action()
		}}
	}
	return &cli.Command{
		Name:  "config",
		Usage: "write, find, show and check the configuration",
		Description: "The configuration is one YAML file; docs/configuration.md describes every key. It is the one that --config " +
			"names, else the one that $THE_LOOP_CONFIG names, else the-loop/config.yaml in $XDG_CONFIG_HOME or the system's own " +
			"place.\n\n" +
			"Examples:\n" +
			"   the-loop config init                      write a commented file\n" +
			"   the-loop config validate                  after each change\n" +
			"   the-loop --config FILE config validate    check another file",
		Subcommands: []*cli.Command{
			sub("path", "print the path of the configuration file",
				"It is printed whether or not the file exists.\n\n"+
					"Example:\n   $EDITOR \"$(the-loop config path)\"", a.configPath),
			sub("show", "print the configuration in effect, with every key",
				"Defaults are filled in and paths are absolute. The output is itself a valid configuration.", a.configShow),
			sub("validate", "check the file and report every fault with its line and column",
				"Returns 0 when the file is valid and 2 when it is not. A running poller checks a changed file in the same way, "+
					"and keeps the previous configuration when it has faults.", a.configValidate),
			sub("init", "write a commented starter file",
				"Writes it to the path that 'the-loop config path' prints. It has every key, most of them commented out. An existing "+
					"file is never changed.", a.configInit),
			sub("schema", "print the JSON Schema of the file",
				"Editors complete and check the file with it. 'config validate' checks more than a schema can.\n\n"+
					"Example:\n   the-loop config schema >the-loop.schema.json", a.configSchema),
		},
	}
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

// configInit writes the starter file. A failure returns 1, not 2: there is no
// configuration yet that could be at fault.
func (a *app) configInit() error {
	o := a.configOptions()
	if err := config.Init(o.File); errors.Is(err, fs.ErrExist) {
		return hinted{err, "'" + a.withConfig("config validate") + "' checks it, '" + a.withConfig("config show") + "' prints what it says"}
	} else if err != nil {
		return err
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return fmt.Errorf("locating the configuration: %w", err)
	}
	_, err = fmt.Fprintf(a.stdout, "wrote %s\nNext: put your repositories into it, then type '%s'\n",
		path, a.withConfig("doctor"))
	return err
}

// withConfig returns a command line that uses the same configuration as this one.
func (a *app) withConfig(command string) string {
	if file := a.globals().config; file != "" && os.Getenv("THE_LOOP_CONFIG") != file {
		return "the-loop --config " + file + " " + command
	}
	return "the-loop " + command
}

func (a *app) configSchema() error {
	_, err := a.stdout.Write(config.Schema())
	return err
}

func (a *app) configShow() error {
	cfg, err := loadConfig(a.configOptions())
	if err != nil {
		return err
	}
	shown, err := config.Show(cfg)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(shown)
	return err
}

// starterScope is the repository of the file that config init writes.
const starterScope = "owner/repo"

func (a *app) configValidate() error {
	cfg, err := loadConfig(a.configOptions())
	if err != nil {
		return err
	}
	repos := 0
	for i, s := range cfg.Polling.Sources {
		repos += len(s.Repos)
		for j, r := range s.Repos {
			if r.Scope() == starterScope {
				a.warn(fmt.Sprintf("polling.sources[%d].repos[%d]: OWNER/REPO stands for a repository of yours", i, j))
			}
		}
	}
	_, err = fmt.Fprintf(a.stdout, "%s is valid: %s, %s\n", cfg.File,
		counted.Of(len(cfg.Polling.Sources), "source", "sources"), counted.Of(repos, "repository", "repositories"))
	return err
}
