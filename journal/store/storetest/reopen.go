package storetest

import (
	"errors"
	"sync"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

func testClosed(t *testing.T, d Driver) {
	st, j := fresh(t, d)
	appendSome(t, st, j, 300)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	errs := lookups(t, st, record.Place{Volume: 1})
	_, errs["head"] = st.Head(t.Context())
	_, errs["volumes"] = st.Volumes(t.Context())
	_, errs["about"] = st.About(t.Context(), record.Place{Volume: 1})
	_, errs["takeover"] = st.TakeOver(t.Context())
	errs["append"] = st.Append(t.Context(), j.Batch(j.Some(1)))
	for name, err := range errs {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
}

// testReopen goes through several lives of a store.
func testReopen(t *testing.T, d Driver) {
	location := d.Locate(t)
	var size uint64
	for life := range uint64(5) {
		st, err := d.Open(location)
		if err != nil {
			t.Fatal(err)
		}
		checkAll(t, st)
		head, err := st.TakeOver(t.Context())
		if err != nil || head.Epoch != life+1 || head.Size != size {
			t.Errorf("life %d begins at %+v, %v; want %d records", life, head, err, size)
		}
		j, err := Resume(t.Context(), head, st)
		if err != nil {
			t.Fatal(err)
		}
		appendSome(t, st, j, 700)
		appendSome(t, st, j, 1)
		size += 701
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// testOpenAtOnce makes one store by many, as when a service starts twice.
func testOpenAtOnce(t *testing.T, d Driver) {
	for range 20 {
		location := d.Locate(t)
		stores := make([]store.Store, 8)
		var openers sync.WaitGroup
		for i := range stores {
			openers.Go(func() {
				var err error
				if stores[i], err = d.Open(location); err != nil {
					t.Errorf("opener %d: %v", i, err)
				}
			})
		}
		openers.Wait()
		for i, st := range stores {
			if st == nil {
				continue
			}
			j := takeOver(t, st)
			appendSome(t, st, j, 3)
			if place := j.Next(); place.Seq != uint64(i+1)*3 {
				t.Errorf("writer %d is at %v", i, place)
			}
			checkAll(t, st)
		}
		for _, st := range stores {
			if st != nil && st.Close() != nil {
				t.Error("closing failed")
			}
		}
	}
}
