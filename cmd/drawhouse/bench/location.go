package bench

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"

	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal/store"
	"drawhouse/journal/store/archive"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook/rules"
)

// location is where a contender keeps its journal, and keys beside it.
type location struct {
	data     string // the directory
	database string // the URL, or "" for SQLite in the directory
}

// open opens the journal as a house does, also one that is yet to begin.
func (l location) open(ctx context.Context) (store.Store, error) {
	if err := os.MkdirAll(l.data, 0o700); err != nil {
		return nil, err
	}
	var st archive.House
	var err error
	if l.database != "" {
		st, err = postgres.Open(ctx, l.database, store.FirstLane)
	} else {
		st, err = sqlite.Open(ctx, l.data, store.FirstLane)
	}
	if err != nil {
		return nil, err
	}
	return archive.With(st, filepath.Join(l.data, "archive")), nil
}

// keys opens the keys of the house, or makes them for one that is yet to begin.
func (l location) keys(ctx context.Context, st store.Reader) (house.Keys, error) {
	return house.KeysOf(ctx, st, filepath.Join(l.data, "keys"), demo.House, rand.Reader)
}

// snapshots says where the house keeps its snapshots, and after how many records it
// writes another; 0 is as often as houses do.
func (l location) snapshots(every uint64) house.Snapshots {
	return house.Snapshots{File: filepath.Join(l.data, "snapshot"), Every: every}
}

// house opens the house in this process, or founds it with so many terminals. What else it is told is added.
func (l location) house(ctx context.Context, st store.Store, terminals int, snapshots house.Snapshots,
	told ...func(*house.Config)) (*house.House, error) {
	keys, err := l.keys(ctx, st)
	if err != nil {
		return nil, err
	}
	book, err := rules.Book(demo.Rulebook)
	if err != nil {
		return nil, err
	}
	founding, err := demo.Founding(keys, buildVersion(), book, terminals)
	if err != nil {
		return nil, err
	}
	config := house.Config{
		Store: st, Keys: keys, Clock: timetable.NewSystemClock(), Entropy: rand.Reader, Founding: founding,
		Snapshots: snapshots,
	}
	for _, tell := range told {
		tell(&config)
	}
	return house.Open(ctx, config)
}
