package main

import (
	"context"
	"errors"
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
		x.ok("the journal is in %s, in the data directory; every commit there is durable (SQLite, synchronous FULL)",
			"drawhouse.db")
		return
	}
	found, err := postgres.Examine(ctx, x.Database)
	if err != nil {
		x.fail(counsel{"The house does not start without its journal", "Start the server, or correct --database"}, "%v", err)
		return
	}
	for _, f := range found {
		if f.Err != nil {
			x.fail(counsel{"A crash of the server would lose tickets that were sold", f.Remedy}, "%v", f.Err)
			continue
		}
		x.ok("%s is %s", f.Name, f.Value)
	}
}

// journalRead is what the examinations read of the journal, once.
type journalRead struct {
	done    bool
	store   store.Store // nil if it cannot be opened
	volumes []record.VolumeBegun
	head    store.Head
	keys    *house.KeyDir // nil if they cannot be read
	named   *entries      // nil until people asks
	err     error
	keysErr error
}

// opened opens journal and keys.
func (x *examination) opened(ctx context.Context) *journalRead {
	r := &x.read
	if r.done {
		return r
	}
	r.done = true
	r.keys, r.keysErr = house.ReadKeyDir(x.keysOf())
	if r.store, r.err = x.open(ctx); r.err != nil {
		r.store = nil
		return r
	}
	if r.volumes, r.err = house.Volumes(ctx, r.store); r.err == nil && len(r.volumes) == 0 {
		r.err = errors.New("it has no volume")
	}
	if r.err == nil {
		r.head, r.err = r.store.Head(ctx)
	}
	return r
}

// readable returns the journal, or nil if the examination of it has said that there is none.
func (x *examination) readable(ctx context.Context) *journalRead {
	if r := x.opened(ctx); r.err == nil {
		return r
	}
	return nil
}

func (x *examination) close() {
	if x.read.store != nil {
		_ = x.read.store.Close() // Nothing was written.
	}
}

// verifier returns the key that signs for the journal's end.
func (r *journalRead) verifier() (journal.Verifier, error) {
	return journal.ParseVerifier(r.volumes[len(r.volumes)-1].HouseKey)
}

// journal holds the end of the journal against what the house signed for it.
func (x *examination) journal(ctx context.Context) {
	r := x.opened(ctx)
	if r.err != nil {
		x.fail(counsel{"Without it there is no house", "Correct --data or --database, or restore a backup"}, "%v", r.err)
		return
	}
	verifier, err := r.verifier()
	if err == nil {
		err = signedHead(r.head, verifier)
	}
	if err != nil {
		x.fail(counsel{"No house opens on it", "Was it copied or restored to its end? See Restore in the operator's guide"},
			"it does not end with a checkpoint of the house: %v", err)
		return
	}
	x.ok("volume %d ends with record %s, as the house signed it", r.head.Volume, console.Counted(r.head.Size))
	last := r.volumes[len(r.volumes)-1]
	if last.Build != "" && last.Build != build() {
		x.ok("this program is %s, and the volume was begun by %s", build(), last.Build)
	}
}

