package command

import (
	"errors"
	"os"
)

// requestStop cannot reach another process's console on Windows.
func requestStop(*os.Process) error {
	return errors.New("not possible on Windows: press Ctrl-C in its window, or stop its service")
}
