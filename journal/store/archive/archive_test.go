package archive_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/archive"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// kinds are the kinds of storage that a house may have.
var kinds = map[string]func(t *testing.T) archive.House{
	"SQLite": func(t *testing.T) archive.House {
		st, err := sqlite.Open(t.Context(), t.TempDir(), store.FirstLane)
		must(t, err)
		return st
	},
	"PostgreSQL": func(t *testing.T) archive.House {
		st, err := postgres.Open(t.Context(), pgtest.Schema(t), store.FirstLane)
		must(t, err)
		return st
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fill writes three volumes, in which later records are about earlier ones.
func fill(t *testing.T, st store.Store) {
	t.Helper()
	head, err := st.TakeOver(t.Context())
	must(t, err)
	j, err := storetest.Resume(t.Context(), head, st)
	must(t, err)
	for volume := uint16(1); volume <= 3; volume++ {
		if volume > 1 {
			j.BeginVolume(volume)
		}
		for range 3 {
			entries := j.Some(300)
			entries[250].About = record.Place{Volume: 1, Seq: 7}
			must(t, st.Append(t.Context(), j.Batch(entries, store.Object{Name: j.Next().String(), Data: []byte("o")})))
		}
	}
}

// everything is what a reader finds in a store.
func everything(t *testing.T, st store.Source) string {
	t.Helper()
	ctx, text := t.Context(), ""
	contents, err := st.Contents(ctx)
	must(t, err)
	for _, v := range contents.Volumes {
		tree := journal.NewTree()
		must(t, store.Entries(ctx, st, v.Volume, 0, v.Size, func(seq uint64, e store.Entry) error {
			tree.Append(e.Data)
			text += fmt.Sprintf("%d:%d about %v\n", v.Volume, seq, e.About)
			return nil
		}))
		for _, tile := range tree.TakeTiles() {
			data, err := st.Tile(ctx, v.Volume, tile.Level, tile.Index)
			must(t, err)
			if !slices.Equal(data, tile.Data) {
				t.Errorf("tile %d/%d of volume %d is another", tile.Level, tile.Index, v.Volume)
			}
		}
		one, err := st.Record(ctx, record.Place{Volume: v.Volume, Seq: 123})
		must(t, err)
		text += fmt.Sprintf("%d %v %v %x\n", v.Size, v.Root, tree.Root(), one)
	}
	about, err := st.About(ctx, record.Place{Volume: 1, Seq: 7})
	must(t, err)
	return text + fmt.Sprint(about, contents.Objects)
}

// TestArchive archives and prunes two volumes of three. Everything reads as before, for
// anybody who has the archive, and for nobody else.
func TestArchive(t *testing.T) {
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "archive")
			house := open(t)
			st := archive.With(house, dir)
			t.Cleanup(func() { must(t, st.Close()) })
			fill(t, st)
			before := everything(t, st)
			for volume := uint16(1); volume <= 2; volume++ {
				head, err := archive.Write(t.Context(), st, dir, volume, nil)
				must(t, err)
				if again, err := archive.Write(t.Context(), st, dir, volume, nil); err != nil || again.Root != head.Root {
					t.Errorf("archiving volume %d again: %v, %v", volume, again, err)
				}
				if after := everything(t, st); after != before {
					t.Errorf("archived, volume %d reads otherwise", volume)
				}
				records, err := archive.Prune(t.Context(), st, dir, volume)
				if err != nil || records != head.Size {
					t.Errorf("%d records pruned, %v; want %d", records, err, head.Size)
				}
				if after := everything(t, st); after != before {
					t.Errorf("pruned, volume %d reads otherwise", volume)
				}
			}
			if _, err := house.Record(t.Context(), record.Place{Volume: 1, Seq: 5}); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("the database still has a record: %v", err)
			}
			without := archive.With(house, filepath.Join(dir, "elsewhere"))
			if err := without.Records(t.Context(), 1, 0, 10, func(uint64, []byte) error { return nil }); !errors.Is(err,
				store.ErrCorrupt) {
				t.Errorf("without its archive the journal reads %v, want ErrCorrupt", err)
			}
			if records, err := archive.Prune(t.Context(), st, dir, 1); err != nil || records != 0 {
				t.Errorf("pruning again: %d, %v", records, err)
			}
		})
	}
}

// writesMeanwhile writes what follows when a record is asked for that is not there yet.
type writesMeanwhile struct {
	archive.House
	write func()
}

// Record implements store.Reader.
func (w *writesMeanwhile) Record(ctx context.Context, place record.Place) ([]byte, error) {
	data, err := w.House.Record(ctx, place)
	if write := w.write; errors.Is(err, store.ErrNotFound) && write != nil {
		w.write = nil
		write()
	}
	return data, err
}

