package fakegh

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// line is one line of the script: a pattern of calls and its answers.
type line struct {
	text    string
	pattern *regexp.Regexp
	answers []repeated
}

type repeated struct {
	text  string
	times int
}

func (l line) fits(c call) bool { return l.pattern.MatchString(c.key()) }

// nth returns the answer to the line's nth call, counted from 1.
func (l line) nth(n int) string {
	for _, a := range l.answers {
		if n <= a.times {
			return a.text
		}
		n -= a.times
	}
	return l.answers[len(l.answers)-1].text
}

// parseScript reads the lines. It skips blank ones and those that start with #.
func parseScript(text string) ([]line, error) {
	var lines []line
	for i, raw := range strings.Split(text, "\n") {
		raw = strings.TrimSpace(raw)
		if raw == "" || strings.HasPrefix(raw, "#") {
			continue
		}
		key, answers, ok := strings.Cut(raw, ": ")
		if !ok {
			return nil, fmt.Errorf("script:%d: no \": \" between call and answers", i+1)
		}
		l := line{text: raw, pattern: glob(key)}
		for _, a := range strings.Split(answers, " ; ") {
			rep, err := parseRepeated(strings.TrimSpace(a))
			if err != nil {
				return nil, fmt.Errorf("script:%d: %w", i+1, err)
			}
			l.answers = append(l.answers, rep)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

func glob(key string) *regexp.Regexp {
	words := strings.Fields(key)
	for i, word := range words {
		words[i] = unwritten(word)
	}
	quoted := regexp.QuoteMeta(strings.Join(words, " "))
	return regexp.MustCompile(`(?i)^` + strings.ReplaceAll(quoted, `\*`, `.*`) + `$`)
}

var timesPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*[^*])\*(\d+)$`)
})

func parseRepeated(text string) (repeated, error) {
	if text == "" {
		return repeated{}, fmt.Errorf("an empty answer: write [] or none")
	}
	m := timesPattern().FindStringSubmatch(text)
	if m == nil {
		return repeated{text: text, times: 1}, nil
	}
	n, err := strconv.Atoi(m[2])
	if err != nil || n < 1 {
		return repeated{}, fmt.Errorf("%q repeats nothing", text)
	}
	return repeated{text: strings.TrimSpace(m[1]), times: n}, nil
}

// count counts this call of the line and returns how many there have been. It
// appends a byte: two processes can do that at once, and each learns its own place.
func count(dir string, l line) (int, error) {
	name := countFile(dir, l)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Write([]byte{'.'}); err != nil {
		return 0, err
	}
	n, err := f.Seek(0, io.SeekCurrent)
	return int(n), err
}

// countFile holds a byte for each call of the line.
func countFile(dir string, l line) string {
	return filepath.Join(dir, ".count", fmt.Sprintf("%x", sha256.Sum256([]byte(l.text)))[:16])
}

// counted returns how many calls of the line there have been.
func counted(dir string, l line) (int, error) {
	info, err := os.Stat(countFile(dir, l))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return int(info.Size()), nil
}
