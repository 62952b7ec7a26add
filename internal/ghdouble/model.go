package ghdouble

import "time"

// Item is an issue or a pull request as a test describes it. When the test adds the
// item, zero fields get values that are the same each time.
type Item struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Body   string `json:"body"`
	// State is "open" (also when empty), "closed" or, for a pull request, "merged".
	State string `json:"state"`
	// Author is a login; empty means the host's own user. "x[bot]" is an app. "ghost"
	// is a deleted account, which the API shows as null.
	Author string   `json:"author"`
	Labels []string `json:"labels"`
	// CreatedAt and UpdatedAt, when zero, derive from the number and the conversation.
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	Comments  []Comment `json:"comments"`
	// Index makes the search index differ from the item: with "missing" no search finds
	// it, with "stale" searches find it as open in any state.
	Index string `json:"index"`
	// URL replaces the address of host, repository and number.
	URL string `json:"url"`

	// The remaining fields are for pull requests only.

	HeadRef        string          `json:"headRef"`
	Fork           bool            `json:"fork"` // HeadRef is a branch of a fork
	Draft          bool            `json:"draft"`
	Reviews        []Review        `json:"reviews"`
	ReviewComments []ReviewComment `json:"reviewComments"`
	// HeadSHA, when empty, derives from the number.
	HeadSHA string `json:"headSha"`
	// Mergeable is "MERGEABLE", "CONFLICTING" or "UNKNOWN" (also when empty).
	Mergeable string `json:"mergeable"`
	// ReviewDecision is "APPROVED", "CHANGES_REQUESTED" or "REVIEW_REQUIRED". Empty
	// means that no review is required; the API shows null.
	ReviewDecision string  `json:"reviewDecision"`
	Checks         []Check `json:"checks"`
	// Closes lists the issues that the pull request closes, by number in the same repository.
	Closes []int `json:"closes"`
}

// Comment is one comment of a conversation. ID is GitHub's node id. An empty ID
// derives from the item and the position, and so does a zero time.
type Comment struct {
	ID        string    `json:"id"`
	Author    string    `json:"author"`
	Body      string    `json:"body"`
	CreatedAt time.Time `json:"createdAt"`
	Minimized bool      `json:"minimized"` // hidden
}

// Review is one review of a pull request. State is "APPROVED", "COMMENTED" (also when
// empty), "CHANGES_REQUESTED", "DISMISSED" or "PENDING".
type Review struct {
	ID          string    `json:"id"`
	Author      string    `json:"author"`
	Body        string    `json:"body"`
	State       string    `json:"state"`
	SubmittedAt time.Time `json:"submittedAt"`
}

// Check is one check run of the head or, with a Context, one commit status.
type Check struct {
	Name       string    `json:"name"`
	Workflow   string    `json:"workflow"`
	Status     string    `json:"status"`     // "COMPLETED" when empty
	Conclusion string    `json:"conclusion"` // of a completed run
	StartedAt  time.Time `json:"startedAt"`  // zero is null
	Context    string    `json:"context"`
	State      string    `json:"state"` // of a commit status
	URL        string    `json:"url"`
}

// ReviewComment is one inline comment. Line 0 means outdated: the API shows null and
// only OriginalLine gives the place.
type ReviewComment struct {
	ID           string    `json:"id"`
	Author       string    `json:"author"`
	Body         string    `json:"body"`
	Path         string    `json:"path"`
	Line         int       `json:"line"`
	OriginalLine int       `json:"originalLine"`
	CreatedAt    time.Time `json:"createdAt"`
}

// Rate is one resource of a host's quota. When Remaining is 0 the double refuses the
// resource's calls until Reset.
type Rate struct {
	Limit, Remaining int
	Reset            time.Time
	// Counted subtracts the cost of each call from Remaining and refills it at Reset
	// for another hour.
	Counted bool
}
