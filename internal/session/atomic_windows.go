package session

import (
	"math/rand/v2"
	"os"
	"strconv"
)

// writeAtomic gives name in folder the content data, as a whole or not at
// all, and leaves no temporary file behind when it fails. renameio has no
// Windows side; a rename there replaces the old file in one step, too. The
// temporary file of a crash is one that [leftover] knows.
func writeAtomic(folder *os.Root, name string, data []byte) (err error) {
	temp := "." + name + strconv.FormatInt(rand.Int64(), 10)
	f, err := folder.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			folder.Remove(temp)
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return folder.Rename(temp, name)
}
