package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// checkAll reads every volume, compares each record with Data and the whole with
// the head's root, and restores the tree from the tiles.
func checkAll(t *testing.T, st store.Reader) {
	t.Helper()
	if err := verify(t.Context(), st); err != nil {
		t.Error(err)
	}
}

func verify(ctx context.Context, st store.Reader) error {
	volumes, err := st.Volumes(ctx)
	if err != nil {
		return err
	}
	for _, head := range volumes {
		if err := verifyVolume(ctx, st, head); err != nil {
			return fmt.Errorf("volume %d: %w", head.Volume, err)
		}
	}
	return nil
}

func verifyVolume(ctx context.Context, st store.Reader, head store.Head) error {
	tree := journal.NewTree()
	err := st.Records(ctx, head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		if seq != tree.Size() {
			return fmt.Errorf("record %d came where %d was due", seq, tree.Size())
		}
		if want := Data(record.Place{Volume: head.Volume, Seq: seq}); !bytes.Equal(data, want) {
			return fmt.Errorf("record %d is %q, want %q", seq, data, want)
		}
		tree.Append(data)
		return nil
	})
	if err != nil {
		return err
	}
	if tree.Size() != head.Size || tree.Root() != head.Root {
		return fmt.Errorf("%d records with root %v, head says %d with %v", tree.Size(), tree.Root(), head.Size,
			head.Root)
	}
	_, err = Resume(ctx, head, st)
	return err
}

func testRanges(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	const size = 10_000
	for range 10 {
		appendSome(t, st, j, size/10)
	}
	stop := errors.New("enough")
	for _, c := range []struct {
		from, to, stopAt uint64
		visited          uint64
		want             error
	}{
		{0, size, size, size, nil},
		{0, 0, size, 0, nil},
		{size, size, size, 0, nil},
		{17, 18, size, 1, nil},
		{4095, 4097, size, 2, nil},
		{9_999, size, size, 1, nil},
		{9_990, size + 1, size, 10, store.ErrNotFound},
		{size, size + 5, size, 0, store.ErrNotFound},
		{0, size, 0, 1, stop},
		{100, size, 6_000, 5_901, stop},
	} {
		var visited uint64
		err := st.Records(t.Context(), 1, c.from, c.to, func(seq uint64, data []byte) error {
			place := record.Place{Volume: 1, Seq: c.from + visited}
			if seq != place.Seq || !bytes.Equal(data, Data(place)) {
				t.Fatalf("from %d to %d: visited %d with %q", c.from, c.to, seq, data)
			}
			visited++
			if seq == c.stopAt {
				return stop
			}
			return nil
		})
		if visited != c.visited || !errors.Is(err, c.want) {
			t.Errorf("from %d to %d: visited %d, %v; want %d, %v", c.from, c.to, visited, err, c.visited, c.want)
		}
	}
	if err := st.Records(t.Context(), 1, 5, 4, failingVisit); err == nil {
		t.Error("a range that ends before it begins is no error")
	}
	if err := st.Records(t.Context(), 2, 0, 1, failingVisit); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a volume that is not there: %v", err)
	}
}

// testReadWithin reads within reads, more of them at a time than any pool of
// connections is likely to hold.
func testReadWithin(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 500)
	const depth = 40
	var dive func(level int) error
	dive = func(level int) error {
		if level == depth {
			return nil
		}
		return st.Records(t.Context(), 1, uint64(level), uint64(level)+1, func(seq uint64, _ []byte) error {
			if _, err := st.Record(t.Context(), record.Place{Volume: 1, Seq: seq}); err != nil {
				return err
			}
			return dive(level + 1)
		})
	}
	if err := dive(0); err != nil {
		t.Error(err)
	}
}

func testTiles(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	for range 3 {
		appendSome(t, st, j, 1000)
	}
	appendSome(t, st, j, 70_000)
	checkAll(t, st)
	tree := journal.NewTree()
	for seq := range uint64(73_000) {
		tree.Append(Data(record.Place{Volume: 1, Seq: seq}))
	}
	tiles := tree.TakeTiles()
	if top := tiles[slices.IndexFunc(tiles, func(t journal.Tile) bool { return t.Level == 1 })]; top.Index != 0 {
		t.Fatalf("there is no tile of the second level to try: %d/%d", top.Level, top.Index)
	}
	for _, tile := range tiles {
		data, err := st.Tile(t.Context(), 1, tile.Level, tile.Index)
		if err != nil || !bytes.Equal(data, tile.Data) {
			t.Errorf("tile %d/%d: %d bytes, %v", tile.Level, tile.Index, len(data), err)
		}
	}
	for _, at := range []journal.Tile{{Level: 0, Index: 73_000 / 256}, {Level: 1, Index: 1}, {Level: 2}} {
		if _, err := st.Tile(t.Context(), 1, at.Level, at.Index); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("tile %d/%d, which is not full: %v, want ErrNotFound", at.Level, at.Index, err)
		}
	}
	if _, err := st.Tile(t.Context(), 2, 0, 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("tile of another volume: %v, want ErrNotFound", err)
	}
}

