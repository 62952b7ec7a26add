package atomicfile

import (
	"math/rand/v2"
	"os"
	"strconv"
)

// replace writes a temporary file beside name and renames it.
// renameio has no Windows side; a rename there replaces the old file in one step,
// too, and is refused while a reader has the file open.
func replace(folder *os.Root, name string, data []byte) (err error) {
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
