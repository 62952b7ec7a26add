package dispatch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
)

// eventPrefix starts the name that an event's file has for a moment.
const eventPrefix = ".event-"

// errNoEvent means that an event could not be written for its handler. It counts as
// a shortage of system resources, not as the handler's fault.
var errNoEvent = errors.New("the event could not be written")

// eventFile returns a private file with the event, for a handler's stdin. The file
// has been unlinked, so it vanishes with its last reader.
func eventFile(stateRoot string, text []byte) (*os.File, error) {
	f, err := unnamed(stateRoot, text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoEvent, err)
	}
	return f, nil
}

func unnamed(stateRoot string, text []byte) (*os.File, error) {
	root, err := os.OpenRoot(stateRoot)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := eventPrefix + rand.Text()
	w, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	r, err := root.Open(name) // read-only: the handler cannot change the event
	root.Remove(name)         // if this fails, the next start removes it
	if err == nil {
		_, err = w.Write(text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		r.Close() // on a nil file this only returns an error
		return nil, err
	}
	return r, nil
}

// sweepEvents removes event files that a crash left behind. It ignores errors: such
// files do no harm. Call it before the first eventFile.
func sweepEvents(stateRoot string) {
	root, err := os.OpenRoot(stateRoot)
	if err != nil {
		return
	}
	defer root.Close()
	folder, err := root.Open(".")
	if err != nil {
		return
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	for _, name := range names {
		if strings.HasPrefix(name, eventPrefix) {
			root.Remove(name)
		}
	}
}
