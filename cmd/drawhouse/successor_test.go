package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSuccessorEdition writes the edition for a successor system and founds a house by it.
func TestSuccessorEdition(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "successor.yaml")
	if status, _, errs := runLine(t, "rulebook", "new", "--base=tas-keno-2023", "--successor", file); status != 0 {
		t.Fatal(errs)
	}
	if status, out, errs := runLine(t, "rulebook", "check", file); status != 0 {
		t.Errorf("%s%s", out, errs)
	}
	status, out, errs := runLine(t, "rulebook", "diff", "tas-keno-2023", file)
	if status != 0 || !strings.Contains(out, "system, plays: successor instead of own") {
		t.Errorf("%d %s%s", status, out, errs)
	}
	if status, _, errs := runLine(t, "found", "keno.example", "--data="+filepath.Join(dir, "data"), "--rulebook="+file,
		"--reference=letter 1"); status != 0 {
		t.Error(errs)
	}
	if status, _, errs := runLine(t, "rulebook", "new", "--base=vic-keno-2015", "--successor",
		filepath.Join(dir, "none.yaml")); status == 0 || !strings.Contains(errs, "names no system that comes after") {
		t.Errorf("a book without a successor: %d %s", status, errs)
	}
}
