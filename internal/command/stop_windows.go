package command

import "errors"

// requestStop cannot reach another process's console on Windows.
func requestStop(int) error {
	return errors.New("not possible on Windows: press Ctrl-C in its window, or stop its service")
}
