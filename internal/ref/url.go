package ref

import (
	"net/url"
	"strconv"
	"strings"
)

// The part of an address that distinguishes the page of an issue from that of a pull
// request.
const (
	issuePage = "issues"
	pullPage  = "pull"
)

// URL returns the address of the item's page. For an unknown kind it is that of an
// issue: GitHub redirects from there to a pull request.
func (i Item) URL(k Kind) string {
	page := issuePage
	if k == PullRequest {
		page = pullPage
	}
	return "https://" + i.Full() + "/" + page + "/" + strconv.Itoa(i.Number)
}

// ParseURL reads the address of an item's page, https://HOST/OWNER/REPO/issues/N or
// pull/N with nothing after it, and returns the Item in lower case.
func ParseURL(address string) (Item, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Host == "" || strings.ContainsAny(address, "?#") {
		return Item{}, false
	}
	parts := strings.Split(u.EscapedPath(), "/")
	if len(parts) != 5 || parts[0] != "" || parts[3] != issuePage && parts[3] != pullPage {
		return Item{}, false
	}
	number, ok := ParseNumber(parts[4])
	if !ok {
		return Item{}, false
	}
	item, err := New(u.Host, parts[1], parts[2], number)
	return item, err == nil
}

// ParseTyped reads a ref as people type it: in full, without its prefix, or as an
// address on the item's page. The error is that of [Parse].
func ParseTyped(typed string) (Item, error) {
	text := typed
	if u, err := url.Parse(typed); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		parts := strings.Split(strings.Trim(u.Path, "/"), "/")
		if len(parts) >= 4 && (parts[2] == issuePage || parts[2] == pullPage) {
			text = Prefix + u.Host + "/" + parts[0] + "/" + parts[1] + "#" + parts[3]
		}
	}
	item, err := Parse(text)
	if err == nil {
		return item, nil
	}
	if item, short := Parse(Prefix + text); short == nil {
		return item, nil
	}
	return Item{}, err
}
