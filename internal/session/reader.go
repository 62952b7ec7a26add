package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// ReadAll reads every record below root, the state root, for a process that
// does not own them: it takes no lock and changes nothing. Records are in the
// order of host, owner, repository and number; each error is one line about
// a record, or a folder of them, that is missing from the list. No records at
// all is no error.
func ReadAll(root string) ([]Record, []error) {
	t := tree{root}
	listings, obstacles := t.walk("")
	results := t.readAll(listings)
	slices.SortFunc(results, func(a, b found) int { return compareRefs(a.ref, b.ref) })
	var records []Record
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(obstacles)) {
		errs = append(errs, fmt.Errorf("session records: %s: %w", cmp.Or(path, itemsFolder), obstacles[path]))
	}
	for _, f := range results {
		if f.err != nil {
			errs = append(errs, fmt.Errorf("record of %s: %w", f.ref, f.err))
			continue
		}
		records = append(records, f.rec)
	}
	return records, errs
}

// ReadOne is ReadAll for one item. The error wraps [fs.ErrNotExist] when it
// has no record.
func ReadOne(root, ref string) (Record, error) {
	parsed, err := ParseRef(ref)
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
