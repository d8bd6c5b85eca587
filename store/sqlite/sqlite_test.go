package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"drawhouse/store"
	"drawhouse/store/sqlite"
	"drawhouse/store/storetest"
)

// suite opens stores in new directories, whose names need escaping in a URI.
var suite = storetest.Driver{
	Locate: func(tb testing.TB) string {
		return filepath.Join(tb.TempDir(), "a house?", "data#1%41")
	},
	Open: func(location string) (store.Store, error) {
		st, err := sqlite.Open(context.Background(), location, store.FirstLane)
		if err != nil {
			return nil, err
		}
		return st, nil
	},
}

func TestMain(m *testing.M) { storetest.Main(m, suite) }

func TestSuite(t *testing.T) { storetest.Run(t, suite) }
