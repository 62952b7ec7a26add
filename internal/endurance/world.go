package endurance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// DirVariable names the folder with the world.
const DirVariable = "SIMGITHUB_DIR"

const worldFile = "world.json"

// Kind is issue or pull request.
type Kind string

// The kinds of item, named as in gh's commands.
const (
	Issue Kind = "issue"
	Pull  Kind = "pr"
)

// The surfaces that hold comments.
const (
	Conversation = ""
	Review       = "review"
	Inline       = "inline"
)

// World is a small GitHub.
type World struct {
	Seed   uint64
	Login  string   // the user of gh
	Repos  []string // OWNER/NAME
	Unrest Unrest   // zero means no faults
	Items  []*Item
	// Clock counts the seconds since the world began. Every change advances it.
	Clock int64
	// Numbers holds the last number used in each repository.
	Numbers map[string]int
}

// Unrest holds the probability of each fault, from 0 to 1.
type Unrest struct {
	Fault float64 // a call of gh ends with a 502
	Fail  float64 // a handler exits 1
	Defer float64 // a handler exits 75
	Slow  float64 // a call or a handler takes up to MostSlow
	// MostSlow is in milliseconds.
	MostSlow int
}

// Item is an issue or a pull request.
type Item struct {
	Repo      string
	Number    int
	Kind      Kind
	Author    string
	Open      bool
	Merged    bool
	Labelled  bool // listed while it is open
	UpdatedAt int64
	// Closes is the issue in the same repository that a pull request closes, 0 for
	// none.
	Closes   int
	Comments []Comment
	// Stale is the state that the search index shows; nil while the index is up to
	// date.
	Stale *Shown `json:",omitempty"`
}

// Shown is the part of an item that affects listings.
type Shown struct {
	Open, Labelled bool
	UpdatedAt      int64
}

// Comment is one comment on an item.
type Comment struct {
	ID        string
	Surface   string `json:",omitempty"`
	Author    string
	Body      string
	CreatedAt int64
}

// Ref returns the item's ref in the program's form.
func (i *Item) Ref() string { return fmt.Sprintf("github:%s#%d", i.Repo, i.Number) }

// Shown returns the state that the search index shows.
func (i *Item) Shown() Shown {
	if i.Stale != nil {
		return *i.Stale
	}
	return Shown{Open: i.Open, Labelled: i.Labelled, UpdatedAt: i.UpdatedAt}
}

// Item returns the item with that ref, or nil.
func (w *World) Item(ref string) *Item {
	for _, i := range w.Items {
		if i.Ref() == ref {
			return i
		}
	}
	return nil
}

// Add adds a new open item to the world.
func (w *World) Add(i Item) *Item {
	if w.Numbers == nil {
		w.Numbers = map[string]int{}
	}
	w.Numbers[i.Repo]++
	i.Number, i.Open, i.Labelled = w.Numbers[i.Repo], true, true
	w.Items = append(w.Items, &i)
	w.touch(&i)
	return &i
}

// Say adds comments to an item, all in the same second.
func (w *World) Say(i *Item, comments ...Comment) {
	w.touch(i)
	for _, c := range comments {
		c.CreatedAt = i.UpdatedAt
		i.Comments = append(i.Comments, c)
	}
}

// SetOpen closes or reopens an item.
func (w *World) SetOpen(i *Item, open bool) {
	w.touch(i)
	i.Open, i.Merged = open, !open && i.Kind == Pull && w.Clock%2 == 0
}

// SetLabelled removes or adds an item's label.
func (w *World) SetLabelled(i *Item, labelled bool) {
	w.touch(i)
	i.Labelled = labelled
}

// touch advances the clock. Like GitHub's times, an item's last change is in whole
// seconds.
func (w *World) touch(i *Item) {
	w.Clock++
	i.UpdatedAt = w.Clock
}

// Lag makes the search index keep showing the item's present state until CatchUp.
func (i *Item) Lag() {
	shown := i.Shown()
	i.Stale = &shown
}

// CatchUp ends a lag.
func (i *Item) CatchUp() { i.Stale = nil }

// Load reads the world in dir.
func Load(dir string) (*World, error) {
	text, err := os.ReadFile(filepath.Join(dir, worldFile))
	if err != nil {
		return nil, err
	}
	var w World
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	return &w, nil
}

// Save replaces the world in dir.
func (w *World) Save(dir string) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, worldFile)
	if err := os.WriteFile(name+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// at formats a second of the world's clock as GitHub does.
func at(second int64) string {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(second) * time.Second).Format(time.RFC3339)
}
