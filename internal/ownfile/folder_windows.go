package ownfile

import "io/fs"

// othersEnter is always false: inherited access lists, which modes do not show, close
// a profile's folders to other users.
func othersEnter(fs.FileInfo) bool { return false }

func checkOwner(string, fs.FileInfo) error { return nil }
