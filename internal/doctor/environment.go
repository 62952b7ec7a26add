package doctor

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"the-loop/gh"
)

// environment tells what a service would have to be given of the environment
// that doctor runs in. It is a warning only where something is missing here:
// whether the login of gh lies in a keyring, which a service may not reach, is
// gh's to know.
func (e *examination) environment() {
	const check, subject = "environment", "environment"
	if runtime.GOOS != "windows" && e.Getenv("HOME") == "" {
		e.warn(check, subject, "HOME is not set; gh and handlers look for their settings there",
			"set HOME, as systemd does for a unit with User=")
		return
	}
	for _, p := range e.plan.programs {
		if p.path != "" {
			e.ok(check, subject, e.placeOf(p))
		}
	}
	e.ok(check, subject, e.loginSource())
}

// service reports whether this is a service manager's environment. A terminal
// can have been started by one, too, so nothing is concluded from it alone.
func (e *examination) service() bool {
	return e.Getenv("NOTIFY_SOCKET") != "" || e.Getenv("INVOCATION_ID") != ""
}

// placeOf says where a gh was found, and how a service finds it.
func (e *examination) placeOf(p *program) string {
	folder := filepath.Dir(p.path)
	usual := []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}
	if e.service() || filepath.IsAbs(p.binary) || slices.Contains(usual, folder) {
		return "gh in " + folder
	}
	return "a service may need ghBinary: " + p.path
}

func (e *examination) loginSource() string {
	var set []string
	for _, h := range e.plan.hostNames() {
		if v := e.tokenVariable(h); v != "" && !slices.Contains(set, v) {
			set = append(set, v)
		}
	}
	switch {
	case len(set) > 0:
		return "login from " + strings.Join(set, ", ")
	case e.service():
		return "login from gh itself"
	}
	return "login from gh itself, a service may need " + tokenVariables(e.plan.hostNames()[0])[0]
}

// tokenVariable is the variable that gh takes its token for the host from, ""
// when none is set.
func (e *examination) tokenVariable(host string) string {
	for _, name := range tokenVariables(host) {
		if e.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// tokenVariables are those that gh looks at for a host, the first one first.
func tokenVariables(host string) []string {
	if host == gh.GitHubHost || strings.HasSuffix(host, ".ghe.com") {
		return []string{"GH_TOKEN", "GITHUB_TOKEN"}
	}
	return []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
}

// hostNames are the hosts that are asked, each once. There is always one.
func (p plan) hostNames() []string {
	var names []string
	for _, program := range p.programs {
		for _, h := range program.hosts {
			if !slices.Contains(names, h.name) {
				names = append(names, h.name)
			}
		}
	}
	return names
}
