package house

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// What readers ask is answered from copies that are made after each commit and before
// anybody in it is answered: who was told that something is done finds it done. No reader
// waits for the lane, and none holds it up. What changes seldom is one view, which never
// changes once it is published; what changes with every sale are rows of tables.

// copies is what readers of a house are shown. It is made by the goroutine that owns the
// engine, the lane's or the follower's.
type copies struct {
	engine  machine        // only for the goroutine that owns the engine
	changes *state.Changes // of the engine's state, likewise
	tried   time.Time      // when the trial balance was last struck, likewise

	terminals *table[uint32, state.Till]
	papers    *table[record.Place, state.Paper]
	cards     *table[uint32, state.Card]
	payees    *table[record.Hash, state.Erasure]
	held      *table[record.Place, state.Held]
	view      atomic.Pointer[view]
}

// view is what changes seldom, as of one commit. It never changes.
type view struct {
	*state.View
	condition Condition
	ids       []uint8 // of the series, ascending
	lines     map[uint8]*lineView
}

// publishAll shows readers everything that an engine knows, in place of what they were
// shown before. It is called for every engine that a house gets, before the engine takes a
// command or a further record, and by nobody who does not own the engine.
func (h *House) publishAll(m machine) {
	s := newCopies(m)
	s.changes = m.State().Watch()
	h.copies.Store(s)
	h.showLog(m)
	h.tellMissed(s.view.Load().View)
}

// newCopies copies everything that an engine knows.
func newCopies(m machine) *copies {
	s := &copies{
		engine:    m,
		terminals: newTable[uint32, state.Till](func(id uint32) uint64 { return uint64(id) }),
		papers:    newTable[record.Place, state.Paper](func(place record.Place) uint64 { return place.Seq }),
		cards:     newTable[uint32, state.Card](func(number uint32) uint64 { return uint64(number) }),
		payees:    newTable[record.Hash, state.Erasure](func(payee record.Hash) uint64 { return uint64(payee[0]) }),
		held:      newTable[record.Place, state.Held](func(place record.Place) uint64 { return place.Seq }),
	}
	s.update(m.State().Everything())
	return s
}

// publish shows readers what has changed since they were last shown something. What it
// shows must be durable.
func (h *House) publish() {
	if s := h.copies.Load(); s != nil {
		venues := s.changes.Venues
		s.update(s.changes)
		s.changes.Clear()
		h.showLog(s.engine)
		if venues {
			h.tellMissed(s.view.Load().View)
		}
		if tied, ok := s.engine.TakeTied(); ok {
			h.tellTied(tied)
		}
	}
}

// update copies what has changed.
func (s *copies) update(c *state.Changes) {
	st := s.engine.State()
	for id := range c.Terminals {
		till, ok := st.Till(id)
		s.terminals.put(id, till, ok)
	}
	for place := range c.Papers {
		paper, ok := st.Paper(place)
		s.papers.put(place, paper, ok)
	}
	for number := range c.Cards {
		card, ok := st.Card(number)
		s.cards.put(number, card, ok)
	}
	for payee := range c.Payees {
		s.payees.put(payee, st.PayeeErased(payee), true)
	}
	for place := range c.Held {
		held, ok := st.Held(place)
		s.held.put(place, held, ok)
	}
	before := s.view.Load()
	if before == nil {
		before = &view{}
	}
	next := *before
	next.View = st.View(before.View, c)
	if c.Series {
		next.ids, next.lines = nil, map[uint8]*lineView{}
		for series := range st.AllSeries() {
			next.ids = append(next.ids, series.ID)
			next.lines[series.ID] = lineViewOf(series)
		}
	}
	next.condition = conditionOf(st)
	if next.condition.Trial = before.condition.Trial; time.Since(s.tried) >= strikeEvery {
		next.condition.Trial, s.tried = st.Balances().Trial(), time.Now()
	}
	s.view.Store(&next)
}

// strikeEvery is how often the trial balance is struck at most: it goes through all
// accounts, and sales wait for it.
const strikeEvery = time.Second

// table holds copies by key, which readers take while the publisher puts others there. It
// is in parts, each with a lock of its own, so that they seldom meet.
type table[K comparable, V any] struct {
	part  func(K) uint64
	parts [tableParts]struct {
		mu   sync.RWMutex // guards rows
		rows map[K]V
	}
}

const tableParts = 64

func newTable[K comparable, V any](part func(K) uint64) *table[K, V] {
	t := &table[K, V]{part: part}
	for i := range t.parts {
		t.parts[i].rows = map[K]V{}
	}
	return t
}

// put puts a copy in the place of the one before; or takes that away if there is none.
func (t *table[K, V]) put(key K, value V, there bool) {
	p := &t.parts[t.part(key)%tableParts]
	p.mu.Lock()
	defer p.mu.Unlock()
	if there {
		p.rows[key] = value
		return
	}
	delete(p.rows, key)
}

// get returns the copy of a key.
func (t *table[K, V]) get(key K) (V, bool) {
	p := &t.parts[t.part(key)%tableParts]
	p.mu.RLock()
	defer p.mu.RUnlock()
	value, ok := p.rows[key]
	return value, ok
}

// all gives the copies of all keys, in no order.
func (t *table[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i := range t.parts {
			p := &t.parts[i]
			p.mu.RLock()
			rows := maps.Clone(p.rows) // Nobody waits for what is done with them.
			p.mu.RUnlock()
			for key, row := range rows {
				if !yield(key, row) {
					return
				}
			}
		}
	}
}

