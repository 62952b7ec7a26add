package gh

import (
	"testing"

	"go.uber.org/goleak"

	"the-loop/internal/ref"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repo is the repository that the tests ask about.
var repo = ref.Repo{Host: ref.GitHubHost, Owner: "octo", Name: "repo-b"}
