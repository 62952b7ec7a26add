//go:build unix

package ownfile

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// othersEnter reports whether another user can reach what lies in the folder.
func othersEnter(info fs.FileInfo) bool { return info.Mode()&othersExecute != 0 }

// checkOwner wants the folder to be the effective user's, and nobody else to
// write into it. The group bits are also the most that an access list grants.
func checkOwner(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch me := os.Geteuid(); {
	case ok && int(stat.Uid) != me:
		return &FolderError{
			Path: path,
			Why:  fmt.Sprintf("the folder belongs to user %d and not to user %d", stat.Uid, me),
			Fix: fmt.Sprintf("run the-loop as user %d, or name another --state-root, or take the folder over: 'chown -R %d %s'",
				stat.Uid, me, quoted(path)),
		}
	case info.Mode()&othersWrite != 0:
		return &FolderError{
			Path: path,
			Why:  fmt.Sprintf("other users can write into the folder (mode %04o), and its files decide what is run", info.Mode().Perm()),
			Fix:  fmt.Sprintf("look at what is in it, then type 'chmod go-w %s'", quoted(path)),
		}
	}
	return nil
}

// quoted is path as a shell takes it.
func quoted(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,=") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
