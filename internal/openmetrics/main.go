// Command openmetrics reads OpenMetrics text on its standard input with the
// parser of Prometheus, and prints the name of each family. It exits with 1
// where that parser refuses the text, or where a sample has no HELP or TYPE.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "openmetrics:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	p := textparse.NewOpenMetricsParser(text, labels.NewSymbolTable())
	typed, helped := map[string]bool{}, map[string]bool{}
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch entry {
		case textparse.EntryType:
			name, _ := p.Type()
			typed[string(name)] = true
			fmt.Fprintln(out, string(name))
		case textparse.EntryHelp:
			name, _ := p.Help()
			helped[string(name)] = true
		case textparse.EntrySeries:
			series, _, _ := p.Series()
			name, _, _ := strings.Cut(string(series), "{")
			family := strings.TrimSuffix(name, "_total")
			if !typed[family] || !helped[family] {
				return fmt.Errorf("%s has no TYPE or no HELP", name)
			}
		}
	}
}
