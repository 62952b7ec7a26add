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

// Kind tells issues and pull requests apart.
type Kind string

// The kinds of item, as gh's commands call them.
const (
	Issue Kind = "issue"
	Pull  Kind = "pr"
)

// The surfaces on which a comment can be.
const (
	Conversation = ""
	Review       = "review"
	Inline       = "inline"
)

// World is a GitHub.
type World struct {
	Seed   uint64
	Login  string   // whose gh it is
	Repos  []string // OWNER/NAME
	Unrest Unrest   // zero: all goes well
	Items  []*Item
	// Clock counts the seconds since the world began; every change moves it.
	Clock int64
	// Numbers are the last number given in each repository.
	Numbers map[string]int
}

// Unrest says how often things go wrong, each from 0 to 1.
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
	Labelled  bool // listed, then, while it is open
	UpdatedAt int64
	// Closes is the issue of the same repository that a pull request closes,
	// 0 for none.
	Closes   int
	Comments []Comment
	// Stale is what the search index shows instead of the item; nil while the
	// index is up to date.
	Stale *Shown `json:",omitempty"`
}

// Shown is the part of an item that a listing depends on.
type Shown struct {
	Open, Labelled bool
	UpdatedAt      int64
}

// Comment is one thing that somebody said.
type Comment struct {
	ID        string
	Surface   string `json:",omitempty"`
	Author    string
	Body      string
	CreatedAt int64
}

// Ref names the item as the program does.
func (i *Item) Ref() string { return fmt.Sprintf("github:%s#%d", i.Repo, i.Number) }

// Shown is what the search index shows of the item.
func (i *Item) Shown() Shown {
	if i.Stale != nil {
		return *i.Stale
	}
	return Shown{Open: i.Open, Labelled: i.Labelled, UpdatedAt: i.UpdatedAt}
}

// Item finds an item by its ref, nil when there is none.
func (w *World) Item(ref string) *Item {
	for _, i := range w.Items {
		if i.Ref() == ref {
			return i
		}
	}
	return nil
}

// Add gives the world a new open item.
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

// SetOpen closes an item or opens it again.
func (w *World) SetOpen(i *Item, open bool) {
	w.touch(i)
	i.Open, i.Merged = open, !open && i.Kind == Pull && w.Clock%2 == 0
}

// SetLabelled takes an item's label off or puts it on.
func (w *World) SetLabelled(i *Item, labelled bool) {
	w.touch(i)
	i.Labelled = labelled
}

// touch moves the clock: GitHub's times are whole seconds, and so is what it
// says of an item's last change.
func (w *World) touch(i *Item) {
	w.Clock++
	i.UpdatedAt = w.Clock
}

// Lag lets the search index go on showing an item as it is now, until
// CatchUp.
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

// at is a second of the world's clock as GitHub writes it.
func at(second int64) string {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(second) * time.Second).Format(time.RFC3339)
}
