package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"drawhouse/books/facts"
	"drawhouse/core/figure"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// exportCmd writes every fact of a journal as tables for other programs. It only reads,
// so it may run beside the house.
type exportCmd struct {
	storageFlags
	Out    string       `arg:"" help:"Directory to write; it must not exist."`
	Format facts.Format `default:"csv" enum:"csv,parquet" help:"How tables are written: csv or parquet."`
}

// Run implements the command.
func (c *exportCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	house, err := houseName(ctx, st)
	if err != nil {
		return err
	}
	if err := os.Mkdir(c.Out, 0o700); err != nil {
		return misused("OUT", err)
	}
	if err := os.Mkdir(filepath.Join(c.Out, "data"), 0o700); err != nil {
		return misused("OUT", err)
	}
	e := engine.New(nil) // It knows which stakes go back for void games.
	w, err := facts.NewWriter(tableDir(c.Out), besides{ctx, st, e}, c.Format)
	if err != nil {
		return err
	}
	err = everyRecord(ctx, st, func(place record.Place, data []byte) error {
		r, err := record.Decode(data)
		if err != nil {
			return fmt.Errorf("record %v: %w", place, err)
		}
		if err := e.Replay(data); err != nil {
			return fmt.Errorf("record %v: %w", place, err)
		}
		return w.Add(place, r)
	})
	records, tables, closed := w.Close(house)
	if err := errors.Join(err, closed); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s of %s are in %s, as %s that datapackage.json describes\n", figure.Count(records, "record"),
		house, c.Out, figure.Count(tables, "table"))
	return nil
}

// besides answers what the tables need beside the records.
type besides struct {
	ctx    context.Context
	store  store.Store
	engine *engine.Engine
}

// Winners implements facts.Source.
func (b besides) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	return b.store.Object(b.ctx, game.WinnersName(series, ordinal, revision))
}

// Desk implements facts.Source.
func (b besides) Desk(series uint8, ordinal uint32) (*keno.Desk, error) {
	return facts.DeskOf(b.engine.State(), series, ordinal)
}

// Back implements facts.Source.
func (b besides) Back(series uint8, ordinal uint32) ([]settle.Back, error) {
	return facts.BackOf(b.engine.State(), series, ordinal)
}

// tableDir is a directory of tables.
type tableDir string

// Create implements facts.Sink.
func (d tableDir) Create(name string) (io.WriteCloser, error) {
	f, err := os.OpenFile(filepath.Join(string(d), filepath.FromSlash(name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &bufferedFile{bufio.NewWriterSize(f, 1<<16), f}, nil
}

// bufferedFile is a file that is written in large pieces.
type bufferedFile struct {
	*bufio.Writer
	file *os.File
}

// Close implements io.Closer.
func (b *bufferedFile) Close() error { return errors.Join(b.Flush(), b.file.Close()) }
