package gh

import (
	"context"
	"slices"
	"strconv"

	"the-loop/internal/ref"
)

// gh takes an answer without data, which a broken server or a proxy can give,
// for the end of a list: it then prints what the pages before hold, exits 0 and
// says nothing. Such a list ends where a page does, with 100 entries, 200, … So
// one that does is not believed before GitHub said in another call that it has
// no more, and so is a conversation that is null, which is the same at the
// first page.

// pageSize is how many entries gh asks for at once.
const pageSize = 100

// endsAPage reports whether a list of that length could be cut.
func endsAPage(length int) bool { return length > 0 && length%pageSize == 0 }

// wholeConversation fails when item n of r has more comments than gh printed.
func (c *Client) wholeConversation(ctx context.Context, kind string, r ref.Repo, n int, printed []commentJSON) error {
	if printed != nil && !endsAPage(len(printed)) {
		return nil
	}
	args := itemArgs(r, n)
	var answer struct {
		Comments *int `json:"comments"`
	}
	if err := c.ask(ctx, args, &answer); err != nil {
		return err
	}
	if answer.Comments == nil {
		return without(args, "a number of comments")
	}
	if len(printed) < *answer.Comments {
		return newError(nil, "gh %s view --json returned %d of %d comments", kind, len(printed), *answer.Comments)
	}
	return nil
}

// wholePages fails when there is a page after those that gh printed for args.
func wholePages[J any](ctx context.Context, c *Client, args []string, printed []J) error {
	if !endsAPage(len(printed)) {
		return nil
	}
	args = slices.Clone(args[:len(args)-1]) // without --paginate
	args[len(args)-1] += "&page=" + strconv.Itoa(len(printed)/pageSize+1)
	out, err := c.run(ctx, args...)
	if err != nil {
		return err
	}
	next, err := decodePages[J](out)
	if err != nil {
		return invalidJSON(args, err)
	}
	if len(next) > 0 {
		return newError(nil, "gh api --paginate returned %d entries and left out the next page", len(printed))
	}
	return nil
}
