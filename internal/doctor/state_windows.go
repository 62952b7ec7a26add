package doctor

import "io/fs"

// notFolder is never needed: Windows says that the path does not exist.
func notFolder(error) bool { return false }

// open cannot be told from a mode, which Windows makes up.
func open(fs.FileInfo) bool { return false }
