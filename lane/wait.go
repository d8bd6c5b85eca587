package lane

import "drawhouse/store"

// Wait returns a lane that has nothing to write yet, because somebody else writes. It
// refuses every command with ErrStopped and the reason, until Begin.
func Wait[E Engine](reason error, options Options) *Lane[E] {
	l := newLane[E](options)
	l.closed, l.err = true, reason
	return l
}

// Begin starts a lane that has waited. The store was taken over, the engine is at the
// head that came of it, and both are the lane's from then on. A lane that was closed
// while it waited stays closed, and Begin reports false.
func (l *Lane[E]) Begin(st store.Store, head store.Head, engine E) bool {
	l.accepting.Lock()
	defer l.accepting.Unlock()
	select {
	case <-l.closing:
		return false
	default:
	}
	l.start(st, head, engine)
	l.closed, l.err = false, nil
	return true
}

// Fail stops the lane for a reason that was found outside of it, such as that another
// writer has taken over. What is accepted is still handed to the store, which decides.
func (l *Lane[E]) Fail(reason error) { l.stop(reason) }

// Epoch returns the epoch in which the lane writes, or 0 while it waits.
func (l *Lane[E]) Epoch() uint64 {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	return l.epoch
}
