package ghdouble

import (
	"fmt"
	"slices"
)

// object maps field names to values and answers a GraphQL selection; it always has
// "__typename". A value is a scalar, an object, a list of objects or a resolver.
type object map[string]any

// resolver is a field whose value depends on its arguments.
type resolver func(args arguments) (any, *queryError)

// queryError is one entry of "errors" in an answer.
type queryError struct {
	Type    string `json:"type,omitempty"`
	Path    []any  `json:"path,omitempty"`
	Message string `json:"message"`

	aside bool // stands beside the value and has no path
}

// arguments are a field's arguments after the variables are filled in. Numbers from
// JSON are float64, the query's own are int.
type arguments map[string]any

func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a arguments) number(name string) int {
	switch n := a[name].(type) {
	case int:
		return n
	case float64:
		return int(n)
	}
	return 0
}

// list returns the argument's elements as text. A single value is a list of one.
func (a arguments) list(name string) []string {
	switch v := a[name].(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, fmt.Sprint(e))
		}
		return all
	}
	return nil
}

// execution runs one document.
type execution struct {
	doc  *document
	vars map[string]any
	errs []queryError
}

// run selects from the root. Like GitHub, it answers an unknown field with an error
// and no data at all.
func (e *execution) run(root object) map[string]any {
	answer := map[string]any{}
	data := map[string]any{}
	e.object(nil, root, e.doc.fields, data)
	if !slices.ContainsFunc(e.errs, func(err queryError) bool { return err.Type == "undefinedField" }) {
		answer["data"] = data
	}
	if len(e.errs) > 0 {
		answer["errors"] = e.errs
	}
	return answer
}

func (e *execution) object(path []any, from object, fields []selection, into map[string]any) {
	for _, f := range fields {
		if f.spread != "" {
			fragment, ok := e.doc.fragments[f.spread]
			if !ok {
				e.fail(path, "undefinedFragment", "no fragment "+f.spread)
				continue
			}
			f = fragment
		}
		if f.on != "" {
			if f.on == from["__typename"] {
				e.object(path, from, f.fields, into)
			}
			continue
		}
		e.field(append(slices.Clone(path), f.key), from, f, into)
	}
}

func (e *execution) field(path []any, from object, f selection, into map[string]any) {
	value, ok := from[f.name]
	if !ok {
		e.fail(path, "undefinedField", fmt.Sprintf("Field '%s' doesn't exist on type '%s'", f.name, from["__typename"]))
		return
	}
	if resolve, ok := value.(resolver); ok {
		var err *queryError
		value, err = resolve(e.arguments(f.args))
		switch {
		case err == nil:
		case err.aside:
			e.fail(nil, err.Type, err.Message)
		default:
			e.fail(path, err.Type, err.Message)
			value = nil
		}
	}
	into[f.key] = e.value(path, value, f.fields, into[f.key])
}

// value selects from a field's value. earlier is the part that another fragment has
// already selected from the same object.
func (e *execution) value(path []any, value any, fields []selection, earlier any) any {
	switch v := value.(type) {
	case object:
		if v == nil {
			return nil
		}
		into, ok := earlier.(map[string]any)
		if !ok {
			into = map[string]any{}
		}
		e.object(path, v, fields, into)
		return into
	case []object:
		all := make([]any, len(v))
		for i, o := range v {
			all[i] = e.value(append(slices.Clone(path), i), o, fields, nil)
		}
		return all
	}
	return value
}

func (e *execution) fail(path []any, kind, message string) {
	e.errs = append(e.errs, queryError{Type: kind, Path: path, Message: message})
}

// arguments replaces variables by their values or defaults.
func (e *execution) arguments(args map[string]any) arguments {
	filled := arguments{}
	for name, value := range args {
		if v, ok := value.(variable); ok {
			value = e.vars[string(v)]
			if value == nil {
				value = e.doc.defaults[string(v)]
			}
		}
		filled[name] = value
	}
	return filled
}

// connection returns a list that is served in pages of at most 100.
func connection(typeName string, nodes []object) resolver {
	return func(args arguments) (any, *queryError) {
		size := max(args.number("first"), args.number("last"))
		if size < 1 || size > 100 {
			return nil, &queryError{Type: "EXCESSIVE_PAGINATION", Message: fmt.Sprintf(
				"Requesting %d records exceeds the `first` limit of 100 records.", size)}
		}
		from := 0
		if after := args.text("after"); after != "" {
			if _, err := fmt.Sscanf(after, "cursor:%d", &from); err != nil || from < 0 || from > len(nodes) {
				return nil, &queryError{Type: "INVALID_CURSOR_ARGUMENTS", Message: fmt.Sprintf(
					"`%s` does not appear to be a valid cursor.", after)}
			}
		}
		to := min(from+size, len(nodes))
		return object{
			"__typename": typeName + "Connection",
			"nodes":      nodes[from:to],
			"totalCount": len(nodes),
			"issueCount": len(nodes),
			"pageInfo": object{
				"__typename":  "PageInfo",
				"hasNextPage": to < len(nodes),
				"endCursor":   fmt.Sprintf("cursor:%d", to),
			},
		}, nil
	}
}
