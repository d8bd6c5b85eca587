package game

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a void, a pause or an early closure is refused.
const (
	ReasonMissing  refusal.Code = "reason_missing"   // nothing is declared void without a reason
	IsPaused       refusal.Code = "paused"           // sale and draws are stopped for the time being
	NotPaused      refusal.Code = "not_paused"       // sale and draws are not stopped
	NoticeTooShort refusal.Code = "notice_too_short" // players must be told earlier
	ResultStands   refusal.Code = "result_stands"    // all numbers are drawn, or custodians have cosigned the seal
	FateUnknown    refusal.Code = "fate_unknown"     // no rule has the choice
	DayIsOver      refusal.Code = "day_is_over"      // two persons have said that no further game of the day is possible
)

// The words of rulebooks for what becomes of the plays of a game without a result.
const (
	fateCarry  = "carry"
	FateRefund = "refund"
)

// Void is what somebody says of a draw or a game that does not count.
type Void struct {
	Reason   string
	Clause   string // that the reason comes under
	Approval uint32 // by a second person
	// Refund says that no further game of the Keno Day is possible, so that the stakes of
	// a void game go back where they would be carried otherwise.
	Refund bool
}

// check refuses what no later moment makes right.
func (v Void) check() error {
	if v.Reason == "" {
		return &refusal.Refusal{Code: ReasonMissing, Path: "reason",
			Sentence: "Nothing is declared void without a reason."}
	}
	return nil
}

// checkUnder is check for what comes under a clause of the game's rulebook, whether or not
// the game has come so far. What is decided at a ball machine has the clause that the machine
// was attended by.
func (v Void) checkUnder(s *state.State, series uint8, ordinal uint32) error {
	if err := v.check(); err != nil {
		return err
	}
	current, err := seriesOf(s, series)
	if err != nil {
		return err
	}
	g, ok := current.Game(ordinal)
	switch {
	case !ok:
		return checkClause(current.Book, v.Clause)
	case current.AtCage(g):
		return nil
	}
	return checkClause(s.BookOf(g), v.Clause)
}

// underDraw returns a game whose numbers are being drawn or are all drawn, and that
// is not settled.
func underDraw(s *state.State, series uint8, ordinal uint32) (*state.Series, *state.Game, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, nil, err
	}
	g, ok := current.Game(ordinal)
	if !ok || g.Phase != state.PhaseSealed && g.Phase != state.PhaseDrawn {
		return nil, nil, &refusal.Refusal{Code: GameNotReady, Path: "game",
			Sentence: fmt.Sprintf("Game %d of the series is not being drawn.", ordinal)}
	}
	return current, g, nil
}

// VoidDraw declares that the numbers of a draw do not count. The game is drawn again
// under the same seal; the numbers stay in the journal.
//
//rule:casino-keno-div2 11.2 11.3 11.4(a)
func VoidDraw(s *state.State, series uint8, ordinal uint32, v Void) (*record.DrawVoided, error) {
	if err := v.checkUnder(s, series, ordinal); err != nil {
		return nil, err
	}
	current, g, err := underDraw(s, series, ordinal)
	if err != nil {
		return nil, err
	}
	if err := checkCageVoid(current, g); err != nil {
		return nil, err
	}
	if err := checkDrawStands(s, current, g, v.Clause, false); err != nil {
		return nil, err
	}
	if g.Numbers.Len() == 0 && !current.AtCage(g) {
		return nil, &refusal.Refusal{Code: GameNotReady, Path: "game",
			Sentence: fmt.Sprintf("No number of game %d is drawn yet, so there is no draw to declare void.",
				g.Ref.Number)}
	}
	return &record.DrawVoided{Game: g.Ref, Draw: g.Draw, Reason: v.Reason, Clause: v.Clause, Approval: v.Approval}, nil
}

// Voided is what the end of a game without a result makes.
type Voided struct {
	Carried  []record.PrizesCarried
	Record   *record.GameVoided
	Postings []ledger.Posting
	Winners  []byte
}

// checkStands refuses to end a game without a result that has all its numbers: they
// are its result, whatever fails afterwards. A draw that must not count is declared
// void by itself, and another is made.
//
//rule:casino-keno-div2 11.7
func checkStands(book *rulebook.Book, g *state.Game) error {
	_, draw := book.Numbers()
	if g.Numbers.Len() < draw {
		return nil
	}
	return &refusal.Refusal{Code: ResultStands, Path: "game", Clause: rulebook.Quoted(book.Draw().StandsClause),
		Sentence: fmt.Sprintf("All %d numbers of game %d are drawn, so its result stands.", draw, g.Ref.Number)}
}

