package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"the-loop/internal/config"
	"the-loop/internal/ownfile"
	"the-loop/internal/runlock"
	"the-loop/status"
)

const otherRoot = "name another folder with state.root or --state-root"

// state checks the folder of all generated files.
func (e *examination) state() {
	const check, subject = "state-root", "state root"
	if e.StateRoot == "" {
		// Any other error is a fault of the configuration and has been reported.
		missing, ok := errors.AsType[*config.MissingError](e.StateRootErr)
		if ok && (e.ConfigErr == nil || missing.Error() != e.ConfigErr.Error()) {
			e.fail(check, subject, missing.Error(), missing.Hint())
		}
		return
	}
	folder, err := existing(e.StateRoot)
	if err != nil {
		e.fail(check, subject, err.Error(), otherRoot)
		return
	}
	e.trial(folder)
	if folder != e.StateRoot {
		return // it is empty
	}
	e.privacy()
	e.holder()
	e.records()
}

// existing returns root or, if that does not exist, the innermost existing folder
// above it.
func existing(root string) (string, error) {
	for folder := root; ; folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		switch {
		case err == nil && info.IsDir():
			return folder, nil
		case err == nil:
			return "", fmt.Errorf("%s is not a folder", folder)
		case filepath.Dir(folder) == folder || !missing(err):
			return "", fmt.Errorf("%s: %w", folder, cause(err))
		}
	}
}

// missing also counts a file on the way as absence: the folder above it will fail.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) || notFolder(err) }

// trial does in a folder of its own what the daemon does in the state root: it
// replaces a file and takes a lock.
func (e *examination) trial(folder string) {
	const check, subject = "state-root", "state root"
	own, err := os.MkdirTemp(folder, ".the-loop-doctor-")
	if err == nil {
		defer os.RemoveAll(own)
		err = replaceFile(own)
	}
	if err != nil {
		e.fail(check, subject, fmt.Sprintf("%s cannot be written: %v", folder, cause(err)),
			"free some space, let this user write there, or "+otherRoot)
		return
	}
	if folder == e.StateRoot {
		e.ok(check, subject, folder+" can be written")
	} else {
		e.ok(check, subject, e.StateRoot+" does not exist yet and can be made")
	}
	e.fileSystem(folder)
	if err := tryLock(filepath.Join(own, "lock")); err != nil {
		e.fail("locks", "locks", "they do not work in the state root: "+said(err), otherRoot)
		return
	}
	e.ok("locks", "locks", "they work in the state root")
}

// replaceFile writes a file, syncs it and renames it.
func replaceFile(folder string) error {
	f, err := os.CreateTemp(folder, "")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	if err := cmp.Or(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(folder, "file"))
}

// tryLock takes a lock and probes it through a second descriptor, before and after the
// release.
func tryLock(path string) error {
	lock, err := runlock.Acquire(path)
	if err != nil {
		return err
	}
	held, heldErr := runlock.Probe(path)
	if err := errors.Join(heldErr, lock.Release()); err != nil {
		return err
	}
	free, err := runlock.Probe(path)
	switch {
	case err != nil:
		return err
	case !held.Held:
		return errors.New("a held lock looks free")
	case free.Held:
		return errors.New("a released lock looks held")
	}
	return nil
}

func (e *examination) privacy() {
	refusal := (*ownfile.FolderError)(nil)
	if errors.As(ownfile.CheckFolder(e.StateRoot, "items", "logs", "cache"), &refusal) {
		e.fail("privacy", "state root", refusal.Why, refusal.Fix)
		return
	}
	info, err := os.Stat(e.StateRoot)
	if err != nil {
		return // it was there a moment ago; if it is gone, the daemon will say so
	}
	if open(info) {
		e.warn("privacy", "state root", fmt.Sprintf("others can look into it (mode %04o)", info.Mode().Perm()),
			"chmod 700 "+ShellWord(e.StateRoot))
		return
	}
	e.ok("privacy", "state root", "only its owner can look into it")
}

func (e *examination) holder() {
	const check, subject = "poller", "poller"
	state, err := runlock.Probe(filepath.Join(e.StateRoot, runlock.FileName))
	switch {
	case err != nil:
		e.fail(check, subject, err.Error(), "remove what is there in place of "+runlock.FileName+", or "+otherRoot)
	case !state.Held:
		e.warn(check, subject, "not running", "start it with 'the-loop run', or through its service manager")
	case state.Stopping:
		e.warn(check, subject, fmt.Sprintf("stopping (pid %d)", state.PID), "once it has ended, 'the-loop run' starts it again")
	default:
		running := fmt.Sprintf("running (pid %d)", state.PID)
		if still, stale := status.Gather(e.StateRoot, time.Now()).Stale(); stale {
			e.warn(check, subject, running+", but nothing moved for "+status.Span(still),
				"see its log; 'the-loop stop' ends it, then start it again")
			return
		}
		e.ok(check, subject, running)
	}
}

func (e *examination) records() {
	const check, subject = "records", "records"
	n, errs := e.Records(e.StateRoot)
	switch {
	case len(errs) > 0:
		e.warn(check, subject, fmt.Sprintf("%d of %d cannot be read: %s", len(errs), n+len(errs), said(errs[0])),
			"let this user read it; a corrupt one is set aside at the next start, and its item taken as known")
	case n == 0:
		e.ok(check, subject, "none yet")
	default:
		e.ok(check, subject, fmt.Sprintf("%d, all readable", n))
	}
}
