package session

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"the-loop/internal/atomicfile"
	"the-loop/internal/ownfile"
	"the-loop/internal/ref"
)

// endedFile, in the folder of all records, lists the ended sessions, so that a start
// need not read all records there have ever been. It is a cache: an entry counts only
// for a file of the size and time that it names. The store reads every record that it
// does not list. No host name begins with a dot.
const endedFile = ".ended"

const (
	endedHeader = "the-loop ended sessions 1"
	endedFooter = "end"
	// endedBatch is the number of newly ended sessions after which the list is rewritten.
	// Reading that many records costs next to nothing.
	endedBatch = 100
	// endedAge is the age from which a record is listed. On some file systems a file that
	// is replaced within two seconds keeps its time.
	endedAge = 10 * time.Second
)

// endedRecord is the list's entry for one record. The folder is its key.
type endedRecord struct {
	number      int
	size        int64
	modified    int64 // nanoseconds, Unix
	since, last int64 // seconds, Unix; 0 for never
	kind, title string
}

// endedList is the whole list: by folder, then by number.
type endedList map[string]map[int]endedRecord

// over reports whether nothing is left to do or to report for the record's session.
// Such a record is read only when its item is asked for.
func (r *Record) over() bool {
	return r.State == StateClosed && len(r.Pending) == 0 && !r.Recovered && !r.Standing() && len(r.Extra) == 0
}

// ended returns the list's entry for a record whose file is info.
func (r *Record) ended(info os.FileInfo) endedRecord {
	return endedRecord{
		number: r.Number, size: info.Size(), modified: info.ModTime().UnixNano(),
		since: unixSeconds(r.SinceAt), last: unixSeconds(r.LastDeliveryAt),
		kind: string(r.Kind), title: r.Title,
	}
}

// record returns the part of the record of item that the list holds.
func (e endedRecord) record(item ref.Item) Record {
	r := newRecord(item)
	r.State, r.Kind, r.Title = StateClosed, ref.Kind(e.kind), e.title
	r.SinceAt, r.LastDeliveryAt = fromUnixSeconds(e.since), fromUnixSeconds(e.last)
	return r
}

func unixSeconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func fromUnixSeconds(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// unchanged reports whether file is still the one of the entry.
func (e endedRecord) unchanged(file fs.DirEntry) bool {
	info, err := file.Info()
	return err == nil && info.Size() == e.size && info.ModTime().UnixNano() == e.modified
}

func (l endedList) add(folder string, e endedRecord) {
	if l[folder] == nil {
		l[folder] = map[int]endedRecord{}
	}
	l[folder][e.number] = e
}

func (l endedList) refs() []ref.Item {
	var refs []ref.Item
	for folder, records := range l {
		repo, _ := repoOfFolder(folder)
		for number := range records {
			refs = append(refs, repo.Item(number))
		}
	}
	return refs
}

func (l endedList) len() int {
	n := 0
	for _, records := range l {
		n += len(records)
	}
	return n
}

// encode returns the list's file: a line for each folder, then one for each of its
// records.
func (l endedList) encode() []byte {
	b := append(make([]byte, 0, 100*l.len()), endedHeader+"\n"...)
	for _, folder := range slices.Sorted(maps.Keys(l)) {
		b = append(append(b, folder...), '\n')
		for _, e := range slices.SortedFunc(maps.Values(l[folder]), byNumber) {
			for _, n := range []int64{int64(e.number), e.size, e.modified, e.since, e.last} {
				b = append(strconv.AppendInt(b, n, 10), '\t')
			}
			b = append(append(b, e.kind...), '\t')
			b = append(strconv.AppendQuote(b, e.title), '\n')
		}
	}
	return append(b, endedFooter+"\n"...)
}

func byNumber(a, b endedRecord) int { return cmp.Compare(a.number, b.number) }

// parseEnded reads a list. A damaged one counts as empty.
func parseEnded(text string) endedList {
	text, begins := strings.CutPrefix(text, endedHeader+"\n")
	text, ends := strings.CutSuffix(text, endedFooter+"\n")
	if !begins || !ends {
		return nil
	}
	list, folder := endedList{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, "\t") {
			folder = line
			continue
		}
		e, ok := parseEndedRecord(line)
		if !ok || folder == "" {
			return nil
		}
		list.add(folder, e)
	}
	return list
}

func parseEndedRecord(line string) (endedRecord, bool) {
	var numbers [5]int64
	for i := range numbers {
		field, rest, _ := strings.Cut(line, "\t")
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return endedRecord{}, false
		}
		numbers[i], line = n, rest
	}
	kind, quoted, _ := strings.Cut(line, "\t")
	title, err := strconv.Unquote(quoted)
	return endedRecord{
		number: int(numbers[0]), size: numbers[1], modified: numbers[2],
		since: numbers[3], last: numbers[4], kind: kind, title: title,
	}, err == nil
}

// readEnded returns the list on disk, an empty one if it cannot be read.
func (t tree) readEnded() endedList {
	items, err := t.items()
	if err != nil {
		return nil
	}
	defer items.Close()
	f, err := ownfile.OpenIn(items, endedFile, os.O_RDONLY, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil
	}
	return parseEnded(string(text))
}

// writeEnded replaces the list on disk.
func (t tree) writeEnded(l endedList) error {
	items, err := t.items()
	if err != nil {
		return err
	}
	defer items.Close()
	err = atomicfile.WriteIn(items, endedFile, l.encode())
	return errors.Join(err, sweepEnded(items, err))
}

// sweepEnded removes temporary files of the list that a crash left behind.
func sweepEnded(items *os.Root, written error) error {
	if written != nil {
		return nil
	}
	folder, err := items.Open(".")
	if err != nil {
		return err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	for _, name := range names {
		if digits, found := strings.CutPrefix(name, "."+endedFile); found && allDigits(digits) {
			items.Remove(name)
		}
	}
	return err
}
