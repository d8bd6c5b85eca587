package storetest

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"drawhouse/journal/store"
)

// TestMemory runs the suite against the model that the suite itself uses.
func TestMemory(t *testing.T) {
	var mu sync.Mutex // guards disks
	disks := map[string]*Disk{}
	Run(t, Driver{
		Locate: func(testing.TB) string {
			mu.Lock()
			defer mu.Unlock()
			location := strconv.Itoa(len(disks))
			disks[location] = NewDisk()
			return location
		},
		Open: func(location string) (store.Store, error) {
			mu.Lock()
			defer mu.Unlock()
			return OpenMemory(disks[location]), nil
		},
		Volatile: true,
	})
}

// TestFaulty shows that both faults look the same to the writer and differ in
// what is stored, and that only a takeover lets it go on.
func TestFaulty(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		size  uint64
	}{{BeforeCommit, 1}, {AfterCommit, 4}} {
		var next Fault
		st := NewFaulty(OpenMemory(NewDisk()), func(store.Batch) Fault { return next })
		j := takeOver(t, st)
		appendSome(t, st, j, 1)
		next = c.fault
		if err := st.Append(t.Context(), j.Batch(j.Some(3))); !errors.Is(err, ErrFault) {
			t.Errorf("fault %d: %v", c.fault, err)
		}
		next = NoFault
		if err := st.Append(t.Context(), j.Batch(j.Some(1))); !errors.Is(err, store.ErrFenced) {
			t.Errorf("append after fault %d: %v, want ErrFenced", c.fault, err)
		}
		j = takeOver(t, st)
		if j.Next().Seq != c.size {
			t.Errorf("fault %d left %d records, want %d", c.fault, j.Next().Seq, c.size)
		}
		appendSome(t, st, j, 1)
		checkAll(t, st)
	}
}
