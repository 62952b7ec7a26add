package ghdouble_test

import (
	"fmt"
	"os"
	"os/signal"
	"testing"

	"the-loop/internal/ghdouble"
)

// TestByHand serves the world in the file that GHDOUBLE_WORLD names until you interrupt
// it; the package comment shows how to use it.
func TestByHand(t *testing.T) {
	file := os.Getenv("GHDOUBLE_WORLD")
	if file == "" {
		t.Skip("GHDOUBLE_WORLD names no file")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := ghdouble.Start(t)
	if err := s.LoadJSON(data); err != nil {
		t.Fatal(err)
	}
	for _, variable := range s.Env() {
		fmt.Printf("export %s\n", variable)
	}
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt)
	defer stop()
	<-ctx.Done()
	for _, request := range s.Requests() {
		fmt.Println(request)
	}
}
