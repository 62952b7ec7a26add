package endurance

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// survey answers which items many repositories hold now. It reads the world, not the
// search index, and compares labels case-sensitively.
func (w *World) survey(m []string) (any, error) {
	asks := map[string]string{}
	query, rest, _ := strings.Cut(m[0], " fragment ")
	for _, text := range strings.Split(rest, " fragment ") {
		name, fields, _ := strings.Cut(text, " on Repository{")
		asks[name] = fields
	}
	data := object{"rateLimit": object{"cost": 1}}
	for _, alias := range regexp.MustCompile(`(r\d+):repository\(owner:"([^"]+)",name:"([^"]+)"\)\{\.\.\.(\w+)\}`).FindAllStringSubmatch(query, -1) {
		fields, ok := asks[alias[4]]
		if !ok {
			return nil, fmt.Errorf("no fragment %s in %s", alias[4], m[0])
		}
		told, err := w.surveyed(alias[2]+"/"+alias[3], fields)
		if err != nil {
			return nil, err
		}
		data[alias[1]] = told
	}
	return object{"data": data}, nil
}

// surveyed returns the answer for one repository.
func (w *World) surveyed(repo, fields string) (object, error) {
	told := object{"nameWithOwner": repo, "hasIssuesEnabled": true}
	if strings.Contains(fields, `label(name:"the-loop")`) {
		told["label"] = object{"name": "the-loop"}
	}
	if strings.Contains(fields, "labels(first:100)") {
		told["labels"] = object{"totalCount": 1, "nodes": []object{{"name": "the-loop"}}}
	}
	list := regexp.MustCompile(`(?:(\w+):)?(issues|pullRequests)\(first:(\d+),states:OPEN(,labels:\["the-loop"\])?\)`)
	for _, m := range list.FindAllStringSubmatch(fields, -1) {
		first, err := strconv.Atoi(m[3])
		if err != nil {
			return nil, err
		}
		name := m[1]
		if name == "" {
			name = m[2]
		}
		told[name] = w.held(repo, map[string]Kind{"issues": Issue, "pullRequests": Pull}[m[2]], m[4] != "", first)
	}
	return told, nil
}

// held lists the open items of one kind in a repository.
func (w *World) held(repo string, kind Kind, labelled bool, first int) object {
	total, nodes := 0, []object{}
	for _, i := range w.Items {
		if i.Repo != repo || i.Kind != kind || !i.Open || labelled && !i.Labelled {
			continue
		}
		if total++; total <= first {
			nodes = append(nodes, object{"number": i.Number, "updatedAt": at(i.UpdatedAt)})
		}
	}
	return object{"totalCount": total, "nodes": nodes}
}
