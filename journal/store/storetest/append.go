package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

func testEmpty(t *testing.T, d Driver) {
	st := open(t, d, d.Locate(t))
	head, err := st.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if head.Epoch != 0 || head.Volume != store.FirstVolume || head.Size != 0 || head.Root != journal.EmptyRoot() ||
		len(head.Checkpoint) != 0 {
		t.Errorf("head of an empty store: %+v", head)
	}
	if volumes, err := st.Volumes(t.Context()); err != nil || len(volumes) != 1 || !sameHead(volumes[0], head) {
		t.Errorf("volumes of an empty store: %+v, %v", volumes, err)
	}
	for name, err := range lookups(t, st, record.Place{Volume: 1}) {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s in an empty store: %v, want ErrNotFound", name, err)
		}
	}
	if places, err := st.About(t.Context(), record.Place{Volume: 1}); err != nil || len(places) != 0 {
		t.Errorf("about in an empty store: %v, %v", places, err)
	}
	if err := st.Records(t.Context(), 1, 0, 0, failingVisit); err != nil {
		t.Errorf("no records of an empty store: %v", err)
	}
}

// lookups returns the errors of looking for what is not there.
func lookups(t *testing.T, st store.Reader, place record.Place) map[string]error {
	_, recordErr := st.Record(t.Context(), place)
	_, tileErr := st.Tile(t.Context(), place.Volume, 0, place.Seq/journal.TileWidth)
	_, objectErr := st.Object(t.Context(), "none")
	rangeErr := st.Records(t.Context(), place.Volume, place.Seq, place.Seq+1, failingVisit)
	return map[string]error{"record": recordErr, "tile": tileErr, "object": objectErr, "records": rangeErr}
}

// failingVisit is a visit where no record is expected.
func failingVisit(seq uint64, _ []byte) error { return fmt.Errorf("unexpected record %d", seq) }

func testReadBack(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	b := j.Batch(j.Some(3))
	if err := st.Append(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	head, err := st.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := store.Head{Epoch: 1, Volume: 1, Size: 3, Root: b.Root, Checkpoint: b.Checkpoint}
	if !sameHead(head, want) {
		t.Errorf("head %+v, want %+v", head, want)
	}
	for i, e := range b.Entries {
		place := record.Place{Volume: 1, Seq: uint64(i)}
		data, err := st.Record(t.Context(), place)
		if err != nil || !bytes.Equal(data, e.Data) {
			t.Errorf("record %v: %q, %v", place, data, err)
		}
	}
	for name, err := range lookups(t, st, record.Place{Volume: 1, Seq: 3}) {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s after the head: %v, want ErrNotFound", name, err)
		}
	}
}

func sameHead(a, b store.Head) bool {
	return a.Epoch == b.Epoch && a.Volume == b.Volume && a.Size == b.Size && a.Root == b.Root &&
		bytes.Equal(a.Checkpoint, b.Checkpoint)
}

// testBatchSizes goes round the edges at which a driver may cut a batch into
// statements.
func testBatchSizes(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	for _, n := range []int{1, 2, 3, 7, 63, 64, 65, 127, 128, 129, 255, 256, 257, 5000} {
		appendSome(t, st, j, n)
	}
	checkAll(t, st)
}

// testLongRecords stores the longest record there may be, bytes of every value,
// and objects beyond the page size of any engine.
func testLongRecords(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	long := bytes.Repeat(every, record.MaxBytes/256)
	object := store.Object{Name: "long", Data: bytes.Repeat(every, 1<<14)}
	if err := st.Append(t.Context(),
		j.Batch([]store.Entry{{Data: []byte{0}}, {Data: long}, {Data: every}}, object)); err != nil {
		t.Fatal(err)
	}
	var seen [][]byte
	err := st.Records(t.Context(), 1, 0, 3, func(_ uint64, data []byte) error {
		seen = append(seen, bytes.Clone(data))
		return nil
	})
	if err != nil || len(seen) != 3 || !bytes.Equal(seen[0], []byte{0}) || !bytes.Equal(seen[1], long) ||
		!bytes.Equal(seen[2], every) {
		t.Errorf("read back %d records, %v", len(seen), err)
	}
	if data, err := st.Object(t.Context(), "long"); err != nil || !bytes.Equal(data, object.Data) {
		t.Errorf("object of %d bytes came back with %d, %v", len(object.Data), len(data), err)
	}
}

func testObjects(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	objects := []store.Object{{Name: "winners/1/7/1", Data: []byte("w")}, {Name: "bitmap/1/7", Data: []byte{}}}
	if err := st.Append(t.Context(), j.Batch(j.Some(1), objects...)); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if data, err := st.Object(t.Context(), o.Name); err != nil || !bytes.Equal(data, o.Data) {
			t.Errorf("object %q: %q, %v", o.Name, data, err)
		}
	}
	again := takeOver(t, st)
	err := st.Append(t.Context(), again.Batch(again.Some(2), store.Object{Name: "new"},
		store.Object{Name: "bitmap/1/7", Data: []byte("other")}))
	if !errors.Is(err, store.ErrBatch) {
		t.Errorf("an object's name used twice: %v, want ErrBatch", err)
	}
	if data, err := st.Object(t.Context(), "bitmap/1/7"); err != nil || len(data) != 0 {
		t.Errorf("the object changed to %q, %v", data, err)
	}
	if _, err := st.Object(t.Context(), "new"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("half of a refused batch is stored: %v", err)
	}
	// A refused batch is no unknown outcome: the writer may go on.
	appendSome(t, st, setBack(again, 1), 1)
	checkAll(t, st)
}

