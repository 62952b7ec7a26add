package ownfile

import "io/fs"

// othersEnter is false: a profile's folders are closed to other users by the
// access lists that they inherit, which modes do not show.
func othersEnter(fs.FileInfo) bool { return false }

func checkOwner(string, fs.FileInfo) error { return nil }
