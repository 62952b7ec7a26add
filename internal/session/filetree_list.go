package session

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"the-loop/internal/ownfile"
	"the-loop/internal/ref"
)

// listing is the content of one repository's folder, by names only.
type listing struct {
	repo    ref.Repo
	records []int // numbers of the regular files N.json, but for those in ended
	// ended holds the records that match the list of ended sessions.
	ended []endedRecord
	// lost holds the numbers of which only a file set aside is left.
	lost      []int
	notes     []leftNote
	leftovers []string
}

// walk lists the folders at or below path, "" for all of them, or the single record
// that path names. The second result holds the unreadable paths. walk ignores names
// that no item can have.
func (t tree) walk(path string, over endedList) ([]listing, map[string]error) {
	w := walker{obstacles: map[string]error{}, over: over}
	items, err := t.items()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, w.obstacles
	case err != nil:
		w.obstacles[path] = err
		return nil, w.obstacles
	}
	defer items.Close()
	w.items = items
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == filepath.Separator })
	switch {
	case w.obstructed(parts):
	case len(parts) > repositoryDepth:
		w.enterRecord(parts)
	default:
		w.enter(items, cmp.Or(filepath.Join(parts...), "."), parts)
	}
	return w.listings, w.obstacles
}

type walker struct {
	items     *os.Root
	over      endedList
	listings  []listing
	obstacles map[string]error
}

// obstructed reports whether a folder on the way is missing or cannot be entered.
func (w *walker) obstructed(parts []string) bool {
	for i := range min(len(parts), repositoryDepth) {
		path := filepath.Join(parts[:i+1]...)
		if err := ownfile.WantFolder(w.items, path); err != nil {
			w.blocked(filepath.Join(parts...), err)
			return true
		}
	}
	return false
}

// blocked records that path cannot be read. A missing file is no obstacle.
func (w *walker) blocked(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		w.obstacles[path] = err
	}
}

// enter lists the folder of all hosts, of a host, an owner or a repository, according
// to the number of parts. It lies at name below the folder above, and has been checked
// to be a folder and no link.
func (w *walker) enter(above *os.Root, name string, parts []string) {
	folder, entries, err := openFolder(above, name)
	if err != nil {
		w.blocked(filepath.Join(parts...), err)
		return
	}
	defer folder.Close()
	if len(parts) == repositoryDepth {
		w.listRepository(parts, entries)
		return
	}
	for _, e := range entries {
		inner := append(slices.Clone(parts), e.Name())
		switch {
		case !validFolder(len(parts), e.Name()):
		case !e.IsDir():
			w.blocked(filepath.Join(inner...), ownfile.NotFolder(e.Name()))
		default:
			w.enter(folder, e.Name(), inner)
		}
	}
}

// openFolder opens a folder and lists it.
func openFolder(above *os.Root, name string) (*os.Root, []fs.DirEntry, error) {
	folder, err := above.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := folder.Open(".")
	if err != nil {
		return nil, nil, errors.Join(err, folder.Close())
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, nil, errors.Join(err, folder.Close())
	}
	return folder, entries, nil
}

// enterRecord lists one record only.
func (w *walker) enterRecord(parts []string) {
	name := parts[repositoryDepth]
	path := filepath.Join(parts...)
	info, err := w.items.Lstat(path)
	_, number := classify(name)
	switch {
	case err != nil:
		w.blocked(path, err)
	case !info.Mode().IsRegular():
		w.obstacles[path] = ownfile.NotRegular(name)
	default:
		w.listings = append(w.listings, listing{repo: namedRepo(parts), records: []int{number}})
	}
}

func (w *walker) listRepository(parts []string, entries []fs.DirEntry) {
	l := listing{repo: namedRepo(parts)}
	over := w.over[repoFolder(l.repo)]
	there, aside := map[int]bool{}, map[int]bool{}
	for _, e := range entries {
		kind, number := classify(e.Name())
		switch kind {
		case fileRecord:
			there[number] = true
			if !e.Type().IsRegular() {
				path := filepath.Join(repoFolder(l.repo), e.Name())
				w.obstacles[path] = ownfile.NotRegular(e.Name())
				continue
			}
			if known, listed := over[number]; listed && known.unchanged(e) {
				l.ended = append(l.ended, known)
				continue
			}
			l.records = append(l.records, number)
		case fileCorrupt:
			aside[number] = true
		case fileNote:
			l.notes = append(l.notes, leftNote{number, noteOf(e.Name())})
		case fileLeftover:
			l.leftovers = append(l.leftovers, e.Name())
		case fileOther:
		}
	}
	for _, number := range slices.Sorted(maps.Keys(aside)) {
		if !there[number] {
			l.lost = append(l.lost, number)
		}
	}
	w.listings = append(w.listings, l)
}
