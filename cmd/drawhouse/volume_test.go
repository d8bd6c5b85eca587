package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal"
)

// refused runs a command line that must be refused, and returns why.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status == 0 {
		t.Fatalf("drawhouse %s: %s", strings.Join(args, " "), &stdout)
	}
	return stdout.String() + stderr.String()
}

// contains fails unless a text has all of some parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("it does not say %q:\n%s", part, text)
		}
	}
}

// sellSome sells some tickets at every terminal.
func sellSome(s *served, terminals []*terminal, n int) {
	s.t.Helper()
	for range n {
		for _, term := range terminals {
			if !term.sell(s) {
				s.t.Fatalf("terminal %d is not answered: %s", term.id, &s.log)
			}
		}
	}
}

// TestRestore loses what was sold after a backup, by kill -9 and the loss of the disk,
// and restores the house elsewhere. What was in the backup is there, what was lost is
// said to be lost, and no serial is given twice.
func TestRestore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, database string }{{"SQLite", ""}, {"PostgreSQL", pgtest.Schema(t)}} {
		t.Run(c.name, func(t *testing.T) { testRestore(t, c.database) })
	}
}

// size returns how many records the journal has.
func (s *served) size() uint64 {
	s.t.Helper()
	response, err := http.Get(s.url + "/v1/checkpoint")
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	signed, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	at, err := journal.UnverifiedCheckpoint(signed)
	if err != nil {
		s.t.Fatalf("%v: %s", err, signed)
	}
	return at.Size
}

func testRestore(t *testing.T, database string) {
	s := serve(t)
	s.stop()
	safe := t.TempDir()
	last, file, keys := filepath.Join(safe, "last"), filepath.Join(safe, "backup"), filepath.Join(safe, "keys")
	s.extra = []string{"--last-checkpoint=" + last}
	s.start()
	kept, lost := []*terminal{{id: 1}, {id: 3}}, []*terminal{{id: 2}}
	sellSome(s, kept, 20)
	programme(t, "backup", "--data="+s.dir, file)
	programme(t, "keys", "backup", "--data="+s.dir, keys)
	contains(t, programme(t, "keys", "check", "--data="+s.dir, "--keys="+keys), "all there")
	sellSome(s, lost, 20)
	sold := s.size()
	waitFor(t, "the last of them is in the file", func() bool {
		kept, err := os.ReadFile(last)
		if err != nil {
			return false
		}
		at, err := journal.UnverifiedCheckpoint(kept)
		return err == nil && at.Size >= sold
	})
	s.kill()

	restored := filepath.Join(t.TempDir(), "restored")
	where := []string{"--data=" + restored, "--database=" + database}
	contains(t, refused(t, append([]string{"restore", file}, where...)...), "put the keys of the house there first")
	copyFolder(t, filepath.Join(restored, "keys"), keys)
	contains(t, programme(t, append([]string{"restore", file, "--last-checkpoint=" + last}, where...)...),
		"the register of people, 2 entries, was restored", "volume 2 of drawhouse.example has begun",
		"abandoned: drawhouse.example/v1 up to record", "claim form", "Start the house")
	contains(t, refused(t, append([]string{"restore", file}, where...)...), "it has a journal already")
	contains(t, programme(t, append([]string{"volume", "list"}, where...)...), "2       restore",
		"volume 2 abandons drawhouse.example/v1")

	s.dir, s.database = restored, database
	s.start()
	for _, term := range lost {
		for _, serial := range term.sold {
			if status, answer, err := s.ask(http.MethodGet, "/v1/tickets/"+serial, nil); err != nil ||
				status != http.StatusGone {
				t.Fatalf("a lost ticket: %d, %v, %v", status, answer, err)
			}
		}
	}
	more := []*terminal{{id: 1, number: 1000}, {id: 2, number: 1000}}
	sellSome(s, more, 20)
	seen := map[string]bool{}
	for _, term := range append(append(more, kept...), lost...) {
		for _, serial := range term.sold {
			if seen[serial] {
				t.Errorf("serial %s was given twice", serial)
			}
			seen[serial] = true
		}
	}
	checkSold(t, s, append(more, kept...))
	s.stop()
}

