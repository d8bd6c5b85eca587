package sim

import (
	"context"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

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
		return breach("P8", "the newest checkpoint is of %d records with root %v; the auditor has %d with root %v (%v)",
			signed.Size, signed.Root, w.audit.size, w.audit.tree.root(), err)
	}
	out := export.Memory{}
	about := verify.House{House: houseName, Volume: head.Volume, HouseKey: w.keys.HouseVerifier,
		DeviceKey: w.keys.DeviceVerifier}
	if err := export.Write(ctx, out, about, head.Checkpoint, w.stored); err != nil {
		return breach("P8", "the journal cannot be exported: %v", err)
	}
	report := verify.Run(out, verify.Options{HasClause: rules.Has, HouseKey: about.HouseKey, DeviceKey: about.DeviceKey,
		Rulebooks: []record.Hash{record.Hash(w.book.Hash())}})
	return w.graded(report)
}

func (w *world) graded(report *verify.Report) error {
	w.figures["records graded"] += int(report.Records)
	w.figures["tickets graded"] += int(report.Tickets)
	w.figures["games settled"] += int(report.Settled)
	if !report.OK() {
		return &Breach{"verify", report.Failure.Error()}
	}
	w.figures["journals graded"]++
	return nil
}
