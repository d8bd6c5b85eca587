package postgres_test

import (
	"context"
	"flag"
	"strconv"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal/store"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/storetest"
)

// suite opens stores in new schemas.
var suite = storetest.Driver{
	Locate: pgtest.Schema,
	Open: func(location string) (store.Store, error) {
		st, err := postgres.Open(context.Background(), location, store.FirstLane)
		if err != nil {
			return nil, err
		}
		return st, nil
	},
}

// histories are how many random histories are played on a server, of which each makes a schema and waits for the disk
// at every step. The drivers that are faster play more, and so does a soak.
var histories = 30

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", strconv.Itoa(histories)); err != nil {
		panic(err)
	}
	storetest.Main(m, suite)
}

func TestSuite(t *testing.T) { storetest.Run(t, suite) }
