package house

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Snapshots say where and when snapshots are kept. Without a file there are none.
type Snapshots struct {
	// File is the snapshot. It lies beside the journal or with the keys, and is nobody
	// else's business: it holds what the journal holds.
	File string
	// Every is after how many records another one is written while the house runs, or
	// later where records come so fast that snapshots would take more than a tenth of the
	// time; 0 is 500,000. At the end of a Keno Day and of the run a fiftieth of them is
	// enough.
	Every uint64
}

const (
	snapshotEvery = 500_000
	worthIt       = 50 // the part of that for which the end of a day is worth a snapshot
	restsAfter    = 9  // times as long as a snapshot took there is no other, however much is sold
)

// snapshots keeps them. The house that runs is not asked for its state, since sales would
// wait: another one is opened aside from the last snapshot and what is durable, and what
// that one knows is written. It is the same code as a start.
type snapshots struct {
	Snapshots
	since atomic.Uint64 // records since the last one
	wake  chan struct{}
	stop  context.CancelFunc // nil if none are kept
	done  <-chan struct{}
	built machine // of the lane; only to be read when that has ended
}

func newSnapshots(s Snapshots) *snapshots {
	if s.Every == 0 {
		s.Every = snapshotEvery
	}
	return &snapshots{Snapshots: s, wake: make(chan struct{}, 1)}
}

// committed counts records that have become durable. It is in the way of sales, and does
// nothing else.
func (s *snapshots) committed(records [][]byte) {
	if s.File == "" {
		return
	}
	since := s.since.Add(uint64(len(records)))
	if since >= s.Every || since >= s.Every/worthIt && slices.ContainsFunc(records, endsDay) {
		s.due()
	}
}

// due asks for a snapshot.
func (s *snapshots) due() {
	select {
	case s.wake <- struct{}{}:
	default: // It is asked for already.
	}
}

// endsDay reports whether a record closes a Keno Day.
func endsDay(data []byte) bool {
	kind, ok := record.KindOf(data)
	return ok && kind == record.KindDayClosed
}

// startSnapshots begins to keep snapshots of a house that writes, once.
func (h *House) startSnapshots() {
	s := h.kept
	if s.File == "" || s.stop != nil {
		return
	}
	if s.since.Load() >= s.Every {
		s.due() // The start has taken long.
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.done = h.Go(ctx, PartSnapshots, "keeping snapshots", func(ctx context.Context) {
		for {
			select {
			case <-ctx.Done():
				return
			case <-s.wake:
			}
			began := time.Now()
			since := s.since.Swap(0) // What comes meanwhile counts for the next one.
			err := h.Contain(PartSnapshots, "writing", func() error { return h.snapshotAside(ctx) })
			if err != nil {
				s.since.Add(since)
			}
			if err != nil && ctx.Err() == nil {
				h.Raise(PartSnapshots, "writing", "No snapshot is written: "+reason(err),
					"Look at the disk of "+s.File+". Everything else goes on; the next start takes longer.")
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(restsAfter * time.Since(began)):
			}
		}
	})
}

// snapshotAside opens another house on what is durable, and keeps what that one knows.
func (h *House) snapshotAside(ctx context.Context) error {
	now, err := moment(ctx, h.config.Store)
	if err != nil {
		return err
	}
	c := h.configNow()
	c.Held = nil // They were looked at when the house was opened.
	aside, err := newHouse(c)
	if err != nil {
		return err
	}
	m, err := aside.build(ctx, now.head(), unhurried{now})
	if err != nil {
		return err
	}
	return aside.writeSnapshot(m.Engine)
}

// unhurried reads records for something that nobody waits for: of the time that it
// takes it leaves three quarters of a core to the sales beside it.
type unhurried struct{ store.Reader }

// Records implements store.Reader. The stores keep nothing open between pages, so a rest
// holds up nobody.
func (u unhurried) Records(ctx context.Context, volume uint16, from, to uint64,
	fn func(seq uint64, data []byte) error) error {
	const rests = 3 // for each share of work
	began := time.Now()
	return u.Reader.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
		if seq%pageRecords == 0 {
			select {
			case <-time.After(rests * time.Since(began)):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			began = time.Now()
		}
		return fn(seq, data)
	})
}

// endSnapshots ends the keeping of snapshots. Where the lane has ended in good order, so that
// nothing changes any more, it keeps what the house knew at its end.
func (h *House) endSnapshots(inOrder bool) {
	s := h.kept
	if s.stop == nil {
		return
	}
	s.stop()
	<-s.done
	if !inOrder || s.since.Load() < s.Every/worthIt {
		return
	}
	if err := h.writeSnapshot(s.built.Engine); err != nil {
		h.config.Log.Warn("no snapshot was written; the next start takes longer", "file", s.File, "error", err)
		return
	}
	s.since.Store(0)
}
