package sim

import (
	"context"
	"strings"

	"drawhouse/books"
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
	if err := w.checkBooks(ctx, head.Volume, head.Size); err != nil {
		return err
	}
	report := verify.Run(out, verify.Options{HasClause: rules.Has, HouseKey: about.HouseKey, DeviceKey: about.DeviceKey,
		Rulebooks: []record.Hash{record.Hash(w.book.Hash())}})
	return w.graded(report)
}

// checkBooks makes the book of every trading day anew from the records that the disk has: it is the one that the
// disk has, its figures tie, and its accounts go on where those of the book before it ended.
func (w *world) checkBooks(ctx context.Context, volume uint16, size uint64) error {
	fold := books.NewFold()
	var before *books.Book
	return w.stored.Records(ctx, volume, 0, size, func(seq uint64, data []byte) error {
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		if closed, ok := r.Body.(*record.DayClosed); ok {
			book := fold.Close(closed.Series, closed)
			again, err := book.Encode()
			if err != nil {
				return err
			}
			if books.Hash(again) != closed.Books {
				return breach("P8", "the book of %v is another one when it is made anew", closed.Day)
			}
			if faults := append(book.Ties(), book.Follows(before)...); len(faults) > 0 {
				return breach("P6", "the book of %v does not tie: %s", closed.Day, strings.Join(faults, "; "))
			}
			w.figures["books tied"]++
			before = book
		}
		return fold.Add(record.Place{Volume: volume, Seq: seq}, r)
	})
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
