package ownfile

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const nonblock = 0

// links is always 0, unknown: Windows knows the number of names only of open files.
func links(fs.FileInfo) uint64 { return 0 }

func openLinks(f *os.File, _ fs.FileInfo) (uint64, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0, &os.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return uint64(info.NumberOfLinks), nil
}
