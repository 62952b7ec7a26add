package session

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// decodeLaidOut reads a record that looks exactly as encode lays it out, with
// one key on each line, nothing escaped, and nothing pending or given up: nearly
// every one. It takes a fifth of the time of the decoder and makes next to no
// garbage, which is what lets ten thousand records be listed at once. Of
// anything else it says that it is no such record, and the decoder has to read
// it; a fuzz test holds the two against each other. The strings are parts of
// text.
func decodeLaidOut(text string) (Record, bool) {
	var r Record
	body, ok := between(text, "{\n", "\n}\n")
	if !ok || !utf8.ValidString(body) {
		return r, false
	}
	head, list, listed := strings.Cut(body, ",\n  \"seen\": [\n")
	if listed && !r.setSeen(list) {
		return r, false
	}
	for line := range strings.SplitSeq(head, ",\n") {
		key, value, ok := strings.Cut(line, `": `)
		key, indented := strings.CutPrefix(key, `  "`)
		if !ok || !indented || !r.set(key, value) {
			return r, false
		}
	}
	return r, true
}

func between(s, before, after string) (string, bool) {
	s, ok1 := strings.CutPrefix(s, before)
	s, ok2 := strings.CutSuffix(s, after)
	return s, ok1 && ok2
}

func (r *Record) setSeen(list string) bool {
	list, ok := strings.CutSuffix(list, "\n  ]")
	r.Seen = make([]string, 0, 1+strings.Count(list, ",\n"))
	for line := range strings.SplitSeq(list, ",\n") {
		var id string
		line, indented := strings.CutPrefix(line, "    ")
		if !ok || !indented || !setString(&id, line) {
			return false
		}
		r.Seen = append(r.Seen, id)
	}
	return true
}

// set takes over one value. Every key of [Record] that is no list is here: one
// that is missing costs time and nothing else.
func (r *Record) set(key, value string) bool {
	switch key {
	case "version":
		return setInt(&r.Version, value)
	case "ref":
		return setString(&r.Ref, value)
	case "kind":
		return setString((*string)(&r.Kind), value)
	case "host":
		return setString(&r.Host, value)
	case "owner":
		return setString(&r.Owner, value)
	case "repo":
		return setString(&r.Repo, value)
	case "number":
		return setInt(&r.Number, value)
	case "title":
		return setString(&r.Title, value)
	case "url":
		return setString(&r.URL, value)
	case "author":
		return setString(&r.Author, value)
	case "session":
		return setString(&r.Session, value)
	case "state":
		return setString((*string)(&r.State), value)
	case "since":
		return setTime(&r.SinceAt, value)
	case "generation":
		return setInt(&r.Generation, value)
	case "source":
		return setString(&r.Source, value)
	case "adoptedBy":
		return setString(&r.AdoptedBy, value)
	case "lastDeliveryAt":
		return setTime(&r.LastDeliveryAt, value)
	case "startedAt":
		return setTime(&r.StartedAt, value)
	case "stoppedBy":
		return setString(&r.StoppedBy, value)
	case "restart":
		return setBool(&r.Restart, value)
	case "readTo":
		return setTime(&r.ReadTo, value)
	case "settle":
		return setBool(&r.Settle, value)
	case "fed":
		return setBool(&r.Fed, value)
	case "gone":
		return setString(&r.Gone, value)
	case "unlisted":
		return setBool(&r.Unlisted, value)
	case "retry":
		return setBool(&r.Retry, value)
	case "unauthorizedTold":
		return setBool(&r.UnauthorizedTold, value)
	case "noHandler":
		return setBool(&r.NoHandler, value)
	case "unheard":
		return setBool(&r.Unheard, value)
	case "recovered":
		return setBool(&r.Recovered, value)
	case "recoveredAt":
		return setTime(&r.RecoveredAt, value)
	}
	return false
}

// setString takes a string that stands in JSON as it is.
func setString(to *string, value string) bool {
	s, ok := between(value, `"`, `"`)
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	*to = s
	return ok
}

func setInt(to *int, value string) bool {
	n, err := strconv.Atoi(value)
	*to = n
	return err == nil && strconv.Itoa(n) == value // JSON knows no +1 and no 01
}

func setBool(to *bool, value string) bool {
	*to = value == "true"
	return *to || value == "false"
}

func setTime(to *time.Time, value string) bool {
	var s string
	return setString(&s, value) && to.UnmarshalText([]byte(s)) == nil
}
