package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"drawhouse/core/figure"
	"drawhouse/journal/store/archive"
)

// volumeArchiveCmd copies a volume into the archive.
type volumeArchiveCmd struct {
	storageFlags
	Volume uint16 `arg:"" help:"Number of the volume, which has ended."`
}

// Help says what becomes of it.
func (*volumeArchiveCmd) Help() string {
	return `The volume is copied into a SQLite file of its own, volume-N/drawhouse.db in the archive,
and read back. The house may run meanwhile; its database is not changed. When the
archive is on every machine that reads the journal, and in the backup, drawhouse
volume prune removes the volume from the database.`
}

// Run implements the command.
func (c *volumeArchiveCmd) Run(out *bytes.Buffer) error {
	return withHouse(c.storageFlags, func(ctx context.Context, st archive.House) error {
		bar := newRecordBar("archive")
		head, err := archive.Write(ctx, st, c.archive(), c.Volume, bar.progress)
		bar.end()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "volume %d is archived in %s: %s, read back with root %v\n", c.Volume, c.archive(),
			figure.Count(head.Size, "record"), head.Root)
		return nil
	})
}

// volumePruneCmd removes an archived volume from the database.
type volumePruneCmd struct {
	storageFlags
	Volume uint16 `arg:"" help:"Number of the volume, which has ended and is archived."`
}

// Help says what becomes of it.
func (*volumePruneCmd) Help() string {
	return `The archive is compared with the database to the last record before anything is removed.
From then on the archive is a part of the journal: without it no house starts, and
tickets of the volume cannot be paid.`
}

// Run implements the command.
func (c *volumePruneCmd) Run(out *bytes.Buffer) error {
	return withHouse(c.storageFlags, func(ctx context.Context, st archive.House) error {
		records, err := archive.Prune(ctx, st, c.archive(), c.Volume)
		if errors.Is(err, archive.ErrNotArchived) {
			return fmt.Errorf("%w; archive it first: drawhouse volume archive %d", err, c.Volume)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "volume %d, %s, is gone from the database, and stays in %s; keep it with the backups\n",
			c.Volume, figure.Count(records, "record"), c.archive())
		return nil
	})
}

// withHouse opens the store of a house for a command.
func withHouse(f storageFlags, do func(context.Context, archive.House) error) error {
	ctx, stop := untilStopped()
	defer stop()
	st, err := f.open(ctx)
	if err != nil {
		return err
	}
	house, ok := st.(archive.House)
	if !ok {
		return errors.Join(fmt.Errorf("a %T has no archive", st), st.Close())
	}
	return errors.Join(do(ctx, house), st.Close())
}
