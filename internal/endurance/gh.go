package endurance

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// refused is the exit code for a call that the program is not known to make.
const refused = 97

const (
	fault    = "HTTP 502: Something went wrong while executing your query. (https://api.github.com/graphql)"
	faultAPI = "gh: Server Error (HTTP 502)"
)

// GH acts as gh: it answers one call from the world and returns the exit code.
func GH(args []string, stdout, stderr io.Writer) int {
	dir := os.Getenv(DirVariable)
	n, err := appendLine(dir, "calls", strings.Join(args, " "), false)
	if err != nil {
		fmt.Fprintln(stderr, "endurance:", err)
		return refused
	}
	w, err := Load(dir)
	if err != nil {
		fmt.Fprintln(stderr, "endurance:", err)
		return refused
	}
	answer, err := w.answer(args)
	if err != nil {
		fmt.Fprintln(stderr, "endurance:", err)
		return refused
	}
	c := w.chance(n)
	c.dawdle() // the answer shows the moment before
	if c.hit(c.unrest.Fault) {
		text := fault
		if args[0] == "api" {
			text = faultAPI
		}
		fmt.Fprintln(stderr, text)
		return 1
	}
	if err := json.NewEncoder(stdout).Encode(answer); err != nil {
		return 1
	}
	return 0
}

// object is a JSON object.
type object = map[string]any

// answer returns the value that the call prints.
func (w *World) answer(args []string) (any, error) {
	line := strings.Join(args, " ")
	for _, r := range routes() {
		if m := r.pattern.FindStringSubmatch(line); m != nil {
			return r.answer(w, m[1:])
		}
	}
	return nil, fmt.Errorf("unknown call: gh %s", line)
}

type route struct {
	pattern *regexp.Regexp
	answer  func(w *World, parts []string) (any, error)
}

func routes() []route {
	on := func(pattern string, answer func(*World, []string) (any, error)) route {
		return route{regexp.MustCompile("^" + pattern + "$"), answer}
	}
	return []route{
		on(`(issue|pr) list --repo github.com/(\S+)( --label "the-loop")? --state open --limit \d+ --json (\S+)`, (*World).list),
		on(`(issue|pr) view (\d+) --repo github.com/(\S+) --json comments`, (*World).conversation),
		on(`api --hostname github.com repos/(\S+)/pulls/(\d+)/(reviews|comments)\?per_page=100 --paginate`, (*World).surface),
		on(`api --hostname github.com repos/(\S+)/issues/(\d+)`, (*World).state),
		on(`api graphql --hostname github.com -f query=(.*)`, (*World).survey),
		on(`api --hostname github.com user`, func(w *World, _ []string) (any, error) { return object{"login": w.Login}, nil }),
		on(`repo view github.com/(\S+) --json (\S+)`, func(_ *World, m []string) (any, error) {
			return object{"nameWithOwner": m[0], "hasIssuesEnabled": true}, nil
		}),
	}
}

func (w *World) list(m []string) (any, error) {
	kind, repo, fields := Kind(m[0]), m[1], strings.Split(m[3], ",")
	unlabelled := m[2] == ""
	items := []object{}
	for _, i := range slices.Backward(w.Items) { // GitHub lists the newest first
		shown := i.Shown()
		if i.Repo != repo || i.Kind != kind || !shown.Open || !shown.Labelled && !unlabelled {
			continue
		}
		labels := []object{}
		if shown.Labelled {
			labels = append(labels, object{"name": "the-loop"})
		}
		items = append(items, chosen(object{
			"number": i.Number, "title": fmt.Sprint("Item ", i.Number), "url": i.URL(), "author": user(i.Author),
			"labels": labels, "updatedAt": at(shown.UpdatedAt),
			"headRefName": fmt.Sprint("work-", i.Number), "body": "", "isDraft": false, "isCrossRepository": false,
			"closingIssuesReferences": i.closes(),
		}, fields))
	}
	return items, nil
}

func chosen(all object, fields []string) object {
	some := object{}
	for _, f := range fields {
		some[f] = all[f]
	}
	return some
}

func user(login string) object { return object{"login": login} }

// URL is the item's web address.
func (i *Item) URL() string {
	kind := map[Kind]string{Issue: "issues", Pull: "pull"}[i.Kind]
	return fmt.Sprintf("https://github.com/%s/%s/%d", i.Repo, kind, i.Number)
}

func (i *Item) closes() []object {
	if i.Closes == 0 {
		return []object{}
	}
	issue := Item{Repo: i.Repo, Number: i.Closes, Kind: Issue}
	owner, name, _ := strings.Cut(i.Repo, "/")
	return []object{{
		"number": i.Closes, "url": issue.URL(),
		"repository": object{"name": name, "owner": user(owner)},
	}}
}

func (w *World) find(repo, number string) (*Item, error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	if i := w.Item((&Item{Repo: repo, Number: n}).Ref()); i != nil {
		return i, nil
	}
	return nil, fmt.Errorf("the world has no %s#%s", repo, number)
}

func (w *World) conversation(m []string) (any, error) {
	i, err := w.find(m[2], m[1])
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, c := range i.Comments {
		if c.Surface == Conversation {
			list = append(list, object{
				"id": c.ID, "author": user(c.Author), "body": c.Body, "url": i.URL() + "#" + c.ID, "createdAt": at(c.CreatedAt),
			})
		}
	}
	return object{"comments": list}, nil
}

func (w *World) surface(m []string) (any, error) {
	i, err := w.find(m[0], m[1])
	if err != nil {
		return nil, err
	}
	wanted := map[string]string{"reviews": Review, "comments": Inline}[m[2]]
	list := []object{}
	for _, c := range i.Comments {
		if c.Surface == wanted {
			list = append(list, object{
				"node_id": c.ID, "user": user(c.Author), "body": c.Body, "html_url": i.URL() + "#" + c.ID,
				"created_at": at(c.CreatedAt), "submitted_at": at(c.CreatedAt), "state": "COMMENTED",
				"path": "main.go", "line": 1,
			})
		}
	}
	return list, nil
}

// state returns an item's real state, since it does not come from the search index.
func (w *World) state(m []string) (any, error) {
	i, err := w.find(m[0], m[1])
	if err != nil {
		return nil, err
	}
	comments := 0
	for _, c := range i.Comments {
		if c.Surface == Conversation {
			comments++
		}
	}
	state := object{
		"number": i.Number, "html_url": i.URL(), "comments": comments,
		"state": map[bool]string{true: "open", false: "closed"}[i.Open],
	}
	if i.Kind == Pull {
		pull := object{"merged_at": nil}
		if i.Merged {
			pull["merged_at"] = at(i.UpdatedAt)
		}
		state["pull_request"] = pull
	}
	return state, nil
}
