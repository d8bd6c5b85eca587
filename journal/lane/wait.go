package lane

import "drawhouse/journal/store"

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
	if l.ended || l.running {
		return false
	}
	l.start(st, head, engine)
	l.closed, l.err = false, nil
	return true
}

// Rest makes a lane that has stopped by itself one that waits, for a reason that it gives
// to everybody who asks. It returns once everybody is answered who was accepted before. A
// lane that was closed stays closed, and Rest reports false. One that waits already waits
// for the new reason.
func (l *Lane[E]) Rest(reason error) bool {
	<-l.ends()
	l.accepting.Lock()
	defer l.accepting.Unlock()
	if l.ended {
		return false
	}
	if l.running {
		l.closing, l.done, l.running = make(chan struct{}), make(chan struct{}), false
	}
	l.closed, l.err = true, reason
	return true
}

// ends returns what is closed when the lane's goroutine has ended, and for a lane without
// one something that is closed.
func (l *Lane[E]) ends() <-chan struct{} {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	if l.running {
		return l.done
	}
	none := make(chan struct{})
	close(none)
	return none
}

// Engine returns the engine of a lane that has stopped, and whether it is whole: every
// command on it came to its end, and what they decided was handed to the store. Whether
// the store has all of it is another question.
func (l *Lane[E]) Engine() (engine E, whole bool) {
	<-l.ends()
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	return l.engine, l.whole
}

// Fail stops a lane that writes in an epoch, for a reason that was found outside of it,
// such as that another writer has taken over. What is accepted is still handed to the
// store, which decides. A lane that is in another epoch by now goes on.
func (l *Lane[E]) Fail(epoch uint64, reason error) {
	l.accepting.Lock()
	defer l.accepting.Unlock()
	if l.running && l.epoch == epoch {
		l.halt(reason)
	}
}

// Epoch returns the epoch in which the lane writes, or wrote last; 0 for one that has
// never written.
func (l *Lane[E]) Epoch() uint64 {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	return l.epoch
}
