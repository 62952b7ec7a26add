package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"the-loop/internal/config"
	"the-loop/internal/counted"
	"the-loop/internal/eventlog"
	"the-loop/internal/nearest"
)

const (
	// followBegin is how many old events --follow prints first.
	followBegin = 10
	// followEvery is how often --follow looks at the log.
	followEvery = 100 * time.Millisecond
)

// eventOptions are the flags of events.
type eventOptions struct {
	follow, asJSON bool
	types          []string
	since          time.Duration // < 0 without the flag
}

func (a *app) eventsCommand() *cli.Command {
	return &cli.Command{
		Name:  "events",
		Usage: "print what the daemon did, one event a line, and follow it",
		Description: "Prints the event log, the oldest event first: when (in UTC), how serious, which event, " +
			"what it is about, and what happened. Rotated files are read too. docs/events.md describes every event.\n\n" +
			"With --follow it starts with the last ten events, or with everything that --since asks for, and prints new events as " +
			"they come, even across rotation, until Ctrl-C.\n\n" +
			"Examples:\n" +
			"   the-loop events --follow\n" +
			"   the-loop events --since 1d --type 'poll.*_failed'\n" +
			"   the-loop events --type 'session.*' --type 'dispatch.*'\n" +
			"   the-loop events --format json --since 1h | jq .event",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "follow", Usage: "keep printing new events until Ctrl-C"},
			&cli.StringSliceFlag{Name: "type", Usage: "only events whose name matches `GLOB`, such as 'poll.*'"},
			&cli.StringFlag{Name: "since", Usage: "only events of the last `D`, such as 90s, 2h or 7d"},
			formatFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			o, err := a.eventOptions(c)
			if err != nil {
				return err
			}
			return attended(c.Context, attendedPatience, nil, func(ctx context.Context) error { return a.events(ctx, o) })
		},
	}
}

func (a *app) eventOptions(c *cli.Context) (eventOptions, error) {
	o := eventOptions{follow: c.Bool("follow"), types: c.StringSlice("type"), since: -1}
	var err error
	if o.asJSON, err = wantsJSON(c); err != nil {
		return o, err
	}
	for _, glob := range o.types {
		if _, err := path.Match(glob, ""); err != nil {
			return o, usage{text: fmt.Sprintf("--type: %q is not a pattern", glob), hint: "write * for any text, ? for one character, [ab] for a or b"}
		}
		a.checkType(glob)
	}
	if c.IsSet("since") {
		if o.since, err = parseSince(c.String("since")); err != nil {
			return o, badDuration("--since", c.String("since"), "90s, 2h30m or 7d")
		}
	}
	return o, nil
}

// checkType warns of a pattern that no event of this program can match. It is not
// an error: a later version may have written the log.
func (a *app) checkType(glob string) {
	var names []string
	for _, k := range eventlog.Catalogue() {
		if ok, _ := path.Match(glob, k.Name); ok {
			return
		}
		names = append(names, k.Name)
	}
	text := fmt.Sprintf("--type: no event that this program knows matches %q", glob)
	if near := nearest.To(glob, names); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	}
	a.warn(text)
}

// parseSince reads a Go duration that may begin with days: 7d, 1d12h.
func parseSince(s string) (time.Duration, error) {
	rest, total := s, time.Duration(0)
	if days, after, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration", s)
		}
		total, rest = time.Duration(n)*24*time.Hour, after
		if rest == "" {
			return total, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if total += d; err != nil || d < 0 || total < 0 || strings.HasPrefix(rest, "+") {
		return 0, fmt.Errorf("%q is not a duration", s)
	}
	return total, nil
}

// eventLog returns the path of the event log, or its most likely path if the
// configuration has faults.
func (a *app) eventLog() (string, error) {
	o := a.configOptions()
	file, enabled, doubt, err := config.EventLogPlace(o)
	if err != nil {
		return "", configError{err}
	}
	if doubt != nil {
		a.warn(config.InOneLine(doubt) + "; reading " + file)
	}
	if !enabled {
		return "", hinted{
			errors.New("there is no event log: eventLog.enabled is false"),
			"set it to true in " + o.File + " and restart the poller",
		}
	}
	return file, nil
}

func (a *app) events(ctx context.Context, o eventOptions) error {
	file, err := a.eventLog()
	if err != nil {
		return err
	}
	log := eventlog.NewReader(file)
	defer func() { _ = log.Close() }()
	p := a.eventPrinter(o, file)
	if err := p.begin(log, o); err != nil {
		return err
	}
	if !log.Exists() {
		fmt.Fprintf(a.stderr, "the-loop: there are no events yet: %s does not exist\n", file)
	}
	if !o.follow {
		return nil
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := p.end(log.Next(p.print)); err != nil {
			return err
		}
	}
}

// eventPrinter prints the events that the flags ask for.
type eventPrinter struct {
	app      *app
	file     string
	out      *bufio.Writer
	words    eventWords
	asJSON   bool
	types    []string
	since    time.Time // zero for any time
	garbage  int       // lines that are not events
	reported bool
}

func (a *app) eventPrinter(o eventOptions, file string) *eventPrinter {
	p := &eventPrinter{
		app: a, file: file, out: bufio.NewWriterSize(a.stdout, 64<<10),
		words: newEventWords(newPalette(a.stdout)), asJSON: o.asJSON, types: o.types,
	}
	if o.since >= 0 {
		p.since = time.Now().Add(-o.since)
	}
	return p
}

// begin prints the events that the log holds already.
func (p *eventPrinter) begin(log *eventlog.Reader, o eventOptions) error {
	if o.follow && o.since < 0 {
		return p.end(log.Last(followBegin, p.counts, p.print))
	}
	err := log.All(p.since, p.print)
	if rest := log.Rest(); err == nil && !o.follow && len(rest) > 0 {
		if _, broken := eventlog.Parse(rest); broken == nil { // a broken line is still being written, or was cut off
			err = p.print(rest)
		}
	}
	return p.end(err)
}

// end flushes the events that one look at the log brought.
func (p *eventPrinter) end(err error) error {
	if err = errors.Join(err, p.out.Flush()); err != nil {
		return err
	}
	if p.garbage > 0 && !p.reported {
		p.reported = true
		p.app.warn(fmt.Sprintf("skipped %s of %s that are not events", counted.Of(p.garbage, "line", "lines"), p.file))
	}
	return nil
}

// counts reports whether a line is an event that the flags ask for.
func (p *eventPrinter) counts(line []byte) bool {
	_, ok := p.parse(line)
	return ok
}

// parse reads an event. It returns false for a line that is no event, or one that
// the flags exclude.
func (p *eventPrinter) parse(line []byte) (eventlog.Stored, bool) {
	if at, event, ok := eventlog.Head(line); ok && !p.wants(at, event) {
		return eventlog.Stored{}, false
	}
	s, err := eventlog.Parse(line)
	if err != nil {
		p.garbage++
		return s, false
	}
	return s, p.wants(s.Time, s.Event)
}

func (p *eventPrinter) wants(at time.Time, event string) bool {
	if at.Before(p.since) {
		return false
	}
	for _, glob := range p.types {
		if ok, _ := path.Match(glob, event); ok {
			return true
		}
	}
	return len(p.types) == 0
}

func (p *eventPrinter) print(line []byte) error {
	s, ok := p.parse(line)
	if !ok {
		return nil
	}
	if p.asJSON {
		_, err := p.out.Write(append(s.Raw, '\n'))
		return err
	}
	_, err := p.out.WriteString(p.words.line(s) + "\n")
	return err
}
