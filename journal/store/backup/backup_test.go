package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// kinds open a new, empty store of each kind.
var kinds = map[string]func(t *testing.T) backup.Target{
	"memory": func(*testing.T) backup.Target { return storetest.OpenMemory(storetest.NewDisk()) },
	"SQLite": func(t *testing.T) backup.Target {
		st, err := sqlite.Open(t.Context(), t.TempDir(), store.FirstLane)
		if err != nil {
			t.Fatal(err)
		}
		return st
	},
	"PostgreSQL": func(t *testing.T) backup.Target {
		st, err := postgres.Open(t.Context(), pgtest.Schema(t), store.FirstLane)
		if err != nil {
			t.Fatal(err)
		}
		return st
	},
}

// grown returns a store of a kind with a journal of two volumes and its writer.
func grown(t *testing.T, kind string) (backup.Target, *storetest.Journal) {
	t.Helper()
	st := kinds[kind](t)
	t.Cleanup(func() { st.Close() })
	head, err := st.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := storetest.Resume(t.Context(), head, st)
	if err != nil {
		t.Fatal(err)
	}
	grow(t, st, j, 2)
	j.BeginVolume(2)
	grow(t, st, j, 5)
	return st, j
}

// grow appends batches of a thousand records with abouts and objects.
func grow(t *testing.T, st store.Store, j *storetest.Journal, batches int) {
	t.Helper()
	for range batches {
		next := j.Next()
		entries := j.Some(1000)
		entries[7].About = record.Place{Volume: 1}
		if next == (record.Place{Volume: 1}) {
			entries[7].About = record.Place{Volume: 1, Seq: 3}
		}
		b := j.Batch(entries, store.Object{Name: "a " + next.String(), Data: storetest.Data(next)},
			store.Object{Name: "b " + next.String()})
		if err := st.Append(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
}

// dump is everything in a store, in a form that can be compared.
func dump(t *testing.T, s store.Source) map[string]string {
	t.Helper()
	all, ctx := map[string]string{}, t.Context()
	contents, err := s.Contents(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range contents.Volumes {
		all[fmt.Sprint("head ", head.Volume)] = fmt.Sprint(head.Size, head.Root, string(head.Checkpoint))
		err := store.Entries(ctx, s, head.Volume, 0, head.Size, func(seq uint64, e store.Entry) error {
			all[fmt.Sprint("record ", head.Volume, seq)] = fmt.Sprint(e.About, string(e.Data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for level, size := uint8(0), head.Size/256; size > 0; level, size = level+1, size/256 {
			for index := range size {
				data, err := s.Tile(ctx, head.Volume, level, index)
				if err != nil {
					t.Fatal(err)
				}
				all[fmt.Sprint("tile ", head.Volume, level, index)] = string(data)
			}
		}
	}
	for _, name := range contents.Objects {
		data, err := s.Object(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		all["object "+name] = string(data)
	}
	return all
}

// check compares a copy with its source. Volumes that have ended need no checkpoint in a
// copy: the one after them has it in its first record.
func check(t *testing.T, to, from store.Source) {
	t.Helper()
	got, want := dump(t, to), dump(t, from)
	for _, all := range []map[string]string{got, want} {
		delete(all, "head 1")
	}
	if !maps.Equal(got, want) {
		t.Errorf("the copy has %d things, the source %d, or they differ", len(got), len(want))
	}
}

// TestCopy copies from every kind of store to every other, and again when the source
// has grown.
func TestCopy(t *testing.T) {
	for _, source := range slices.Sorted(maps.Keys(kinds)) {
		for _, target := range slices.Sorted(maps.Keys(kinds)) {
			t.Run(source+" to "+target, func(t *testing.T) {
				from, j := grown(t, source)
				to := kinds[target](t)
				defer to.Close()
				told := uint64(0)
				summary, err := backup.Copy(t.Context(), to, from, func(done, total uint64) {
					if done < told || done > total || total != 14_000 {
						t.Errorf("progress %d of %d after %d", done, total, told)
					}
					told = done
				})
				if err != nil || summary.Records != 7000 || summary.Copied != 7000 || summary.Objects != 14 || told != 14_000 {
					t.Fatalf("%+v, %v, told %d", summary, err, told)
				}
				check(t, to, from)

				grow(t, from, j, 2)
				if summary, err = backup.Copy(t.Context(), to, from, nil); err != nil || summary.Copied != 2000 {
					t.Fatalf("again: %+v, %v", summary, err)
				}
				check(t, to, from)
				if summary, err = backup.Copy(t.Context(), to, from, nil); err != nil || summary.Copied != 0 {
					t.Fatalf("with nothing new: %+v, %v", summary, err)
				}
			})
		}
	}
}

// TestCopyGoesOn breaks copies off after each batch and goes on with them.
func TestCopyGoesOn(t *testing.T) {
	from, _ := grown(t, "memory")
	to := storetest.OpenMemory(storetest.NewDisk())
	for lives := 1; ; lives++ {
		broken := false
		faulty := target{storetest.NewFaulty(to, func(store.Batch) storetest.Fault {
			if broken {
				return storetest.BeforeCommit
			}
			broken = true
			return storetest.NoFault
		}), to}
		_, err := backup.Copy(t.Context(), faulty, from, nil)
		if err == nil {
			if lives < 3 {
				t.Errorf("the copy took %d lives", lives)
			}
			break
		}
		if !errors.Is(err, storetest.ErrFault) {
			t.Fatal(err)
		}
		if head, err := to.Head(t.Context()); err != nil || len(head.Checkpoint) > 0 {
			t.Fatalf("half a copy has a checkpoint: %+v, %v", head, err)
		}
	}
	check(t, to, from)
}

// target joins a store that fails with the one behind it.
type target struct {
	*storetest.Faulty
	source store.Source
}

func (t target) Contents(ctx context.Context) (store.Contents, error) { return t.source.Contents(ctx) }

func (t target) Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	return t.source.Abouts(ctx, volume, from, to)
}

// TestCopyRefuses copies where another journal is, or from one that is damaged.
func TestCopyRefuses(t *testing.T) {
	from, _ := grown(t, "memory")
	other := storetest.OpenMemory(storetest.NewDisk())
	head, _ := other.TakeOver(t.Context())
	j, err := storetest.Resume(t.Context(), head, other)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Append(t.Context(), j.Batch([]store.Entry{{Data: []byte("something else")}})); err != nil {
		t.Fatal(err)
	}
	before := dump(t, other)
	if _, err := backup.Copy(t.Context(), other, from, nil); !errors.Is(err, backup.ErrOther) {
		t.Errorf("over another journal: %v, want ErrOther", err)
	}
	if !maps.Equal(before, dump(t, other)) {
		t.Error("the other journal was changed")
	}
	if now, _ := other.Head(t.Context()); now.Epoch != head.Epoch {
		t.Error("its writer was stopped")
	}
	if _, err := backup.Copy(t.Context(), other, storetest.OpenMemory(storetest.NewDisk()), nil); !errors.Is(err,
		backup.ErrNothing) {
		t.Errorf("from nothing: %v, want ErrNothing", err)
	}
	to := storetest.OpenMemory(storetest.NewDisk())
	if _, err := backup.Copy(t.Context(), to, lying{from}, nil); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("from a damaged journal: %v, want ErrDamaged", err)
	}
	if head, err := to.Head(t.Context()); err != nil || head.Volume == 2 && len(head.Checkpoint) > 0 {
		t.Errorf("a damaged copy has a checkpoint: %+v, %v", head, err)
	}
	if _, err := backup.Write(t.Context(), new(bytes.Buffer), lying{from}, nil); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("a backup of a damaged journal: %v, want ErrDamaged", err)
	}
}

// lying is a source of which one record of volume 2 is not what was written.
type lying struct{ store.Source }

func (l lying) Records(ctx context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	return l.Source.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
		if volume == 2 && seq == 4321 {
			data = []byte("a lie")
		}
		return fn(seq, data)
	})
}

// file returns the backup of a grown store.
func file(t *testing.T, kind string) ([]byte, store.Source) {
	t.Helper()
	from, _ := grown(t, kind)
	var out bytes.Buffer
	summary, err := backup.Write(t.Context(), &out, from, nil)
	if err != nil || summary.Records != 7000 || summary.Objects != 14 {
		t.Fatalf("%+v, %v", summary, err)
	}
	return out.Bytes(), from
}

// TestFile makes a backup of each kind of store. They are the same to the byte, and
// hold everything.
func TestFile(t *testing.T) {
	want, from := file(t, "memory")
	for _, kind := range []string{"SQLite", "PostgreSQL"} {
		t.Run(kind, func(t *testing.T) {
			if got, _ := file(t, kind); !bytes.Equal(got, want) {
				t.Errorf("the backup has %d bytes, that of memory %d, or they differ", len(got), len(want))
			}
		})
	}
	all := dump(t, from)
	for name := range all {
		if name[:4] == "tile" {
			delete(all, name) // They are made from the records.
		}
	}
	expect := func(name, value string) {
		if all[name] != value {
			t.Errorf("%s is %q, want %q", name, value, all[name])
		}
		delete(all, name)
	}
	summary, err := backup.Read(bytes.NewReader(want), backup.Visitor{
		Record: func(place record.Place, e store.Entry) error {
			expect(fmt.Sprint("record ", place.Volume, place.Seq), fmt.Sprint(e.About, string(e.Data)))
			return nil
		},
		Volume: func(head store.Head) error {
			expect(fmt.Sprint("head ", head.Volume), fmt.Sprint(head.Size, head.Root, string(head.Checkpoint)))
			return nil
		},
		Object: func(name string, data []byte) error {
			expect("object "+name, string(data))
			return nil
		},
	})
	if err != nil || len(all) > 0 || summary.Records != 7000 || summary.Objects != 14 || len(summary.Volumes) != 2 {
		t.Errorf("%+v, %v, and %d things are missing", summary, err, len(all))
	}
}

// TestDamagedFile cuts a backup off at many places, and changes a bit at many others.
func TestDamagedFile(t *testing.T) {
	good, _ := file(t, "memory")
	refused := func(data []byte, what string, at int) {
		t.Helper()
		if _, err := backup.Read(bytes.NewReader(data), backup.Visitor{}); !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%s at %d of %d: %v, want ErrDamaged", what, at, len(good), err)
		}
	}
	step := len(good)/60 + 1
	for at := 0; at < len(good); at += step {
		refused(good[:at], "cut off", at)
		spoilt := bytes.Clone(good)
		spoilt[at] ^= 1 << (at % 8)
		refused(spoilt, "changed", at)
	}
	for at := 1; at < 40; at++ {
		refused(good[:len(good)-at], "cut off before the end", at)
	}
	refused(append(bytes.Clone(good), 0), "longer", len(good))
	stop := errors.New("enough")
	if _, err := backup.Read(bytes.NewReader(good),
		backup.Visitor{Record: func(record.Place, store.Entry) error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("a visitor's error: %v", err)
	}
}

// FuzzRead reads whatever comes: it is sound and all of it was visited, or it is
// damaged.
func FuzzRead(f *testing.F) {
	st := storetest.OpenMemory(storetest.NewDisk())
	head, err := st.TakeOver(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	j, err := storetest.Resume(f.Context(), head, st)
	if err != nil {
		f.Fatal(err)
	}
	if err := st.Append(f.Context(), j.Batch(j.Some(3), store.Object{Name: "o", Data: []byte("x")})); err != nil {
		f.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := backup.Write(f.Context(), &out, st, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte("drawhouse backup 1\nV\x01\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		records := uint64(0)
		summary, err := backup.Read(bytes.NewReader(data),
			backup.Visitor{Record: func(record.Place, store.Entry) error { records++; return nil }})
		if err == nil && summary.Records != records {
			t.Errorf("%d records were visited, the summary says %d", records, summary.Records)
		}
		if err != nil && !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("an error of another kind: %v", err)
		}
	})
}
