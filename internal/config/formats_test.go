package config

import "testing"

func TestCheckRepositorySaysWhatToWrite(t *testing.T) {
	for typed, plain := range map[string]string{
		"octo/api ": "octo/api", "git@github.com:octo/api.git": "octo/api", "git@ghe.example.com:octo/api.git": "ghe.example.com/octo/api",
		"octo/api.git": "octo/api", "https://github.com/octo/api": "octo/api",
		"https://github.com/octo/api.git/": "octo/api", "https://ghe.example.com/octo/api/": "ghe.example.com/octo/api",
	} {
		want := quoted(typed) + " is not [HOST/]OWNER/REPO; write " + plain
		if err := checkRepository(typed); err == nil || err.Error() != want {
			t.Errorf("checkRepository(%q) = %v, want %s", typed, err, want)
		}
	}
	if err := checkRepository("octo/api"); err != nil {
		t.Error(err)
	}
}
