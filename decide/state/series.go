package state

import (
	"math"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/games/beacon"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Series is a series of games under one rulebook.
type Series struct {
	ID       uint8
	Name     string
	Book     *rulebook.Book
	Desk     *keno.Desk `unhashed:"it is made from Book"` // sells by Book and lists the ways of its tickets
	Schedule string     // current schedule of prizes
	// Interval is the time between the closes of two games, in seconds; 0 is what the house is started with.
	Interval uint32

	Day      day.Day // the Keno Day that is open, or was last
	DayOpen  bool
	DayGames uint32 // games opened in Day
	// OpenedAt is when Day was opened.
	OpenedAt record.Time
	// OffsetSeconds is what local clocks add to UTC, as of when Day opened.
	OffsetSeconds int32
	// Paused says that nothing is sold or drawn, and ClosesAt when trading ends early;
	// 0 if it does not.
	Paused   bool
	Notice   string // what players are told on every screen; empty for nothing
	ClosesAt record.Time
	over     uint32 // see DayOver
	// LastDay is the Keno Day with which the series ends, if it does, and LastGames how many games a day has then.
	LastDay   day.Day
	LastGames uint32

	games games
	// fates are what became of the prizes of games.
	fates fates
	// back are the stakes that go back, by the ordinal of the void game.
	back map[uint32][]Back
	// Open holds the plays of tickets that still run.
	Open *settle.Open

	pools        []jackpot.Pool // ascending by spots
	lots         lots
	bonusPool    jackpot.Exact
	promotions   []Promotion // by number - 1
	participants []record.ParticipantsNamed
	pending      []Pending
	// changes are the changes of terms and designated the games of delayed start
	// that lie ahead, each in the order of their games.
	changes    []record.TermsChanged
	designated []record.GameDesignated
	// exposed is what all tickets together have put on outcomes that are bounded, by
	// game. It follows from the tickets that still run.
	exposed map[uint32]map[string]money.Amount
	devices devices
	// byHand are the games whose result the computer did not take at first, ascending: their
	// prizes are paid by hand.
	byHand []uint32
	// confirmed is the draw whose result stands although it equals a recent one.
	confirmed confirmed
	// recorded is the Keno Day of the last correction of a result, for later games that are settled again with it.
	recorded day.Day
	taxing   taxing
}

// IsOver reports whether the series has had its last Keno Day.
func (s *Series) IsOver() bool { return s.LastDay != day.None && !s.DayOpen && s.Day >= s.LastDay }

// LastGame returns the ordinal of the last game of a series that ends with a Keno Day, where each day has so
// many games.
func (s *Series) LastGame(last day.Day, games uint32) uint32 {
	var newest uint32
	if g := s.Newest(); g != nil {
		newest = g.Ordinal
	}
	left := uint64(games) * uint64(max(0, last-s.Day))
	if s.DayOpen && games > s.DayGames {
		left += uint64(games - s.DayGames)
	}
	return uint32(min(uint64(newest)+left, math.MaxUint32))
}

// MustPlayOn reports whether the open Keno Day is the last of the series, and tickets are sold for further
// games, or plays of a void game wait for one.
func (s *Series) MustPlayOn() bool {
	newest := s.Newest()
	return s.LastDay != day.None && s.DayOpen && s.Day >= s.LastDay && newest != nil &&
		(s.Open.Furthest() > newest.Ordinal || len(s.Open.Deferred()) > 0)
}

// GoesOn reports whether the open Keno Day has a further game even though its trading has ended: one that was
// announced, one for which a ticket was sold on the last day of the series, or one with which plays of a void game are
// played along, where that is not the game on sale.
func (s *Series) GoesOn() bool {
	newest := s.Newest()
	onSale := newest != nil && newest.Phase == PhaseOpen
	_, designated := s.Designated()
	return designated || !onSale && len(s.Open.Deferred()) > 0 ||
		s.MustPlayOn() && (!onSale || s.Open.Furthest() > newest.Ordinal)
}

// TradingOver reports whether the time has passed at which trading was announced to end.
func (s *Series) TradingOver(now record.Time) bool { return s.ClosesAt != 0 && now > s.ClosesAt }

// Phase is how far a game has come.
type Phase uint8

// The phases, in their order.
const (
	PhaseOpen    Phase = iota + 1 // tickets are sold
	PhaseClosed                   // no sale, no cancellation
	PhaseSealed                   // the seal is public; numbers may be drawn
	PhaseDrawn                    // all numbers are drawn and signed
	PhaseSettled                  // prizes are known and payable
	PhaseVoid                     // there is no result, and will be none
)

var phaseNames = [...]string{PhaseOpen: "open", PhaseClosed: "closed", PhaseSealed: "sealed", PhaseDrawn: "drawn",
	PhaseSettled: "settled", PhaseVoid: "void"}

// String returns the phase's name.
func (p Phase) String() string {
	if p >= PhaseOpen && p <= PhaseVoid {
		return phaseNames[p]
	}
	return "no phase"
}

// IsOver reports whether the game is settled or void.
func (p Phase) IsOver() bool { return p >= PhaseSettled }

// Game is one game as it stands. The tags say how OldGames packs it; fields without a number are among its terms.
type Game struct {
	Ref     record.Game `cbor:"-"`
	Ordinal uint32      `cbor:"-"`
	Phase   Phase       `cbor:"-"`
	Closes  record.Time `cbor:"1,keyasint,omitzero"` // when it is meant to close

	ClosedAt  record.Time `cbor:"2,keyasint,omitzero"`
	SealedAt  record.Time `cbor:"3,keyasint,omitzero"`
	SettledAt record.Time `cbor:"4,keyasint,omitzero"`
	// Closed, SealPlace, Numbers and Settled hold what the records of those
	// phases said; each is zero before its phase. Seal is kept until the game
	// is settled.
	Closed    record.GameClosed  `cbor:"5,keyasint,omitzero"`
	Seal      []byte             `cbor:"6,keyasint,omitzero"`
	SealPlace record.Place       `cbor:"7,keyasint,omitzero"`
	Numbers   ball.Sequence      `cbor:"8,keyasint,omitzero"`
	Settled   record.GameSettled `cbor:"9,keyasint,omitzero"`
	// Rulebook and Schedule are what the game is played under, Rates how it fills the
	// jackpots, and Participants who else shares these.
	Rulebook     record.Hash       `cbor:"-"`
	Schedule     string            `cbor:"-"`
	Rates        []record.PoolRate `cbor:"-"`
	Participants []string          `cbor:"-"`
	// SettledPlace is that of its last settlement, or of the record that made it void.
	SettledPlace record.Place `cbor:"10,keyasint,omitzero"`
	// WitnessedBy are the names of those who have cosigned the seal, by the last record of
	// it, and Cosigners by all such records: a signature that was given is not taken back.
	WitnessedBy []string `cbor:"-"`
	Cosigners   []string `cbor:"-"`
	// Draw counts the draws of the game from 1: those before it were void. Void is what
	// was said of a void game, and PlayedWith the game with which its plays were played
	// along, once that has closed.
	Draw       uint8             `cbor:"11,keyasint,omitzero"`
	Void       record.GameVoided `cbor:"12,keyasint,omitzero"`
	PlayedWith uint32            `cbor:"13,keyasint,omitzero"`
	// Delayed says that the game was announced as one of delayed start.
	Delayed bool `cbor:"14,keyasint,omitzero"`
	// Winners are the hashes of the winners files, one for each revision.
	Winners []record.Hash `cbor:"15,keyasint,omitzero"`
	// Carried are the prizes that run on, until the settlement that they are of.
	Carried []record.Carried `cbor:"16,keyasint,omitzero"`
	// Corrections are those of its result, by the last of which Numbers are what was
	// drawn. Entered are the numbers as they were entered first.
	Corrections []record.ResultCorrected `cbor:"17,keyasint,omitzero"`
	Entered     ball.Sequence            `cbor:"18,keyasint,omitzero"`
	// Recorded is the Keno Day of the last correction by which its winners were recorded anew; none without one.
	Recorded day.Day `cbor:"21,keyasint,omitzero"`
	// Device is what draws the game, and Custodians are those whose links make its
	// numbers, as they were when the game opened. Links are those of the draw that counts,
	// and Paths, in the same order, lead from links that stand for themselves to the root.
	Device     record.Device         `cbor:"-"`
	Custodians []record.Custodian    `cbor:"-"`
	Links      []record.LinkReleased `cbor:"19,keyasint,omitzero"`
	Paths      [][]record.Hash       `cbor:"20,keyasint,omitzero"`
	// LogSize is how many entries the public log had with the seal of the game; 0 without a log, and once the game is
	// settled. Quorate says that all custodians are known to have cosigned the log with the seal: from then on links may
	// be known.
	LogSize uint64 `cbor:"22,keyasint,omitzero"`
	Quorate bool   `cbor:"23,keyasint,omitzero"`
	// Round is the round of the beacon that is part of the draw, or 0, and Signature the signature of the round once it
	// is there. A game with a round is quorate once all who must have cosigned its seal in time: InTime is the checkpoint
	// that shows it. NoRound says that an inspector found that the round does not exist. The last two end with the game.
	Round     uint64      `cbor:"24,keyasint,omitzero"`
	Signature []byte      `cbor:"25,keyasint,omitzero"`
	InTime    []byte      `cbor:"26,keyasint,omitzero"`
	NoRound   bool        `cbor:"27,keyasint,omitzero"`
	Chain     record.Hash `cbor:"28,keyasint,omitzero"` // of the beacon of that round
}

func (s *State) newSeries(b *record.SeriesBegun, book *rulebook.Book) (*Series, error) {
	if !book.Keno() && b.Schedule != record.NoSchedule {
		return nil, cannot("series %s has schedule %q of %s, which has no keno", b.Name, b.Schedule, book.ID())
	}
	desk, err := s.deskOf(book)
	if err != nil {
		return nil, err
	}
	return &Series{ID: b.Series, Name: b.Name, Book: book, Desk: desk, Schedule: b.Schedule, Interval: b.Interval,
		Open:    settle.NewOpen(0),
		exposed: map[uint32]map[string]money.Amount{}}, nil
}

// Newest returns the newest game, or nil before the first.
func (s *Series) Newest() *Game {
	return s.games.newest()
}

// Games returns how many games the series has had, which is the ordinal of the newest.
func (s *Series) Games() int { return s.games.len() }

// Game returns the game of an ordinal. The caller must not change it.
func (s *Series) Game(ordinal uint32) (*Game, bool) {
	g := s.games.at(ordinal)
	return g, g != nil
}

// Unsettled returns the games that are closed and not yet settled, oldest first.
// There are at most a few: they are the newest.
func (s *Series) Unsettled() []*Game {
	games := s.games.fresh
	first := len(games)
	for first > 0 && !games[first-1].Phase.IsOver() {
		first--
	}
	var found []*Game
	for i := first; i < len(games); i++ {
		if games[i].Phase != PhaseOpen {
			found = append(found, &games[i])
		}
	}
	return found
}

// find returns the game that a record names, which must be in one of the newest
// places: games settle in their order.
func (s *State) find(ref record.Game) (*Series, *Game, error) {
	series, ok := s.series[ref.Series]
	if !ok {
		return nil, nil, cannot("series %d does not exist", ref.Series)
	}
	games := series.games.fresh
	for i := len(games) - 1; i >= 0; i-- {
		if games[i].Ref == ref {
			return series, &games[i], nil
		}
		if games[i].Phase.IsOver() {
			break
		}
	}
	return nil, nil, cannot("game %v is not under way", ref)
}

// openSeries returns the series whose Keno Day must be open.
func (s *State) openSeries(id uint8, d day.Day) (*Series, error) {
	series, ok := s.series[id]
	if !ok || !series.DayOpen || series.Day != d {
		return nil, cannot("Keno Day %v of series %d is not open", d, id)
	}
	return series, nil
}

func (s *State) openDay(b *record.DayOpened, at record.Time) error {
	series, ok := s.series[b.Series]
	if !ok || series.DayOpen || b.Day <= series.Day {
		return cannot("Keno Day %v opens in series %d", b.Day, b.Series)
	}
	series.Day, series.DayOpen, series.DayGames, series.OffsetSeconds = b.Day, true, 0, b.OffsetSeconds
	series.OpenedAt = at
	series.dropCommitments()
	series.dropBeacons()
	s.openVenues(b.Day)
	return nil
}

// Today returns the day that an instant counts as: the Keno Day that is open,
// which may go on after midnight, and between Keno Days the date.
func (s *Series) Today(at record.Time) day.Day {
	if s.DayOpen {
		return s.Day
	}
	return DateAt(s.OffsetSeconds, at)
}

// DateAt returns the date of a time where clocks add some seconds to UTC.
func DateAt(offset int32, at record.Time) day.Day {
	local := at.Time().Add(time.Duration(offset) * time.Second)
	date, err := day.Of(local.Year(), int(local.Month()), local.Day())
	if err != nil {
		return day.None
	}
	return date
}

func (s *State) closeDay(b *record.DayClosed) error {
	series, err := s.openSeries(b.Series, b.Day)
	if err != nil {
		return err
	}
	if newest := series.Newest(); newest != nil && !newest.Phase.IsOver() {
		return cannot("Keno Day %v closes while game %v is %v", b.Day, newest.Ref, newest.Phase)
	}
	if b.Games != series.DayGames {
		return cannot("Keno Day %v closes with %d games, it had %d", b.Day, b.Games, series.DayGames)
	}
	if _, ok := series.Designated(); ok {
		return cannot("Keno Day %v closes before a game that was announced", b.Day)
	}
	if len(series.Open.Deferred()) > 0 {
		return cannot("Keno Day %v closes with plays that wait for a further game", b.Day)
	}
	if !s.agrees(b.StateForm, b.State) {
		return cannot("Keno Day %v closes with a state of hash %x, this one is %x", b.Day, b.State, s.Hash())
	}
	if err := series.taxing.closeDay(b.Day); err != nil {
		return err
	}
	series.DayOpen, series.ClosesAt, series.over = false, 0, 0
	s.restPromotions()
	s.pack(series)
	return nil
}

func (s *State) openGame(b *record.GameOpened) error {
	series, err := s.openSeries(b.Game.Series, b.Game.Day)
	if err != nil {
		return err
	}
	newest := series.Newest()
	if newest != nil && newest.Phase == PhaseOpen {
		return cannot("game %v opens while %v is open", b.Game, newest.Ref)
	}
	if uint64(b.Ordinal) != uint64(series.Games())+1 {
		return cannot("game %v has ordinal %d", b.Game, b.Ordinal)
	}
	if err := series.changeTerms(s, b.Ordinal); err != nil {
		return err
	}
	if b.Rulebook != record.Hash(series.Book.Hash()) || b.Schedule != series.Schedule {
		return cannot("game %v opens under schedule %q of another rulebook than %s with %q", b.Game, b.Schedule,
			series.Book.ID(), series.Schedule)
	}
	delayed := false
	if d, ok := series.Designated(); ok && d.Ordinal <= b.Ordinal {
		if d.Ordinal != b.Ordinal || d.Game != b.Game {
			return cannot("game %v opens where %v was announced", b.Game, d.Game)
		}
		series.designated, delayed = series.designated[1:], true
	}
	device, custodians := series.Device()
	chain := series.BeaconOn(b.Game.Day)
	if b.Round == 0 {
		chain = beacon.Chain{}
	} else if device != record.DeviceWitnessed || !chain.Exists() {
		return cannot("game %v opens with round %d of no beacon", b.Game, b.Round)
	}
	series.games.fresh = append(series.games.fresh, Game{
		Device: device, Custodians: custodians, Round: b.Round, Chain: chain.Hash,
		Ref: b.Game, Ordinal: b.Ordinal, Phase: PhaseOpen, Closes: b.Closes, Draw: 1, Delayed: delayed,
		Rulebook: b.Rulebook, Schedule: b.Schedule, Rates: b.Rates, Participants: series.participantsIn(b.Ordinal),
	})
	series.DayGames++
	_, err = s.TermsOf(series.Newest()) // Readers look prizes up by them.
	return err
}

// changeTerms puts the terms in force that begin with a game.
func (s *Series) changeTerms(of *State, ordinal uint32) error {
	for len(s.changes) > 0 && s.changes[0].From <= ordinal {
		change := s.changes[0]
		s.changes = s.changes[1:]
		book := of.books[change.Rulebook]
		desk, err := of.deskOf(book)
		if err != nil {
			return err
		}
		s.Book, s.Desk, s.Schedule = book, desk, change.Schedule
		of.restPromotions() // Another book may pause them in a transition, or not.
	}
	return nil
}

// deskOf returns what sells by a rulebook; nil by one without keno.
func (s *State) deskOf(book *rulebook.Book) (*keno.Desk, error) {
	if !book.Keno() {
		return nil, nil
	}
	hash := record.Hash(book.Hash())
	if desk, ok := s.desks[hash]; ok {
		return desk, nil
	}
	desk, err := keno.NewDesk(book)
	if err != nil {
		return nil, err
	}
	s.desks[hash] = desk
	s.noted.whole(allBooks)
	return desk, nil
}

// DeskFor returns the desk that sold a ticket from a game on: that of the game's
// rulebook, for a ticket is sold while its first game is open, or for a game of
// delayed start, before which no terms change.
func (s *State) DeskFor(series *Series, first uint32) *keno.Desk {
	if game, ok := series.Game(first); ok {
		return s.desks[game.Rulebook]
	}
	return series.Desk
}

// Terms returns the rulebook and the schedule under which a game will open.
func (s *State) Terms(series *Series, ordinal uint32) (*rulebook.Book, string) {
	book, schedule := series.Book, series.Schedule
	for _, change := range series.changes {
		if change.From <= ordinal {
			book, schedule = s.books[change.Rulebook], change.Schedule
		}
	}
	return book, schedule
}

// BookOf returns the rulebook of a game.
func (s *State) BookOf(g *Game) *rulebook.Book { return s.books[g.Rulebook] }

func (s *State) announceTerms(b *record.TermsChanged) error {
	series, ok := s.series[b.Series]
	if !ok || uint64(b.From) <= uint64(series.Games()) {
		return cannot("terms change from game %d of series %d", b.From, b.Series)
	}
	book, ok := s.books[b.Rulebook]
	if !ok {
		return cannot("terms change to a rulebook that was not adopted")
	}
	if _, ok := book.Schedule(b.Schedule); !ok {
		return cannot("terms change to schedule %q, which %s does not have", b.Schedule, book.ID())
	}
	if n := len(series.changes); n > 0 && b.From < series.changes[n-1].From {
		return cannot("terms change from game %d, after a change from game %d", b.From, series.changes[n-1].From)
	}
	if d, ok := series.LastDesignated(); ok && b.From <= d.Ordinal {
		return cannot("terms change from game %d, and %v was announced before", b.From, d.Game)
	}
	series.changes = append(series.changes, *b)
	return nil
}

// Designated returns the next game of delayed start.
func (s *Series) Designated() (record.GameDesignated, bool) {
	if len(s.designated) == 0 {
		return record.GameDesignated{}, false
	}
	return s.designated[0], true
}

// LastDesignated returns the last game of delayed start that was announced and has
// not opened.
func (s *Series) LastDesignated() (record.GameDesignated, bool) {
	if len(s.designated) == 0 {
		return record.GameDesignated{}, false
	}
	return s.designated[len(s.designated)-1], true
}

// Changes returns the changes of terms that lie ahead. The caller must not change
// them.
func (s *Series) Changes() []record.TermsChanged { return s.changes }

func (s *State) designateGame(b *record.GameDesignated) error {
	series, ok := s.series[b.Game.Series]
	if !ok || uint64(b.Ordinal) <= uint64(series.Games()) {
		return cannot("game %d of series %d is announced", b.Ordinal, b.Game.Series)
	}
	if n := len(series.designated); n > 0 && b.Ordinal <= series.designated[n-1].Ordinal {
		return cannot("game %v is announced after %v", b.Game, series.designated[n-1].Game)
	}
	if n := len(series.changes); n > 0 && series.changes[n-1].From <= b.Ordinal {
		return cannot("game %v is announced, and terms change before it", b.Game)
	}
	series.designated = append(series.designated, *b)
	return nil
}
