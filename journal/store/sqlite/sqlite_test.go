package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// suite opens stores in new directories, whose names need escaping in a URI.
var suite = storetest.Driver{
	Locate: func(tb testing.TB) string {
		return filepath.Join(tb.TempDir(), "a house?", "data#1%41")
	},
	Open: func(location string) (store.Store, error) {
		st, err := sqlite.Open(context.Background(), location, store.FirstLane)
		if err != nil {
			return nil, err
		}
		return st, nil
	},
}

func TestMain(m *testing.M) { storetest.Main(m, suite) }

func TestSuite(t *testing.T) { storetest.Run(t, suite) }

// TestCloseLetsGo: SQLite removes its log when the last connection ends. A store that has
// written and is closed keeps none, neither here nor in the system's table of open files.
func TestCloseLetsGo(t *testing.T) {
	dir := t.TempDir()
	st, err := suite.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	head, err := st.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := storetest.Resume(t.Context(), head, st)
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, sqlite.FileName+"-wal")
	if err := st.Append(t.Context(), j.Batch(j.Some(3))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(log); err != nil {
		t.Errorf("while the store is open: %v", err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(log); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after the store was closed its log is there (%v): a connection is left", err)
	}
}

// TestLogStaysShort: SQLite's log is moved into the database by the writer alone, also
// where nothing happens but that the writer is announced, as over night.
func TestLogStaysShort(t *testing.T) {
	dir := t.TempDir()
	st, err := sqlite.Open(t.Context(), dir, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	head, err := st.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for beat := range uint64(3000) {
		if err := st.Announce(t.Context(), store.Presence{Epoch: head.Epoch, Beat: beat + 1,
			Address: "house.example"}); err != nil {
			t.Fatal(err)
		}
	}
	log, err := os.Stat(filepath.Join(dir, sqlite.FileName+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(5 << 20); log.Size() > most {
		t.Errorf("3,000 announcements leave a log of %d bytes, more than %d", log.Size(), most)
	}
}
