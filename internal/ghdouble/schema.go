package ghdouble

import (
	"fmt"
	"slices"
	"strings"
)

// introspect returns the fields of a type or the values of an enumeration. gh queries
// them before it uses features that some servers lack. As on an older server, an
// unknown type is null.
func (h *host) introspect(name string) any {
	r := &Repo{host: h}
	described := object{"__typename": "__Type", "name": name, "fields": nil, "enumValues": nil}
	switch name {
	case "Issue":
		described["fields"] = named("__Field", fieldsOf(itemObject(&item{repo: r})))
	case "PullRequest":
		described["fields"] = named("__Field", fieldsOf(itemObject(&item{repo: r, pull: true})))
	case "Repository":
		described["fields"] = named("__Field", fieldsOf(repoObject(r)))
	case "SearchType":
		described["enumValues"] = named("__EnumValue", h.searchTypes())
	default:
		return nil
	}
	return described
}

func fieldsOf(sample object) []string {
	var fields []string
	for name := range sample {
		if !strings.HasPrefix(name, "__") {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

func named(typeName string, names []string) []object {
	all := make([]object, len(names))
	for i, name := range names {
		all[i] = object{"__typename": typeName, "name": name}
	}
	return all
}

// searchTypes lists the kinds of search. The advanced search came to GitHub in 2025
// and to Enterprise servers with version 3.17.
func (h *host) searchTypes() []string {
	var major, minor int
	if h.name != defaultHost {
		_, err := fmt.Sscanf(h.version, "%d.%d", &major, &minor)
		if err != nil || major < 3 || major == 3 && minor < 17 {
			return []string{"ISSUE"}
		}
	}
	return []string{"ISSUE", "ISSUE_ADVANCED"}
}

func undefinedType(kind string) *queryError {
	return &queryError{Type: "undefinedField", Message: fmt.Sprintf("%q is no value of SearchType", kind)}
}
