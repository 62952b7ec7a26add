package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mountTable lists the mounts of a Linux system. Other systems have no such file.
const mountTable = "/proc/self/mountinfo"

// fileSystem warns of a file system that other machines share: a lock on it may hold
// on this machine only. It says nothing if the kind is unknown.
func (e *examination) fileSystem(folder string) {
	table, err := os.ReadFile(mountTable)
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	if kind := mounted(string(table), folder); network(kind) {
		e.warn("file-system", "state root", fmt.Sprintf("it is on a network file system (%s)", kind),
			"run the-loop on one machine only, or "+otherRoot)
	}
}

func network(kind string) bool {
	return slices.Contains([]string{
		"9p", "afs", "ceph", "cifs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
		"gpfs", "lustre", "nfs", "nfs4", "smb3", "smbfs",
	}, kind)
}

// mounted returns the kind of file system that holds path, "" if the mount table does
// not say. Of two mounts at one place the later one hides the other.
func mounted(table, path string) string {
	kind, longest := "", -1
	for line := range strings.Lines(table) {
		before, after, ok := strings.Cut(line, " - ")
		fields, types := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(types) == 0 {
			continue
		}
		point := unescapeMount(fields[4])
		if len(point) >= longest && within(path, point) {
			kind, longest = types[0], len(point)
		}
	}
	return kind
}

func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// unescapeMount decodes the escapes of a mount table, such as \040 for a blank.
func unescapeMount(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if len(s) >= 4 && s[0] == '\\' {
			if code, err := strconv.ParseUint(s[1:4], 8, 8); err == nil {
				b.WriteByte(byte(code))
				s = s[4:]
				continue
			}
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}
