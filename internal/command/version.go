package command

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// versionCommand does the same as --version.
func (a *app) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version",
		Description: "The log's first line and the event log name the same version.",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.stdout, "%s version %s\n", c.App.Name, c.App.Version)
			return err
		},
	}
}

// version returns the module version or the commit that this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	if v == "" {
		v = "devel"
	}
	return strings.Trim(v, "()")
}
