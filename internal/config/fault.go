package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Fault is one thing that is wrong with the configuration.
type Fault struct {
	// File is the file as it was named, "" for a fault of a flag or variable.
	File string
	// Line and Column count from 1, columns in characters; both are 0 when
	// File is "".
	Line, Column int
	// Path is the key, such as polling.sources[0].repos[2], or the flag or
	// variable; "" when the whole file is at fault.
	Path string
	// Message is one line and says what is wrong and what is accepted.
	Message string
}

// Error is the fault in one line: FILE:LINE:COL: path.to.key: what is wrong.
func (f Fault) Error() string {
	var b strings.Builder
	if f.File != "" {
		fmt.Fprintf(&b, "%s:%d:%d: ", f.File, f.Line, f.Column)
	}
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// Faults are all faults of a configuration, in the order of the file, those of
// flags and variables last.
type Faults []Fault

// Error has one line a fault.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// InOneLine returns the error of a configuration in one line: the first fault and
// the number of further ones.
func InOneLine(err error) string {
	var faults Faults
	if !errors.As(err, &faults) {
		return err.Error()
	}
	text := faults[0].Error()
	if n := len(faults) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more; see 'the-loop config validate')", n)
	}
	return text
}

// sorted puts the faults in the order of the file and keeps one of those that
// are the same: an alias makes one mistake appear at several paths.
func (fs Faults) sorted() Faults {
	slices.SortStableFunc(fs, func(a, b Fault) int {
		return cmp.Or(
			cmp.Compare(b.File, a.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return slices.CompactFunc(fs, func(a, b Fault) bool {
		if a.File != "" {
			a.Path = b.Path
		}
		return a == b
	})
}

// asError is nil when there is no fault, so that a nil Faults never becomes an
// error that is not nil.
func (fs Faults) asError() error {
	if len(fs) == 0 {
		return nil
	}
	return fs.sorted()
}

// MissingError says that something which has to be found is not there: the
// configuration, or a place for the state.
type MissingError struct {
	text, hint string
}

// Error is one line and names what was looked for.
func (e *MissingError) Error() string { return e.text }

// Hint is the next thing to type, one line.
func (e *MissingError) Hint() string { return e.hint }

// mostQuoted bounds what a message repeats of the file, in characters.
const mostQuoted = 60

// quoted shows foreign text within a message: escaped, in quotes and short.
func quoted(s string) string {
	return strconv.Quote(cut(s, mostQuoted))
}

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// printable replaces what would not show in one line of a terminal.
func printable(s string) string {
	const most = 200
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, cut(s, most))
}

// join appends a key to a path. A key that is no plain word is quoted, since
// it may be any text.
func join(path, key string) string {
	plain := func(r rune) bool {
		return r == '-' || r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
	if key == "" || strings.TrimFunc(key, plain) != "" || len(key) > mostQuoted {
		key = quoted(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
