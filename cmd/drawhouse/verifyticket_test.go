package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/check/proof"
	"drawhouse/internal/prooftest"
)

// ticketFiles writes a case into files and returns the command line for it.
func ticketFiles(t *testing.T, c prooftest.Case) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	e := c.Evidence
	args := []string{"verify", "ticket", write("proof.json", c.Proof), "--house-key=" + e.HouseKey, "--fingerprint=" +
		e.Fingerprint}
	for name, data := range map[string][]byte{"receipt": e.Receipt, "seal": e.Seal, "checkpoint": e.Checkpoint,
		"draw": e.Draw, "log-proof": e.LogProof} {
		if data != nil {
			args = append(args, "--"+name+"="+write(name, data))
		}
	}
	for _, key := range e.WitnessKeys {
		args = append(args, "--witness-key="+key)
	}
	if e.Quorum != 0 {
		args = append(args, fmt.Sprintf("--quorum=%d", e.Quorum))
	}
	if e.LogKey != "" {
		args = append(args, "--log-key="+e.LogKey)
	}
	if e.DeviceKey != "" {
		args = append(args, "--device-key="+e.DeviceKey)
	}
	return args
}

// TestVerifyTicket runs the command on sound and damaged proofs: its words are the
// report's, and its status tells them apart.
func TestVerifyTicket(t *testing.T) {
	t.Parallel()
	for _, c := range prooftest.New(t).Cases() {
		report := proof.Check(c.Proof, c.Evidence)
		var stdout, stderr bytes.Buffer
		status := run(ticketFiles(t, c), &stdout, &stderr)
		switch {
		case status == statusUsage:
			// A key that cannot be read is told before the house is accused.
			if !strings.Contains(c.Failure, "key") {
				t.Errorf("%s: %s", c.Name, &stderr)
			}
		case status != map[bool]int{true: 0, false: statusRefused}[report.OK()]:
			t.Errorf("%s: status %d: %s%s", c.Name, status, &stdout, &stderr)
		case !strings.Contains(stdout.String(), report.NotProved[0]) || !strings.Contains(stdout.String(), report.Failure):
			t.Errorf("%s: %s", c.Name, &stdout)
		}
	}
}

func TestVerifyTicketJSON(t *testing.T) {
	t.Parallel()
	a := prooftest.New(t)
	var stdout, stderr bytes.Buffer
	if status := run(append(ticketFiles(t, a.Full()), "--json", "--claim-code="+a.ClaimCode()), &stdout,
		&stderr); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	var report proof.Report
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil || !report.OK() || len(report.Proved) < 10 {
		t.Errorf("%+v: %v", report, err)
	}
}
