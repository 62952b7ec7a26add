package ghdouble

import (
	"fmt"
	"net/http"
)

// departed is what became of an item that is no longer in its repository: the
// item in its new place, or none for one that was deleted.
type departed struct{ to *item }

// transfer moves an issue to another repository of the same host, where it gets
// another number. The API follows it from its old place; its labels stay behind.
func (r *Repo) transfer(number int, to *Repo, as int) {
	it := r.items[number]
	it.repo, it.Number, it.Labels = to, as, nil
	to.items[as] = it
	r.depart(number, it)
}

// depart takes an item out of its repository: it is deleted, or moved to another
// place. The API answers 410 or follows it from then on.
func (r *Repo) depart(number int, to *item) {
	delete(r.items, number)
	r.left[number] = &departed{to: to}
}

// left answers for an item that has departed.
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

// address is the repository's place in the REST API.
func (r *Repo) address() string { return r.host.base() + "/repos/" + r.fullName() }
