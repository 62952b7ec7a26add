package doctor

import (
	"errors"
	"testing"

	"the-loop/gh"
)

func TestEnvironment(t *testing.T) {
	tests := map[string]struct {
		env  []string
		want string
	}{
		"a shell":            {[]string{"HOME=/h"}, "ok environment: gh in /usr/bin →\nok environment: login from gh itself, a service may need GH_TOKEN →"},
		"a shell's token":    {[]string{"HOME=/h", "GITHUB_TOKEN=secret"}, "ok environment: gh in /usr/bin →\nwarning environment: login from GITHUB_TOKEN, which a service does not inherit from this shell → before you run it as a service, set GITHUB_TOKEN in the service's environment"},
		"a service":          {[]string{"HOME=/h", "NOTIFY_SOCKET=/run/x"}, "ok environment: gh in /usr/bin →\nok environment: login from gh itself →"},
		"a service's token":  {[]string{"HOME=/h", "GH_TOKEN=secret", "INVOCATION_ID=1"}, "ok environment: gh in /usr/bin →\nok environment: login from GH_TOKEN →"},
		"no home":            {nil, "warning environment: HOME is not set; gh and handlers look for their settings there → set HOME, as systemd does for a unit with User="},
		"another host's one": {[]string{"HOME=/h", "GH_ENTERPRISE_TOKEN=secret"}, "ok environment: gh in /usr/bin →\nok environment: login from gh itself, a service may need GH_TOKEN →"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, o := well(t)
			o.Getenv = environment(tt.env...)
			check(t, examine(t, o, "environment"), tt.want)
		})
	}
}

// Without a login the environment is not well, and of a host that does not answer
// nothing is known.
func TestEnvironmentWithoutLogin(t *testing.T) {
	d, o := well(t)
	d.On("login *", &gh.Error{Class: gh.Unauthenticated, ExitCode: 4})
	check(t, examine(t, o, "environment"), "warning environment: no login on github.com → gh auth login; for a service, set GH_TOKEN")
	d.On("login *", errors.New("no network"))
	check(t, examine(t, o, "environment"), "ok environment: gh in /usr/bin →")
	d.On("path", errors.New("could not run gh: gh was not found on PATH"))
	check(t, examine(t, o, "environment"), "")
}
