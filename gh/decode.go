package gh

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"the-loop/internal/ref"
)

// actor is an account in gh's JSON: an object, null, or missing.
type actor struct {
	Login string `json:"login"`
}

// stamp is a time. gh writes a missing one as null, as an empty text or as the
// year 1. An unreadable time counts as missing: it must not cost a whole listing.
type stamp struct{ time.Time }

// UnmarshalJSON never fails; it leaves the zero time for anything but a time.
func (s *stamp) UnmarshalJSON(data []byte) error {
	if err := s.Time.UnmarshalJSON(data); err != nil {
		s.Time = time.Time{}
	}
	return nil
}

// decode reads the one JSON value of out into v.
func decode(out []byte, v any) error {
	if err := json.Unmarshal(out, v); err != nil {
		return invalid(err)
	}
	return nil
}

// decodePages reads a stream of JSON arrays, as gh api --paginate prints on
// versions that do not join the pages, into one list.
func decodePages[T any](out []byte) ([]T, error) {
	var all []T
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var page []T
		err := d.Decode(&page)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, invalid(err)
		case page == nil:
			return nil, errors.New("unexpected null")
		}
		all = append(all, page...)
	}
}

// invalid rewords a decoder's error for readers who do not know Go.
func invalid(err error) error {
	mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	if mismatch.Field == "" {
		return fmt.Errorf("unexpected %s", mismatch.Value)
	}
	return fmt.Errorf("unexpected %s as %s", mismatch.Value, mismatch.Field)
}

// invalidJSON is the failure of a call whose output is not the expected JSON.
func invalidJSON(args []string, err error) *Error {
	return newError(nil, "%s returned invalid JSON: %v", command(args, 1), err)
}

// without is the failure of a call whose output lacks a requested key.
func without(args []string, what string) *Error {
	return newError(nil, "%s returned an answer without %s", command(args, 1), what)
}

// isAddress reports whether text can be a web address. An address goes where no
// other text from outside does, into a handler's arguments and environment, so
// that it must hold nothing else and be no longer than those can take.
func isAddress(text string) bool {
	const most = 1000 // bytes
	return text != "" && len(text) <= most && !strings.ContainsFunc(text, func(r rune) bool { return r < '!' || r > '~' })
}

// hostOf returns the host of a web address, in lower case and without the default
// port of its scheme; "" for anything else.
func hostOf(text string) string {
	if !isAddress(text) {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	name, port, err := net.SplitHostPort(host)
	if err == nil && (port == "" || u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80") {
		return name
	}
	return host
}

// isItem reports whether address is that of item n of r; its host is looked at
// elsewhere.
func isItem(r ref.Repo, address string, n int) bool {
	found, ok := ref.ParseURL(address)
	return ok && found.Number == n && strings.EqualFold(found.NameWithOwner(), r.NameWithOwner())
}
