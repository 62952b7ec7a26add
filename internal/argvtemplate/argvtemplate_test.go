package argvtemplate_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"the-loop/internal/argvtemplate"
)

func sample() argvtemplate.Fields {
	return argvtemplate.Fields{
		Event: "spawn", Session: "octo-repo-7", Ref: "github:octo/repo#7", Host: "github.com",
		Owner: "octo", Repo: "repo", Number: "7", Kind: "issue", URL: "https://github.com/octo/repo/issues/7",
		DeliveryID: "d-1", StateRoot: "/var/lib/the-loop",
	}
}

func TestRender(t *testing.T) {
	tests := []struct {
		name string
		argv []string
		want []string
	}{
		{"plain", []string{"/bin/echo", "", "a b", "$HOME;`x`"}, []string{"/bin/echo", "", "a b", "$HOME;`x`"}},
		{"one field", []string{"run", "{{.Ref}}"}, []string{"run", "github:octo/repo#7"}},
		{"blanks in the braces", []string{"run", "{{ .Number\t}}"}, []string{"run", "7"}},
		{"several in one argument", []string{"run", "{{.Owner}}/{{.Repo}}#{{.Number}}!"}, []string{"run", "octo/repo#7!"}},
		{"side by side", []string{"run", "{{.Owner}}{{.Repo}}"}, []string{"run", "octorepo"}},
		{"in the command", []string{"{{.StateRoot}}/bin/x"}, []string{"/var/lib/the-loop/bin/x"}},
		{"braces that open nothing", []string{"run", "}} { } {x} {"}, []string{"run", "}} { } {x} {"}},
		{"a brace after the field", []string{"run", "{{.Kind}}}"}, []string{"run", "issue}"}},
		{
			"every field",
			append([]string{"run"}, every()...),
			[]string{
				"run", "spawn", "octo-repo-7", "github:octo/repo#7", "github.com", "octo", "repo", "7", "issue",
				"https://github.com/octo/repo/issues/7", "d-1", "/var/lib/the-loop",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parsed, err := argvtemplate.Parse(tt.argv)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, parsed.Render(sample())); diff != "" {
				t.Errorf("rendered argv (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.argv, parsed.Source()); diff != "" {
				t.Errorf("source (-want +got):\n%s", diff)
			}
		})
	}
}

func every() []string {
	var argv []string
	for _, name := range argvtemplate.Names() {
		argv = append(argv, "{{."+name+"}}")
	}
	return argv
}

func TestNamesAreTheFields(t *testing.T) {
	var want []string
	for f := range reflect.TypeFor[argvtemplate.Fields]().Fields() {
		want = append(want, f.Name)
	}
	if diff := cmp.Diff(want, argvtemplate.Names()); diff != "" {
		t.Errorf("names (-fields +names):\n%s", diff)
	}
}

