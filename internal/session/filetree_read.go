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

// chunk is a number of record files of one folder, read by one worker: small
// enough to spread a single large folder over all of them.
const chunk = 128

// found is what one record file held: a record, an ended session of which
// nothing more is kept, or an error, which is a *corruptError, a *NewerError or
// that of reading it.
type found struct {
	item  ref.Item
	rec   Record
	ended *endedRecord
	err   error
}

// readAll reads the records of the listings, in parallel: most of the time is
// spent waiting for the file system and decoding. Files that went away since
// they were listed are left out. The order is that of the listings. Of ended
// sessions as little is kept as the list of them has, unless whole is set.
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

// readChunk reads records of one folder, which was seen to be one, below
// items, unless opening that gave err. It returns buf, grown perhaps, for the
// next chunk.
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
