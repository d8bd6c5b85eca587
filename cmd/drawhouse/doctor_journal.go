package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/figure"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
	"drawhouse/journal/store/postgres"
)

// isBackup reports whether a file begins as a backup does.
func isBackup(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return backup.Is(f)
}

// database looks at the settings of a PostgreSQL server.
func (x *examination) database(ctx context.Context) {
	if x.Database == "" {
		return
	}
	found, err := postgres.Examine(ctx, x.Database)
	if err != nil {
		x.fail("database", "%v", err)
		return
	}
	for _, f := range found {
		if f.Err != nil {
			x.fail("database", "%v; set it to on in postgresql.conf and reload the server", f.Err)
			continue
		}
		x.ok("database", "%s is %s", f.Name, f.Value)
	}
}

// journal reads the journal, and holds keys, register and clock against it.
func (x *examination) journal(ctx context.Context) {
	st, err := x.open(ctx)
	if err != nil {
		x.fail("journal", "%v", err)
		return
	}
	defer func() { _ = st.Close() }()
	volumes, err := house.Volumes(ctx, st)
	if err != nil || len(volumes) == 0 {
		x.fail("journal", "it has no volume: %v", err)
		return
	}
	x.checkpoint(ctx, st, volumes[len(volumes)-1])
	x.root(ctx, st)
	x.keys(volumes)
	x.people(ctx, st)
}

// checkpoint holds the end of the journal against what the house signed for it, and
// against the checkpoint that was kept elsewhere.
func (x *examination) checkpoint(ctx context.Context, st store.Store, v record.VolumeBegun) {
	head, err := st.Head(ctx)
	if err != nil {
		x.fail("journal", "%v", err)
		return
	}
	verifier, err := journal.ParseVerifier(v.HouseKey)
	if err != nil {
		x.fail("journal", "%v", err)
		return
	}
	signed, _, err := journal.OpenCheckpoint(head.Checkpoint, verifier)
	if err == nil && (signed.Size != head.Size || signed.Root != head.Root) {
		err = fmt.Errorf("%d records were signed with root %v, and there are %d with root %v", signed.Size, signed.Root,
			head.Size, head.Root)
	}
	if err != nil {
		x.fail("journal",
			"it does not end with a checkpoint of the house: %v; no house opens on it. Was it copied or restored to its end?",
			err)
		return
	}
	x.ok("journal", "volume %d ends with record %s, as the house signed it", head.Volume, console.Counted(head.Size))
	x.kept(verifier, signed)
	x.clock(ctx, st, record.Place{Volume: head.Volume, Seq: head.Size - 1})
}

// kept holds the checkpoint that was kept elsewhere against the journal's end.
func (x *examination) kept(verifier journal.Verifier, now journal.Checkpoint) {
	held, err := x.LastCheckpoint.read()
	if err != nil {
		x.fail("last checkpoint", "%v", err)
		return
	}
	if len(held) == 0 {
		x.warn("last checkpoint",
			"none is kept elsewhere: an older copy of the journal would not be noticed. Start the house with --last-checkpoint on another disk")
		return
	}
	last, _, err := journal.OpenCheckpoint(held[0], verifier)
	switch later, other := ofAnotherVolume(last, now); {
	case err != nil:
		x.warn("last checkpoint", "%s is none of this volume: %v", x.LastCheckpoint, err)
	case later:
		x.fail("last checkpoint", "%s is of %s, the journal of %s: it is an older copy. See Restore in the operator's guide",
			x.LastCheckpoint, last.Origin, now.Origin)
	case other:
		x.warn("last checkpoint",
			"%s is of %s, and the journal has come to %s; the house compares it at its start and keeps another",
			x.LastCheckpoint, last.Origin, now.Origin)
	case last.Size > now.Size:
		x.fail("last checkpoint", "%s has %s, the journal %d: it is an older copy. See Restore in the operator's guide",
			x.LastCheckpoint, figure.Count(last.Size, "record"), now.Size)
	default:
		x.ok("last checkpoint", "the journal goes on behind it")
	}
}

// ofAnotherVolume reports whether a checkpoint is of another volume than the journal's
// last, and of a later one.
func ofAnotherVolume(last, now journal.Checkpoint) (later, other bool) {
	_, of, err := journal.ParseOrigin(last.Origin)
	_, at, err2 := journal.ParseOrigin(now.Origin)
	return err == nil && err2 == nil && of > at, last.Origin != now.Origin
}

// clockSlack is how far two clocks may differ.
const clockSlack = 2 * time.Second

// clock holds the machine's clock against the last record: time does not go back.
func (x *examination) clock(ctx context.Context, st store.Store, last record.Place) {
	data, err := st.Record(ctx, last)
	if err != nil {
		x.fail("clock", "%v", err)
		return
	}
	r, err := record.Decode(data)
	if err != nil {
		x.fail("clock", "%v", err)
		return
	}
	if ahead := r.Time.Time().Sub(x.now); ahead > clockSlack {
		x.fail("clock",
			"the last record was made %v in the future; the machine's clock is slow, or was fast. Set it right before the house starts", ahead.Round(time.Second))
		return
	}
	x.ok("clock", "the last record is %v old", x.now.Sub(r.Time.Time()).Round(time.Second))
}

// root reads all records and objects, and hashes them anew.
func (x *examination) root(ctx context.Context, st store.Store) {
	source, ok := st.(store.Source)
	if x.Quick || !ok {
		x.warn("root", "the journal was not read (--quick)")
		return
	}
	bar := newRecordBar("doctor")
	summary, err := backup.Write(ctx, io.Discard, source, bar.progress)
	bar.end()
	if err != nil {
		x.fail("root", "%v; stop the house, keep the files as they are, and restore from a backup", err)
		return
	}
	x.ok("root", "%s in %s come to their roots", figure.Count(summary.Records, "record"),
		figure.Count(len(summary.Volumes), "volume"))
}

// keys holds the keys against the journal.
func (x *examination) keys(volumes []record.VolumeBegun) {
	keys, err := house.ReadKeyDir(x.keysOf())
	if err != nil {
		x.fail("keys", "%v; restore them from their backup", err)
		return
	}
	drawn, err := drawsBy(x.Device)
	if err != nil {
		x.fail("keys", "%v", err)
		return
	}
	faults := append(keyFaults(keys.Files(), volumes, drawn.address != ""), tokenFaults(keys, volumes[len(volumes)-1])...)
	for _, fault := range faults {
		x.fail("keys", "%s", fault)
	}
	if len(faults) == 0 {
		x.ok("keys", "they are those that the journal names, and those in tokens sign")
	}
}
