package store

import "context"

// Prunable is a store that can let go of volumes that are kept elsewhere. Every
// driver's store is one.
type Prunable interface {
	Store

	// Prune removes the records and tiles of a volume that has ended, all at once, and
	// returns how many records there were. Where it ended stays known, and so do the
	// objects. A volume that has not ended is refused with an error that wraps
	// ErrBatch; one that is gone already has no records.
	Prune(ctx context.Context, volume uint16) (records uint64, err error)
}
