package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkTrimLogs is a cycle's look at the logs, of which 10,000 sessions have
// left one each.
func BenchmarkTrimLogs(b *testing.B) {
	root := b.TempDir()
	if err := os.Mkdir(filepath.Join(root, logsFolder), folderMode); err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		writeFile(b, filepath.Join(root, logsFolder, fmt.Sprintf("octo-repo-%d-0123456789%s", i, logSuffix)), "a line\n")
	}
	l := logs{stateRoot: root, limit: logLimit}
	b.ReportAllocs()
	for b.Loop() {
		if err := l.trimNext(); err != nil {
			b.Fatal(err)
		}
	}
}
