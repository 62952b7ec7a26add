package config

import (
	"runtime"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Options say what [Load] reads.
type Options struct {
	// File is what [Locate] found, "" when there is no place to look in.
	File string
	// Explicit is what [Locate] said: a file that was asked for must exist.
	Explicit  bool
	Overrides Overrides
	// Getenv is the environment of the default places and of GH_HOST.
	Getenv func(string) string
	// Once keeps the content of a file that can be read only once, for all who
	// read these options. Without it such a file is empty the second time.
	Once *Once
}

// Overrides are what flags and their variables put in place of the file; a
// zero field leaves the file's value.
type Overrides struct {
	// Repos replace the sources of the file with one source of these
	// [HOST/]OWNER/REPO; no file is needed then.
	Repos []string
	// Labels replace those of every source; "*" stands for every open item.
	Labels []string
	// Interval replaces polling.intervalSeconds.
	Interval *time.Duration
	// StateRoot replaces state.root; a relative one is taken from the working
	// directory.
	StateRoot string
}

// Load reads, checks and completes the configuration. Its error is [Faults]
// when something in it is wrong, and a [*MissingError] with a hint when there
// is nothing to read.
func Load(o Options) (*Config, error) {
	f, err := o.read()
	if err != nil {
		return nil, err
	}
	return o.load(f)
}

// load is everything of [Load] after the reading.
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

// examine finds every fault of the file and of the overrides. The tree is
// sound when there is none.
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
