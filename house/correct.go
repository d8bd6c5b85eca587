package house

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// lookBack returns the states before the games of a correction were settled, or nil for any
// other act. A game that is settled is no longer in memory, and what is in the store is
// not trusted: so the journal is read once more from its beginning, held against the
// trees that the house has, and added up as far as the game.
func (l *Line) lookBack(ctx context.Context, act command.Act) (game.Pasts, error) {
	correct, ok := act.(command.CorrectResult)
	if !ok {
		return nil, nil
	}
	g, ok := l.history.byOrdinal(l.id, correct.Ordinal)
	if !ok || !g.IsSettled() || g.Device != record.DeviceCage {
		return nil, nil // The decision says what is wrong with it, and needs no past for that.
	}
	pasts := game.Pasts{}
	at := func(ordinal uint32) (*state.Game, bool) {
		g, ok := l.history.byOrdinal(l.id, ordinal)
		return &g.Game, ok
	}
	for _, g := range game.LooksBack(at, correct.Ordinal) {
		before, err := l.before(ctx, g.Ref)
		if err != nil {
			return nil, err
		}
		pasts[g.Ordinal] = before
	}
	return pasts, nil
}

// lookBackFor returns the same for a request that was asked for before, to who asked and
// once somebody has consented: it is much to read for anybody who knows a number.
func (h *House) lookBackFor(ctx context.Context, by, approval uint32) (game.Pasts, error) {
	asked, _ := h.People().Approval(approval)
	if asked.Says == "" || asked.By != by || !asked.Granted || asked.Used {
		return nil, nil // As above.
	}
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return nil, err
	}
	return h.line(h.seriesOf(asked.ApprovalRequested)).lookBack(ctx, act)
}

// foreseen keeps what requested corrections would do, for the second person: the journal is
// not read again whenever somebody looks at the requests.
type foreseen struct {
	mu        sync.Mutex
	prospects map[uint32]prospect // by request
}

type prospect struct {
	says string
	engine.Prospect
}

// mostForeseen is how many corrections are kept; more are hardly ever asked for at once.
const mostForeseen = 16

// of returns what a request would do, if the journal was read for it.
func (f *foreseen) of(asked state.Approval) (engine.Prospect, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, ok := f.prospects[asked.Approval]
	return p.Prospect, ok && p.says == asked.Says
}

func (f *foreseen) put(asked state.Approval, p engine.Prospect) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.prospects == nil || len(f.prospects) >= mostForeseen {
		f.prospects = map[uint32]prospect{}
	}
	f.prospects[asked.Approval] = prospect{asked.Says, p}
}

// foreseeBack notes what a correction would do, by the states before its games were settled.
func (h *House) foreseeBack(ctx context.Context, asked state.Approval, before game.Pasts) error {
	p, err := lane.DoSoon(ctx, h.lane, func(m machine) (engine.Prospect, error) {
		return m.Foresee(h.now(), command.Env{Series: h.seriesOf(asked.ApprovalRequested), Before: before},
			asked.ApprovalRequested)
	})
	if err != nil {
		return err
	}
	if len(p.Effects) > 0 {
		p.Effects = append([]string{fmt.Sprintf("As the journal stood at %s:",
			h.now().Time().UTC().Format("15:04:05 on 2 January 2006 UTC"))}, p.Effects...)
	}
	h.foreseen.put(asked, p)
	return nil
}

// foreseeAgain reads the journal for a correction that was asked for before this start of
// the house. While another reading goes on, nothing is said of what the correction would do.
func (h *House) foreseeAgain(ctx context.Context, asked state.Approval) error {
	if _, known := h.foreseen.of(asked); known || asked.Action != command.ActionOf(command.CorrectResult{}) {
		return nil
	}
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return err
	}
	before, err := h.line(h.seriesOf(asked.ApprovalRequested)).lookBack(ctx, act)
	if errors.Is(err, lane.ErrBusy) || err == nil && before == nil {
		return nil
	}
	if err != nil {
		return err
	}
	return h.foreseeBack(ctx, asked, before)
}

// before reads the journal up to the settlement of a game. Only one such reading goes on
// at a time, for each has a whole state of its own: who comes meanwhile is told that the
// house is busy, and nothing happened.
func (h *House) before(ctx context.Context, ref record.Game) (*state.State, error) {
	if !h.looking.TryLock() {
		return nil, fmt.Errorf("house: the journal is being read for another correction: %w", lane.ErrBusy)
	}
	defer h.looking.Unlock()
	heads, err := h.config.Store.Volumes(ctx)
	if err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(h.recorded(ctx, heads))
	defer stop()
	found, err := engine.Before(ref, func(yield func([]byte, error) bool) {
		for {
			data, err, ok := next()
			if !ok || !yield(data, err) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	// The rest is read for its hash alone: a changed record before the game shows in the
	// root at the end.
	for {
		if _, err, ok := next(); err != nil || !ok {
			return found, err
		}
	}
}

// recorded yields all records of the journal. Behind the last one of a volume it yields
// an error if they do not come to what the house has of it.
func (h *House) recorded(ctx context.Context, heads []store.Head) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, head := range heads {
			if head.Size == 0 {
				continue
			}
			known, err := h.past.tree(head.Volume)
			if err != nil {
				yield(nil, err)
				return
			}
			tree, stopped := journal.NewTree(), false
			err = h.config.Store.Records(ctx, head.Volume, 0, known.Size(), func(_ uint64, data []byte) error {
				tree.Append(data)
				tree.TakeTiles() // They are in the store.
				if stopped = !yield(append([]byte(nil), data...), nil); stopped {
					return errStopped
				}
				return nil
			})
			switch {
			case stopped:
				return
			case err == nil && tree.Root() != known.Root():
				err = fmt.Errorf("house: the records of volume %d are not those that were written: %w", head.Volume,
					store.ErrCorrupt)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// errStopped ends a reading that nobody wants to go on with.
var errStopped = errors.New("house: the reading was ended")
