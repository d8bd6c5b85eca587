package sim

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// randomFault returns a fault of an append.
func randomFault(r *rand.Rand) fault {
	kinds := []Kind{FailAppend, TearAppend, LoseAnswer, LateAppend, SlowSync}
	return newFault(kinds[r.IntN(len(kinds))], r)
}

func newFault(kind Kind, r *rand.Rand) fault {
	return fault{kind: kind, lands: r.IntN(2) == 0, slow: time.Duration(1+r.IntN(600)) * time.Second}
}

// fail lets something go wrong.
func (w *world) fail(kind Kind, r *rand.Rand) error {
	switch kind {
	case Kill:
		w.figures["fault: "+kind.String()]++
		return w.restart()
	case Failover:
		w.figures["fault: "+kind.String()]++
		return w.failover(r)
	case SetClock:
		w.figures["fault: "+kind.String()]++
		wrong := time.Duration(r.IntN(7200)) * time.Second
		if r.IntN(2) == 0 {
			wrong = -wrong / 4
		}
		w.clock.set(wrong)
		w.clockEnds = w.clock.real().Add(time.Duration(1+r.IntN(120)) * time.Minute)
		return nil
	case StopDevice:
		w.figures["fault: "+kind.String()]++
		w.rig.broken = true
		return nil
	case StickSource:
		w.figures["fault: "+kind.String()]++
		w.rig.source.stuck = true
		return nil
	case ForgeRow:
		return w.forge(r)
	}
	w.disk.plan(newFault(kind, r))
	return nil
}

// failover lets a second process take over while the first still runs and is asked
// by terminals that have not heard of it. It may refuse; it may not grant.
func (w *world) failover(r *rand.Rand) error {
	old, stored := w.house, w.stored
	if err := w.start(); err != nil {
		return err
	}
	w.figures["restarts"]++
	t := w.terminals[r.IntN(len(w.terminals))]
	if t.open == nil {
		a, err := w.newSale(r, t, 15)
		if err != nil {
			return err
		}
		reply := send(context.Background(), old, a)
		if reply.err == nil {
			return breach("P1", "a process that was taken over from has sold %v", reply.place)
		}
		if codeOf(reply.err) == "" {
			t.open = a
		}
	}
	w.stop(old, stored)
	if t.open == nil {
		return nil
	}
	return w.resolve(t, r.IntN(2) == 0)
}

// forge puts the hash of a code of one's own into a ticket in the store, and comes to
// be paid with it.
func (w *world) forge(r *rand.Rand) error {
	t, err := w.free(r)
	if err != nil || len(w.papers) == 0 {
		return err
	}
	if err := w.up(); err != nil {
		return err
	}
	w.figures["fault: "+ForgeRow.String()]++
	p := w.someone(r)
	code := newCode(r)
	data, err := w.stored.Record(context.Background(), p.place)
	if err != nil {
		return err
	}
	rec, err := record.Decode(data)
	if err != nil {
		return err
	}
	sold := *w.audit.tickets[p.place].sold
	sold.Claim = record.Hash(code.Hash(sold.Request.Terminal, sold.Request.Number))
	rec.Body = &sold
	forged, err := record.Encode(rec)
	if err != nil {
		return err
	}
	w.disk.forge(p.place, forged)
	defer w.disk.forge(p.place, nil)
	for _, kind := range []Kind{Pay, Cancel} {
		a := t.newAsk(kind, p.place.String())
		a.paper, a.code = p, code
		reply := send(context.Background(), w.house, a)
		if reply.err == nil || errors.Is(reply.err, store.ErrFenced) {
			return breach("P5", "ticket %v was changed in the store, and is answered with %v (%v)", p.place,
				reply.place, reply.err)
		}
		w.figures["forgeries refused"]++
	}
	return nil
}