func TestValuesAreNotExpandedAgain(t *testing.T) {
	parsed, err := argvtemplate.Parse([]string{"run", "{{.URL}} {{.Ref}}"})
	if err != nil {
		t.Fatal(err)
	}
	f := sample()
	f.URL = "{{.Ref}} {{.Nope}} {{"
	want := []string{"run", "{{.Ref}} {{.Nope}} {{ github:octo/repo#7"}
	if diff := cmp.Diff(want, parsed.Render(f)); diff != "" {
		t.Errorf("rendered argv (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	const accepted = "accepted are {{.Event}}, {{.Session}}, {{.Ref}}, {{.Host}}, {{.Owner}}, {{.Repo}}, " +
		"{{.Number}}, {{.Kind}}, {{.URL}}, {{.DeliveryID}}, {{.StateRoot}}"
	tests := []struct {
		name string
		argv []string
		want string
	}{
		{"nothing", nil, "the argv is empty"},
		{"an empty command", []string{"", "x"}, "argument 1: the command is empty"},
		{"a NUL", []string{"run", "a\x00b"}, "argument 2: a NUL character cannot be passed to a command"},
		{"an unknown field", []string{"run", "{{.Foo}}"}, `argument 2: unknown field "{{.Foo}}"; ` + accepted},
		{"another case", []string{"run", "{{.ref}}"}, `argument 2: unknown field "{{.ref}}"; ` + accepted},
		{"no dot", []string{"run", "{{Ref}}"}, `argument 2: unknown field "{{Ref}}"; ` + accepted},
		{"a dot alone", []string{"run", "{{.}}"}, `argument 2: unknown field "{{.}}"; ` + accepted},
		{"nothing inside", []string{"run", "{{}}"}, `argument 2: unknown field "{{}}"; ` + accepted},
		{"a pipeline", []string{"run", "{{.Ref | js}}"}, `argument 2: unknown field "{{.Ref | js}}"; ` + accepted},
		{"a function", []string{"run", `{{printf "x"}}`}, `argument 2: unknown field "{{printf \"x\"}}"; ` + accepted},
		{"a blank after the dot", []string{"run", "{{. Ref}}"}, `argument 2: unknown field "{{. Ref}}"; ` + accepted},
		{"three braces", []string{"run", "{{{.Ref}}}"}, `argument 2: unknown field "{{{.Ref}}"; ` + accepted},
		{"not closed", []string{"run", "x {{.Ref"}, `argument 2: {{ is not closed by }}; ` + accepted},
		{"not closed after a good one", []string{"run", "{{.Ref}}{{"}, `argument 2: {{ is not closed by }}; ` + accepted},
		{"a control character inside", []string{"run", "{{\x1b[31m}}"}, `argument 2: unknown field "{{\x1b[31m}}"; ` + accepted},
		{"in the command", []string{"{{.Foo}}"}, `argument 1: unknown field "{{.Foo}}"; ` + accepted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := argvtemplate.Parse(tt.argv)
			if err == nil {
				t.Fatalf("Parse(%q) succeeded, want %q", tt.argv, tt.want)
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("Parse(%q)\n got %q\nwant %q", tt.argv, got, tt.want)
			}
		})
	}
}

func TestEmptyTemplate(t *testing.T) {
	var none argvtemplate.Template
	if got := none.Render(sample()); got != nil {
		t.Errorf("Render of no template = %q, want nil", got)
	}
	if got := none.Source(); got != nil {
		t.Errorf("Source of no template = %q, want nil", got)
	}
}

func TestEqual(t *testing.T) {
	parse := func(argv ...string) argvtemplate.Template {
		t.Helper()
		parsed, err := argvtemplate.Parse(argv)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	tests := []struct {
		name string
		a, b argvtemplate.Template
		want bool
	}{
		{"same", parse("run", "{{.Ref}}"), parse("run", "{{.Ref}}"), true},
		{"none and none", nil, argvtemplate.Template{}, true},
		{"none and one", nil, parse("run"), false},
		{"another field", parse("run", "{{.Ref}}"), parse("run", "{{.URL}}"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.Equal(tt.b); got != tt.want {
				t.Errorf("Equal = %v, want %v", got, tt.want)
			}
		})
	}
}

// FuzzParseArgument: rendering an accepted argument replaces known fields and nothing
// else.
func FuzzParseArgument(f *testing.F) {
	for _, s := range []string{"", "{{.Ref}}", "{{ .URL }}x{{.Kind}}", "{{", "}}", "{{.Foo}}", "{{{.Ref}}}", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parsed, err := argvtemplate.Parse([]string{"run", s})
		if err != nil {
			if strings.ContainsAny(err.Error(), "\x00\x1b\n") {
				t.Errorf("error text holds a control character: %q", err)
			}
			return
		}
		got := parsed.Render(sample())
		if len(got) != 2 {
			t.Fatalf("%q became %q", s, got)
		}
		if !strings.Contains(s, "{{") && got[1] != s {
			t.Errorf("%q became %q", s, got[1])
		}
		if strings.Contains(got[1], "{{") {
			t.Errorf("%q became %q, which still opens a field", s, got[1])
		}
		if !slices.Equal(parsed.Source(), []string{"run", s}) {
			t.Errorf("source of %q is %q", s, parsed.Source())
		}
	})
}
