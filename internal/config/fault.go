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

// Fault is one fault of the configuration.
type Fault struct {
	// File is the path of the file as given, "" for a fault of a flag or variable.
	File string
	// Line and Column count from 1, columns in characters. Both are 0 if File is "".
	Line, Column int
	// Path is the key, such as polling.sources[0].repos[2], or the flag or variable;
	// "" for a fault of the whole file.
	Path string
	// Message says in one line what is wrong and what is accepted.
	Message string
}

// Error returns the fault in one line: FILE:LINE:COL: path.to.key: what is wrong.
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

// Faults are all faults of a configuration in the order of the file, followed by
// those of flags and variables.
type Faults []Fault

// Error returns one line for each fault.
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

// sorted returns the faults in the order of the file, without duplicates.
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

// asError returns nil if there is no fault: an empty Faults in an error interface
// would not be nil.
func (fs Faults) asError() error {
	if len(fs) == 0 {
		return nil
	}
	return fs.sorted()
}

// MissingError means that a required thing is missing: the configuration, or a place
// for the state.
type MissingError struct {
	text, hint string
}

// Error names in one line what is missing.
func (e *MissingError) Error() string { return e.text }

// Hint returns the next thing to type, one line.
func (e *MissingError) Hint() string { return e.hint }

// mostQuoted limits the text of the file in a message, in characters.
const mostQuoted = 60

// quoted formats foreign text for a message: escaped, in quotes and short.
func quoted(s string) string {
	return strconv.Quote(cut(s, mostQuoted))
}

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// printable replaces characters that do not fit in one line of a terminal.
func printable(s string) string {
	const most = 200
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, cut(s, most))
}

// join appends a key to a path. A key can be any text, so it is quoted unless it is a
// plain word.
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