// VoidGame ends a game without a result. Its plays go to the next game of the Keno
// Day if the rulebook carries them and there is one, and otherwise the stakes go
// back.
//
//rule:casino-keno-div2 11.6
func VoidGame(s *state.State, series uint8, ordinal uint32, v Void) (Voided, error) {
	if err := v.checkUnder(s, series, ordinal); err != nil {
		return Voided{}, err
	}
	current, g, err := underDraw(s, series, ordinal)
	if err != nil {
		return Voided{}, err
	}
	if err := checkStands(s.BookOf(g), g); err != nil {
		return Voided{}, err
	}
	if err := checkCageGone(current, g); err != nil {
		return Voided{}, err
	}
	if err := checkDrawStands(s, current, g, v.Clause, true); err != nil {
		return Voided{}, err
	}
	if v.Refund && !slices.Contains(s.BookOf(g).Draw().Unfinished, fateCarry) {
		return Voided{}, &refusal.Refusal{Code: FateUnknown, Path: "fate",
			Sentence: "The rulebook gives back the stakes of a void game and has no choice: leave it out."}
	}
	return endGame(s, current, g, v)
}

// endGame returns what the end of a game without a result makes.
func endGame(s *state.State, current *state.Series, g *state.Game, v Void) (Voided, error) {
	outcome, err := settle.Void(current.Open, g.Ordinal, current.VoidSince(g.Ordinal))
	if err != nil {
		return Voided{}, err
	}
	winners := outcome.Encode(settle.Settlement{Series: current.ID, Ordinal: g.Ordinal, Revision: firstSettlement})
	void := &record.GameVoided{
		Game: g.Ref, Draw: g.Draw, Reason: v.Reason, Clause: v.Clause, Approval: v.Approval,
		Deferred:    !v.Refund && s.CouldCarry(current, g),
		PrizesCents: outcome.Prizes, Winners: outcome.Winners(), WinnersHash: settle.HashWinners(winners),
		CarriedCents: outcome.CarriedOn, CarriedWays: outcome.CarriedWays, UnwonCents: outcome.Unwon,
	}
	voided := Voided{Carried: carriedPrizes(g.Ref, outcome), Record: void, Winners: winners}
	if void.Deferred {
		return voided, nil
	}
	voided.Postings, err = giveBack(s, current, g, void)
	return voided, err
}

// GuardOver refuses to sell, open or draw anything more of a Keno Day after two persons have
// said that no further game of it is possible: because of that the stakes of a game went back
// that a further game would have played. What is on sale is closed and ends without a result.
//
//rule:casino-keno-div2 11.6
func GuardOver(s *state.State, r record.Record) error {
	var series uint8
	switch b := r.Body.(type) {
	case *record.TicketSold:
		series = b.Series
	case *record.GameOpened:
		series = b.Game.Series
	case *record.NumberDrawn:
		series = b.Game.Series
	case *record.CageStarted:
		series = b.Game.Series
	default:
		return nil
	}
	current, ok := s.Series(series)
	if !ok || current.DayOver() == nil {
		return nil
	}
	return overRefusal(current)
}

func overRefusal(current *state.Series) error {
	return &refusal.Refusal{Code: DayIsOver, Path: "game", Clause: current.DayOver().Void.Clause,
		Sentence: fmt.Sprintf(
			"No further game of Keno Day %v is possible. The game on sale is closed and ends without a result. What was sold of later games can be cancelled until the day is closed.", current.Day)}
}

