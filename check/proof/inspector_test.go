package proof_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
		e := c.Evidence
		known := proof.Evidence{HouseKey: e.HouseKey}
		args := []string{"../../docs/inspector.py", "proof", "", e.HouseKey}
		if e.LogKey != "" {
			known.LogKey, known.LogProof, known.WitnessKeys, known.Quorum = e.LogKey, e.LogProof, e.WitnessKeys, e.Quorum
			args = append(args, "--log-key", e.LogKey)
			for _, key := range e.WitnessKeys {
				args = append(args, "--witness", key)
			}
			if e.Quorum > 0 {
				args = append(args, "--quorum", strconv.Itoa(e.Quorum))
			}
		}
		what := string(c.Proof) + strings.Join(args, " ") + string(e.LogProof)
		if e.HouseKey == "" || tried[what] {
			continue // The script takes the house's key by its place on the line, and of the rest what is about the log.
		}
		tried[what] = true
		file := filepath.Join(t.TempDir(), "proof.json")
		if err := os.WriteFile(file, c.Proof, 0o600); err != nil {
			t.Fatal(err)
		}
		if args[2] = file; e.LogKey != "" && e.LogProof != nil {
			apart := file + ".tlog-proof"
			if err := os.WriteFile(apart, e.LogProof, 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, "--log-proof", apart)
		}
		want := proof.Check(c.Proof, known)
		out, err := exec.Command(python, args...).CombinedOutput()
		if holds := err == nil && strings.HasSuffix(string(out), "It holds.\n"); holds != want.OK() {
			t.Errorf("%s: the script says\n%s\nthe package %q", c.Name, out, want.Failure)
		}
		if want.OK() {
			held++
		}
	}
	if held < 9 || len(tried) < held+45 {
		t.Errorf("only %d proofs held of %d", held, len(tried))
	}
}
