package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTicketsFiles: the operator of another system makes a key, signs a file of open tickets and checks it, without a
// house. A file that is altered, or that has faults, is refused with line and field.
func TestTicketsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, plain, signed := filepath.Join(dir, "old.pem"), filepath.Join(dir, "open.txt"), filepath.Join(dir, "signed.txt")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	try := func(args ...string) (status int, result string) {
		var out, errs bytes.Buffer
		status = run(append([]string{"tickets"}, args...), &out, &errs)
		return status, out.String()
	}
	status, public := try("key", key)
	if _, again := try("key", key); status != 0 || again != public || len(public) != 45 {
		t.Fatalf("status %d: the key is %q, and then %q", status, public, again)
	}
	public = strings.TrimSpace(public)
	head := "drawhouse open tickets 1\nsystem: Old Keno\nrulebook: tas-keno-2023\ncurrency: AUD\nas of: 2026-11-17\ncode,cents,kind,until\n"
	write(plain, head+"4711000000000017,12300,prize,2027-05-01\n4711000000000025,500,refund,\n")
	status, text := try("sign", "--key", key, plain)
	if write(signed, text); status != 0 {
		t.Fatalf("status %d: %s", status, text)
	}
	if status, said := try("check", "--key", public, signed); status != 0 ||
		!strings.Contains(said,
			"2 open tickets of Old Keno, as of 2026-11-17, by rulebook tas-keno-2023; owed in all: 12800 cents (AUD)") {
		t.Errorf("status %d: %s", status, said)
	}
	write(signed, strings.Replace(text, "12300", "92300", 1))
	if status, said := try("check", "--key", public, signed); status != statusRefused ||
		!strings.Contains(said, "line 9, signature: ") {
		t.Errorf("an altered file: status %d: %s", status, said)
	}
	write(plain, head+"4711000000000017,0,prize,\n4711000000000017,500,gift,2026-11-16\n")
	want := []string{"line 7, cents: ", "line 8, code: stands in line 7 too", "line 8, kind: ", "line 8, until: "}
	if status, said := try("sign", "--key", key, plain); status != statusRefused || !containsAll(said, want) {
		t.Errorf("a file with faults: status %d: %s", status, said)
	}
	if status, _ := try("check", "--key", "zz", signed); status != statusUsage {
		t.Errorf("a key that is none: status %d", status)
	}
}

func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