// giveBack undoes what the close of a game, and of those that were played along with
// it, did with their stakes. What ran through it goes on or is due.
func giveBack(s *state.State, series *state.Series, g *state.Game, void *record.GameVoided) ([]ledger.Posting, error) {
	pools := map[uint8]jackpot.Pool{}
	var postings []ledger.Posting
	var bonus jackpot.Exact
	for _, ordinal := range append([]uint32{g.Ordinal}, g.Closed.Deferred...) {
		closed, _ := series.Game(ordinal)
		moved, err := takeBack(series, closed, pools)
		if err != nil {
			return nil, err
		}
		bonus += jackpot.Exact(closed.Closed.BonusPool)
		stakes := closed.Closed.StakesCents
		fund, err := fundShare(s.BookOf(closed), stakes)
		if err != nil {
			return nil, err
		}
		postings = append(postings, moved...)
		postings = append(postings, ledger.Debit(ledger.PrizeFund, 0, fund),
			ledger.Debit(ledger.Retained, 0, stakes-fund))
		void.RefundCents += stakes
	}
	void.RefundCents -= void.PrizesCents + void.CarriedCents
	void.BonusPool = record.Exact(bonus)
	for _, spots := range slices.Sorted(maps.Keys(pools)) {
		void.Pools = append(void.Pools, poolRecord(pools[spots]))
	}
	cents := series.BonusPool().Cents() - (series.BonusPool() - bonus).Cents()
	return ledger.Merge(append(append(postings, moveFromFund(-cents)...),
		ledger.Credit(ledger.Refunds, 0, void.RefundCents),
		ledger.Credit(ledger.Prizes, 0, void.PrizesCents),
		ledger.Credit(ledger.Unplayed, 0, void.CarriedCents))...), nil
}

// takeBack takes the contributions of a game out of the jackpots.
func takeBack(series *state.Series, g *state.Game, pools map[uint8]jackpot.Pool) ([]ledger.Posting, error) {
	var postings []ledger.Posting
	for i, c := range g.Closed.Contributions {
		pool, ok := pools[c.Spots]
		if !ok {
			pool, _ = series.Pool(c.Spots)
		}
		before := jackpot.Contribution{
			Stakes: c.StakesCents, Rate: rateOf(g.Rates[i]), Owed: pool.Owed + jackpot.Exact(c.Repaid),
			Seeded:  pool.Seeded + jackpot.Exact(c.Unseeded),
			Primary: jackpot.Exact(c.Primary), Secondary: jackpot.Exact(c.Secondary), Repaid: jackpot.Exact(c.Repaid),
		}
		after, _, move, err := jackpot.TakeBack(pool, before, 0)
		if err != nil {
			return nil, err
		}
		pools[c.Spots] = after
		postings = append(postings, movePostings(pool, move)...)
	}
	return postings, nil
}

// Pause stops sale and draws.
//
//rule:casino-keno-div2 11.5
func Pause(s *state.State, series uint8, reason string, by uint32) (*record.PlayPaused, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	if current.Paused {
		return nil, &refusal.Refusal{Code: IsPaused, Sentence: "Sale and draws are stopped already."}
	}
	if reason == "" {
		return nil, &refusal.Refusal{Code: ReasonMissing, Path: "reason",
			Sentence: "Sale and draws are not stopped without a reason."}
	}
	return &record.PlayPaused{Series: series, Reason: reason, By: by}, nil
}

// Resume ends a pause.
//
//rule:casino-keno-div2 11.5
func Resume(s *state.State, series uint8, by uint32) (*record.PlayResumed, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	if !current.Paused {
		return nil, &refusal.Refusal{Code: NotPaused, Sentence: "Sale and draws are not stopped."}
	}
	return &record.PlayResumed{Series: series, By: by}, nil
}

// AnnounceClosure tells players that trading ends early.
//
//rule:casino-keno-div2 10.0
func AnnounceClosure(s *state.State, series uint8, at, now record.Time, by uint32) (*record.ClosureAnnounced, error) {
	current, err := openSeries(s, series)
	if err != nil {
		return nil, err
	}
	rule := current.Book.Games().EarlyClosure
	const minute = 60_000
	if least := now + record.Time(rule.NoticeMinutes)*minute; at < least {
		from := least.Time().UTC().Add(time.Second - 1).Truncate(time.Second).Format(time.RFC3339)
		sentence := fmt.Sprintf("Trading ends at %s at the earliest: players must be told %d minutes before.", from,
			rule.NoticeMinutes)
		if rule.NoticeMinutes == 0 {
			sentence = fmt.Sprintf("No rule asks for a notice, and trading cannot end in the past: name a time from %s on.", from)
		}
		return nil, &refusal.Refusal{Code: NoticeTooShort, Path: "at", Clause: rule.Quoted(), Sentence: sentence}
	}
	return &record.ClosureAnnounced{Series: series, At: at, By: by}, nil
}
