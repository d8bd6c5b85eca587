package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// source returns the store as one that can be copied.
func source(t *testing.T, st store.Store) store.Source {
	t.Helper()
	s, ok := st.(store.Source)
	if !ok {
		t.Fatalf("a %T cannot be copied", st)
	}
	return s
}

// testContents lists what there is, in volumes and objects, and reads entries with
// what they are about across the page of Entries.
func testContents(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	src := source(t, st)
	if c, err := src.Contents(t.Context()); err != nil || len(c.Volumes) != 1 || c.Volumes[0].Size != 0 ||
		len(c.Objects) != 0 {
		t.Errorf("contents of an empty store: %+v, %v", c, err)
	}
	if err := st.Append(t.Context(),
		j.Batch(j.Some(1), store.Object{Name: "b"}, store.Object{Name: "B"}, store.Object{Name: "é"},
			store.Object{Name: "a/1"})); err != nil {
		t.Fatal(err)
	}
	j.BeginVolume(3)
	entries, want := j.Some(9000), map[uint64]record.Place{}
	for _, i := range []int{0, 1, 4095, 8191, 8192, 8999} {
		entries[i].About = record.Place{Volume: 1}
		want[uint64(i)] = entries[i].About
	}
	if err := st.Append(t.Context(), j.Batch(entries, store.Object{Name: "c"})); err != nil {
		t.Fatal(err)
	}
	heads, err := st.Volumes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := src.Contents(t.Context())
	if err != nil || !slices.EqualFunc(c.Volumes, heads, sameHead) ||
		!slices.Equal(c.Objects, []string{"B", "a/1", "b", "c", "é"}) {
		t.Errorf("contents %+v, %v; want %+v", c, err, heads)
	}
	got, next := map[uint64]record.Place{}, uint64(0)
	err = store.Entries(t.Context(), src, 3, 0, 9000, func(seq uint64, e store.Entry) error {
		if seq != next || !bytes.Equal(e.Data, Data(record.Place{Volume: 3, Seq: seq})) {
			return fmt.Errorf("entry %d is %q, want number %d", seq, e.Data, next)
		}
		next++
		if e.About != (record.Place{}) {
			got[seq] = e.About
		}
		return nil
	})
	if err != nil || next != 9000 || !maps.Equal(got, want) {
		t.Errorf("%d entries, about %v, %v; want %v", next, got, err, want)
	}
	if err := store.Entries(t.Context(), src, 3, 8990, 9001,
		func(uint64, store.Entry) error { return nil }); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("entries beyond the end: %v, want ErrNotFound", err)
	}
}

// testContentsBeside lists contents beside a writer whose every batch has an object:
// the objects must be those of the records, neither more nor fewer.
func testContentsBeside(t *testing.T, d Driver) {
	location := d.Locate(t)
	writer, other := open(t, d, location), open(t, d, location)
	j := takeOver(t, writer)
	done := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for more := true; more; {
			select {
			case <-done:
				more = false
			default:
			}
			c, err := source(t, other).Contents(t.Context())
			if err != nil || uint64(len(c.Objects)) != c.Volumes[0].Size {
				t.Errorf("%d objects beside %d records, %v", len(c.Objects), c.Volumes[0].Size, err)
				return
			}
		}
	})
	for n := range 150 {
		if err := writer.Append(t.Context(), j.Batch(j.Some(1), store.Object{Name: fmt.Sprint(n)})); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	reader.Wait()
}
