package fakegh

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// reply is the output and the end of one call.
type reply struct {
	code   int
	stdout string
	stderr string
	hang   bool
	// waitFile holds the answer back until a file of that name exists.
	waitFile string
	delay    time.Duration
}

func (r reply) give(stdout, stderr io.Writer) int {
	if r.hang {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		<-time.After(10 * time.Minute)
	}
	if r.waitFile != "" {
		_ = appendLine(filepath.Join(filepath.Dir(r.waitFile), "held.log"), filepath.Base(r.waitFile))
		awaitFile(r.waitFile)
	}
	if r.delay > 0 {
		<-time.After(r.delay)
	}
	io.WriteString(stdout, r.stdout)
	if r.stderr != "" {
		fmt.Fprintln(stderr, r.stderr)
	}
	return r.code
}

// awaitFile returns once the file exists, or its folder is gone.
func awaitFile(name string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if _, err := os.Stat(filepath.Dir(name)); err != nil {
			return
		}
		<-tick.C
	}
}

// makeReply turns an answer of the script into gh's output.
func makeReply(dir string, c call, text string) (reply, error) {
	text, r, err := modifiers(dir, text)
	if err != nil {
		return reply{}, err
	}
	if f, ok := faults()[text]; ok {
		fr, err := f.reply(c)
		if err != nil {
			return reply{}, fmt.Errorf("answer %q to %q: %w", text, c.key(), err)
		}
		fr.waitFile, fr.delay = r.waitFile, r.delay
		return fr, nil
	}
	if c.name == "api graphql" && strings.HasPrefix(text, "listed") {
		sr, err := surveyReply(dir, c, text)
		if err != nil {
			return reply{}, fmt.Errorf("answer %q to %q: %w", text, c.key(), err)
		}
		sr.waitFile, sr.delay = r.waitFile, r.delay
		return sr, nil
	}
	out, err := render(dir, c, text)
	if err != nil {
		return reply{}, fmt.Errorf("answer %q to %q: %w", text, c.key(), err)
	}
	if c.writes != nil {
		out, err = c.writes.shown(out)
	}
	r.stdout = out
	return r, err
}

// modifiers takes "wait:FILE" and "delay:D" off the end of an answer.
func modifiers(dir, text string) (string, reply, error) {
	var r reply
	for {
		rest, last := "", text
		if i := strings.LastIndex(text, " "); i >= 0 {
			rest, last = text[:i], text[i+1:]
		}
		if name, ok := strings.CutPrefix(last, "wait:"); ok {
			r.waitFile = filepath.Join(dir, name)
		} else if d, ok := strings.CutPrefix(last, "delay:"); ok {
			var err error
			if r.delay, err = time.ParseDuration(d); err != nil {
				return "", r, err
			}
		} else {
			return text, r, nil
		}
		text = strings.TrimSpace(rest)
	}
}

func render(dir string, c call, text string) (string, error) {
	if name, ok := strings.CutPrefix(text, "@"); ok {
		b, err := os.ReadFile(filepath.Join(dir, name))
		return string(b), err
	}
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		return text, nil
	}
	var v any
	var err error
	switch c.name {
	case "issue list", "pr list":
		v, err = renderItems(c, text)
	case "issue view", "pr view", "api reviews", "api inline", "api more reviews", "api more inline":
		v, err = renderConversation(c, text)
	case "pr state":
		v, err = renderPullState(c, text)
	case "repo view":
		v, err = renderRepo(c, text)
	case "api item":
		v, err = renderState(c, text)
	case "api label":
		v, err = renderLabel(c, text)
	case "api user":
		v = map[string]any{"login": text}
	case "api rate_limit":
		v, err = renderLimits(text)
	default:
		err = fmt.Errorf("not JSON, not @FILE, not a fault")
	}
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	return string(b) + "\n", err
}

func renderRepo(c call, text string) (any, error) {
	parts := strings.Split(c.repo, "/")
	v := map[string]any{"nameWithOwner": strings.Join(parts[len(parts)-2:], "/"), "hasIssuesEnabled": true, "isArchived": false}
	switch word, rest, _ := strings.Cut(text, " "); word {
	case "on":
	case "off":
		v["hasIssuesEnabled"] = false
	case "archived":
		v["isArchived"] = true
	case "now":
		v["nameWithOwner"] = rest
	default:
		return nil, fmt.Errorf("a repository is on, off, archived or now OWNER/NAME")
	}
	maps.DeleteFunc(v, func(field string, _ any) bool { return !slices.Contains(c.fields, field) })
	return v, nil
}

func renderLabel(c call, text string) (any, error) {
	if text != "there" {
		return nil, fmt.Errorf("a label is there, or the fault missing")
	}
	name, err := url.PathUnescape(c.number)
	return map[string]any{"name": name}, err
}

// renderState reads "STATE [COMMENTS]".
func renderState(c call, text string) (any, error) {
	n, _ := strconv.Atoi(c.number)
	state, comments, _ := strings.Cut(text, " ")
	v := map[string]any{"number": n, "state": "open", "html_url": address(c, n), "comments": 0}
	if comments != "" {
		count, err := strconv.Atoi(comments)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number of comments", comments)
		}
		v["comments"] = count
	}
	switch state {
	case "open":
	case "closed":
		v["state"] = "closed"
	case "closed-pr":
		v["state"], v["pull_request"] = "closed", map[string]any{"merged_at": nil}
	case "merged":
		v["state"], v["pull_request"] = "closed", map[string]any{"merged_at": "2026-01-02T00:00:00Z"}
	default:
		return nil, fmt.Errorf("an item is open, closed, closed-pr or merged")
	}
	return v, nil
}

// renderLimits reads "graphql REMAINING DURATION [core REMAINING DURATION]":
// the points left of 5,000, and when the window ends. Like GitHub's, the time is cut to
// whole seconds.
func renderLimits(text string) (any, error) {
	reset := time.Now().Add(time.Hour).Unix()
	resources := map[string]any{}
	for _, name := range []string{"core", "graphql", "search"} {
		resources[name] = map[string]any{"limit": 5000, "used": 0, "remaining": 5000, "reset": reset}
	}
	words := strings.Fields(text)
	for ; len(words) >= 3; words = words[3:] {
		left, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, err
		}
		d, err := time.ParseDuration(words[2])
		if err != nil {
			return nil, err
		}
		resources[words[0]] = map[string]any{"limit": 5000, "used": 5000 - left, "remaining": left, "reset": time.Now().Add(d).Unix()}
	}
	if len(words) > 0 && words[0] != "plenty" {
		return nil, fmt.Errorf("limits are plenty or NAME REMAINING DURATION …")
	}
	return map[string]any{"resources": resources}, nil
}
