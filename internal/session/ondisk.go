package session

// OnDisk reports whether the record of ref is stored as Get shows it, so that
// whoever acts on it would find it after a crash. It is true of an item that is
// not known, and of every one in a store that is ReadOnly.
func (s *Store) OnDisk(ref string) bool {
	s.mu.Lock()
	e := s.entries[ref]
	s.mu.Unlock()
	if e == nil || s.opts.ReadOnly {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.known || e.onDisk
}
