package state

import (
	"cmp"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
)

// Revision returns how often it was said what a game comes to.
func (g *Game) Revision() uint8 {
	if g.Phase == PhaseVoid {
		return 1
	}
	return g.Settled.Revision
}

// inDraw returns the game that a record names if it is sealed and not over.
func (s *State) inDraw(ref record.Game, draw uint8) (*Series, *Game, error) {
	series, game, err := s.find(ref)
	if err != nil {
		return nil, nil, err
	}
	if game.Phase != PhaseSealed && game.Phase != PhaseDrawn || game.Draw != draw {
		return nil, nil, cannot("draw %d of game %v, which is %v at draw %d", draw, ref, game.Phase, game.Draw)
	}
	return series, game, nil
}

func (s *State) voidDraw(b *record.DrawVoided) error {
	series, game, err := s.inDraw(b.Game, b.Draw)
	if err != nil {
		return err
	}
	if err := series.checkCageVoid(game); err != nil {
		return err
	}
	game.Phase, game.Numbers = PhaseSealed, ball.Sequence{}
	game.Links, game.Paths = nil, nil
	game.Draw++
	return nil
}

func (s *State) voidGame(b *record.GameVoided) error {
	series, game, err := s.inDraw(b.Game, b.Draw)
	if err != nil {
		return err
	}
	if err := series.checkCageGone(game); err != nil {
		return err
	}
	if err := series.giveBack(game, b); err != nil {
		return err
	}
	if err := series.carry(game, b.Game, b.CarriedCents, b.CarriedWays); err != nil {
		return err
	}
	if err := series.setPools(b.Pools); err != nil {
		return err
	}
	if err := series.taxing.take(Takings{Returned: b.RefundCents + b.PrizesCents + b.CarriedCents}); err != nil {
		return err
	}
	if series.bonusPool -= jackpot.Exact(b.BonusPool); series.bonusPool < 0 {
		return cannot("game %v takes back more than the bonus prize pool has", b.Game)
	}
	if !b.Deferred && s.CouldCarry(series, game) {
		series.over = game.Ordinal
	}
	game.Phase, game.Void, game.Numbers, game.Seal = PhaseVoid, *b, ball.Sequence{}, nil
	game.LogSize, game.Quorate, game.InTime, game.NoRound = 0, false, nil, false
	game.SettledPlace, s.result = s.next, s.next
	game.Winners = []record.Hash{b.WinnersHash}
	series.games.end(game)
	delete(series.exposed, game.Ordinal)
	if b.Deferred {
		return series.Open.Defer(game.Ordinal)
	}
	return series.Open.Drop(game.Ordinal)
}

// Back is a stake of a ticket that goes back because a game is void.
type Back struct {
	settle.Back
	Paid bool
}

// VoidSince returns the first of the void games that stand one behind the other before a
// game, or that game if the one before it has a result.
func (s *Series) VoidSince(ordinal uint32) uint32 {
	for ordinal > 1 {
		if before, _ := s.Brief(ordinal - 1); before.Phase != PhaseVoid {
			break
		}
		ordinal--
	}
	return ordinal
}

// giveBack notes whose stakes go back with a void game. The list is kept because nothing
// else says which tickets are owed something: stakes that go back are in no winners file.
func (s *Series) giveBack(game *Game, b *record.GameVoided) error {
	if b.Deferred {
		return nil
	}
	since := game.Ordinal
	if b.UnwonCents > 0 {
		since = s.VoidSince(game.Ordinal)
	}
	var sum money.Amount
	var list []Back
	for _, back := range s.Open.Back(game.Ordinal, game.Closed.Deferred, since) {
		sum += back.Cents
		list = append(list, Back{Back: back})
	}
	if sum != b.RefundCents {
		return cannot("game %v gives back %v, and its tickets get %v", b.Game, b.RefundCents, sum)
	}
	if s.back == nil {
		s.back = map[uint32][]Back{}
	}
	s.back[game.Ordinal] = list
	return nil
}

