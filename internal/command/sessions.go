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
			"github.com; the item's URL or the session's name does as well. Flags stand before it.\n\n" +
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
			root, refs, err := a.refs(c.Args().Slice())
			if err != nil {
				return err
			}
			return action(root, refs[0], asJSON)
		},
	}
}

// refs reads the REFs of a command line, and returns the state root as well. A REF
// may be the name of a recorded session.
func (a *app) refs(typed []string) (root string, refs []session.Ref, err error) {
	var names map[string]session.Ref
	for _, t := range typed {
		ref, err := parseRef(t)
		if err != nil && !namesSession(t) {
			return "", nil, err
		}
		refs = append(refs, ref)
	}
	if root, err = a.stateRoot(); err != nil {
		return "", nil, err
	}
	for i, t := range typed {
		if refs[i] != (session.Ref{}) {
			continue
		}
		if names == nil {
			names = sessionNames(root)
		}
		ref, known := names[strings.ToLower(t)]
		if !known {
			return "", nil, hinted{
				fmt.Errorf("no session under %s is named %q", root, t),
				"write OWNER/REPO#N, the URL of the item or a session's name; 'the-loop sessions list' has the items",
			}
		}
		refs[i] = ref
	}
	return root, refs, nil
}

// namesSession reports whether text has the form of a session's name.
func namesSession(text string) bool {
	return text != "" && !strings.ContainsAny(text, "#/: ") && strings.Contains(text, "-")
}

// sessionNames returns the recorded items by the names of their sessions. Records
// that cannot be read are left out.
func sessionNames(root string) map[string]session.Ref {
	records, _ := session.ReadList(root, true)
	names := make(map[string]session.Ref, len(records))
	for _, r := range records {
		if ref, err := session.ParseRef(r.Ref); err == nil {
			names[session.Name(ref)] = ref
		}
	}
	return names
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
