package ghdouble

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// RealGH returns the path of the gh that tests run: the one that THE_LOOP_REAL_GH names,
// or else the first on PATH outside the folders in fakes, which hold no real gh. Without
// one it skips the test, or fails it when CI or THE_LOOP_REQUIRE_GH is set.
func RealGH(t testing.TB, fakes ...string) string {
	t.Helper()
	path, err := lookPath(cmp.Or(os.Getenv("THE_LOOP_REAL_GH"), "gh"), fakes)
	switch {
	case err == nil:
	case os.Getenv("CI") != "" || os.Getenv("THE_LOOP_REQUIRE_GH") != "":
		t.Fatalf("install gh, or set THE_LOOP_REAL_GH to one: %v", err)
	default:
		t.Skipf("no real gh is installed, so nothing is compared with it: %v", err)
	}
	return path
}

func lookPath(name string, fakes []string) (string, error) {
	if filepath.Base(name) != name {
		path, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		return exec.LookPath(path)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) || slices.Contains(fakes, filepath.Clean(dir)) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// Warm runs gh once to list issues of repo, so that gh caches the features of the
// repository's host before its first search.
func (s *Server) Warm(t testing.TB, gh, repo string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), gh, "issue", "list", "--repo", repo, "--label", "any", "--json", "number")
	cmd.Env = append(os.Environ(), s.Env()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gh issue list: %v: %s", err, out)
	}
}
