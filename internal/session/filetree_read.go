package session

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"

	"the-loop/internal/ref"
)

// chunk is the number of record files that a worker reads at a time: small enough to
// spread a single large folder over all workers.
const chunk = 128

// found is the content of one record file: a record, an ended session, or an error,
// which is a *corruptError, a *NewerError or that of reading the file.
type found struct {
	item  ref.Item
	rec   Record
	ended *endedRecord
	err   error
}

// readAll reads the records of the listings in parallel and returns them in the order
// of the listings, without files that have vanished meanwhile. Unless whole is set, it
// keeps no more of ended sessions than the list of ended sessions holds.
func (t tree) readAll(listings []listing, whole bool) []found {
	var chunks [][]ref.Item
	for _, l := range listings {
		for numbers := range slices.Chunk(l.records, chunk) {
			refs := make([]ref.Item, len(numbers))
			for i, n := range numbers {
				refs[i] = l.repo.Item(n)
			}
			chunks = append(chunks, refs)
		}
	}
	if len(chunks) == 0 {
		return nil
	}
	items, err := t.items()
	if err == nil {
		defer items.Close()
	}
	results := make([][]found, len(chunks))
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(len(chunks), 2*runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			var buf []byte
			for i := range next {
				results[i], buf = readChunk(items, err, chunks[i], buf, whole)
			}
		})
	}
	for i := range chunks {
		next <- i
	}
	close(next)
	workers.Wait()
	return slices.Concat(results...)
}

// readChunk reads records of one folder below items. err is the error of opening items.
// It returns buf, possibly grown, for the next chunk.
func readChunk(items *os.Root, err error, refs []ref.Item, buf []byte, whole bool) ([]found, []byte) {
	results := make([]found, 0, len(refs))
	var folder *os.Root
	if err == nil {
		folder, err = items.OpenRoot(repoFolder(refs[0].Repo))
	}
	if err != nil {
		for _, item := range refs {
			results = append(results, found{item: item, err: err})
		}
		return results, buf
	}
	defer folder.Close()
	for _, item := range refs {
		data, info, err := readFile(folder, recordFile(item.Number), buf)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f := found{item: item, err: err}
		if err == nil {
			f.rec, f.err = decodeRecord(data, item)
			buf = data
		}
		if f.err == nil && !whole && f.rec.over() {
			e := f.rec.ended(info)
			f.rec, f.ended = Record{}, &e
		}
		results = append(results, f)
	}
	return results, buf
}
