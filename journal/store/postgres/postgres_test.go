package postgres_test

import (
	"context"
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

func TestMain(m *testing.M) { storetest.Main(m, suite) }

func TestSuite(t *testing.T) { storetest.Run(t, suite) }
