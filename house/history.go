package house

import (
	"slices"
	"sync"

	"drawhouse/core/day"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Game is what became of a game, as far as it is durable: as the state has it, and where the
// journal has it.
type Game struct {
	state.Game
	// DrawnPlace is where the journal has what the device has signed; zero before that, and
	// where the draw was void.
	DrawnPlace record.Place
	SettledAt  record.Time // when the newest revision was settled
	// records are the places of what an inspector is shown of the game.
	records []record.Place
	custody gameCustody
}

// gameCustody is where the journal has what custodians ask for before they give the link of
// a game.
type gameCustody struct {
	opened    record.Place
	shown     []record.Place // the seal, its cosignatures, links, result or void
	witnessed record.Place   // of the last record of cosignatures under the seal
	// cosigned is the note of a checkpoint behind witnessed that all custodians cosigned, and cosignedAt the
	// place of the record that has it. Of an old game there is the place alone.
	cosigned   []byte
	cosignedAt record.Place
}

// Sealed reports whether the seal is public.
func (g *Game) Sealed() bool { return g.SealPlace.Volume != 0 }

// IsSettled reports whether the prizes are known.
func (g *Game) IsSettled() bool { return g.Settled.Revision != 0 }

// IsVoid reports whether there is no result, and will be none.
func (g *Game) IsVoid() bool { return g.Void.Draw != 0 }

// base returns the revision from which on winners files count: the first, or that of the
// last correction.
func (g *Game) base() uint8 { return max(1, g.Corrected().Revision) }

// kenoDay is a Keno Day of a series.
type kenoDay struct {
	series uint8
	day    day.Day
}

// history is what readers ask of the past: volumes, games, what custodians have committed to,
// and where the journal has what belongs to a game or stops a ticket. It decides nothing. What
// it says of a game it copies from the state behind each commit; the places it notes as the
// records come.
type history struct {
	mu      sync.RWMutex // guards all below
	volumes []volume     // ascending
	games   map[uint8]*gameList
	// chains are what custodians have committed to, by series and Keno Day, and committed
	// where the journal has commitments to links.
	chains    map[kenoDay][]record.ChainCommitted
	committed map[kenoDay][]record.Place
	// stops are the places of records that stop payment or let it go on, by the tickets and
	// papers that each is about.
	stops map[record.Place][]record.Place
}

func newHistory() *history {
	return &history{
		games: map[uint8]*gameList{}, chains: map[kenoDay][]record.ChainCommitted{},
		committed: map[kenoDay][]record.Place{},
		stops:     map[record.Place][]record.Place{},
	}
}

// fact is a durable record and its place.
type fact struct {
	place record.Place
	record.Record
}

// isHistory reports whether the history has a use for records of a kind. Tickets and what
// becomes of them are found by their places.
func isHistory(kind record.Kind) bool {
	switch kind {
	case record.KindTicketSold, record.KindTicketPaid, record.KindTicketCancelled, record.KindRequestBurned:
		return false
	}
	return true
}

// add takes in durable records, and what the state behind them says of their games. Readers
// see all of them or none.
func (x *history) add(facts []fact, s *state.State) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range facts {
		if err := x.note(f.place, f.Record, s); err != nil {
			return err
		}
	}
	for id, games := range x.games {
		if of, ok := s.Series(id); ok && games.old != nil {
			games.old = of.Old() // The same games, or one of them corrected.
		}
	}
	return nil
}

// note takes in one record. The caller holds the lock.
func (x *history) note(place record.Place, r record.Record, s *state.State) error {
	switch b := r.Body.(type) {
	case *record.VolumeBegun:
		v, err := newVolume(b, r.Time, x.volumes)
		if err != nil {
			return err
		}
		x.volumes = append(x.volumes, v)
	case *record.ChainCommitted:
		x.commit(*b)
	case *record.LinksCommitted:
		x.commit(record.ChainCommitted{Series: b.Series, Day: b.Day, Custodian: b.Custodian, Note: b.Note})
		of := kenoDay{b.Series, b.Day}
		x.committed[of] = append(x.committed[of], place)
	case *record.JournalWitnessed:
		x.noteCosigned(place, b)
	case *record.GameOpened:
		games := x.listOf(b.Game.Series)
		games.fresh = append(games.fresh, Game{Game: state.Game{Ref: b.Game, Ordinal: b.Ordinal}})
	case *record.DayClosed:
		if series, ok := s.Series(b.Series); ok {
			x.listOf(b.Series).pack(series)
		}
	}
	for _, of := range r.Subjects() { // A record about one ticket is found by the store.
		x.stops[of] = append(x.stops[of], place)
	}
	x.noteGame(place, r, s)
	return nil
}

// inHistory are the kinds of records that change what readers see of a game, besides those
// that are part of the stories of its tickets.
var inHistory = map[record.Kind]bool{
	record.KindGameOpened: true, record.KindLinkReleased: true, record.KindLinkGiven: true, record.KindRoundGiven: true,
	record.KindNumberDrawn: true,
}

// forCustodians are the kinds of records of a game that custodians ask for.
var forCustodians = map[record.Kind]bool{
	record.KindGameSealed: true, record.KindGameWitnessed: true, record.KindLinkGiven: true,
	record.KindGameDrawn: true, record.KindGameVoided: true,
}

