package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"the-loop/internal/session"

	"the-loop/internal/filetest"
)

// BenchmarkTrimLogs is a cycle's look at the logs, of which 10,000 sessions have
// left one each.
func BenchmarkTrimLogs(b *testing.B) {
	root := b.TempDir()
	if err := os.Mkdir(filepath.Join(root, session.LogsFolder), folderMode); err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		filetest.Write(b, filepath.Join(root, session.LogsFolder, fmt.Sprintf("octo-repo-%d-0123456789%s", i, session.LogSuffix)), "a line\n")
	}
	l := logs{stateRoot: root, limit: logLimit}
	b.ReportAllocs()
	for b.Loop() {
		if err := l.trimNext(); err != nil {
			b.Fatal(err)
		}
	}
}
