package command

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "print as `FORMAT`: text or json"}
}

// formatAlone is wantsJSON for a command that takes no arguments.
func formatAlone(c *cli.Context) (asJSON bool, err error) {
	if err := noArguments(c); err != nil {
		return false, err
	}
	return wantsJSON(c)
}

// wantsJSON reads --format.
func wantsJSON(c *cli.Context) (bool, error) {
	switch f := c.String("format"); f {
	case "text":
		return false, nil
	case "json":
		return true, nil
	default:
		return false, usage{text: fmt.Sprintf("unknown format %q", f), hint: "use text or json"}
	}
}