// viewed returns what changes seldom, as of the last commit.
func (h *House) viewed() *view { return h.copies.Load().view.Load() }

// Till returns a terminal as of the last commit.
func (s *copies) Till(id uint32) (state.Till, bool) { return s.terminals.get(id) }

// CheckView holds what readers are shown against what the lane knows, for tests: it fails
// where a record has changed something without naming it to the publisher.
func (h *House) CheckView(ctx context.Context) error {
	_, err := lane.Do(ctx, h.lane, func(m machine) (struct{}, error) {
		return struct{}{}, h.copies.Load().difference(newCopies(m))
	})
	if errors.Is(err, ErrFollows) || errors.Is(err, lane.ErrStopped) {
		return nil
	}
	return err
}

// difference returns where two copies differ.
func (s *copies) difference(fresh *copies) error {
	was, is := *s.view.Load(), *fresh.view.Load()
	was.condition.Trial = is.condition.Trial // It is struck now and then.
	return errors.Join(
		s.terminals.difference("terminal", fresh.terminals), s.papers.difference("paper", fresh.papers),
		s.cards.difference("card", fresh.cards), s.payees.difference("payee", fresh.payees),
		s.held.difference("ticket", fresh.held),
		differs("view", was.View, is.View), differs("condition", was.condition, is.condition),
		differs("series", was.ids, is.ids), differs("lines", was.lines, is.lines),
	)
}

func differs(what string, was, is any) error {
	if reflect.DeepEqual(was, is) {
		return nil
	}
	return fmt.Errorf("house: readers see another %s than there is: %+v, %+v", what, was, is)
}

func (t *table[K, V]) difference(what string, fresh *table[K, V]) error {
	var errs []error
	for i := range t.parts {
		t.parts[i].mu.RLock()
		for key, row := range t.parts[i].rows {
			is, ok := fresh.get(key)
			if !ok || !reflect.DeepEqual(row, is) {
				errs = append(errs, fmt.Errorf("house: readers see %s %v as %+v, and it is %+v", what, key, row, is))
			}
		}
		if len(t.parts[i].rows) != len(fresh.parts[i].rows) {
			errs = append(errs, fmt.Errorf("house: readers see %d of a %s, and there are %d", len(t.parts[i].rows),
				what, len(fresh.parts[i].rows)))
		}
		t.parts[i].mu.RUnlock()
	}
	return errors.Join(errs...)
}

// courseOf copies how the games stand.
func courseOf(series *state.Series) Course {
	now := Course{
		Day: series.Day, DayOpen: series.DayOpen, Paused: series.Paused, ClosesAt: series.ClosesAt,
		LastDay: series.LastDay,
		Changes: slices.Clone(series.Changes()), Pools: slices.Clone(series.Pools()),
		BonusPool: series.BonusPool().Cents(), Interval: time.Duration(series.Interval) * time.Second,
		DrawnBy: series.DrawnBy(),
	}
	if newest := series.Newest(); newest != nil {
		now.Newest = newest.Ordinal
		if newest.Phase == state.PhaseOpen {
			now.OnSale = newest.Ordinal
		}
	}
	for _, g := range series.Unsettled() {
		now.Unsettled = append(now.Unsettled, g.Ordinal)
	}
	for _, p := range series.Pending() {
		now.Waiting = append(now.Waiting, p.Ordinal)
	}
	now.Promotions = slices.DeleteFunc(slices.Clone(series.Promotions()), func(p state.Promotion) bool { return p.Over })
	return now
}

// onSale is what is sold now. Many orders can be priced by one: whether it is still so is for
// the lane to say.
type onSale struct {
	book       *rulebook.Book // of the newest game
	desk       *keno.Desk
	game       keno.GameRef // invalid if no game is on sale
	ordinal    uint32       // of the game; 0 if none is
	designated keno.GameRef // the next game of delayed start, if there is one
}

// saleOf copies what is sold.
func saleOf(series *state.Series) onSale {
	now := onSale{book: series.Book, desk: series.Desk}
	if newest := series.Newest(); newest != nil && newest.Phase == state.PhaseOpen {
		now.game, now.ordinal = keno.GameRef{Day: newest.Ref.Day, Game: int(newest.Ref.Number)}, newest.Ordinal
	}
	if ahead, ok := series.Designated(); ok {
		now.designated = keno.GameRef{Day: ahead.Game.Day, Game: int(ahead.Game.Number)}
	}
	return now
}

// isPoolGame reports whether one of some games plays for a prize from the bonus prize pool.
func (v *lineView) isPoolGame(first, last uint32) bool {
	return slices.ContainsFunc(v.promotions, func(p state.Promotion) bool { return p.FromPool(first, last) })
}

// cageOf copies how the ball machine stands.
func cageOf(series *state.Series) Cage {
	now := Cage{State: series.Cage()}
	if g := waitsForCage(series); g != nil {
		now.Waits = *g
	}
	return now
}

// conditionOf copies how the house stands, but for the trial balance.
func conditionOf(st *state.State) Condition {
	now := Condition{Next: st.Next(), Written: st.Now().Time()}
	for series := range st.AllSeries() {
		now.Unsettled += len(series.Unsettled())
		if newest := series.Newest(); newest != nil && newest.Phase == state.PhaseOpen {
			totals := series.Open.Totals(newest.Ordinal)
			now.OnSale = true
			now.Tickets += totals.Plays
			now.Ways += totals.Ways
		}
	}
	return now
}
