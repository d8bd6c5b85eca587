package state

import (
	"bytes"
	"slices"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// gameIn returns the game that a record names if it is in the phase that the
// record needs.
func (s *State) gameIn(ref record.Game, need Phase) (*Series, *Game, error) {
	series, game, err := s.find(ref)
	if err != nil {
		return nil, nil, err
	}
	if game.Phase != need {
		return nil, nil, cannot("game %v is %v, not %v", ref, game.Phase, need)
	}
	return series, game, nil
}

func (s *State) closeGame(b *record.GameClosed, at record.Time) error {
	series, game, err := s.gameIn(b.Game, PhaseOpen)
	if err != nil {
		return err
	}
	if before, ok := series.Game(game.Ordinal - 1); ok && !before.Phase.IsOver() {
		// Prizes may run on into this game, and a jackpot may have to begin anew.
		return cannot("game %v closes before %v, which is %v, is settled", b.Game, before.Ref, before.Phase)
	}
	totals, err := series.Open.Close(game.Ordinal)
	if err != nil {
		return err
	}
	if want := (settle.Totals{
		Plays: b.Plays, Ways: b.Ways, Stakes: b.StakesCents,
		Multiplier: b.MultiplierCents, LuckyLast: b.LuckyLastCents, Carried: b.CarriedCents,
	}); totals != want {
		return cannot("game %v closes with %+v; %+v were sold", b.Game, want, totals)
	}
	if err := series.checkDeferred(b); err != nil {
		return err
	}
	if err := series.contribute(b.Contributions); err != nil {
		return err
	}
	if err := series.taxing.take(Takings{Staked: b.StakesCents}); err != nil {
		return err
	}
	series.bonusPool += jackpot.Exact(b.BonusPool)
	game.Phase, game.Closed, game.ClosedAt = PhaseClosed, *b, at
	return nil
}

func (s *State) sealGame(b *record.GameSealed, at record.Time) error {
	_, game, err := s.gameIn(b.Game, PhaseClosed)
	if err != nil {
		return err
	}
	game.Phase, game.SealedAt = PhaseSealed, at
	game.Seal, game.SealPlace = bytes.Clone(b.Seal), s.next
	if s.log.origin != "" {
		game.LogSize = s.log.entries + 1 // With the entry of this record.
	}
	return nil
}

func (s *State) witnessGame(b *record.GameWitnessed) error {
	_, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	if game.Numbers.Len() > 0 {
		return cannot("game %v is witnessed after its first number", b.Game)
	}
	game.WitnessedBy = b.By
	game.Cosigners = slices.Compact(slices.Sorted(slices.Values(slices.Concat(game.Cosigners, b.By))))
	// Who has cosigned the journal up to the close has agreed to the games before it.
	text, _, _ := strings.Cut(string(b.Seal), "\n\n")
	if seal, err := journal.ParseSeal(text + "\n"); err == nil {
		return s.agree(seal.Checkpoint, b.By)
	}
	return nil
}

func (s *State) drawNumber(b *record.NumberDrawn) error {
	series, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	if b.Draw != game.Draw {
		return cannot("a number of draw %d of game %v, which is at draw %d", b.Draw, b.Game, game.Draw)
	}
	of, draw := series.Book.Numbers()
	if game.Numbers.Len() >= draw {
		return cannot("number %d is drawn after the last of game %v", b.Number, b.Game)
	}
	if err := series.checkCageNumber(game, b.Number); err != nil {
		return err
	}
	if game.Numbers.Len() == 0 {
		game.Numbers, err = ball.NewSequence(ball.Universe(of), int(b.Number))
	} else {
		game.Numbers, err = game.Numbers.Append(int(b.Number))
	}
	return err
}

func (s *State) finishDraw(b *record.GameDrawn) error {
	series, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	if _, draw := series.Book.Numbers(); game.Numbers.Len() != draw {
		return cannot("game %v is drawn with %d numbers", b.Game, game.Numbers.Len())
	}
	game.Phase = PhaseDrawn
	return nil
}

// carryPrizes keeps what runs on until the settlement, which states the sums.
func (s *State) carryPrizes(b *record.PrizesCarried) error {
	_, game, err := s.find(b.Game)
	if err != nil {
		return err
	}
	if game.Phase != PhaseSealed && game.Phase != PhaseDrawn {
		return cannot("game %v is %v and carries nothing", b.Game, game.Phase)
	}
	game.Carried = append(game.Carried, b.List...)
	return nil
}

func (s *State) settleGame(b *record.GameSettled, at record.Time) error {
	if b.Revision > 1 {
		return s.settleAgain(b)
	}
	series, game, err := s.gameIn(b.Game, PhaseDrawn)
	if err != nil {
		return err
	}
	if b.Draw != game.Draw || b.DeferredPlays != game.Closed.DeferredPlays ||
		b.DeferredWays != game.Closed.DeferredWays {
		return cannot("game %v settles draw %d with %d plays of void games", b.Game, b.Draw, b.DeferredPlays)
	}
	if b.Plays != game.Closed.Plays || b.Ways != game.Closed.Ways || b.StakesCents != game.Closed.StakesCents {
		return cannot("game %v settles other plays than it closed with", b.Game)
	}
	if err := series.carry(game, b.Game, b.CarriedCents, b.CarriedWays); err != nil {
		return err
	}
	if series.SharesLater(game) {
		series.pending = append(series.pending, Pending{Ordinal: game.Ordinal, Pools: slices.Clone(series.pools)})
	}
	series.winLots(nil, b.Awards, b.Pools)
	if err := series.setPools(b.Pools); err != nil {
		return err
	}
	if err := series.winPromotions(b.Promotions); err != nil {
		return err
	}
	if err := series.takeSettled(game, b); err != nil {
		return err
	}
	game.Phase, game.Settled, game.SettledAt, game.Seal = PhaseSettled, *b, at, nil
	game.LogSize, game.Quorate, game.InTime, game.NoRound = 0, false, nil, false
	game.SettledPlace, s.result = s.next, s.next
	game.Winners = []record.Hash{b.WinnersHash}
	series.games.end(game)
	delete(series.exposed, game.Ordinal)
	return series.Open.Drop(game.Ordinal)
}

// carry moves the prizes that run on into the next game.
func (s *Series) carry(game *Game, ref record.Game, cents money.Amount, ways uint64) error {
	var sum money.Amount
	for _, c := range game.Carried {
		var err error
		if sum, err = sum.Add(c.Cents); err != nil {
			return err
		}
	}
	if sum != cents || uint64(len(game.Carried)) != ways {
		return cannot("game %v carries %d prizes of %v, its records %d of %v", ref, ways, cents, len(game.Carried), sum)
	}
	list := game.Carried
	game.Carried = nil
	return s.Open.Carry(game.Ordinal, func(yield func(settle.Carry) bool) {
		for _, c := range list {
			if !yield(settle.Carry{Ticket: c.Ticket, Run: c.Run, Amount: c.Cents}) {
				return
			}
		}
	})
}

// settleAgain replaces the settlement of a game by a further revision.
func (s *State) settleAgain(b *record.GameSettled) error {
	return s.onSettled(b.Game, func(series *Series, game *Game) error { return s.settleOld(series, game, b) })
}

func (s *State) settleOld(series *Series, game *Game, b *record.GameSettled) error {
	if swept := series.Swept(game.Ordinal); swept != "" {
		return cannot("revision %d of game %v, whose unclaimed prizes have gone to %s", b.Revision, b.Game, swept)
	}
	if b.Revision != game.Settled.Revision+1 || b.Draw != game.Settled.Draw || b.Plays != game.Settled.Plays ||
		b.Ways != game.Settled.Ways {
		return cannot("revision %d of game %v after revision %d", b.Revision, b.Game, game.Settled.Revision)
	}
	if err := series.takeSettled(game, b); err != nil {
		return err
	}
	if game.Corrected().Revision == b.Revision {
		return s.settleCorrected(series, game, b)
	}
	series.winLots(game.Settled.Awards, b.Awards, b.Pools)
	if err := series.share(game.Ordinal, b.Pools); err != nil {
		return err
	}
	if game.Device == record.DeviceCage {
		game.Recorded = series.recorded // It follows a correction.
	}
	game.Settled, game.SettledPlace, s.result = *b, s.next, s.next
	game.Winners = append(game.Winners, b.WinnersHash)
	return nil
}

// onSettled changes a settled game, which may lie far back.
func (s *State) onSettled(ref record.Game, do func(*Series, *Game) error) error {
	series, ok := s.series[ref.Series]
	if !ok {
		return cannot("series %d does not exist", ref.Series)
	}
	g, ok := series.games.named(ref)
	if !ok || g.Phase != PhaseSettled {
		return cannot("game %v is not settled", ref)
	}
	return series.games.change(g.Ordinal, func(game *Game) error { return do(series, game) })
}

// Reductions returns the factors of a settlement in the form in which a prize is
// computed from them.
func Reductions(settled *record.GameSettled) []settle.Reduction {
	reductions := make([]settle.Reduction, len(settled.Reductions))
	for i, r := range settled.Reductions {
		reductions[i] = settle.Reduction{Limit: int(r.Limit), Num: r.Num, Den: r.Den}
	}
	return reductions
}

// Settlement returns a settled game in the form in which prizes are found in it again, by its
// rulebook, its terms and what promotions began as.
func (g *Game) Settlement(book *rulebook.Book, terms *settle.Terms,
	begun func(number uint32) (*record.PromotionBegun, bool)) settle.Game {
	policy, _ := book.Promotions()
	return settle.Game{
		Ordinal: g.Ordinal, Numbers: g.Numbers, Terms: terms, Reductions: Reductions(&g.Settled),
		Awards: Awards(&g.Settled),
		Offers: offersOf(&g.Settled, policy.Clause, begun), Deferred: g.Closed.Deferred, Unwon: g.Void.UnwonCents > 0,
	}
}

// SettledIn returns a settled game of a series in that form.
func (s *State) SettledIn(series *Series, g *Game) (settle.Game, error) {
	terms, err := s.TermsOf(g)
	if err != nil {
		return settle.Game{}, err
	}
	return g.Settlement(s.BookOf(g), terms, func(number uint32) (*record.PromotionBegun, bool) {
		p, ok := series.Promotion(number)
		if !ok {
			return nil, false
		}
		return &p.PromotionBegun, true
	}), nil
}

// termsKey names what a game settles under.
type termsKey struct {
	book     record.Hash
	schedule string
}

// TermsOf returns what a game settles under. Terms never change, and are kept.
func (s *State) TermsOf(g *Game) (*settle.Terms, error) {
	key := termsKey{g.Rulebook, g.Schedule}
	if terms, ok := s.terms[key]; ok {
		return terms, nil
	}
	terms, err := settle.NewTerms(s.BookOf(g), g.Schedule)
	if err != nil {
		return nil, err
	}
	s.terms[key] = terms
	s.noted.whole(allBooks)
	return terms, nil
}
