package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"the-loop/internal/argvtemplate"
	"the-loop/internal/ref"
)

// formats are the checks behind the "format" keywords of schema.json. Their
// errors are whole messages.
func formats() map[string]func(string) error {
	return map[string]func(string) error{
		"repository": checkRepository,
		"host":       checkHost,
		"label":      checkLabel,
		"name":       checkName,
		"user":       checkUser,
		"path":       checkPath,
		"command":    checkCommand,
		"argument":   checkArgument,
	}
}

type noun struct{ one, many string }

// nouns name the texts of each format in words.
func nouns() map[string]noun {
	return map[string]noun{
		"repository": {"a repository as [HOST/]OWNER/REPO", "repositories as [HOST/]OWNER/REPO"},
		"host":       {"a host name", "host names"},
		"label":      {"a label", "labels"},
		"name":       {"a name", "names"},
		"user":       {`a login, "@me" or "*"`, `logins, "@me" or "*"`},
		"path":       {"a path", "paths"},
		"command":    {"a command", "commands"},
		"argument":   {"a word", "words"},
	}
}

// checkRepository leaves the grammar to ref. The host given here stands for the
// source's host, which is not known yet.
func checkRepository(s string) error {
	if plain := plainRepository(s); plain != s {
		if _, err := ref.ParseRepo(plain, ref.GitHubHost); err == nil {
			return fmt.Errorf("%s is not [HOST/]OWNER/REPO; write %s", quoted(s), plain)
		}
	}
	_, err := ref.ParseRepo(s, ref.GitHubHost)
	return err
}

// plainRepository strips what people copy along with a repository's name: blanks,
// https:// or git@, a final slash and .git, in which no name on GitHub ends.
func plainRepository(s string) string {
	plain := strings.TrimSpace(s)
	for _, scheme := range []string{"https://", "http://"} {
		if rest, is := strings.CutPrefix(plain, scheme); is {
			plain = strings.TrimPrefix(rest, ref.GitHubHost+"/")
		}
	}
	if rest, is := strings.CutPrefix(plain, "git@"); is { // git@HOST:OWNER/REPO.git
		plain = strings.TrimPrefix(strings.Replace(rest, ":", "/", 1), ref.GitHubHost+"/")
	}
	return strings.TrimSuffix(strings.TrimSuffix(plain, "/"), ".git")
}

func checkHost(s string) error {
	if !ref.ValidHost(s) {
		return fmt.Errorf("%s is not a host name, such as github.com or ghe.example.com:8443", quoted(s))
	}
	return nil
}

// checkLabel allows what GitHub allows: any text, including emoji with their joiners.
func checkLabel(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return errors.New(`a label must not be empty; "*" stands for every open item`)
	case strings.ContainsFunc(s, breaksLine):
		return fmt.Errorf("%s holds a control character or a line break, which no label has", quoted(s))
	}
	return nil
}

// checkName keeps a source's name fit for a log line.
func checkName(s string) error {
	const most = 100
	switch {
	case strings.TrimSpace(s) == "":
		return errors.New("a name must not be empty")
	case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%s holds a character that cannot be printed", quoted(s))
	case len([]rune(s)) > most:
		return fmt.Errorf("%s is longer than %d characters", quoted(s), most)
	}
	return nil
}

func checkUser(s string) error {
	if s == "@me" || s == "*" {
		return nil
	}
	login := strings.TrimSuffix(strings.TrimPrefix(s, "app/"), "[bot]")
	valid := func(r rune) bool {
		return r == '-' || r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
	if login == "" || strings.HasPrefix(login, "-") || strings.TrimFunc(login, valid) != "" {
		return fmt.Errorf(`%s is not a login; accepted are a login without the @, "@me" and "*"`, quoted(s))
	}
	return nil
}

func checkPath(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return errors.New("a path must not be empty")
	case strings.ContainsRune(s, 0):
		return errors.New("a path must not hold a NUL character")
	}
	return nil
}

func checkCommand(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("the first argument is the command and must not be empty")
	}
	return checkArgument(s)
}

func checkArgument(s string) error {
	_, err := argvtemplate.ParseArgument(s)
	return err
}

// breaksLine reports whether the character cannot stand in a line of text.
func breaksLine(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}