// noteGame takes in a record about a game.
func (x *history) noteGame(place record.Place, r record.Record, s *state.State) {
	kind := r.Kind()
	ref, ok := r.Game()
	if !ok || !kind.InStories() && !inHistory[kind] {
		return
	}
	x.change(s, ref.Series, x.listOf(ref.Series).named(ref), func(g *Game) {
		if kind.InStories() {
			g.records = append(g.records, place)
		}
		if forCustodians[kind] {
			g.custody.shown = append(g.custody.shown, place)
		}
		switch kind {
		case record.KindGameOpened:
			g.custody.opened = place
		case record.KindGameWitnessed:
			g.custody.witnessed, g.custody.cosigned, g.custody.cosignedAt = place, nil, record.Place{}
		case record.KindGameDrawn:
			g.DrawnPlace = place
		case record.KindGameSettled:
			g.SettledAt = r.Time
		}
	})
	if closed, ok := r.Body.(*record.GameClosed); ok {
		for _, ordinal := range closed.Deferred { // It says with which game they are played.
			x.change(s, ref.Series, ordinal, func(*Game) {})
		}
	}
}

// change notes something of a game, and copies what the state says of it. A game that there is not has the
// ordinal 0.
func (x *history) change(s *state.State, series uint8, ordinal uint32, note func(*Game)) {
	of, ok := s.Series(series) // A record of the game was added to the state before.
	if games := x.games[series]; ok && games != nil && ordinal != 0 && int(ordinal) <= games.len() {
		games.change(of, ordinal, note)
	}
}

// listOf returns the games of a series. The caller holds the lock for writing.
func (x *history) listOf(series uint8) *gameList {
	games, ok := x.games[series]
	if !ok {
		games = &gameList{}
		x.games[series] = games
	}
	return games
}

// gamesOf returns the games of a series for reading.
func (x *history) gamesOf(series uint8) *gameList {
	if games, ok := x.games[series]; ok {
		return games
	}
	return &gameList{}
}

// commit keeps what a custodian has committed to.
func (x *history) commit(c record.ChainCommitted) {
	of := kenoDay{c.Series, c.Day}
	if !slices.ContainsFunc(x.chains[of],
		func(known record.ChainCommitted) bool { return known.Custodian == c.Custodian }) {
		// A public log that begins says again what was committed to.
		x.chains[of] = append(x.chains[of], c)
	}
}

// noteCosigned keeps a cosigned checkpoint with the newest game whose seal it covers.
func (x *history) noteCosigned(place record.Place, b *record.JournalWitnessed) {
	checkpoint, err := journal.UnverifiedCheckpoint(b.Checkpoint)
	if err != nil {
		return
	}
	_, volume, err := journal.ParseOrigin(checkpoint.Origin)
	if err != nil {
		return
	}
	behind := record.Place{Volume: volume, Seq: checkpoint.Size}
	for _, list := range x.games {
		games := list.fresh
		for i := len(games) - 1; i >= 0 && i >= len(games)-2; i-- {
			g := &games[i]
			if g.custody.witnessed.Volume == volume && g.custody.witnessed.Before(behind) &&
				hasAll(b.By, g.Custodians) {
				g.custody.cosigned, g.custody.cosignedAt = b.Checkpoint, place
			}
		}
	}
}

// stopsOf returns the records that stop, or no longer stop, the payment of a ticket.
func (x *history) stopsOf(ticket record.Place) []record.Place {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Clone(x.stops[ticket])
}

// byOrdinal returns the game of an ordinal.
func (x *history) byOrdinal(series uint8, ordinal uint32) (Game, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.gamesOf(series)
	if ordinal == 0 || uint64(ordinal) > uint64(games.len()) {
		return Game{}, false
	}
	return games.at(ordinal), true
}

// nameOf returns the name of the game of an ordinal.
func (x *history) nameOf(series uint8, ordinal uint32) (record.Game, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.gamesOf(series)
	if ordinal == 0 || uint64(ordinal) > uint64(games.len()) {
		return record.Game{}, false
	}
	return games.ref(ordinal), true
}

// byRef returns the game of a Keno Day and number.
func (x *history) byRef(ref record.Game) (Game, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.gamesOf(ref.Series)
	ordinal := games.named(ref)
	if ordinal == 0 {
		return Game{}, false
	}
	return games.at(ordinal), true
}

// newest returns the last n games, newest first.
func (x *history) newest(series uint8, before uint32, n int) []Game {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.gamesOf(series)
	last := games.len()
	if before > 0 {
		last = min(last, int(before)-1)
	}
	found := games.between(uint32(max(0, last-n))+1, uint32(last))
	slices.Reverse(found)
	return found
}

// onDay returns the games of a Keno Day, in their order.
func (x *history) onDay(series uint8, d day.Day) []Game {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.gamesOf(series)
	return games.between(games.since(d), games.since(d+1)-1)
}

// days returns the last n Keno Days with games, newest first, all of them or those before a day.
func (x *history) days(series uint8, before day.Day, n int) []day.Day {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var found []day.Day
	games := x.gamesOf(series)
	ordinal := uint32(games.len())
	if before != day.None {
		ordinal = games.since(before) - 1
	}
	for ordinal > 0 && len(found) < n {
		d := games.ref(ordinal).Day
		found = append(found, d)
		ordinal = games.since(d) - 1
	}
	return found
}

// commitments returns what the custodians of a game have committed to for its day. A
// custodian who committed twice is bound by the first.
func (x *history) commitments(g Game) (found []record.ChainCommitted) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, custodian := range g.Custodians {
		all := x.chains[kenoDay{g.Ref.Series, g.Ref.Day}]
		if i := slices.IndexFunc(all, func(c record.ChainCommitted) bool { return c.Custodian == custodian.Name }); i >= 0 {
			found = append(found, all[i])
		}
	}
	return found
}
