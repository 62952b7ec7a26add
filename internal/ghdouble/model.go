package ghdouble

import "time"

// Item is an issue or a pull request as a test describes it. What is left zero
// is filled in when it is added, the same way each time.
type Item struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Body   string `json:"body"`
	// State is "open", as when empty, "closed" or, of a pull request, "merged".
	State string `json:"state"`
	// Author is a login. When empty it is the host's own user; "x[bot]" is an
	// app and "ghost" a deleted account, which the API shows as null.
	Author string   `json:"author"`
	Labels []string `json:"labels"`
	// CreatedAt and UpdatedAt follow from the number and the conversation when zero.
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	Comments  []Comment `json:"comments"`
	// Index says how the search index differs from the truth: "missing" finds
	// the item nowhere, "stale" finds it as open whatever its state is.
	Index string `json:"index"`
	// URL replaces the address made from host, repository and number.
	URL string `json:"url"`

	// The rest is a pull request's own.

	HeadRef        string          `json:"headRef"`
	Fork           bool            `json:"fork"` // HeadRef is a fork's branch
	Draft          bool            `json:"draft"`
	Reviews        []Review        `json:"reviews"`
	ReviewComments []ReviewComment `json:"reviewComments"`
	// HeadSHA follows from the number when empty.
	HeadSHA string `json:"headSha"`
	// Mergeable is "MERGEABLE", "CONFLICTING" or, as when empty, "UNKNOWN".
	Mergeable string `json:"mergeable"`
	// ReviewDecision is "APPROVED", "CHANGES_REQUESTED" or "REVIEW_REQUIRED"; the
	// API shows null when it is empty: no review is required.
	ReviewDecision string  `json:"reviewDecision"`
	Checks         []Check `json:"checks"`
	// Closes holds the issues that it closes: numbers of the same repository.
	Closes []int `json:"closes"`
}

// Comment is one comment of a conversation. ID is GitHub's node id and follows
// from the item and the position when empty; so does the time.
type Comment struct {
	ID        string    `json:"id"`
	Author    string    `json:"author"`
	Body      string    `json:"body"`
	CreatedAt time.Time `json:"createdAt"`
	Minimized bool      `json:"minimized"` // hidden
}

// Review is one review of a pull request: State is "APPROVED", "COMMENTED" (as
// when empty), "CHANGES_REQUESTED", "DISMISSED" or "PENDING".
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

// ReviewComment is one inline comment. Line 0 is an outdated one: the API shows
// null and only OriginalLine tells where it was.
type ReviewComment struct {
	ID           string    `json:"id"`
	Author       string    `json:"author"`
	Body         string    `json:"body"`
	Path         string    `json:"path"`
	Line         int       `json:"line"`
	OriginalLine int       `json:"originalLine"`
	CreatedAt    time.Time `json:"createdAt"`
}

// Rate is one resource of a host's quota. With nothing remaining the double
// refuses the resource's calls until Reset.
type Rate struct {
	Limit, Remaining int
	Reset            time.Time
	// Counted takes what each call costs from Remaining, and at Reset fills it
	// up for another hour.
	Counted bool
}
