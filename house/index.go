package house

import (
	"slices"
	"sync"

	"drawhouse/ball"
	"drawhouse/day"
	"drawhouse/record"
	"drawhouse/state"
)

// Game is what became of a game, as far as it is durable.
type Game struct {
	Ref     record.Game
	Ordinal uint32
	Closes  record.Time
	// Rulebook and Schedule are what the game is played under.
	Rulebook record.Hash
	Schedule string
	Delayed  bool // it was announced as one of delayed start
	// Closed, SealPlace, Numbers, DrawnPlace and Settled are zero until the
	// game has come so far.
	Closed     record.GameClosed
	SealPlace  record.Place
	Draw       uint8 // which draw of the game Numbers are of
	Numbers    ball.Sequence
	DrawnPlace record.Place
	Settled    record.GameSettled // its newest revision
	// Corrections are those of its result, by the last of which Numbers are what was
	// drawn, and Entered are the numbers as they were entered first.
	Corrections []record.ResultCorrected
	Entered     ball.Sequence
	SettledAt   record.Time
	// Void is what was said of a void game, and PlayedWith the game with which its
	// plays were played along.
	Void       record.GameVoided
	PlayedWith uint32
	ClosedAt   record.Time
	// Device is what draws the game, and Links what custodians gave for the draw that
	// counts.
	Device record.DeviceChosen
	Links  []record.LinkReleased
	// Paths lead from the links to the roots that were committed to, in the order of
	// Links; links of chains have none.
	Paths [][]record.Hash
	// records are the places of what an inspector is shown of the game.
	records []record.Place
	custody gameCustody
}

// Sealed reports whether the seal is public.
func (g *Game) Sealed() bool { return g.SealPlace.Volume != 0 }

// IsSettled reports whether the prizes are known.
func (g *Game) IsSettled() bool { return g.Settled.Revision != 0 }

// IsVoid reports whether there is no result, and will be none.
func (g *Game) IsVoid() bool { return g.Void.Draw != 0 }

// base returns the revision from which on winners files count: the first, or that of the
// last correction.
func (g *Game) base() uint8 {
	if n := len(g.Corrections); n > 0 {
		return g.Corrections[n-1].Revision
	}
	return 1
}

// correct takes over the numbers that were drawn.
func (g *Game) correct(b *record.ResultCorrected) error {
	numbers, err := state.Sequence(g.Numbers.Universe(), b.Numbers)
	if err != nil {
		return err
	}
	if len(g.Corrections) == 0 {
		g.Entered = g.Numbers
	}
	g.Numbers, g.Corrections = numbers, append(slices.Clone(g.Corrections), *b)
	return nil
}

// revisions returns how many winners files there are.
func (g *Game) revisions() uint8 {
	if g.IsVoid() {
		return 1
	}
	return g.Settled.Revision
}

// kenoDay is a Keno Day of a series.
type kenoDay struct {
	series uint8
	day    day.Day
}

// index answers what readers ask of the past without asking the lane. It is
// folded from durable records, tickets and payments apart: those are found by
// their place.
type index struct {
	mu      sync.RWMutex // guards all below
	volumes []volume     // ascending
	games   map[uint8][]Game
	// devices are what draws games that open, and chains what custodians have committed
	// to, by series and Keno Day.
	devices map[uint8]record.DeviceChosen
	chains  map[kenoDay][]record.ChainCommitted
	custody custodyIndex
	// designated are the games of delayed start that have not opened.
	designated map[uint8][]record.GameDesignated
	// stopRecords are the records about several tickets or papers, by each of those.
	stopRecords map[record.Place][]record.Place
}

func newIndex() *index {
	return &index{
		games: map[uint8][]Game{}, devices: map[uint8]record.DeviceChosen{}, chains: map[kenoDay][]record.ChainCommitted{},
		designated:  map[uint8][]record.GameDesignated{},
		stopRecords: map[record.Place][]record.Place{},
	}
}

// fact is a durable record and its place.
type fact struct {
	place record.Place
	record.Record
}

// indexed reports whether the index has a use for records of a kind. Tickets and
// what becomes of them are found by their places.
func indexed(kind record.Kind) bool {
	switch kind {
	case record.KindTicketSold, record.KindTicketPaid, record.KindTicketCancelled, record.KindRequestBurned:
		return false
	}
	return true
}

