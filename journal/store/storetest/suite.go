package storetest

import (
	"testing"

	"drawhouse/journal/store"
)

// Driver is what the suite needs to know of a storage driver.
type Driver struct {
	// Locate returns where a new, empty store may be made. It is cleared away
	// with the test.
	Locate func(tb testing.TB) string
	// Open opens the store at a location, by this process or another, and makes
	// it if it is not there yet.
	Open func(location string) (store.Store, error)
	// Volatile says that what is stored ends with the process, so that there is
	// nothing to try by killing one.
	Volatile bool
}

// exercises are the tests of the suite, by what they prove.
var exercises = []struct {
	name string
	run  func(t *testing.T, d Driver)
}{
	{"an empty store", testEmpty},
	{"append and read back", testReadBack},
	{"batches of every size", testBatchSizes},
	{"long records", testLongRecords},
	{"ranges of records", testRanges},
	{"a reader may use the store while it reads", testReadWithin},
	{"tiles restore the tree", testTiles},
	{"objects", testObjects},
	{"records about a record", testAbout},
	{"volumes", testVolumes},
	{"refused batches leave nothing", testRefused},
	{"the fence holds off older writers", testFence},
	{"the fence holds off a wrong place", testWrongPlace},
	{"the fence holds between writers at once", testRivals},
	{"the writer makes itself known", testPresence},
	{"one of many succeeds", testSuccession},
	{"the end of a context", testContext},
	{"readers beside a writer", testReadersBeside},
	{"closed", testClosed},
	{"open again", testReopen},
	{"opened by many at once", testOpenAtOnce},
	{"contents", testContents},
	{"contents beside a writer", testContentsBeside},
	{"random histories", testHistories},
	{"killed while it writes", testKilled},
}

// Run tries a driver.
func Run(t *testing.T, d Driver) {
	for _, e := range exercises {
		t.Run(e.name, func(t *testing.T) { e.run(t, d) })
	}
}

// open opens a store that is closed with the test.
func open(t *testing.T, d Driver, location string) store.Store {
	t.Helper()
	st, err := d.Open(location)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return st
}

// fresh opens a new store and takes it over.
func fresh(t *testing.T, d Driver) (store.Store, *Journal) {
	t.Helper()
	st := open(t, d, d.Locate(t))
	return st, takeOver(t, st)
}

// takeOver takes a store over and returns its journal.
func takeOver(t *testing.T, st store.Store) *Journal {
	t.Helper()
	head, err := st.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := Resume(t.Context(), head, st)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// appendSome stores n records in one batch.
func appendSome(t *testing.T, st store.Store, j *Journal, n int) {
	t.Helper()
	if err := st.Append(t.Context(), j.Batch(j.Some(n))); err != nil {
		t.Fatalf("appending %d records: %v", n, err)
	}
}
