package sqlite

import (
	"errors"
	"os"
	"strings"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/store"
)

// TestSettings asks SQLite itself whether it is as durable as the package
// comment says.
func TestSettings(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "temp_store": "2", "busy_timeout": "10000", "query_only": "0",
	} {
		var got string
		if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("the writer has %s = %s, %v; want %s", pragma, got, err, want)
		}
	}
	if _, err := s.reads.ExecContext(t.Context(), "DELETE FROM record"); err == nil {
		t.Error("a reader's connection can write")
	}
}

// TestOwnerAlone opens a store in a directory that everybody may read. Its files
// are the owner's alone all the same.
func TestOwnerAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), dir, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.TakeOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v; want the database and its log", len(files), err)
	}
	for _, file := range files {
		if info, err := file.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", file.Name(), info.Mode(), err)
		}
	}
}

// TestPlans keeps every query a search by key.
func TestPlans(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for text, want := range map[string]string{
		selectRecord:  "SEARCH record USING PRIMARY KEY (lane=? AND volume=? AND seq=?)",
		selectRecords: "SEARCH record USING PRIMARY KEY (lane=? AND volume=? AND seq>? AND seq<?)",
		selectTile:    "SEARCH tile USING INDEX sqlite_autoindex_tile_1 (lane=? AND volume=? AND level=? AND number=?)",
		selectObject:  "SEARCH object USING INDEX sqlite_autoindex_object_1 (lane=? AND name=?)",
		selectAbout:   "SEARCH record USING COVERING INDEX record_about (lane=? AND about_volume=? AND about_seq=?)",
	} {
		var id, parent, unused int
		var plan string
		row := s.reads.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+text, 1, 1, 1, 1)
		if err := row.Scan(&id, &parent, &unused, &plan); err != nil || plan != want {
			t.Errorf("%s\nis done by %s, %v\nwant %s", text, plan, err, want)
		}
	}
}

// TestDiskFull lets the database grow no further. The append fails, the next one
// is refused, and a takeover finds what was acknowledged.
func TestDiskFull(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	head, err := s.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 60"); err != nil {
		t.Fatal(err)
	}
	tree, acknowledged := journal.NewTree(), head
	for {
		b := store.Batch{Epoch: head.Epoch, Volume: 1, From: tree.Size()}
		for range 50 {
			data := []byte(strings.Repeat("x", 100))
			b.Entries = append(b.Entries, store.Entry{Data: data})
			tree.Append(data)
		}
		b.Root, b.Tiles = tree.Root(), tree.TakeTiles()
		if err = s.Append(t.Context(), b); err != nil {
			break
		}
		acknowledged = store.Head{Size: b.Size(), Root: b.Root}
	}
	if !strings.Contains(err.Error(), "full") || errors.Is(err, store.ErrFenced) {
		t.Fatalf("the disk is full: %v", err)
	}
	if acknowledged.Size == 0 {
		t.Fatal("nothing was stored before the disk was full")
	}
	b := store.Batch{Epoch: head.Epoch, Volume: 1, From: acknowledged.Size, Entries: []store.Entry{{Data: []byte("x")}}}
	if err := s.Append(t.Context(), b); !errors.Is(err, store.ErrFenced) {
		t.Errorf("an append after an unknown outcome: %v, want ErrFenced", err)
	}
	again, err := s.TakeOver(t.Context())
	if err != nil || again.Size != acknowledged.Size || again.Root != acknowledged.Root || again.Epoch != head.Epoch+1 {
		t.Errorf("took over at %+v, %v; want %+v", again, err, acknowledged)
	}
	b.Epoch = again.Epoch
	if err := s.Append(t.Context(), b); err != nil {
		t.Errorf("an append after the takeover: %v", err)
	}
}
