package proof_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/check/proof"
	"drawhouse/internal/prooftest"
)

// TestInspectorScript puts every proof to docs/inspector.py, which shares no code with
// this package, and expects the same verdict.
func TestInspectorScript(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT RUN: there is no python3 on this machine")
	}
	held, tried := 0, map[string]bool{}
	for _, c := range prooftest.New(t).Cases() {
		what := string(c.Proof) + c.Evidence.HouseKey
		if c.Evidence.HouseKey == "" || tried[what] {
			continue // The script takes a key by its place on the line, and no other evidence.
		}
		tried[what] = true
		file := filepath.Join(t.TempDir(), "proof.json")
		if err := os.WriteFile(file, c.Proof, 0o600); err != nil {
			t.Fatal(err)
		}
		want := proof.Check(c.Proof, proof.Evidence{HouseKey: c.Evidence.HouseKey})
		out, err := exec.Command(python, "../../docs/inspector.py", "proof", file, c.Evidence.HouseKey).CombinedOutput()
		if holds := err == nil && strings.HasSuffix(string(out), "It holds.\n"); holds != want.OK() {
			t.Errorf("%s: the script says\n%s\nthe package %q", c.Name, out, want.Failure)
		}
		if want.OK() {
			held++
		}
	}
	if held < 4 {
		t.Errorf("only %d proofs held", held)
	}
}
