package sdnotify

import "errors"

func send(string, string) error { return errors.ErrUnsupported }

// MonotonicUsec is empty: no service manager of this system asks for it.
func MonotonicUsec() string { return "" }
