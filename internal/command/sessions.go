package command

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/session"
)

func (a *app) sessionsCommand() *cli.Command {
	return &cli.Command{
		Name:  "sessions",
		Usage: "list the sessions, show, retry, stop, pause or restart one",
		Description: "A session is what the handlers of one issue or pull request work on. These commands read its record " +
			"and need no running poller.\n\n" +
			"A REF names the item: github:OWNER/REPO#N or, shorter, OWNER/REPO#N, with HOST/ before it where that is not " +
			"github.com; the item's URL does as well. Flags stand before it.\n\n" +
			"Without a command of its own it lists them.",
		Subcommands: append([]*cli.Command{a.sessionsList(), a.sessionsShow(), a.sessionsRetry()}, a.sessionsNotes()...),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return a.noCommand(c)
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			return a.listSessions(root, nil, false)
		},
	}
}

// refCommand returns a subcommand that takes one REF.
func (a *app) refCommand(name, usage, description string, action func(root string, ref session.Ref, asJSON bool) error) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, Description: description, ArgsUsage: "REF",
		Flags: []cli.Flag{formatFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, "one REF, such as OWNER/REPO#7"); err != nil {
				return err
			}
			asJSON, err := wantsJSON(c)
			if err != nil {
				return err
			}
			ref, err := parseRef(c.Args().First())
			if err != nil {
				return err
			}
			root, err := a.stateRoot()
			if err != nil {
				return err
			}
			return action(root, ref, asJSON)
		},
	}
}

// parseRef reads a REF as people type it: in full, without its prefix, or as the
// URL of the item.
func parseRef(typed string) (session.Ref, error) {
	text := typed
	if u, err := url.Parse(typed); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		parts := strings.Split(strings.Trim(u.Path, "/"), "/")
		if len(parts) >= 4 && (parts[2] == "issues" || parts[2] == "pull") {
			text = fmt.Sprintf("github:%s/%s/%s#%s", u.Host, parts[0], parts[1], parts[3])
		}
	}
	ref, err := session.ParseRef(text)
	if err == nil {
		return ref, nil
	}
	if ref, short := session.ParseRef("github:" + text); short == nil {
		return ref, nil
	}
	return session.Ref{}, usage{
		text: err.Error(),
		hint: "write github:OWNER/REPO#N or OWNER/REPO#N; 'the-loop sessions list' has them all",
	}
}

// readRecord reads the record of an item. A missing record is an error.
func readRecord(root string, ref session.Ref) (session.Record, error) {
	rec, err := session.ReadOne(root, ref.String())
	if errors.Is(err, fs.ErrNotExist) {
		return rec, hinted{
			fmt.Errorf("nothing is recorded of %s under %s", ref, root),
			"'the-loop sessions list' has all that is; an item is recorded once it was listed",
		}
	}
	return rec, err
}
