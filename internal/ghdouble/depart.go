package ghdouble

import (
	"fmt"
	"net/http"
)

// departed records where an item went: to points to the item in its new place, or is
// nil when the item was deleted.
type departed struct{ to *item }

// transfer moves an issue to another repository of the same host under a new number.
// The API redirects from the old place. The labels stay behind.
func (r *Repo) transfer(number int, to *Repo, as int) {
	it := r.items[number]
	it.repo, it.Number, it.Labels = to, as, nil
	to.items[as] = it
	r.depart(number, it)
}

// depart removes an item from its repository: deleted when to is nil, else moved there.
// The API answers 410 or redirects from then on.
func (r *Repo) depart(number int, to *item) {
	delete(r.items, number)
	r.left[number] = &departed{to: to}
}

// left answers a request for a departed item.
func (c call) left(d *departed) Reply {
	if d.to == nil {
		return errorReply(http.StatusGone, "This issue was deleted")
	}
	reply := errorReply(http.StatusMovedPermanently, "Moved Permanently")
	reply.Header = map[string]string{
		"Location": fmt.Sprintf("%s/repositories/%d/issues/%d", c.base(), d.to.repo.id, d.to.Number),
	}
	return reply
}

// address returns the repository's URL in the REST API.
func (r *Repo) address() string { return r.host.base() + "/repos/" + r.fullName() }
