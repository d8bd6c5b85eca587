package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"drawhouse/journal/store"
	"drawhouse/journal/store/archive"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/sqlite"
)

// storageFlags say where a house keeps its journal. The keys are in the data
// directory in either case: they are worth nothing if they lie beside the journal
// that they sign, so a database server never gets to see them.
type storageFlags struct {
	Data     string `setting:"" default:"drawhouse-data" placeholder:"DIR" help:"Directory of the keys and, without --database, of the journal (${default})."`
	Database string `setting:"secret" placeholder:"URL" help:"PostgreSQL database of the journal (postgres://USER@HOST/NAME). DRAWHOUSE_DATABASE or DRAWHOUSE_DATABASE_FILE keep a password in it from others."`
	Archive  string `setting:"" placeholder:"DIR" help:"Directory of the volumes that were archived (archive in the data directory)."`
}

// archive returns the directory of the archived volumes.
func (f storageFlags) archive() string {
	if f.Archive != "" {
		return f.Archive
	}
	return filepath.Join(f.Data, "archive")
}

// databaseVariable is the variable of the environment that stands for --database.
const databaseVariable = "DRAWHOUSE_DATABASE"

// errNoHouse means that there is no journal where one was looked for.
var errNoHouse = errors.New("holds no house")

// open opens the journal of a house that is there. One without a record is none: a
// founding was broken off, or has yet to come.
func (f storageFlags) open(ctx context.Context) (store.Store, error) {
	argument, place, opened := "--database", "the database", f.openDatabase
	if f.Database == "" {
		argument, place, opened = "--data", f.Data, f.openFile
		if _, err := os.Stat(filepath.Join(f.Data, sqlite.FileName)); errors.Is(err, os.ErrNotExist) {
			return nil, misused(argument, fmt.Errorf("%s %w", place, errNoHouse))
		}
	}
	st, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	head, err := st.Head(ctx)
	if err == nil && head.Size == 0 {
		err = misused(argument, fmt.Errorf("%s %w", place, errNoHouse))
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// create opens the journal of a house, also of one that is yet to be founded.
func (f storageFlags) create(ctx context.Context) (store.Store, error) {
	if err := os.MkdirAll(f.Data, 0o700); err != nil {
		return nil, misused("--data", err)
	}
	if f.Database != "" {
		return f.openDatabase(ctx)
	}
	return f.openFile(ctx)
}

func (f storageFlags) openFile(ctx context.Context) (store.Store, error) {
	st, err := sqlite.Open(ctx, f.Data, store.FirstLane)
	if err != nil {
		return nil, misused("--data", err)
	}
	return archive.With(st, f.archive()), nil
}

// openDatabase opens a PostgreSQL database. The URL is not repeated in errors: it
// may have a password in it.
func (f storageFlags) openDatabase(ctx context.Context) (store.Store, error) {
	st, err := postgres.Open(ctx, f.Database, store.FirstLane)
	if err != nil {
		return nil, misused("--database", err)
	}
	return archive.With(st, f.archive()), nil
}