// kept holds the checkpoint that was kept elsewhere against the journal's end.
func (x *examination) kept(ctx context.Context) {
	r := x.readable(ctx)
	if r == nil {
		return
	}
	verifier, err := r.verifier()
	if err != nil {
		return // The journal is blamed already.
	}
	now, _, err := journal.OpenCheckpoint(r.head.Checkpoint, verifier)
	if err != nil {
		return // As above.
	}
	held, err := x.LastCheckpoint.read()
	if err != nil {
		x.fail(counsel{"The house does not start with it", "Correct --last-checkpoint, or the file's owner"}, "%v", err)
		return
	}
	if len(held) == 0 {
		x.warn(counsel{"An older copy of the journal would not be noticed",
			"Start the house with --last-checkpoint on another disk"}, "none is kept elsewhere")
		return
	}
	older := counsel{"What was sold since would be sold again under the same numbers", "See Restore in the operator's guide"}
	last, _, err := journal.OpenCheckpoint(held[0], verifier)
	switch later, other := ofAnotherVolume(last, now); {
	case err != nil:
		x.warn(counsel{"It tells nothing of this journal", "Is it the file of another house?"}, "%s is none of this volume: %v",
			x.LastCheckpoint, err)
	case later:
		x.fail(older, "%s is of %s, the journal of %s: it is an older copy", x.LastCheckpoint, last.Origin, now.Origin)
	case other:
		x.warn(counsel{"", "The house compares it at its start and keeps another"},
			"%s is of %s, and the journal has come to %s", x.LastCheckpoint, last.Origin, now.Origin)
	case last.Size > now.Size:
		x.fail(older, "%s has %s, the journal %d: it is an older copy", x.LastCheckpoint, figure.Count(last.Size, "record"),
			now.Size)
	case x.sameDisk("the last checkpoint", string(x.LastCheckpoint)):
	default:
		x.ok("the journal goes on behind it")
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
func (x *examination) clock(ctx context.Context) {
	r := x.readable(ctx)
	if r == nil {
		return
	}
	data, err := r.store.Record(ctx, record.Place{Volume: r.head.Volume, Seq: r.head.Size - 1})
	var last record.Record
	if err == nil {
		last, err = record.Decode(data)
	}
	if err != nil {
		x.fail(counsel{"The journal cannot be read to its end", "Restore it from a backup"}, "%v", err)
		return
	}
	if ahead := last.Time.Time().Sub(x.now); ahead > clockSlack {
		x.fail(counsel{"The machine's clock is slow, or was fast, and days and games go by it",
			"Set it right before the house starts"}, "the last record was made %v in the future", ahead.Round(time.Second))
		return
	}
	x.ok("the last record is %v old", x.now.Sub(last.Time.Time()).Round(time.Second))
}

// root reads all records and objects, and hashes them anew.
func (x *examination) root(ctx context.Context) {
	r := x.readable(ctx)
	if r == nil {
		return
	}
	source, ok := r.store.(store.Source)
	if x.Quick || !ok {
		x.warn(counsel{"", "Leave out --quick"}, "the journal was not read (--quick)")
		return
	}
	bar := newRecordBar("doctor")
	summary, err := backup.Write(ctx, io.Discard, source, bar.progress)
	bar.end()
	if err != nil {
		x.fail(counsel{"Somebody or something has changed it",
			"Stop the house, keep the files as they are, and restore from a backup"}, "%v", err)
		return
	}
	x.ok("%s in %s come to their roots", figure.Count(summary.Records, "record"),
		figure.Count(len(summary.Volumes), "volume"))
}

// keys holds the keys against the journal.
func (x *examination) keys(ctx context.Context) {
	r := x.readable(ctx)
	if r == nil {
		return
	}
	missing := counsel{"Without them nothing is sold, drawn or found",
		"Restore them from their backup, or see Keys in the operator's guide"}
	if r.keysErr != nil {
		x.fail(missing, "%v", r.keysErr)
		return
	}
	drawn, err := drawsBy(x.Device)
	if err != nil {
		return // The configuration is blamed already.
	}
	faults := append(keyFaults(r.keys.Files(), r.volumes, drawn.address != ""),
		tokenFaults(r.keys, r.volumes[len(r.volumes)-1])...)
	for _, fault := range faults {
		x.fail(missing, "%s", fault)
	}
	if len(faults) == 0 {
		x.ok("they are those that the journal names, and those in tokens sign")
	}
}

// terminals looks for keys that everybody knows.
func (x *examination) terminals(ctx context.Context) {
	if x.Quick {
		return
	}
	named := x.namedByJournal(ctx)
	if named == nil {
		return
	}
	if len(named.known) == 0 {
		x.ok("none has a key that everybody knows")
		return
	}
	a := counsel{"Everybody who reaches the house can sell and pay in their names",
		"Found a house of its own for real play (drawhouse found)"}
	level, reach := levelWarn, reachMachine
	if at, err := reachOf(x.Addr); err == nil {
		reach = at
	}
	if reach != reachMachine {
		level = levelFail
	}
	x.add(level, a, "%s the known %s of a demonstration, and the house listens at %s",
		figure.CountOf(len(named.known), "terminal has", "terminals have"),
		map[bool]string{true: "key", false: "keys"}[len(named.known) == 1], x.Addr)
}

// registerThere says so if there is no register.
func (x *examination) registerThere() error {
	if err := x.hasRegister(); err != nil {
		return fmt.Errorf("there is no register: %w", errors.Unwrap(err))
	}
	return nil
}
