package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"drawhouse/core/figure"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
)

// backupFlags say where the backups of a house are, for those who look whether there are any.
type backupFlags struct {
	Backups   string        `setting:"" type:"path" placeholder:"DIR" help:"Where the backups are; the newest is looked at."`
	BackupAge time.Duration `name:"backup-age" setting:"" default:"24h" help:"How old the newest backup may be (${default})."`
}

// backupCmd writes a journal into one file.
type backupCmd struct {
	storageFlags
	Out string `arg:"" help:"File to write; it must not exist."`
}

// Help says what is in the file and what is not.
func (*backupCmd) Help() string {
	return `The file holds the journal and its objects as they are at one moment; the house may
go on selling. Records are hashed on the way and must come to the journal's root,
and the file is read back before it gets its name. It does not hold the keys: back
up the folder keys of the data directory apart from it, once.

Names and passwords are not part of the journal. They go into a second file, OUT.people,
so that the first can be shown to others. The second is sealed under the personal keys of
the house, and is worth nothing without them. Who was erased since is still in it.`
}

// Run implements the command.
func (c *backupCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	for _, name := range []string{c.Out, c.Out + peopleSuffix} {
		if _, err := os.Lstat(name); err == nil {
			return misused("OUT", fmt.Errorf("%s is there already", name))
		}
	}
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	source, ok := st.(store.Source)
	if !ok {
		return fmt.Errorf("a %T cannot be backed up", st)
	}
	summary, size, err := writeBackup(ctx, c.Out, source)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s and %s are in %s, %s; it was read back and holds\n",
		figure.Count(summary.Records, "record"), figure.Count(summary.Objects, "object"), c.Out, figure.Count(size,
			"byte"))
	writeHeads(out, summary)
	// The register comes after the journal: each person whom a record names is in it by then.
	people, err := c.backupRegister(ctx, c.Out+peopleSuffix)
	if err != nil {
		return fmt.Errorf("the journal is in %s, and the register of people is not: %w", c.Out, err)
	}
	fmt.Fprintf(out, "the register of people, %s, is in %s\n", figure.CountOf(people, "entry", "entries"),
		c.Out+peopleSuffix)
	return nil
}

// writeBackup writes a backup under a name beside its own, and gives it its own when
// it is durable and was read back: a file of that name is a whole one.
func writeBackup(ctx context.Context, name string, from store.Source) (_ backup.Summary, size int64, err error) {
	f, err := os.OpenFile(name+".partial", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return backup.Summary{}, 0, misused("OUT", err)
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	summary, size, err := fillBackup(ctx, f, from)
	if err = errors.Join(err, f.Close()); err != nil {
		return backup.Summary{}, 0, err
	}
	// A link is refused where a renaming would replace somebody's file.
	if err := os.Link(f.Name(), name); err != nil {
		return backup.Summary{}, 0, misused("OUT", err)
	}
	return summary, size, syncFolder(filepath.Dir(name))
}

// fillBackup writes a backup, makes it durable and reads it back.
func fillBackup(ctx context.Context, f *os.File, from store.Source) (backup.Summary, int64, error) {
	bar := newRecordBar("backup")
	summary, err := backup.Write(ctx, f, from, bar.progress)
	bar.end()
	if err != nil {
		return backup.Summary{}, 0, err
	}
	if err := f.Sync(); err != nil {
		return backup.Summary{}, 0, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return backup.Summary{}, 0, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return backup.Summary{}, 0, err
	}
	again, err := backup.Read(f, backup.Visitor{})
	if err == nil && (again.Records != summary.Records || again.Objects != summary.Objects) {
		err = fmt.Errorf("%d records and %d objects were written, %d and %d are there: %w",
			summary.Records, summary.Objects, again.Records, again.Objects, backup.ErrDamaged)
	}
	if err != nil {
		return backup.Summary{}, 0, fmt.Errorf("reading the backup: %w", err)
	}
	return summary, size, nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
