package main

import (
	"bytes"
	"errors"
	"os"
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

// TestNoPDFOnAScreen: a PDF goes into a file or a pipe, and is not poured over a terminal.
func TestNoPDFOnAScreen(t *testing.T) {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this machine has no terminal to open: ", err)
	}
	defer func() { _ = screen.Close() }()
	var stdout, stderr bytes.Buffer
	line := []string{"print", "forms", "vic-keno-2015"}
	if status := run(line, screen, &stderr); status != statusUsage || !strings.Contains(stderr.String(), "--out: ") {
		t.Errorf("on a screen: %d %s", status, &stderr)
	}
	if status := run(line, &stdout, &stderr); status != 0 || !bytes.HasPrefix(stdout.Bytes(), []byte("%PDF-")) {
		t.Errorf("into a pipe: %d", status)
	}
}
