package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"drawhouse/core/figure"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
)

// restoreCmd brings a journal back from a backup.
type restoreCmd struct {
	File string `arg:"" optional:"" type:"existingfile" help:"The backup, as drawhouse backup wrote it."`
	storageFlags
	People         string   `type:"existingfile" placeholder:"FILE" help:"Backup of the register of people; FILE.people beside the backup otherwise."`
	FromWitness    string   `name:"from-witness" placeholder:"URL" help:"Take the journal from the witness at URL, which replays it (drawhouse witness --replay), and not from a backup. The journal may be there already up to an older record."`
	LastCheckpoint []string `name:"last-checkpoint" type:"existingfile" sep:"none" placeholder:"FILE" help:"A checkpoint of this journal that somebody else holds: a witness, an inspector, serve --last-checkpoint. May be given several times."`
	Number         uint16   `placeholder:"N" help:"The number of the new volume, where numbers were used that neither backup, keys nor checkpoints know of."`
}

// Help says what a restore is and what it is not.
func (*restoreCmd) Help() string {
	return `The journal is written into an empty place, and a new volume is begun at once: the
old one is never gone on with, because what was sold after the backup had its places
there. The keys must be in the folder keys of the data directory. Give every
checkpoint that anybody holds of this house: what goes beyond the backup is named in
the new volume as abandoned.

A witness that replays the journal has more than any backup: every record that it has
agreed to. With --from-witness these are asked for with the house's key, and brought
into an empty place or behind an older copy, such as a database that was set back;
they must begin with it and come to a root that the house has signed.

To move a house without a loss, use drawhouse copy.`
}

// Run implements the command.
func (c *restoreCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	if _, err := os.Stat(c.keysOf()); err != nil {
		return misused("--data", fmt.Errorf("%w; put the keys of the house there first, from their backup", err))
	}
	if (c.File == "") == (c.FromWitness == "") {
		return misused("FILE", errors.New("give the file of a backup, or --from-witness"))
	}
	st, err := c.create(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	fill := c.fill
	if c.FromWitness != "" {
		fill = c.fillFromWitness
	}
	summary, err := fill(ctx, st)
	if err != nil {
		return err
	}
	last := summary.Volumes[len(summary.Volumes)-1]
	fmt.Fprintf(out, "%s and %s were restored and read back\n", figure.Count(summary.Records, "record"),
		figure.Count(summary.Objects, "object"))
	if err := c.restorePeople(ctx, out); err != nil {
		return err
	}
	return c.begin(ctx, out, st, last)
}

// restorePeople brings the register back, or says what follows from there being none.
func (c *restoreCmd) restorePeople(ctx context.Context, out *bytes.Buffer) error {
	name := c.People
	if name == "" && c.FromWitness != "" {
		fmt.Fprintf(out, "a witness has no register of people; the one that is in place stays\n")
		return nil
	}
	if name == "" {
		name = c.File + peopleSuffix
	}
	n, found, err := c.restoreRegister(ctx, out, name)
	switch {
	case err != nil:
		return fmt.Errorf("the register of people: %w", err)
	case found:
		fmt.Fprintf(out, "the register of people, %s, was restored\n", figure.CountOf(n, "entry", "entries"))
	default:
		fmt.Fprintf(out,
			"there is no %s: unless the register of people is in place already, nobody can sign on. Bring it with --people\n",
			name)
	}
	return nil
}

// fill writes the backup into an empty store.
func (c *restoreCmd) fill(ctx context.Context, st store.Store) (backup.Summary, error) {
	f, err := os.Open(c.File)
	if err != nil {
		return backup.Summary{}, misused("FILE", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return backup.Summary{}, err
	}
	bar := newRecordBar("restore")
	summary, err := backup.Restore(ctx, st, func() io.Reader { return io.NewSectionReader(f, 0, info.Size()) },
		bar.progress)
	bar.end()
	if errors.Is(err, backup.ErrNotEmpty) {
		err = misused("--data",
			fmt.Errorf("%w; a restore goes into an empty place. One that was broken off cannot be gone on with: remove what it left", err))
	}
	return summary, err
}

// begin begins the volume after the restored one.
func (c *restoreCmd) begin(ctx context.Context, out *bytes.Buffer, st store.Store, last store.Head) error {
	t, err := openTurn(ctx, c.storageFlags, st)
	if err != nil {
		return err
	}
	if err := t.held(c.LastCheckpoint); err != nil {
		return err
	}
	t.Reason, t.Volume, t.Previous = record.ReasonRestore, c.Number, last.Checkpoint
	t.neverUsed()
	before := t.last()
	turned, err := t.begin(ctx, "")
	if err != nil {
		return fmt.Errorf("the journal is restored and has begun no volume, so that no house opens on it: %w", err)
	}
	writeTurned(out, turned, before)
	if len(c.LastCheckpoint) == 0 {
		fmt.Fprintf(out,
			"\nNo checkpoint from elsewhere was given, so it is not known whether anything was lost. Ask the witnesses for their last one of %s.\n", before.Origin())
	}
	return nil
}
