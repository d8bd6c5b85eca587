package drawhouse_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse"
)

// TestPartsCanBeWorkedOut works out every hash with the command that the
// documentation gives.
func TestPartsCanBeWorkedOut(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("THE HASHES WERE NOT COMPARED: no sha256sum")
	}
	parts, err := drawhouse.Parts()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		command := "ls " + p.Folder + "/*.go | grep -v _test.go | LC_ALL=C sort | xargs sha256sum | sha256sum"
		out, err := exec.Command("sh", "-c", command).Output()
		if err != nil || strings.Fields(string(out))[0] != p.Hash {
			t.Errorf("%s has the hash %s, and by hand %s, %v", p.Folder, p.Hash, out, err)
		}
	}
}

// TestEveryDecisionHasAHash: a package that decides is a part. One that is new is to
// be named in parts.go.
func TestEveryDecisionHasAHash(t *testing.T) {
	parts, err := drawhouse.Parts()
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, p := range parts {
		folders = append(folders, p.Folder)
	}
	aside := []string{"rulebook/odds", "games/evaluate"} // They tell of chances and files, and decide nothing in a house.
	for _, pkg := range pure {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(pkg); err == nil && len(files) > 0 && !slices.Contains(folders, pkg) &&
			!slices.Contains(aside, pkg) {
			t.Errorf("%s is pure and has no hash: add it to the list in parts.go", pkg)
		}
	}
}
