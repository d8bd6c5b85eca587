package house

import (
	"context"
	"fmt"

	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// EveryRecord reads the journal from its beginning, at a pace that leaves the processor to the sales beside it, until
// fn returns an error or false. Only one such reading goes on at a time: further ones are told that the house is busy.
func (h *House) EveryRecord(ctx context.Context, fn func(record.Place, record.Record) (more bool, err error)) error {
	if !h.looking.TryLock() {
		return fmt.Errorf("house: the journal is being read for somebody else: %w", lane.ErrBusy)
	}
	defer h.looking.Unlock()
	from := unhurried{h.config.Store}
	volumes, err := from.Volumes(ctx)
	if err != nil {
		return err
	}
	over := false
	for _, v := range volumes {
		err := from.Records(ctx, v.Volume, 0, v.Size, func(seq uint64, data []byte) error {
			r, err := record.Decode(data)
			if err != nil {
				return err
			}
			more, err := fn(record.Place{Volume: v.Volume, Seq: seq}, r)
			if err == nil && !more {
				over, err = true, errStopped
			}
			return err
		})
		if over {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