// TestWrittenWhileRead asks for the record behind the last one while that record is written.
// The store is not damaged.
func TestWrittenWhileRead(t *testing.T) {
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) {
			house := open(t)
			t.Cleanup(func() { must(t, house.Close()) })
			head, err := house.TakeOver(t.Context())
			must(t, err)
			j, err := storetest.Resume(t.Context(), head, house)
			must(t, err)
			must(t, house.Append(t.Context(), j.Batch(j.Some(5))))
			asked := j.Next()
			st := archive.With(&writesMeanwhile{house, func() { must(t, house.Append(t.Context(), j.Batch(j.Some(5)))) }},
				t.TempDir())
			want, err := st.Record(t.Context(), asked)
			if err != nil {
				t.Fatalf("a record that is written meanwhile: %v", err)
			}
			if got, err := house.Record(t.Context(), asked); err != nil || !slices.Equal(got, want) {
				t.Errorf("the record reads %x and then %x, %v", want, got, err)
			}
			if _, err := st.Record(t.Context(), record.Place{Volume: asked.Volume, Seq: asked.Seq + 100}); !errors.Is(err,
				store.ErrNotFound) {
				t.Errorf("a record that is not there: %v", err)
			}
		})
	}
}

// TestPrunedWhileRead prunes a volume under the eyes of a reader, who reads on.
func TestPrunedWhileRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	st := archive.With(kinds["SQLite"](t), dir)
	t.Cleanup(func() { must(t, st.Close()) })
	fill(t, st)
	_, err := archive.Write(t.Context(), st, dir, 1, nil)
	must(t, err)
	next := uint64(0)
	must(t, st.Records(t.Context(), 1, 0, 900, func(seq uint64, data []byte) error {
		if seq != next || string(data) != string(storetest.Data(record.Place{Volume: 1, Seq: seq})) {
			t.Fatalf("record %d where %d is due, or another one", seq, next)
		}
		if next++; seq == 10 {
			_, err := archive.Prune(t.Context(), st, dir, 1)
			return err
		}
		return nil
	}))
	if next != 900 {
		t.Errorf("%d records were read", next)
	}
	enough := errors.New("enough")
	if err := st.Records(t.Context(), 1, 0, 900, func(uint64, []byte) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("a reader who has enough: %v", err)
	}
}

// TestNotPruned tries to prune what is not safe elsewhere. Nothing of it goes.
func TestNotPruned(t *testing.T) {
	for name, spoil := range map[string]string{
		"a record was changed":    "UPDATE record SET data = x'00' WHERE seq = 400",
		"a record is gone":        "DELETE FROM record WHERE seq = 899",
		"a tile is gone":          "DELETE FROM tile WHERE number = 1",
		"what a record was about": "UPDATE record SET about_seq = 8 WHERE about_seq = 7 AND seq = 250",
		"the end is not there":    "UPDATE lane SET size = 600; DELETE FROM record WHERE seq >= 600",
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "archive")
			st := archive.With(kinds["SQLite"](t), dir)
			t.Cleanup(func() { must(t, st.Close()) })
			fill(t, st)
			before := everything(t, st)
			_, err := archive.Write(t.Context(), st, dir, 1, nil)
			must(t, err)
			db, err := sql.Open("sqlite", filepath.Join(dir, "volume-1", sqlite.FileName))
			must(t, err)
			_, err = db.ExecContext(t.Context(), spoil)
			must(t, err)
			must(t, db.Close())
			if _, err := archive.Prune(t.Context(), st, dir, 1); !errors.Is(err, archive.ErrNotArchived) {
				t.Errorf("pruned with %v, want ErrNotArchived", err)
			}
			if everything(t, st) != before {
				t.Error("something is gone")
			}
		})
	}
	dir := t.TempDir()
	st := archive.With(kinds["SQLite"](t), dir)
	t.Cleanup(func() { must(t, st.Close()) })
	fill(t, st)
	for volume, try := range map[uint16]func(context.Context, uint16) error{
		2: func(ctx context.Context, v uint16) error { _, err := archive.Prune(ctx, st, dir, v); return err },
		3: func(ctx context.Context, v uint16) error { _, err := archive.Write(ctx, st, dir, v, nil); return err },
		9: func(ctx context.Context, v uint16) error { _, err := archive.Write(ctx, st, dir, v, nil); return err },
	} {
		if err := try(t.Context(), volume); err == nil {
			t.Errorf("volume %d, which has not ended, is not archived or does not exist, was taken", volume)
		}
	}
	if _, err := st.Prune(t.Context(), 3); !errors.Is(err, store.ErrBatch) {
		t.Errorf("the volume that is written was pruned: %v", err)
	}
}
