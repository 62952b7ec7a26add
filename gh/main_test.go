package gh

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repo is the repository that the tests ask about.
var repo = Repo{Host: GitHubHost, Owner: "octo", Name: "repo-b"}
