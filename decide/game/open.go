package game

import (
	"fmt"
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which the course of a game is refused.
const (
	SeriesUnknown  refusal.Code = "series_unknown"    // no such series of games
	DayNotOpen     refusal.Code = "day_not_open"      // the Keno Day has not begun, or has ended
	DayIsOpen      refusal.Code = "day_is_open"       // the Keno Day before has not ended
	DayIsPast      refusal.Code = "day_is_past"       // the Keno Day is not later than the last one
	NumbersUsedUp  refusal.Code = "game_numbers_used" // every number of the Keno Day was given to a game
	NotInForce     refusal.Code = "not_in_force"      // the rulebook governs no games of the Keno Day
	GameIsOpen     refusal.Code = "game_is_open"      // a game is on sale already
	NoGameOpen     refusal.Code = "no_game_open"      // no game is on sale
	GameNotReady   refusal.Code = "game_not_ready"    // the step before has not been made
	PrizesSwept    refusal.Code = "prizes_swept"      // the time for the prizes of the game is over
	GamesUnsettled refusal.Code = "games_not_settled" // the Keno Day has a game without its result
	DayNotOver     refusal.Code = "day_not_over"      // the Keno Day has not lasted as long as the rules say
)

// OpenDay begins a Keno Day.
func OpenDay(s *state.State, series uint8, d day.Day, offsetSeconds int32) (*record.DayOpened, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	if d <= current.Day {
		return nil, &refusal.Refusal{Code: DayIsPast, Path: "day",
			Sentence: fmt.Sprintf("Keno Day %v is not after %v, the last one.", d, current.Day)}
	}
	if book, _ := s.Terms(current, nextOrdinal(current)); book != nil {
		if err := checkInForce(book, d); err != nil {
			return nil, err
		}
	}
	if err := checkLastDay(current, d); err != nil {
		return nil, err
	}
	if current.DayOpen {
		return nil, &refusal.Refusal{Code: DayIsOpen, Path: "day",
			Sentence: fmt.Sprintf("Keno Day %v is still open.", current.Day)}
	}
	if err := checkCommitted(current, d); err != nil {
		return nil, err
	}
	return &record.DayOpened{Series: series, Day: d, OffsetSeconds: offsetSeconds}, nil
}

// CloseDay ends a Keno Day once its last game is settled.
func CloseDay(s *state.State, series uint8) (*record.DayClosed, error) {
	current, err := openSeries(s, series)
	if err != nil {
		return nil, err
	}
	if newest := current.Newest(); newest != nil && !newest.Phase.IsOver() {
		return nil, &refusal.Refusal{Code: GamesUnsettled,
			Sentence: fmt.Sprintf("Game %d is %v; the day ends when it is settled.", newest.Ref.Number, newest.Phase)}
	}
	if current.MustPlayOn() {
		return nil, &refusal.Refusal{Code: GamesUnsettled,
			Sentence: fmt.Sprintf("Keno Day %v is the last, and tickets are sold up to game %d of the series.", current.Day,
				current.Open.Furthest())}
	}
	if d, ok := current.Designated(); ok {
		return nil, &refusal.Refusal{Code: GamesUnsettled,
			Sentence: fmt.Sprintf("Game %d was announced for Keno Day %v; the day ends after it.", d.Game.Number,
				d.Game.Day)}
	}
	return &record.DayClosed{Series: series, Day: current.Day, Games: current.DayGames, StateForm: state.HashForm,
		State: s.Hash()}, nil
}

// CheckShortened refuses to close a Keno Day by hand before it has lasted as long as the
// rulebook says, unless who consents may approve another period. While nobody has consented, 0, it
// is enough that somebody else than who asks could.
//
//rule:casino-keno-div2 1.0.keno-day 6.2
func CheckShortened(s *state.State, series uint8, now record.Time, asks, consents uint32) error {
	current, err := openSeries(s, series)
	if err != nil {
		return err
	}
	rule := current.Book.Games().KenoDay
	lasts := record.Time(time.Duration(rule.Hours) * time.Hour / time.Millisecond)
	if now >= current.OpenedAt+lasts {
		return nil
	}
	approves := func(p state.Person) bool {
		return p.ID == consents || consents == 0 && p.ID != asks && !p.Erased
	}
	for _, p := range s.People().Persons() {
		if approves(p) && p.HasAny(record.Role(rule.Approves)) {
			return nil
		}
	}
	return &refusal.Refusal{Code: DayNotOver, Path: "day", Clause: rule.Quoted(), Sentence: fmt.Sprintf(
		"Keno Day %v has not lasted its %d hours. It is closed before that if the second person is of role %s.", current.Day,
		rule.Hours, rule.Approves)}
}

// Open puts the next game of a series on sale. Games of a Keno Day are told apart
// by a number from the rulebook's range, so a day has as many games as the range
// has numbers. A game opens under the terms that are in force on its Keno Day: those
// of a rulebook that is published for a later day wait for it.
//
//rule:vic-keno-2015 18(b) 18(c)
func Open(s *state.State, series uint8, closes record.Time) (*record.GameOpened, error) {
	current, err := openSeries(s, series)
	if err != nil {
		return nil, err
	}
	newest := current.Newest()
	if newest != nil && newest.Phase == state.PhaseOpen {
		return nil, &refusal.Refusal{Code: GameIsOpen, Sentence: fmt.Sprintf("Game %d is on sale.", newest.Ref.Number)}
	}
	number, err := nextNumber(current)
	if err != nil {
		return nil, err
	}
	if err := CheckDevice(s, series); err != nil {
		return nil, err
	}
	ordinal := nextOrdinal(current)
	book, schedule := s.Terms(current, ordinal)
	if err := checkInForce(book, current.Day); err != nil {
		return nil, err
	}
	rates, err := ratesOf(current, book, schedule)
	if err != nil {
		return nil, err
	}
	round, err := roundOf(current, closes)
	if err != nil {
		return nil, err
	}
	return &record.GameOpened{
		Round:    round,
		Game:     record.Game{Series: series, Day: current.Day, Number: number},
		Ordinal:  ordinal,
		Closes:   closes,
		Rulebook: record.Hash(book.Hash()),
		Schedule: schedule,
		Rates:    rates,
	}, nil
}

// nextOrdinal returns the ordinal of the next game of a series.
func nextOrdinal(series *state.Series) uint32 {
	if newest := series.Newest(); newest != nil {
		return newest.Ordinal + 1
	}
	return 1
}

// checkInForce refuses a Keno Day on which a rulebook governs no games: a change of the
// rules takes effect on its day and not before.
//
//rule:vic-keno-2015 27(b)
func checkInForce(book *rulebook.Book, d day.Day) error {
	if book.InForce(d) {
		return nil
	}
	return &refusal.Refusal{
		Code: NotInForce, Path: "day", Clause: rulebook.Quoted(book.EffectiveClause()),
		Sentence: fmt.Sprintf("%s is not in force on %v; it is from %v on.", book.Title(), d, book.From()),
	}
}

// NumbersLeft returns how many further games the Keno Day has numbers for.
func NumbersLeft(series *state.Series) int {
	if !series.Book.Keno() {
		return 0
	}
	numbering := series.Book.Games().Numbering
	return max(0, numbering.Last-numbering.First+1-int(series.DayGames))
}

// nextNumber returns the number of the next game under the rulebook's numbering. A
// game is named by its Keno Day and number, so that a day has no more games than
// there are numbers, also where these run on over days.
//
//rule:vic-keno-2015 18(c)
//rule:tas-keno-2023 9.1
func nextNumber(series *state.Series) (uint16, error) {
	if !series.Book.Keno() {
		return 0, &refusal.Refusal{Code: NoGameOpen,
			Sentence: fmt.Sprintf("No keno is played here: %s is a rulebook of bingo.", series.Book.ID())}
	}
	numbering := series.Book.Games().Numbering
	if NumbersLeft(series) == 0 {
		return 0, &refusal.Refusal{
			Code: NumbersUsedUp, Clause: numbering.Quoted(),
			Sentence: fmt.Sprintf("Keno Day %v has had its %d games; the next one opens with the next Keno Day.",
				series.Day, series.DayGames),
		}
	}
	if numbering.Restarts != rulebook.RestartsAtEnd {
		return uint16(numbering.First) + uint16(series.DayGames), nil
	}
	newest := series.Newest()
	if newest == nil || int(newest.Ref.Number) >= numbering.Last {
		return uint16(numbering.First), nil
	}
	return newest.Ref.Number + 1, nil
}

// Close ends sale and cancellation for the open game, divides its stakes between
// the prize fund and the operator, and lets the jackpots have their part. The fund
// gets at least its share: the odd part of a cent goes to the players.
//
// A game closes once the one before it is settled: prizes that run on are stakes
// of this one, and a jackpot that was won begins anew with it.
//
//rule:vic-keno-2015 2(a).prize-fund 18(b) 15(a)
//rule:tas-keno-2023 7.4(e)
//rule:casino-keno-div2 5.7
func Close(s *state.State, series uint8) (*record.GameClosed, []ledger.Posting, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, nil, err
	}
	newest := current.Newest()
	if newest == nil || newest.Phase != state.PhaseOpen {
		return nil, nil, &refusal.Refusal{Code: NoGameOpen, Sentence: "No game is on sale."}
	}
	if current.Paused {
		return nil, nil, &refusal.Refusal{Code: IsPaused, Sentence: "Sale and draws are stopped; no game closes."}
	}
	if waits := current.Unsettled(); len(waits) > 0 {
		return nil, nil, &refusal.Refusal{
			Code: GameNotReady,
			Sentence: fmt.Sprintf("Game %d is %v; game %d closes when it is settled.", waits[0].Ref.Number,
				waits[0].Phase, newest.Ref.Number),
		}
	}
	totals := current.Open.Totals(newest.Ordinal)
	fund, err := fundShare(s.BookOf(newest), totals.Stakes)
	if err != nil {
		return nil, nil, err
	}
	contributions, postings, err := contribute(s, current, newest)
	if err != nil {
		return nil, nil, err
	}
	closed := &record.GameClosed{
		Game:  newest.Ref,
		Plays: totals.Plays, Ways: totals.Ways, StakesCents: totals.Stakes,
		MultiplierCents: totals.Multiplier, LuckyLastCents: totals.LuckyLast, CarriedCents: totals.Carried,
		Contributions: contributions,
	}
	bonus, err := bonusShare(s.BookOf(newest), current, newest.Ordinal, totals)
	if err != nil {
		return nil, nil, err
	}
	closed.BonusPool = record.Exact(bonus)
	if deferred := current.Open.DeferredTotals(); len(current.Open.Deferred()) > 0 {
		closed.Deferred = slices.Clone(current.Open.Deferred())
		closed.DeferredPlays, closed.DeferredWays, closed.DeferredStakesCents = deferred.Plays, deferred.Ways, deferred.Stakes
	}
	postings = append(postings, bonusPostings(current, bonus)...)
	return closed, ledger.Merge(
		append(postings,
			ledger.Debit(ledger.Unplayed, 0, totals.Stakes),
			ledger.Credit(ledger.PrizeFund, 0, fund),
			ledger.Credit(ledger.Retained, 0, totals.Stakes-fund))...,
	), nil
}

// CheckTrading refuses a game after the time at which trading was announced to end, unless what was sold or announced
// before needs the game.
//
//rule:casino-keno-div2 10.0
//rule:tas-keno-2023 front.transition
func CheckTrading(s *state.State, series uint8, now record.Time) error {
	current, err := openSeries(s, series)
	if err != nil {
		return err
	}
	if !current.TradingOver(now) || current.GoesOn() {
		return nil
	}
	rule := current.Book.Games().EarlyClosure
	return &refusal.Refusal{Code: DayIsOver, Path: "game", Clause: rule.Quoted(),
		Sentence: fmt.Sprintf("Trading of Keno Day %v has ended at the time that was announced.", current.Day)}
}

// CheckNext reports whether a game could follow the one that is on sale: there is a
// number for it, and what draws it is ready.
func CheckNext(s *state.State, series uint8) error {
	current, err := openSeries(s, series)
	if err != nil {
		return err
	}
	if current.DayOver() != nil {
		return overRefusal(current)
	}
	if _, err = nextNumber(current); err != nil {
		return err
	}
	return CheckDevice(s, series)
}
