package dispatch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
)

// eventPrefix begins the name of an event's file, for the moment that it has one.
const eventPrefix = ".event-"

// errNoEvent says that an event could not be written for its handler. It is a
// shortage of the system's and not the handler's fault.
var errNoEvent = errors.New("the event could not be written")

// eventFile is a private file with the event, to be a handler's stdin. It has no
// name any more, so nothing is left of it when its readers have ended.
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
	r, err := root.Open(name) // the handler can read the event and not change it
	root.Remove(name)         // one that stays is removed at the next start
	if err == nil {
		_, err = w.Write(text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		r.Close() // of a nil file it is an error and nothing else
		return nil, err
	}
	return r, nil
}

// sweepEvents removes the files of events that a crash left, before there are
// new ones. It is a courtesy: what cannot be removed stays.
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