// add folds durable records. Readers see all of them or none.
func (x *index) add(facts []fact) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range facts {
		if err := x.fold(f.place, f.Record); err != nil {
			return err
		}
	}
	return nil
}

// fold folds one record. The caller holds the lock.
func (x *index) fold(place record.Place, r record.Record) error {
	defer x.noteCustody(place, r.Body) // Behind the rest, which adds games.
	x.note(place, r.Body)
	switch b := r.Body.(type) {
	case *record.VolumeBegun:
		v, err := newVolume(b, r.Time, x.volumes)
		if err != nil {
			return err
		}
		x.volumes = append(x.volumes, v)
	case *record.DeviceChosen:
		x.devices[b.Series] = *b
	case *record.ChainCommitted:
		of := kenoDay{b.Series, b.Day}
		x.chains[of] = append(x.chains[of], *b)
	case *record.LinksCommitted:
		of := kenoDay{b.Series, b.Day}
		x.chains[of] = append(x.chains[of], record.ChainCommitted{Series: b.Series, Day: b.Day, Custodian: b.Custodian, Note: b.Note})
	case *record.LinkReleased:
		x.change(b.Game, func(g *Game) { g.Links = append(g.Links, *b) })
	case *record.LinkGiven:
		x.change(b.Game, func(g *Game) {
			g.Links = append(g.Links, record.LinkReleased{Game: b.Game, Draw: 1, Custodian: b.Custodian, Link: b.Link, By: b.By})
			g.Paths = append(g.Paths, b.Path)
		})
	case *record.GameDesignated:
		x.designated[b.Game.Series] = append(x.designated[b.Game.Series], *b)
	case *record.GameOpened:
		x.games[b.Game.Series] = append(x.games[b.Game.Series], Game{
			Ref: b.Game, Ordinal: b.Ordinal, Closes: b.Closes, Rulebook: b.Rulebook, Schedule: b.Schedule, Device: x.devices[b.Game.Series],
		})
		if ahead := x.designated[b.Game.Series]; len(ahead) > 0 && ahead[0].Ordinal <= b.Ordinal {
			x.designated[b.Game.Series] = ahead[1:]
			x.change(b.Game, func(g *Game) { g.Delayed = true })
		}
	case *record.GameClosed:
		x.change(b.Game, func(g *Game) {
			g.Closed, g.ClosedAt = *b, r.Time
			for _, ordinal := range b.Deferred {
				x.games[b.Game.Series][ordinal-1].PlayedWith = g.Ordinal
			}
		})
	case *record.DrawVoided:
		x.change(b.Game, func(g *Game) {
			g.Draw, g.Numbers, g.DrawnPlace, g.Links = b.Draw+1, ball.Sequence{}, record.Place{}, nil
		})
	case *record.GameVoided:
		x.change(b.Game, func(g *Game) { g.Void, g.Numbers, g.DrawnPlace = *b, ball.Sequence{}, record.Place{} })
	case *record.GameSealed:
		x.change(b.Game, func(g *Game) { g.SealPlace = place })
	case *record.NumberDrawn:
		x.change(b.Game, func(g *Game) { g.number(b) })
	case *record.GameDrawn:
		x.change(b.Game, func(g *Game) { g.DrawnPlace = place })
	case *record.ResultCorrected:
		var err error
		x.change(b.Game, func(g *Game) { err = g.correct(b) })
		return err
	case *record.GameSettled:
		x.change(b.Game, func(g *Game) { g.Settled, g.SettledAt = *b, r.Time })
	}
	return nil
}

// note keeps the places of records that belong into the story of a ticket and are not
// found by it: those of its games, and stops of its payment.
func (x *index) note(place record.Place, body record.Body) {
	keep := func(g *Game) { g.records = append(g.records, place) }
	switch b := body.(type) {
	case *record.GameClosed:
		x.change(b.Game, keep)
	case *record.GameSealed:
		x.change(b.Game, keep)
	case *record.GameWitnessed:
		x.change(b.Game, keep)
	case *record.DrawVoided:
		x.change(b.Game, keep)
	case *record.ResultConfirmed:
		x.change(b.Game, keep)
	case *record.GameDrawn:
		x.change(b.Game, keep)
	case *record.GameSettled:
		x.change(b.Game, keep)
	case *record.ResultCorrected:
		x.change(b.Game, keep)
	case *record.GameVoided:
		x.change(b.Game, keep)
	case *record.PaymentFrozen:
		x.noteStop(place, b.Places)
	case *record.PaymentReleased:
		x.noteStop(place, b.Places)
	}
}

