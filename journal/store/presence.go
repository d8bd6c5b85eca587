package store

import "context"

// Presence is how the writer of a journal makes itself known to those who follow it.
// It is a sign of life and no fact: nothing is decided by it but when a follower
// tries to take over, and the fence decides whether it may.
type Presence struct {
	Epoch   uint64 // of the writer; 0 if nobody has announced itself yet
	Beat    uint64 // another one each time that it is announced
	Address string // where the writer takes commands; "" if it does not say
}

// Shared is a store that several processes have open: one writes, others follow and
// may become the writer. Every driver's store is one.
type Shared interface {
	Store

	// Announce says that the writer of an epoch is there. It is not durable, and no
	// append waits for it. If the journal is in another epoch, it returns ErrFenced
	// and announces nothing: by that a writer without commands learns that it was
	// taken over from.
	Announce(ctx context.Context, p Presence) error

	// Present returns what was announced last.
	Present(ctx context.Context) (Presence, error)

	// TakeOverFrom is TakeOver on the condition that the journal is still in an
	// epoch. If it is not, it returns ErrFenced and changes nothing, so that of
	// several followers who miss the same writer one succeeds it.
	TakeOverFrom(ctx context.Context, epoch uint64) (Head, error)
}
