package gh

import "fmt"

// ExitError is the error of a gh that was run with args and exited with code,
// other than 0, saying stderr. Callers that stand in for a [Client] in tests
// make their errors with it, so that these are classified like real ones.
func ExitError(args []string, code int, stderr string) error {
	return exitError(args, ending{code: code, stderr: stderr, state: fmt.Sprintf("exit status %d", code)})
}