// setBack returns the journal of the same writer, set back to the first size
// records of Data, as if the batches since had never been made.
func setBack(j *Journal, size uint64) *Journal {
	back := &Journal{epoch: j.epoch, volume: j.volume, tree: journal.NewTree()}
	for seq := range size {
		back.tree.Append(Data(record.Place{Volume: j.volume, Seq: seq}))
	}
	back.tree.TakeTiles()
	return back
}

func testVolumes(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 300)
	first := j.Root()
	j.BeginVolume(2)
	appendSome(t, st, j, 600)
	second := j.Root()
	j.BeginVolume(5) // Numbers may be left out, and are never used again.
	appendSome(t, st, j, 1)
	appendSome(t, st, j, 1)

	volumes, err := st.Volumes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Head{
		{Epoch: 1, Volume: 1, Size: 300, Root: first, Checkpoint: []byte("volume 1 size 300")},
		{Epoch: 1, Volume: 2, Size: 600, Root: second, Checkpoint: []byte("volume 2 size 600")},
		{Epoch: 1, Volume: 5, Size: 2, Root: j.Root(), Checkpoint: []byte("volume 5 size 2")},
	}
	if len(volumes) != len(want) {
		t.Fatalf("volumes %+v, want %+v", volumes, want)
	}
	for i := range want {
		if !sameHead(volumes[i], want[i]) {
			t.Errorf("volume %+v, want %+v", volumes[i], want[i])
		}
	}
	checkAll(t, st)
	for _, volume := range []uint16{1, 2, 3, 4} {
		j.BeginVolume(volume)
		if err := st.Append(t.Context(), j.Batch(j.Some(1))); !errors.Is(err, store.ErrFenced) {
			t.Errorf("volume %d begun after volume 5: %v, want ErrFenced", volume, err)
		}
	}
}

// testRefused sends batches that break each of the store's conditions.
func testRefused(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 250)
	for name, spoil := range spoilt {
		b := setBack(j, 250).Batch(j.Some(10), store.Object{Name: name})
		spoil(&b)
		if err := st.Append(t.Context(), b); !errors.Is(err, store.ErrBatch) {
			t.Errorf("%s: %v, want ErrBatch", name, err)
		}
		if _, err := st.Object(t.Context(), name); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: its object is stored: %v", name, err)
		}
	}
	head, err := st.Head(t.Context())
	if err != nil || head.Size != 250 {
		t.Errorf("refused batches moved the head to %+v, %v", head, err)
	}
	appendSome(t, st, j, 10)
	checkAll(t, st)
}

// spoilt are ways to spoil a batch of ten records from 250, which completes tile 0/0.
var spoilt = map[string]func(b *store.Batch){
	"no epoch":          func(b *store.Batch) { b.Epoch = 0 },
	"no volume":         func(b *store.Batch) { b.Volume = 0 },
	"no entries":        func(b *store.Batch) { b.Entries, b.Tiles = nil, nil },
	"empty record":      func(b *store.Batch) { b.Entries[3].Data = nil },
	"record too long":   func(b *store.Batch) { b.Entries[3].Data = make([]byte, record.MaxBytes+1) },
	"about itself":      func(b *store.Batch) { b.Entries[3].About = record.Place{Volume: 1, Seq: 253} },
	"about the future":  func(b *store.Batch) { b.Entries[3].About = record.Place{Volume: 2, Seq: 1} },
	"about nowhere":     func(b *store.Batch) { b.Entries[3].About = record.Place{Seq: 7} },
	"tile missing":      func(b *store.Batch) { b.Tiles = nil },
	"tile twice":        func(b *store.Batch) { b.Tiles = append(b.Tiles, b.Tiles[0]) },
	"tile too early":    func(b *store.Batch) { b.Tiles[0].Index = 1 },
	"tile of no level":  func(b *store.Batch) { b.Tiles[0].Level = 8 },
	"tile not full":     func(b *store.Batch) { b.Tiles[0].Data = b.Tiles[0].Data[32:] },
	"object unnamed":    func(b *store.Batch) { b.Objects = append(b.Objects, store.Object{}) },
	"object named long": func(b *store.Batch) { b.Objects[0].Name += string(make([]byte, 300)) },
	"object twice":      func(b *store.Batch) { b.Objects = append(b.Objects, b.Objects[0]) },
	"too far out":       func(b *store.Batch) { b.From = journal.MaxSize - 5 },
}
