package doctor

import "io/fs"

// notFolder is never needed: Windows reports a missing path.
func notFolder(error) bool { return false }

// open is unknown: Windows invents the mode.
func open(fs.FileInfo) bool { return false }
