//go:build unix

package logbook

import (
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk lets the system refuse the end of a line, wherever that is, as a full disk does. Once there is room the
// book goes on, and has what was acknowledged and nothing else.
func TestFullDisk(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Error(err)
		}
	})
	room := func(bytes uint64) {
		t.Helper()
		small := syscall.Rlimit{Cur: min(bytes, limit.Cur), Max: limit.Max}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "book")
	b, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	var acknowledged []string
	for left := range uint64(20) { // A line of ten bytes has twenty.
		text := strings.Repeat(string(rune('a'+left)), 10)
		room(uint64(b.end) + left) //nolint:gosec // A place in a file.
		for range 2 {
			if err := b.Append([]byte(text)); err == nil {
				t.Fatalf("%s is acknowledged, and there was room for %d bytes", text, left)
			}
		}
		room(limit.Cur)
		if err := b.Append([]byte(text)); err != nil {
			t.Fatalf("%s, with room: %v", text, err)
		}
		acknowledged = append(acknowledged, text)
	}
	_ = b.Close()
	if _, lines, err := open(t, path); err != nil || !slices.Equal(lines, acknowledged) {
		t.Errorf("the book has %q, %v; want %q", lines, err, acknowledged)
	}
}
