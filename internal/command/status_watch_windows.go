package command

import "os"

// notifyResized does nothing: Windows has no such signal. The next redrawing uses
// the new size.
func notifyResized(chan<- os.Signal) {}
