package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ofOthers returns a program of others that `make interop` has built, and skips the test without one.
func ofOthers(t *testing.T, variable string) string {
	t.Helper()
	program := os.Getenv(variable)
	if program == "" {
		t.Skip("make interop runs it, with " + variable)
	}
	return program
}

// TestTilesOfOthers has the client of another project read the public log of a house that runs: every entry with its
// proof, and that the log only grew.
func TestTilesOfOthers(t *testing.T) {
	program := ofOthers(t, "DRAWHOUSE_TILES")
	s := serveWith(t)
	s.waitForResult(60) // So that a tile is full.
	key := verifierIn(t, filepath.Join(s.dir, "keys", "log-1.key"))
	out, err := exec.Command(program, s.url+"/v1/log", key).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first := 0
	if _, counts, _ := strings.Cut(string(out), ": "); len(out) > 0 {
		_, _ = fmt.Sscan(counts, &first)
	}
	if first < 256 {
		t.Errorf("%d entries fill no tile", first)
	}
	t.Logf("%s", out)
}
