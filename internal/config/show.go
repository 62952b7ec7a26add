package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Show is the effective configuration as YAML with every key written out. It
// loads again to the same configuration, whatever the environment is then.
func Show(cfg *Config) []byte {
	var w yamlWriter
	w.open("state")
	w.text("root", cfg.StateRoot)
	w.close()
	w.open("polling")
	w.plain("intervalSeconds", seconds(cfg.Polling.Interval))
	w.plain("maxRetries", cfg.Polling.MaxRetries)
	w.plain("pace", cfg.Polling.Pace)
	w.open("sources")
	for _, s := range cfg.Polling.Sources {
		w.source(s)
	}
	w.close()
	w.close()
	w.routing(cfg.Routing)
	w.open("eventLog")
	w.plain("enabled", cfg.EventLog.Enabled)
	w.text("path", cfg.EventLog.Path)
	w.plain("maxSizeMB", cfg.EventLog.MaxSizeMB)
	w.plain("maxBackups", cfg.EventLog.MaxBackups)
	return []byte(w.out.String())
}

func (w *yamlWriter) source(s Source) {
	w.dash = true
	w.depth++
	w.text("provider", s.Provider)
	w.text("name", s.Name)
	repos := make([]string, len(s.Repos))
	for i, r := range s.Repos {
		repos[i] = r.Host + "/" + r.Owner + "/" + r.Name
	}
	w.list("repos", repos)
	switch len(s.Labels) {
	case 0:
		w.text("label", "*")
	case 1:
		w.text("label", s.Labels[0])
	default:
		w.list("labels", s.Labels)
	}
	w.text("host", s.Host)
	w.open("monitor")
	w.plain("issues", s.Issues)
	w.plain("pullRequests", s.PullRequests)
	w.close()
	w.text("ghBinary", s.GHBinary)
	w.plain("timeoutSeconds", seconds(s.Timeout))
	w.plain("limit", s.Limit)
	w.plain("reprobeCycles", s.ReprobeCycles)
	w.plain("concurrency", s.Concurrency)
	w.depth--
}

func (w *yamlWriter) routing(r Routing) {
	w.open("routing")
	w.list("authorizedUsers", r.AuthorizedUsers)
	w.open("handlers")
	for _, h := range []struct {
		event string
		argv  []string
	}{
		{"spawn", r.Handlers.Spawn.Source()},
		{"comment", r.Handlers.Comment.Source()},
		{"close", r.Handlers.Close.Source()},
	} {
		if h.argv == nil {
			w.plain(h.event, "null")
			continue
		}
		w.list(h.event, h.argv)
	}
	w.close()
	w.plain("maxConcurrentDispatches", r.MaxConcurrentDispatches)
	w.plain("dispatchTimeoutSeconds", seconds(r.DispatchTimeout))
	w.close()
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

// yamlWriter writes the few forms of YAML that Show needs. Text is always in
// double quotes, whose escapes are Go's as well.
type yamlWriter struct {
	out   strings.Builder
	depth int
	dash  bool // the next key begins a list entry
}

func (w *yamlWriter) indent() {
	n := 2 * w.depth
	if w.dash {
		w.out.WriteString(strings.Repeat(" ", n-2) + "- ")
		w.dash = false
		return
	}
	w.out.WriteString(strings.Repeat(" ", n))
}

func (w *yamlWriter) plain(key string, value any) {
	w.indent()
	fmt.Fprintf(&w.out, "%s: %v\n", key, value)
}

func (w *yamlWriter) text(key, value string) { w.plain(key, strconv.Quote(value)) }

func (w *yamlWriter) open(key string) {
	w.indent()
	w.out.WriteString(key + ":\n")
	w.depth++
}

func (w *yamlWriter) close() { w.depth-- }

func (w *yamlWriter) list(key string, values []string) {
	if len(values) == 0 {
		w.plain(key, "[]")
		return
	}
	w.open(key)
	for _, v := range values {
		w.indent()
		w.out.WriteString("- " + strconv.Quote(v) + "\n")
	}
	w.close()
}
