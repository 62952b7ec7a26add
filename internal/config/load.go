package config

import (
	"runtime"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Options say what [Load] reads.
type Options struct {
	// File is the path from [Locate], "" if there is no place to look.
	File string
	// Explicit comes from [Locate], too: an explicit file must exist.
	Explicit  bool
	Overrides Overrides
	// Getenv is the environment for the default places and GH_HOST.
	Getenv func(string) string
	// Once keeps the content of a file that can be read only once, for every reader of
	// these options. Without it such a file is empty the second time.
	Once *Once
}

// Overrides are values of flags and their variables that replace those of the file. A
// zero field keeps the file's value.
type Overrides struct {
	// Repos, each [HOST/]OWNER/REPO, replace the sources of the file with one source
	// of their own. No file is needed then.
	Repos []string
	// Labels replace those of every source; "*" means every open item.
	Labels []string
	// Interval replaces polling.intervalSeconds.
	Interval *time.Duration
	// StateRoot replaces state.root. A relative path starts at the working directory.
	StateRoot string
}

// Load reads, checks and completes the configuration. Its error is [Faults] for a
// faulty configuration, and a [*MissingError] with a hint for a missing one.
func Load(o Options) (*Config, error) {
	f, err := o.read()
	if err != nil {
		return nil, err
	}
	return o.load(f)
}

// load does everything that [Load] does after reading the file.
func (o Options) load(f file) (*Config, error) {
	schema, err := readSchema()
	if err != nil {
		return nil, err
	}
	t := newText(o.File, f.content)
	root, faults, err := o.examine(t, schema)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, faults.asError()
	}
	doc, err := decode(schema, o.Overrides.apply(root.plain()))
	if err != nil {
		return nil, err
	}
	a := assembler{
		places:    places{runtime.GOOS, o.Getenv},
		base:      f.base,
		stateRoot: o.Overrides.StateRoot,
		faultAt: func(message string, location ...string) Fault {
			n, path := root.find(location)
			return t.fault(n.at, path, message)
		},
	}
	cfg, err := a.config(doc)
	if err != nil {
		return nil, err
	}
	if f.exists {
		cfg.File, cfg.Digest = f.path, f.digest
	}
	return cfg, nil
}

// examine finds every fault of the file and of the overrides. Without faults the tree
// is sound.
func (o Options) examine(t text, schema *jsonschema.Schema) (*node, Faults, error) {
	root, faults := t.parse()
	if root != nil {
		c := checker{text: t, schema: schema, root: root, sourcesGiven: len(o.Overrides.Repos) > 0}
		found, err := c.check()
		if err != nil {
			return nil, nil, err
		}
		faults = append(faults, found...)
	}
	return root, append(faults, o.Overrides.check(schema)...), nil
}