// TestOlderJournal puts an older copy of the database in the place of a house's. It is
// refused by the checkpoint that was kept elsewhere, until a volume is begun.
func TestOlderJournal(t *testing.T) {
	t.Parallel()
	s := serve(t)
	terminals := []*terminal{{id: 1}}
	sellSome(s, terminals, 5)
	s.stop()
	copied := filepath.Join(t.TempDir(), "copied")
	copyFolder(t, copied, s.dir)
	last := filepath.Join(t.TempDir(), "last")
	s.extra = []string{"--last-checkpoint=" + last}
	s.start()
	sellSome(s, terminals, 5)
	s.stop()
	s.dir = copied
	contains(t, refused(t, "serve", "--addr=127.0.0.1:0", "--data="+s.dir, "--last-checkpoint="+last),
		"older than a checkpoint", "volume begin --reason=restore")
	contains(t, refused(t, "volume", "begin", "--data="+s.dir, "--last-checkpoint="+last), "older", "--reason=restore")
	contains(t, programme(t, "volume", "begin", "--reason=restore", "--data="+s.dir, "--last-checkpoint="+last),
		"volume 2", "abandoned")
	s.start()
	sellSome(s, []*terminal{{id: 1, number: 1000}}, 5)
	s.stop()
}

// TestRotateKeys changes the keys of a house between two of its runs, with tickets that
// go on playing, and once more when the house's key is lost.
func TestRotateKeys(t *testing.T) {
	t.Parallel()
	s := serve(t)
	terminals := []*terminal{{id: 1}, {id: 2}, {id: 3}}
	data := "--data=" + s.dir
	sellSome(s, terminals, 10)
	s.watchUntilDrawing(map[string][]any{}, 5) // A game is sealed and half drawn.
	s.stop()
	contains(t, programme(t, "keys", "rotate", "house", "device", data), "volume 2", "the house's key is now",
		"the device's key is now", "has signed for it", "keys backup")
	s.start()
	checkSold(t, s, terminals)
	sellSome(s, terminals, 10)
	s.stop()
	contains(t, programme(t, "keys", "list", data), "house-volume-2.key", "device-volume-2.key", "serial-volume-2.key",
		"serial-house.key")
	contains(t, programme(t, "keys", "check", data), "all there", "the serial key of every volume")

	if err := os.Remove(filepath.Join(s.dir, "keys", "house-volume-2.key")); err != nil {
		t.Fatal(err)
	}
	contains(t, refused(t, "keys", "check", data), "is missing", "--lost")
	contains(t, refused(t, "serve", "--addr=127.0.0.1:0", data), "not at hand")
	contains(t, refused(t, "keys", "rotate", "serials", data), "--lost")
	contains(t, refused(t, "keys", "rotate", "house", data), "--lost")
	contains(t, programme(t, "keys", "rotate", "house", "--lost", data), "volume 3", "has not signed for it")
	contains(t, programme(t, "volume", "list", data), "volume 3 was begun without the key of volume 2")
	s.start()
	checkSold(t, s, terminals)
	s.stop()
}

// TestRestoreUsesNoNumberAgain restores a backup from before a volume of which nothing is
// left but its keys. Its number is not used again.
func TestRestoreUsesNoNumberAgain(t *testing.T) {
	t.Parallel()
	s := serve(t)
	sellSome(s, []*terminal{{id: 1}}, 3)
	s.stop()
	file := filepath.Join(t.TempDir(), "backup")
	programme(t, "backup", "--data="+s.dir, file)
	contains(t, programme(t, "keys", "rotate", "serials", "--data="+s.dir), "volume 2")
	restored := t.TempDir()
	copyFolder(t, filepath.Join(restored, "keys"), filepath.Join(s.dir, "keys"))
	contains(t, programme(t, "restore", file, "--data="+restored), "volume 3", "No checkpoint from elsewhere was given")
	contains(t, refused(t, "volume", "begin", "--reason=restore", "--number=2", "--data="+restored), "has been used")
	s.dir = restored
	s.start()
	sellSome(s, []*terminal{{id: 1, number: 1000}}, 3)
	s.stop()
}
