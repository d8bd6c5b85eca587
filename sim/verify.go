package sim

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"drawhouse/journal"
	"drawhouse/record"
	"drawhouse/verify"
	"drawhouse/verify/export"
)

// files is an export in memory.
type files map[string][]byte

// Create implements export.Sink.
func (f files) Create(name string) (io.WriteCloser, error) {
	return &file{files: f, name: name}, nil
}

// Open implements verify.Source.
func (f files) Open(name string) (io.ReadCloser, error) {
	data, ok := f[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, verify.ErrAbsent)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

type file struct {
	bytes.Buffer
	files files
	name  string
}

// Close keeps what was written.
func (f *file) Close() error {
	f.files[f.name] = f.Bytes()
	return nil
}

// verify holds the journal that the disk has against what the auditor followed, and
// has the second opinion grade it.
func (w *world) verify() error {
	ctx := context.Background()
	head, err := w.stored.Head(ctx)
	if err != nil {
		return err
	}
	key, err := journal.ParseVerifier(w.keys.HouseVerifier)
	if err != nil {
		return err
	}
	signed, _, err := journal.OpenCheckpoint(head.Checkpoint, key)
	if err != nil || signed.Size != w.audit.size || signed.Root != w.audit.tree.root() || head.Size != signed.Size {
		return breach("P8", "the newest checkpoint is of %d records with root %v; the auditor has %d with root %v (%v)", signed.Size, signed.Root, w.audit.size, w.audit.tree.root(), err)
	}
	out := files{}
	about := verify.House{House: houseName, Volume: head.Volume, HouseKey: w.keys.HouseVerifier, DeviceKey: w.keys.DeviceVerifier}
	if err := export.Write(ctx, out, about, head.Checkpoint, w.stored); err != nil {
		return breach("P8", "the journal cannot be exported: %v", err)
	}
	report := verify.Run(out, verify.Options{HouseKey: about.HouseKey, DeviceKey: about.DeviceKey, Rulebooks: []record.Hash{record.Hash(w.book.Hash())}})
	return w.graded(report)
}

// ungraded is what verify says of kinds of records that it has no check for yet. All
// records before the first of them are graded.
const ungraded = "this build has no check for records of this kind"

func (w *world) graded(report *verify.Report) error {
	w.figures["records graded"] += int(report.Records)
	w.figures["tickets graded"] += int(report.Tickets)
	w.figures["games settled"] += int(report.Settled)
	switch {
	case report.OK():
		w.figures["journals graded"]++
	case isUngraded(report.Failure):
		w.figures["journals graded in part"]++
		w.figures["ungraded: "+report.Failure.Kind.String()]++
	default:
		return &Breach{"verify", report.Failure.Error()}
	}
	return nil
}

// isUngraded reports whether verify stopped at something that it does not grade: a kind
// of record, or prizes that run on from a game that ends without a result.
func isUngraded(f *verify.Failure) bool {
	return strings.Contains(f.Reason, ungraded) || f.Kind == record.KindPrizesCarried && strings.Contains(f.Reason, "is sealed, and must be drawn")
}
