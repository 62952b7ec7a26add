package session

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"the-loop/internal/ref"
)

// A record is the file HOST/OWNER/REPO/N.json below the folder of all records, each name
// in lower case. Further files of the item lie beside it.

// repositoryDepth is the number of folders down to that of a repository: host, owner,
// repository.
const repositoryDepth = 3

// On Windows a colon would start the name of a stream. No host name holds an underscore.
const portSeparator = "_"

// repoFolder is the folder of a repository's records, relative to the folder of all
// records.
func repoFolder(r ref.Repo) string { return filepath.Join(hostFolder(r.Host), r.Owner, r.Name) }

// repoOfFolder returns the repository whose records lie in the folder.
func repoOfFolder(folder string) (ref.Repo, bool) {
	parts := strings.Split(folder, string(filepath.Separator))
	if len(parts) != repositoryDepth {
		return ref.Repo{}, false
	}
	for i := range parts {
		if !validFolder(i, parts[i]) {
			return ref.Repo{}, false
		}
	}
	return namedRepo(parts), true
}

// namedRepo returns the repository whose folder has these names, which must be valid.
func namedRepo(parts []string) ref.Repo {
	return ref.Repo{Host: folderHost(parts[0]), Owner: parts[1], Name: parts[2]}
}

// validFolder reports whether a folder at that depth can belong to a host, an owner or a
// repository.
func validFolder(depth int, name string) bool {
	if strings.ToLower(name) != name {
		return false
	}
	switch depth {
	case 0:
		return ref.ValidHost(folderHost(name))
	case 1:
		return ref.ValidOwner(name)
	}
	return ref.ValidName(name)
}

// hostFolder is the host as a file name.
func hostFolder(host string) string {
	if runtime.GOOS == "windows" {
		return strings.Replace(host, ":", portSeparator, 1)
	}
	return host
}

// folderHost returns the host whose folder has that name.
func folderHost(name string) string {
	if runtime.GOOS == "windows" {
		return strings.Replace(name, portSeparator, ":", 1)
	}
	return name
}

// recordFile is the name of the record of item n in its folder.
func recordFile(n int) string { return strconv.Itoa(n) + recordSuffix }

// noteFile is the name of a note beside the record of item n.
func noteFile(n int, note Note) string { return fmt.Sprint(n, recordSuffix, ".", note) }

// recordPath is the path of the record, relative to the folder of all records.
func recordPath(item ref.Item) string {
	return filepath.Join(repoFolder(item.Repo), recordFile(item.Number))
}

// liesIn reports whether path is that of the item's record or of a folder around it.
func liesIn(item ref.Item, path string) bool {
	rest, ok := strings.CutPrefix(recordPath(item), path)
	return ok && (path == "" || rest == "" || rest[0] == filepath.Separator)
}
