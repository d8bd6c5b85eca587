package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/escpostest"
)

// TestPrintsReceipt sends a receipt to a printer that says nothing, and looks at the
// paper that came out of it.
func TestPrintsReceipt(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	got := make(chan []byte, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			got <- nil
			return
		}
		data, _ := io.ReadAll(conn)
		got <- data
	}()
	answer := filepath.Join(t.TempDir(), "sale.json")
	if err := os.WriteFile(answer,
		[]byte(`{"serial":"1234567890123450","time":"2026-11-15T14:02:59+11:00","cost_cents":100,"ticket":{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":417},"bets":[{"bet":"classic","spots":[3,17],"stake_cents":100}]}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status := run([]string{"receipt", answer, "--width", "58", "--printer", "tcp://" + listener.Addr().String(),
		"--timeout", "10s"}, &stdout, &stderr)
	if status != 0 || stdout.String() != "sent; this printer does not say whether it has printed\n" || stderr.Len() > 0 {
		t.Fatalf("status %d: %s%s", status, stdout.String(), stderr.String())
	}
	paper := <-got
	for _, question := range []string{"\x10\x04\x01", "\x1dr\x01"} { // How are you, are you through.
		paper = bytes.Replace(paper, []byte(question), nil, 1)
	}
	printed, err := escpostest.Print(paper, 58, 384)
	if err != nil || printed.Cuts != 1 || !strings.Contains(strings.Join(printed.Rows, "\n"), "1234 5678 9012 3450") {
		t.Errorf("%+v, %v", printed, err)
	}
}
