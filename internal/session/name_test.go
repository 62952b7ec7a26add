package session

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"the-loop/internal/ref"
)

func mustRef(t testing.TB, s string) ref.Item {
	t.Helper()
	item, err := ref.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// The names are for ever: a change of one of them is a session that is not
// found again.
func TestNameNeverChanges(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, tt := range []struct{ ref, want string }{
		{"github:octo/repo#42", "repo-42-lpwipqeuzxcvyrmt"},
		{"github:OCTO/Repo#42", "repo-42-lpwipqeuzxcvyrmt"},
		{"github:ghe.example/octo/repo#42", "repo-42-syfyorldczplzj5a"},
		{"github:octo/my.cool_repo--x#7", "my-cool-repo-x-7-v2qwdy6ldt3xc6qh"},
		{"github:octo/.github#7", "github-7-fi6yjlgortnosl33"},
		{"github:octo/___#7", "item-7-axphtladihlwywav"},
		{"github:octo/" + long + "#123456", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-123456-k26vw2ygxvzzrztb"},
	} {
		if got := Name(mustRef(t, tt.ref)); got != tt.want {
			t.Errorf("Name(%s) = %q, want %q", tt.ref, got, tt.want)
		}
	}
}

func TestNamesDiffer(t *testing.T) {
	label := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	names := map[string]ref.Item{}
	for _, host := range []string{"github.com", "ghe.example"} {
		for _, owner := range []string{"a", "b", "a-b", "a_b"} {
			for _, repo := range []string{"x", "x.y", "x-y", "x_y", "x--y", "-", ".x", strings.Repeat("z", 100)} {
				for number := range 50 {
					item, err := ref.New(host, owner, repo, number+1)
					if err != nil {
						t.Fatal(err)
					}
					name := Name(item)
					if other, taken := names[name]; taken {
						t.Errorf("%v and %v are both called %q", item, other, name)
					}
					if !label.MatchString(name) {
						t.Errorf("Name(%v) = %q, no DNS-1123 label", item, name)
					}
					names[name] = item
				}
			}
		}
	}
}

// FuzzName looks for two items with the same name.
func FuzzName(f *testing.F) {
	f.Add("octo", "a.b", 1, "octo", "a-b", 1)
	f.Add("octo", "a", 11, "octo", "a-1", 1)
	f.Fuzz(func(t *testing.T, owner1, repo1 string, n1 int, owner2, repo2 string, n2 int) {
		a, err1 := ref.New("", owner1, repo1, n1)
		b, err2 := ref.New("", owner2, repo2, n2)
		if err1 != nil || err2 != nil {
			return
		}
		if (a == b) != (Name(a) == Name(b)) {
			t.Fatalf("%v is %q, %v is %q", a, Name(a), b, Name(b))
		}
		if !strings.Contains(Name(a), fmt.Sprintf("-%d-", a.Number)) {
			t.Fatalf("%q does not show the number of %v", Name(a), a)
		}
	})
}