// Back returns the stakes of a void game that go back or went back, by ticket. The caller
// must not change them.
func (s *Series) Back(ordinal uint32) []Back { return s.back[ordinal] }

// BackOf returns the stake of a ticket that goes back or went back with a void game, or nil.
// The caller must not change it.
func (s *Series) BackOf(ticket record.Place, ordinal uint32) *Back {
	list := s.back[ordinal]
	i, found := slices.BinarySearchFunc(list, ticket, func(b Back, ticket record.Place) int {
		return cmp.Or(cmp.Compare(b.Ticket.Volume, ticket.Volume), cmp.Compare(b.Ticket.Seq, ticket.Seq))
	})
	if !found {
		return nil
	}
	return &list[i]
}

// Owed returns what of the stakes of a ticket in a void game was not paid back.
func (s *Series) Owed(ticket record.Place, ordinal uint32) money.Amount {
	if b := s.BackOf(ticket, ordinal); b != nil && !b.Paid {
		return b.Cents
	}
	return 0
}

// PaidPrize returns what was paid for a ticket in a game of what it has won there.
func (s *State) PaidPrize(series *Series, ticket record.Place, ordinal uint32) money.Amount {
	paid := s.Paid(ticket, ordinal)
	if b := series.BackOf(ticket, ordinal); b != nil && b.Paid {
		paid -= b.Cents
	}
	return paid
}

// fateCarry is the word of rulebooks that carry the plays of a game without a result.
const fateCarry = "carry"

// CouldCarry reports whether the plays of a game that has no result can be played along with
// the next: the rulebook carries them, and the next game is on sale on the same Keno Day.
func (s *State) CouldCarry(series *Series, g *Game) bool {
	next := series.Newest()
	return slices.Contains(s.BookOf(g).Draw().Unfinished, fateCarry) && next.Ordinal > g.Ordinal &&
		next.Phase == PhaseOpen && next.Ref.Day == g.Ref.Day
}

// DayOver returns the void game with which two persons have said that no further game of the
// open Keno Day is possible, or nil. Its stakes went back because of that, so nothing more is
// sold or drawn that day.
func (s *Series) DayOver() *Game {
	return s.games.at(s.over)
}

// checkDeferred holds what a close says of void games that are played along against
// what waits, and notes with which game they are.
func (s *Series) checkDeferred(b *record.GameClosed) error {
	totals := s.Open.DeferredTotals()
	if !slices.Equal(b.Deferred, s.Open.Deferred()) || totals.Plays != b.DeferredPlays ||
		totals.Ways != b.DeferredWays || totals.Stakes != b.DeferredStakesCents {
		return cannot("game %v closes with the plays of void games %v, and %v wait", b.Game, b.Deferred,
			s.Open.Deferred())
	}
	newest := s.Newest()
	for _, ordinal := range b.Deferred {
		err := s.games.change(ordinal, func(g *Game) error {
			g.PlayedWith = newest.Ordinal
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *State) pause(b *record.PlayPaused) error {
	series, ok := s.series[b.Series]
	if !ok || series.Paused {
		return cannot("series %d is paused", b.Series)
	}
	series.Paused = true
	return nil
}

func (s *State) resume(b *record.PlayResumed) error {
	series, ok := s.series[b.Series]
	if !ok || !series.Paused {
		return cannot("series %d is not paused", b.Series)
	}
	series.Paused = false
	return nil
}

func (s *State) showNotice(b *record.NoticeShown) error {
	series, ok := s.series[b.Series]
	if !ok || series.Notice == b.Text {
		return cannot("series %d does not show another notice", b.Series)
	}
	series.Notice = b.Text
	return nil
}

func (s *State) announceClosure(b *record.ClosureAnnounced) error {
	series, ok := s.series[b.Series]
	if !ok || !series.DayOpen {
		return cannot("no Keno Day of series %d is open", b.Series)
	}
	series.ClosesAt = b.At
	return nil
}
