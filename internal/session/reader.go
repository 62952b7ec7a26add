package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"the-loop/internal/ref"
)

// ReadAll reads every record below root, the state root, for a process that does not own
// them: it takes no lock and changes nothing. Records are ordered by host, owner,
// repository and number. Each error describes in one line a record, or a folder of
// them, that is missing from the list. Having no records at all is no error.
func ReadAll(root string) ([]Record, []error) {
	t := tree{root}
	listings, obstacles := t.walk("", nil)
	return collect(t.readAll(listings, true), obstacles)
}

// ReadList is ReadAll for a list that people read. It leaves out ended sessions unless
// ended is set, and then has only their refs, kinds, titles, states and times, which
// it finds without reading each record.
func ReadList(root string, ended bool) ([]Record, []error) {
	t := tree{root}
	listings, obstacles := t.walk("", t.readEnded())
	results := t.readAll(listings, false)
	if !ended {
		results = slices.DeleteFunc(results, func(f found) bool { return f.ended != nil })
		return collect(results, obstacles)
	}
	n := 0
	for _, l := range listings {
		n += len(l.ended)
	}
	results = slices.Grow(results, n)
	for _, l := range listings {
		for i := range l.ended {
			results = append(results, found{item: l.repo.Item(l.ended[i].number), ended: &l.ended[i]})
		}
	}
	return collect(results, obstacles)
}

// collect sorts the records that were read and describes the others.
func collect(results []found, obstacles map[string]error) ([]Record, []error) {
	order := make([]*found, len(results)) // sorted instead of the results, which are large
	for i := range results {
		order[i] = &results[i]
	}
	slices.SortFunc(order, func(a, b *found) int { return compareRefs(a.item, b.item) })
	var errs []error
	records := make([]Record, 0, len(results))
	for _, path := range slices.Sorted(maps.Keys(obstacles)) {
		errs = append(errs, fmt.Errorf("session records: %s: %w", cmp.Or(path, itemsFolder), obstacles[path]))
	}
	for _, f := range order {
		if f.err != nil {
			errs = append(errs, fmt.Errorf("record of %s: %w", f.item, f.err))
			continue
		}
		if f.ended != nil {
			f.rec = f.ended.record(f.item)
		}
		records = append(records, f.rec)
	}
	if len(records) == 0 {
		return nil, errs
	}
	return records, errs
}

// ReadOne is ReadAll for one item. If it has no record, the error wraps
// [fs.ErrNotExist].
func ReadOne(root, name string) (Record, error) {
	parsed, err := ref.Parse(name)
	if err != nil {
		return Record{}, err
	}
	t := tree{root}
	data, err := t.read(parsed)
	if err == nil {
		var rec Record
		if rec, err = decodeRecord(data, parsed); err == nil {
			return rec, nil
		}
	}
	return Record{}, fmt.Errorf("record of %s: %w", parsed, err)
}
