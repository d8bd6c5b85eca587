package main

import (
	"context"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// TestNewerProgramWrote has one process answer a request that another one answered, and refuses to go on with a journal
// whose level a newer program has raised: whatever is asked of it, it names that program, and changes nothing.
func TestNewerProgramWrote(t *testing.T) {
	t.Parallel()
	s := serve(t)
	term := &terminal{id: 1}
	ask := func() map[string]any {
		t.Helper()
		status, answer, err := s.askAs(term.id, http.MethodPut, term.path(), term.body)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%d %v %v", status, answer, err)
		}
		delete(answer, "checkpoint") // It is that of now.
		return answer
	}
	term.order()
	first := ask()
	s.stop()
	s.start()
	if again := ask(); !reflect.DeepEqual(first, again) {
		t.Errorf("the same request was answered %v, and by the next process %v", first, again)
	}
	s.stop()
	size := raiseByNewer(t, s.dir)
	export := filepath.Join(t.TempDir(), "export")
	for _, c := range []struct {
		args   []string
		passes bool // it reads no record
	}{
		{s.arguments(), false},
		{[]string{"serve", "--follow", "--addr=127.0.0.1:0", "--data=" + s.dir}, false},
		{[]string{"journal", "export", "--data=" + s.dir, export}, true},
		{[]string{"verify", export}, false},
	} {
		out, err := s.command(c.args...).CombinedOutput()
		if c.passes {
			if err != nil {
				t.Errorf("%v: %v, %s", c.args, err, out)
			}
			continue
		}
		if err == nil || !strings.Contains(string(out), record.ErrNewer.Error()) ||
			!strings.Contains(string(out), "drawhouse 99.0.0") || strings.Count(string(out), "the journal names") != 1 {
			t.Errorf("%v: %v, %s", c.args, err, out)
		}
	}
	st := openStore(t, s.dir)
	defer st.Close()
	if head, err := st.Head(t.Context()); err != nil || head.Size != size {
		t.Errorf("the journal ends at %d and not at %d: %v", head.Size, size, err)
	}
}

func openStore(t *testing.T, dir string) *sqlite.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), dir, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// raiseByNewer raises the level of the journal in a folder as a newer program does, and returns how many records there
// are then.
func raiseByNewer(t *testing.T, dir string) uint64 {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	st := openStore(t, dir)
	defer func() { must(st.Close()) }()
	head, err := st.TakeOver(ctx)
	must(err)
	tree, volume, now := journal.NewTree(), record.VolumeBegun{}, record.Time(0)
	must(st.Records(ctx, head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
		r, err := record.Decode(data)
		if begun, ok := r.Body.(*record.VolumeBegun); ok {
			volume = *begun
		}
		tree.Append(data)
		now = r.Time
		return err
	}))
	tree.TakeTiles() // They are in the store.
	known, err := record.Encode(record.Record{Time: now,
		Body: &record.LevelRaised{Level: record.Level, Build: "drawhouse 99.0.0"}})
	must(err)
	newer := []byte(strings.Replace(string(known), "\x82"+string(rune(record.Level)), "\x82"+string(rune(record.Level+1)), 1))
	tree.Append(newer)
	keys, err := house.ReadKeyDir(filepath.Join(dir, "keys"))
	must(err)
	signing, err := keys.For(volume)
	must(err)
	batch := store.Batch{Epoch: head.Epoch, Volume: head.Volume, From: head.Size,
		Entries: []store.Entry{{Data: newer}}, Root: tree.Root(), Tiles: tree.TakeTiles()}
	batch.Checkpoint, err = journal.SignCheckpoint(journal.Checkpoint{Origin: volume.Origin(), Size: tree.Size(),
		Root: tree.Root()}, signing.House)
	must(err)
	must(st.Append(ctx, batch))
	return tree.Size()
}
