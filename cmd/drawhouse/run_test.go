package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// brokenPipe refuses everything that is written.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestLostOutput: a result that could not be written is not a success.
func TestLostOutput(t *testing.T) {
	var stderr bytes.Buffer
	if status := run([]string{"rulebook", "list"}, brokenPipe{}, &stderr); status != statusRefused {
		t.Errorf("status %d, want %d", status, statusRefused)
	}
	if !strings.Contains(stderr.String(), "broken pipe") {
		t.Errorf("standard error says %q", &stderr)
	}
}
