package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"drawhouse/journal/store"
)

// testFence takes a store over by a second handle, as another process would, and
// appends by the first.
func testFence(t *testing.T, d Driver) {
	location := d.Locate(t)
	first, second := open(t, d, location), open(t, d, location)
	old := takeOver(t, first)
	appendSome(t, first, old, 10)

	successor := takeOver(t, second)
	if err := first.Append(t.Context(), old.Batch(old.Some(1))); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the older writer appended: %v, want ErrFenced", err)
	}
	appendSome(t, second, successor, 1)
	if err := first.Append(t.Context(), old.Batch(old.Some(1))); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the older writer appended at a place that is free again: %v, want ErrFenced", err)
	}
	for _, st := range []store.Store{first, second} {
		if head, err := st.Head(t.Context()); err != nil || head.Epoch != 2 || head.Size != 11 {
			t.Errorf("head %+v, %v; want epoch 2 and size 11", head, err)
		}
		checkAll(t, st)
	}

	// An epoch from the future is no more valid than one from the past.
	b := successor.Batch(successor.Some(1))
	b.Epoch++
	if err := second.Append(t.Context(), b); !errors.Is(err, store.ErrFenced) {
		t.Errorf("an epoch that nobody took: %v, want ErrFenced", err)
	}
	third := takeOver(t, first)
	appendSome(t, first, third, 5)
	checkAll(t, second)
}

func testWrongPlace(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 10)
	for _, from := range []uint64{0, 9, 11, 1 << 40} {
		b := setBack(j, 10).Batch(j.Some(1), store.Object{Name: "x"})
		b.From = from
		if err := st.Append(t.Context(), b); !errors.Is(err, store.ErrFenced) {
			t.Errorf("from %d at size 10: %v, want ErrFenced", from, err)
		}
	}
	b := setBack(j, 10).Batch(j.Some(1), store.Object{Name: "x"})
	b.Volume = 2
	if err := st.Append(t.Context(), b); !errors.Is(err, store.ErrFenced) {
		t.Errorf("volume 2 begun at 10: %v, want ErrFenced", err)
	}
	if _, err := st.Object(t.Context(), "x"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a fenced batch left its object: %v", err)
	}
	appendSome(t, st, setBack(j, 10), 1)
	checkAll(t, st)
}

// testRivals lets writers take the journal from each other as fast as they can.
// The records at the end must be those of the appends that were acknowledged,
// and no more.
func testRivals(t *testing.T, d Driver) {
	location := d.Locate(t)
	var stored, fenced atomic.Uint64
	var writers sync.WaitGroup
	for range 4 {
		st := open(t, d, location)
		writers.Go(func() {
			for range 12 {
				n, err := reign(t, st)
				stored.Add(n)
				if err != nil {
					t.Error(err)
					return
				}
				if n < reignBatches {
					fenced.Add(1)
				}
			}
		})
	}
	writers.Wait()
	st := open(t, d, location)
	head, err := st.Head(t.Context())
	if err != nil || head.Size != stored.Load() || head.Epoch != 48 {
		t.Errorf("head %+v, %v; want %d records in epoch 48", head, err, stored.Load())
	}
	checkAll(t, st)
	t.Logf("%d records stored by 48 reigns, %d of them cut short", stored.Load(), fenced.Load())
}

const reignBatches = 10

// reign takes over and appends single records until it is fenced, at most
// reignBatches of them. It returns how many were acknowledged.
func reign(t *testing.T, st store.Store) (n uint64, err error) {
	head, err := st.TakeOver(t.Context())
	if err != nil {
		return 0, err
	}
	j, err := Resume(t.Context(), head, st)
	if err != nil {
		return 0, err
	}
	for n < reignBatches {
		err := st.Append(t.Context(), j.Batch(j.Some(1)))
		if errors.Is(err, store.ErrFenced) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
