package doctor

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// run is what a command runs: another command, or a script that it reads.
type run struct {
	argv   []string // at least one word
	script bool
}

var (
	versioned  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9.]*(\.exe)?$`) })
	assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })
)

// runBy returns what env or an interpreter runs. It does not look behind other
// commands, or behind options that it does not know.
func runBy(argv []string) (run, bool) {
	name := versioned().ReplaceAllString(filepath.Base(argv[0]), "")
	switch name {
	case "env":
		return runByEnv(argv[1:])
	case "sh", "bash", "dash", "ksh", "zsh", "ash":
		return scriptOf(argv[1:], "c", "oO")
	case "python":
		return scriptOf(argv[1:], "cm", "WX")
	case "perl", "ruby":
		return scriptOf(argv[1:], "eE", "")
	case "node", "deno", "bun", "php", "pwsh", "fish":
		return scriptOf(argv[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "")
	}
	return run{}, false
}

// runByEnv skips the options and variables of env. -S holds a whole command in one
// word, as #! lines need it.
func runByEnv(words []string) (run, bool) {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-u" || word == "--unset" || word == "-C" || word == "--chdir":
			i++
		case word == "-S" || word == "--split-string":
			if i+1 == len(words) {
				return run{}, false
			}
			return runByEnv(slices.Concat(strings.Fields(words[i+1]), words[i+2:]))
		case word == "-" || strings.HasPrefix(word, "-") || assignment().MatchString(word):
		default:
			return run{argv: words[i:]}, true
		}
	}
	return run{}, false
}

// scriptOf returns the first word that is no option. An option with a letter of inline
// means that there is no script file; one with a letter of valued takes the next word.
func scriptOf(words []string, inline, valued string) (run, bool) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--" && i+1 < len(words):
			return run{argv: words[i+1:], script: true}, true
		case word == "-" || word == "--":
			return run{}, false
		case strings.HasPrefix(word, "--"), strings.HasPrefix(word, "-") && strings.ContainsAny(word, inline):
			return run{}, false
		case strings.HasPrefix(word, "-") || strings.HasPrefix(word, "+"):
			if strings.ContainsAny(word, valued) {
				i++
			}
		default:
			return run{argv: words[i:], script: true}, true
		}
	}
	return run{}, false
}
