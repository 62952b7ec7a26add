// Command handler is the handler of the scenarios, for every event. In the folder
// that HANDLER_DIR names it appends a line to "got" in each run, and keeps the last
// run's stdin.json, argv, env and pid. While a file "hold-EVENT" exists it waits. It
// takes its exit codes from "exit-EVENT", one for each run; the last one repeats.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	dir := os.Getenv("HANDLER_DIR")
	in, err := io.ReadAll(os.Stdin)
	check(err)
	var got struct {
		Event      string
		DeliveryID string
		Attempt    int
		Session    struct{ Ref string }
		Item       struct{ Number int }
		Comment    struct{ ID, Body string }
		Closure    struct{ State string }
		Update     struct {
			Kind, State, HeadSHA, Mergeable, Decision string
			Failing                                   []struct{ Name string }
		}
	}
	check(json.Unmarshal(in, &got))
	check(os.MkdirAll(dir, 0o700))
	check(os.WriteFile(filepath.Join(dir, "stdin.json"), in, 0o600))
	check(os.WriteFile(filepath.Join(dir, "argv"), []byte(strings.Join(os.Args[1:], "\n")+"\n"), 0o600))
	check(os.WriteFile(filepath.Join(dir, "env"), []byte(strings.Join(os.Environ(), "\n")+"\n"), 0o600))
	check(os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600))
	body := got.Comment.Body
	if len(body) > 60 {
		body = fmt.Sprintf("%d bytes", len(body))
	}
	what := strings.Join(strings.Fields(fmt.Sprint(got.Comment.ID, " ", body, " ", got.Closure.State,
		" ", got.Update.Kind, " ", got.Update.State, " ", got.Update.HeadSHA, " ", got.Update.Decision)), " ")
	for _, check := range got.Update.Failing {
		what += " " + check.Name
	}
	line := fmt.Sprintf("%s %s #%d attempt %d %s", got.Event, got.Session.Ref, got.Item.Number, got.Attempt, what)
	appendLine(filepath.Join(dir, "got"), strings.TrimSpace(line))
	appendLine(filepath.Join(dir, "ids"), got.Event+" "+got.DeliveryID)
	fmt.Println("handler ran for", got.Event)

	tick := time.NewTicker(10 * time.Millisecond)
	for exists(filepath.Join(dir, "hold-"+got.Event)) {
		<-tick.C
	}
	codes, _ := os.ReadFile(filepath.Join(dir, "exit-"+got.Event))
	list := strings.Fields(string(codes))
	if len(list) == 0 {
		os.Exit(0)
	}
	runs, _ := os.ReadFile(filepath.Join(dir, "got"))
	n := strings.Count("\n"+string(runs), "\n"+got.Event+" ")
	code, err := strconv.Atoi(list[min(n, len(list))-1])
	check(err)
	os.Exit(code)
}

func appendLine(name, line string) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	check(err)
	_, err = f.WriteString(line + "\n")
	check(err)
	check(f.Close())
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "handler:", err)
		os.Exit(98)
	}
}
