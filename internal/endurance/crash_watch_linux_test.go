package endurance_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// watchable: this system reports each change of a file at once.
const watchable = true

// watch calls created and moved with the name of each file that is created in one of the
// folders or renamed to another name. It calls them from a goroutine that stop ends. It
// ignores folders that do not exist.
func watch(folders []string, created, moved func(name string)) (stop func(), err error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	f := os.NewFile(uintptr(fd), "inotify")
	for _, folder := range folders {
		_, err := unix.InotifyAddWatch(fd, folder, unix.IN_CREATE|unix.IN_MOVED_FROM)
		if err != nil && !os.IsNotExist(err) {
			f.Close()
			return nil, os.NewSyscallError("inotify_add_watch", err)
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		buf := make([]byte, 64<<10)
		for {
			n, err := f.Read(buf) // fails when f is closed
			if err != nil {
				return
			}
			for b := buf[:n]; len(b) >= unix.SizeofInotifyEvent; {
				mask, length := binary.NativeEndian.Uint32(b[4:]), binary.NativeEndian.Uint32(b[12:])
				name := strings.TrimRight(string(b[unix.SizeofInotifyEvent:][:length]), "\x00")
				b = b[unix.SizeofInotifyEvent+length:]
				if mask&unix.IN_CREATE != 0 {
					created(filepath.Base(name))
				} else {
					moved(filepath.Base(name))
				}
			}
		}
	}()
	return func() { f.Close(); <-ended }, nil
}
