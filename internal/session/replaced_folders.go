package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// errLost marks a record whose file vanished with the folder of all records.
var errLost = errors.New("the folder of all records was replaced")

// takeHome opens the folder of all records, and creates it if it is missing.
func (s *Store) takeHome() error {
	if err := s.tree.create(); err != nil {
		return err
	}
	home, err := os.Open(s.tree.itemsPath())
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.home != nil {
		s.home.Close()
	}
	s.home, s.folders = home, nil
	return nil
}

// followFolders notices that the folder of a repository, or one above it, was removed or
// replaced, and marks its records to be written again.
func (s *Store) followFolders() {
	if s.opts.ReadOnly {
		return
	}
	scopes := s.scopeFolders()
	seen := make(map[string]fs.FileInfo, len(scopes))
	for folder, scope := range scopes {
		info, err := os.Lstat(filepath.Join(s.tree.itemsPath(), folder))
		if err == nil {
			seen[folder] = info
		}
		known := s.folders[folder]
		if lost := errors.Is(err, fs.ErrNotExist) || err == nil && known != nil && !os.SameFile(known, info); lost {
			s.folderLost(folder, scope)
		}
	}
	s.folders = seen
}

// scopeFolders returns the folders of the records in memory with their scopes.
func (s *Store) scopeFolders() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	folders := make(map[string]string, len(s.scopes))
	for scope, entries := range s.scopes {
		if len(entries) > 0 {
			folders[repoFolder(entries[0].item.Repo)] = scope
		}
	}
	return folders
}

func (s *Store) folderLost(folder, scope string) {
	s.mu.Lock()
	entries := slices.Clone(s.scopes[scope])
	s.mu.Unlock()
	records := 0
	for _, e := range entries {
		e.mu.Lock()
		there := e.onDisk && !e.gone
		e.mu.Unlock()
		if there {
			s.disown(e)
			records++
		}
	}
	if records > 0 {
		s.opts.Logger.Warn("a folder of session records was removed or replaced; its records are written anew",
			"path", filepath.Join(s.tree.itemsPath(), folder), "records", records)
	}
}

// followHome notices that the folder of all records is no longer the one that this store
// has written to, and marks every record to be written again. Otherwise a restart would
// find only the records changed since, and start a second session for each of the
// others.
func (s *Store) followHome() error {
	if s.opts.ReadOnly {
		return nil
	}
	if same, err := s.isHome(); same || err != nil {
		return err
	}
	if err := s.takeHome(); err != nil {
		return err
	}
	records := s.inOrder()
	for _, e := range records {
		s.disown(e)
	}
	s.opts.Logger.Warn("the folder of session records was removed or replaced; all of them are written anew",
		"path", s.tree.itemsPath(), "records", len(records))
	return nil
}

// isHome reports whether the folder of all records is still the open one.
func (s *Store) isHome() (bool, error) {
	present, err := os.Lstat(s.tree.itemsPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, err := s.home.Stat()
	return err == nil && os.SameFile(known, present), err
}

// disown marks the entry's record as only in memory.
func (s *Store) disown(e *entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.onDisk = false
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirty[e] = errLost
}
