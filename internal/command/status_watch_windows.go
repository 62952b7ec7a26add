package command

import "os"

// notifyResized does nothing: Windows tells nobody, so another size shows with
// the next redrawing.
func notifyResized(chan<- os.Signal) {}
