package doctor

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"the-loop/internal/ref"
)

// environment says what of doctor's own environment a service would need. It
// judges only what it can see: gh alone knows whether its login lies in a keyring,
// which a service may not reach.
func (e *examination) environment() {
	const check, subject = "environment", "environment"
	if runtime.GOOS != "windows" && e.Getenv("HOME") == "" {
		e.warn(check, subject, "HOME is not set; gh and handlers look for their settings there",
			"set HOME, as systemd does for a unit with User=")
		return
	}
	var out []string
	for _, p := range e.plan.programs {
		for _, h := range p.hosts {
			if h.loggedOut && !slices.Contains(out, h.name) {
				out = append(out, h.name)
			}
		}
	}
	for _, name := range out {
		e.warn(check, subject, "no login on "+name, e.loginFix(name))
	}
	if len(out) > 0 {
		return
	}
	for _, p := range e.plan.programs {
		if p.path != "" {
			e.ok(check, subject, e.placeOf(p))
		}
	}
	e.loginSource()
}

// service reports whether a service manager set this environment. It may also have
// started a terminal, so this alone decides nothing.
func (e *examination) service() bool {
	return e.Getenv("NOTIFY_SOCKET") != "" || e.Getenv("INVOCATION_ID") != ""
}

// placeOf says where a gh was found and how a service finds it.
func (e *examination) placeOf(p *program) string {
	folder := filepath.Dir(p.path)
	usual := []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}
	if e.service() || filepath.IsAbs(p.binary) || slices.Contains(usual, folder) {
		return "gh in " + folder
	}
	return "a service may need ghBinary: " + p.path
}

// loginSource says where the login comes from, once each host has accepted one.
func (e *examination) loginSource() {
	const check, subject = "environment", "environment"
	for _, p := range e.plan.programs {
		if slices.ContainsFunc(p.hosts, func(h *host) bool { return !h.loggedIn }) {
			return
		}
	}
	var set []string
	for _, h := range e.plan.hostNames() {
		if v := e.tokenVariable(h); v != "" && !slices.Contains(set, v) {
			set = append(set, v)
		}
	}
	from := "login from " + strings.Join(set, ", ")
	switch {
	case len(set) > 0 && e.service():
		e.ok(check, subject, from)
	case len(set) > 0:
		e.warn(check, subject, from+", which a service does not inherit from this shell",
			"before you run it as a service, set "+strings.Join(set, ", ")+" in the service's environment")
	case e.service():
		e.ok(check, subject, "login from gh itself")
	default:
		e.ok(check, subject, "login from gh itself, a service may need "+tokenVariables(e.plan.hostNames()[0])[0])
	}
}

// tokenVariable returns the set variable that gh takes its token for the host from, ""
// for none.
func (e *examination) tokenVariable(host string) string {
	for _, name := range tokenVariables(host) {
		if e.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// tokenVariables returns the variables that gh reads for a host, in its order.
func tokenVariables(host string) []string {
	if host == ref.GitHubHost || strings.HasSuffix(host, ".ghe.com") {
		return []string{"GH_TOKEN", "GITHUB_TOKEN"}
	}
	return []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
}

// hostNames returns the hosts that are asked, each once. There is always one.
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