// noteStop keeps that a record is about several tickets or papers.
func (x *index) noteStop(place record.Place, about []record.Place) {
	for _, of := range about {
		x.stopRecords[of] = append(x.stopRecords[of], place)
	}
}

// stopsOf returns the records that stop, or no longer stop, the payment of a ticket.
func (x *index) stopsOf(ticket record.Place) []record.Place {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Clone(x.stopRecords[ticket])
}

// number adds a number to the draw it belongs to; a further draw begins anew.
func (g *Game) number(b *record.NumberDrawn) {
	if b.Draw != g.Draw {
		g.Draw, g.Numbers = b.Draw, ball.Sequence{}
	}
	var longer ball.Sequence
	var err error
	if g.Numbers.IsValid() {
		longer, err = g.Numbers.Append(int(b.Number))
	} else {
		longer, err = ball.NewSequence(ball.Keno, int(b.Number))
	}
	if err != nil {
		// The state applied the same number before it became durable.
		panic(err)
	}
	g.Numbers = longer
}

// change finds the game from the newest on, where records always are.
func (x *index) change(ref record.Game, do func(*Game)) {
	games := x.games[ref.Series]
	for i := len(games) - 1; i >= 0; i-- {
		if games[i].Ref == ref {
			do(&games[i])
			return
		}
	}
}

// byOrdinal returns the game of an ordinal.
func (x *index) byOrdinal(series uint8, ordinal uint32) (Game, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.games[series]
	if ordinal == 0 || uint64(ordinal) > uint64(len(games)) {
		return Game{}, false
	}
	return games[ordinal-1], true
}

// nameOf returns the name of the game of an ordinal.
func (x *index) nameOf(series uint8, ordinal uint32) (record.Game, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.games[series]
	if ordinal == 0 || uint64(ordinal) > uint64(len(games)) {
		return record.Game{}, false
	}
	return games[ordinal-1].Ref, true
}

// byRef returns the game of a Keno Day and number. Games are in the order of
// their days, so it searches the day and then looks through it.
func (x *index) byRef(ref record.Game) (Game, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.games[ref.Series]
	i, _ := slices.BinarySearchFunc(games, ref, func(g Game, ref record.Game) int { return int(g.Ref.Day) - int(ref.Day) })
	for ; i < len(games) && games[i].Ref.Day == ref.Day; i++ {
		if games[i].Ref == ref {
			return games[i], true
		}
	}
	return Game{}, false
}

// newest returns the last n games, newest first.
func (x *index) newest(series uint8, n int) []Game {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.games[series]
	found := slices.Clone(games[max(0, len(games)-n):])
	slices.Reverse(found)
	return found
}

// onDay returns the games of a Keno Day, in their order.
func (x *index) onDay(series uint8, d day.Day) []Game {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.games[series]
	first, _ := slices.BinarySearchFunc(games, d, func(g Game, d day.Day) int { return int(g.Ref.Day) - int(d) })
	last, _ := slices.BinarySearchFunc(games, d+1, func(g Game, d day.Day) int { return int(g.Ref.Day) - int(d) })
	return slices.Clone(games[first:last])
}

// days returns the last n Keno Days with games, newest first.
func (x *index) days(series uint8, n int) []day.Day {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var found []day.Day
	games := x.games[series]
	for i := len(games); i > 0 && len(found) < n; {
		d := games[i-1].Ref.Day
		found = append(found, d)
		i, _ = slices.BinarySearchFunc(games[:i], d, func(g Game, d day.Day) int { return int(g.Ref.Day) - int(d) })
	}
	return found
}

// commitments returns what the custodians of a game have committed to for its day. A
// custodian who committed twice is bound by the first.
func (x *index) commitments(g Game) (found []record.ChainCommitted) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, custodian := range g.Device.Custodians {
		all := x.chains[kenoDay{g.Ref.Series, g.Ref.Day}]
		if i := slices.IndexFunc(all, func(c record.ChainCommitted) bool { return c.Custodian == custodian.Name }); i >= 0 {
			found = append(found, all[i])
		}
	}
	return found
}
