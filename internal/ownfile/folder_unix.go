//go:build unix

package ownfile

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"strings"
	"syscall"
)

// othersEnter reports whether another user can reach the contents of the folder.
func othersEnter(info fs.FileInfo) bool { return info.Mode()&othersExecute != 0 }

// checkOwner requires that the folder belongs to the effective user and that no other
// user can write into it. The group bits also limit what an access list grants.
func checkOwner(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch me := os.Geteuid(); {
	case ok && int(stat.Uid) != me:
		return &FolderError{
			Path: path,
			Why:  fmt.Sprintf("the folder belongs to %s and not to %s", userName(int(stat.Uid)), userName(me)),
			Fix: fmt.Sprintf("run the-loop as %s, or name another --state-root, or take the folder over: 'chown -R %d %s'",
				userName(int(stat.Uid)), me, quoted(path)),
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

func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return "user " + strconv.Itoa(uid)
}

// quoted quotes path for a shell.
func quoted(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,=") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
