package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"the-loop/internal/ref"
	"the-loop/internal/session"
)

func (a *app) sessionsCommand() *cli.Command {
	return &cli.Command{
		Name:  "sessions",
		Usage: "list the sessions, show, retry, stop, pause or restart one",
		Description: "A session is what the handlers of one issue or pull request work on. These commands read its record " +
			"and need no running poller.\n\n" +
			"A REF names the item: github:OWNER/REPO#N or, shorter, OWNER/REPO#N, with HOST/ before it where that is not " +
			"github.com; the item's URL and the session's name work, too. Flags come before it.\n\n" +
			"Without a subcommand it lists the sessions.",
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
func (a *app) refCommand(name, usage, description string, action func(root string, item ref.Item, asJSON bool) error) *cli.Command {
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
			root, items, err := a.refs(c.Args().Slice())
			if err != nil {
				return err
			}
			return action(root, items[0], asJSON)
		},
	}
}

// refs reads the REFs of a command line, and returns the state root as well. A REF
// may be the name of a recorded session.
func (a *app) refs(typed []string) (root string, items []ref.Item, err error) {
	var names map[string]ref.Item
	for _, t := range typed {
		item, err := parseRef(t)
		if err != nil && !namesSession(t) {
			return "", nil, err
		}
		items = append(items, item)
	}
	if root, err = a.stateRoot(); err != nil {
		return "", nil, err
	}
	for i, t := range typed {
		if items[i] != (ref.Item{}) {
			continue
		}
		if names == nil {
			names = sessionNames(root)
		}
		item, known := names[strings.ToLower(t)]
		if !known {
			return "", nil, hinted{
				fmt.Errorf("no session under %s is named %q", root, t),
				"write OWNER/REPO#N, the URL of the item or a session's name; 'the-loop sessions list' shows them",
			}
		}
		items[i] = item
	}
	return root, items, nil
}

// namesSession reports whether text has the form of a session's name.
func namesSession(text string) bool {
	return text != "" && !strings.ContainsAny(text, "#/: ") && strings.Contains(text, "-")
}

// sessionNames returns the recorded items by the names of their sessions. Records
// that cannot be read are left out.
func sessionNames(root string) map[string]ref.Item {
	records, _ := session.ReadList(root, true)
	names := make(map[string]ref.Item, len(records))
	for _, r := range records {
		if item, err := ref.Parse(r.Ref); err == nil {
			names[session.Name(item)] = item
		}
	}
	return names
}

// parseRef reads a REF as people type it.
func parseRef(typed string) (ref.Item, error) {
	item, err := ref.ParseTyped(typed)
	if err != nil {
		return ref.Item{}, usage{
			text: err.Error(),
			hint: "write github:OWNER/REPO#N or OWNER/REPO#N; 'the-loop sessions list' shows them all",
		}
	}
	return item, nil
}

// readRecord reads the record of an item. A missing record is an error.
func readRecord(root string, item ref.Item) (session.Record, error) {
	rec, err := session.ReadOne(root, item.String())
	if errors.Is(err, fs.ErrNotExist) {
		return rec, hinted{
			fmt.Errorf("nothing is recorded about %s under %s", item, root),
			"'the-loop sessions list' shows every recorded item; an item is recorded when it is first listed",
		}
	}
	return rec, err
}