func testAbout(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 100)
	ticket, other := record.Place{Volume: 1, Seq: 0}, record.Place{Volume: 1, Seq: 150}
	entries := j.Some(200) // 100 to 299
	entries[3].About = ticket
	entries[99].About = ticket
	entries[100].About = other
	if err := st.Append(t.Context(), j.Batch(entries)); err != nil {
		t.Fatal(err)
	}
	j.BeginVolume(2)
	entries = j.Some(2)
	entries[1].About = ticket
	if err := st.Append(t.Context(), j.Batch(entries)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ about, want []record.Place }{
		{[]record.Place{ticket}, []record.Place{{Volume: 1, Seq: 103}, {Volume: 1, Seq: 199}, {Volume: 2, Seq: 1}}},
		{[]record.Place{other}, []record.Place{{Volume: 1, Seq: 200}}},
		{[]record.Place{{Volume: 1, Seq: 103}, {Volume: 2, Seq: 0}, {Volume: 9, Seq: 9}, {}}, nil},
	} {
		for _, about := range c.about {
			places, err := st.About(t.Context(), about)
			if err != nil || !slices.Equal(places, c.want) {
				t.Errorf("about %v: %v, %v; want %v", about, places, err, c.want)
			}
		}
	}
	checkAll(t, st)
}

// testReadersBeside reads all there is, over and over, while batches are
// appended: each reader must see whole batches only, and never fewer than before.
func testReadersBeside(t *testing.T, d Driver) {
	location := d.Locate(t)
	writer, other := open(t, d, location), open(t, d, location)
	j := takeOver(t, writer)
	const batches, batch = 60, 100
	done := make(chan struct{})
	var readers sync.WaitGroup
	for _, st := range []store.Store{writer, writer, other, other} {
		readers.Go(func() {
			var size uint64
			for more := true; more; {
				select {
				case <-done:
					more = false // One more look, at all of it.
				default:
				}
				head, err := st.Head(t.Context())
				if err == nil && (head.Size%batch != 0 || head.Size < size) {
					err = fmt.Errorf("head at %d after %d", head.Size, size)
				}
				if err == nil {
					err = verifyVolume(t.Context(), st, head)
				}
				if err != nil {
					t.Error(err)
					return
				}
				size = head.Size
			}
			if size != batches*batch {
				t.Errorf("a reader saw %d records at last, want %d", size, batches*batch)
			}
		})
	}
	for range batches {
		appendSome(t, writer, j, batch)
	}
	close(done)
	readers.Wait()
}

// testContext ends the context before every call.
func testContext(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 300)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	place := record.Place{Volume: 1}
	calls := map[string]func() error{
		"Head":     func() error { _, err := st.Head(ended); return err },
		"Volumes":  func() error { _, err := st.Volumes(ended); return err },
		"Record":   func() error { _, err := st.Record(ended, place); return err },
		"Records":  func() error { return st.Records(ended, 1, 0, 300, failingVisit) },
		"Tile":     func() error { _, err := st.Tile(ended, 1, 0, 0); return err },
		"Object":   func() error { _, err := st.Object(ended, "none"); return err },
		"About":    func() error { _, err := st.About(ended, place); return err },
		"TakeOver": func() error { _, err := st.TakeOver(ended); return err },
		"Append":   func() error { return st.Append(ended, setBack(j, 300).Batch(j.Some(1))) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	// Nothing was written, and the writer may go on.
	appendSome(t, st, j, 1)

	ended, cancel = context.WithCancel(t.Context())
	visited := 0
	err := st.Records(ended, 1, 0, 301, func(uint64, []byte) error {
		visited++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || visited > 1 {
		t.Errorf("ended while reading: %d records visited, %v", visited, err)
	}
	checkAll(t, st)
}
