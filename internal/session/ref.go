package session

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

const (
	refPrefix   = "github:"
	defaultHost = "github.com"

	// What GitHub allows today is 39 and 100; an Enterprise server may differ
	// a little, and only what a file system takes matters here.
	maxHost  = 253
	maxOwner = 100
	maxRepo  = 100
)

// Ref names a work item for ever. Its names are in lower case and fit to be
// file names: a Ref comes from [ParseRef] or [NewRef] and no other way.
type Ref struct {
	Host   string // always written, "github.com" too; a port may follow
	Owner  string
	Repo   string
	Number int // > 0
}

// NewRef is the Ref of an item by its parts, in any case; an empty host is
// github.com. The error says which part GitHub would not allow.
func NewRef(host, owner, repo string, number int) (Ref, error) {
	if host == "" {
		host = defaultHost
	}
	r := Ref{lower(host), lower(owner), lower(repo), number}
	switch {
	case !validHost(r.Host):
		return Ref{}, fmt.Errorf("%q is no host name", host)
	case !validOwner(r.Owner):
		return Ref{}, fmt.Errorf("%q is no name of a GitHub user or organization", owner)
	case !validRepo(r.Repo):
		return Ref{}, fmt.Errorf("%q is no name of a GitHub repository", repo)
	case r.Number <= 0:
		return Ref{}, fmt.Errorf("%d is no number of an issue or pull request", number)
	}
	return r, nil
}

// ParseRef reads github:[host/]owner/repo#N, in any case.
func ParseRef(s string) (Ref, error) {
	ref, err := parseRef(s)
	if err != nil {
		return Ref{}, fmt.Errorf("ref %q: %w", s, err)
	}
	return ref, nil
}

func parseRef(s string) (Ref, error) {
	const want = "want github:[host/]owner/repo#N"
	rest, ok := cutPrefixFold(s, refPrefix)
	if !ok {
		return Ref{}, fmt.Errorf("%s", want)
	}
	scope, digits, ok := strings.Cut(rest, "#")
	if !ok {
		return Ref{}, fmt.Errorf("%s", want)
	}
	number, ok := parseNumber(digits)
	if !ok {
		return Ref{}, fmt.Errorf("%q is no number of an issue or pull request", digits)
	}
	switch parts := strings.Split(scope, "/"); len(parts) {
	case 2:
		return NewRef("", parts[0], parts[1], number)
	case 3:
		if parts[0] == "" {
			return Ref{}, fmt.Errorf("%s", want)
		}
		return NewRef(parts[0], parts[1], parts[2], number)
	}
	return Ref{}, fmt.Errorf("%s", want)
}

// Scope is [host/]owner/repo with github.com unwritten.
func (r Ref) Scope() string {
	if r.Host == defaultHost {
		return r.Owner + "/" + r.Repo
	}
	return r.Host + "/" + r.Owner + "/" + r.Repo
}

// String is github:<scope>#N, the one spelling that is stored and shown.
func (r Ref) String() string {
	return refPrefix + r.Scope() + "#" + strconv.Itoa(r.Number)
}

// folder is where the record lies, relative to the folder of all records.
func (r Ref) folder() string { return filepath.Join(hostFolder(r.Host), r.Owner, r.Repo) }

// On Windows a colon would begin the name of a stream; no host name holds an
// underscore.
const portSeparator = "_"

// refOfFolder is the Ref, without a number, of the repository whose records lie
// in the folder.
func refOfFolder(folder string) (Ref, bool) {
	parts := strings.Split(folder, string(filepath.Separator))
	if len(parts) != repositoryDepth {
		return Ref{}, false
	}
	ref := folderRef(parts)
	return ref, validHost(ref.Host) && validOwner(ref.Owner) && validRepo(ref.Repo)
}

// hostFolder is the host as a file name.
func hostFolder(host string) string {
	if runtime.GOOS == "windows" {
		return strings.Replace(host, ":", portSeparator, 1)
	}
	return host
}

// folderHost is the host whose folder has that name.
func folderHost(name string) string {
	if runtime.GOOS == "windows" {
		return strings.Replace(name, portSeparator, ":", 1)
	}
	return name
}

// file is the record's name in its folder.
func (r Ref) file() string { return strconv.Itoa(r.Number) + recordSuffix }

// path is where the record lies, relative to the folder of all records.
func (r Ref) path() string { return filepath.Join(r.folder(), r.file()) }

// liesIn reports whether path is that of the record or of a folder it lies in.
func (r Ref) liesIn(path string) bool {
	rest, ok := strings.CutPrefix(r.path(), path)
	return ok && (path == "" || rest == "" || rest[0] == filepath.Separator)
}

// with is the Ref of another item of the same repository.
func (r Ref) with(number int) Ref {
	r.Number = number
	return r
}

// lower maps A-Z only: strings.ToLower would make a k of the Kelvin sign and
// so let through what GitHub has no such name for.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// parseNumber takes the one spelling that Itoa gives back, so that two
// spellings can never be two records of one item.
func parseNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}

func validHost(s string) bool {
	name, port, ported := strings.Cut(s, ":")
	if n, ok := parseNumber(port); ported && (!ok || n > 65535) {
		return false
	}
	if len(name) == 0 || len(name) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if !consistsOf(label, "-") {
			return false
		}
	}
	return true
}

func validOwner(s string) bool {
	return len(s) > 0 && len(s) <= maxOwner && alphanumeric(s[0]) && consistsOf(s, "-_")
}

func validRepo(s string) bool {
	return len(s) > 0 && len(s) <= maxRepo && s != "." && s != ".." && consistsOf(s, "-_.")
}

// consistsOf reports whether s holds lower-case letters, digits and the bytes
// of others only.
func consistsOf(s, others string) bool {
	for i := range len(s) {
		if !alphanumeric(s[i]) && strings.IndexByte(others, s[i]) < 0 {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}
