package game

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a change between games is refused.
const (
	RulebookUnknown refusal.Code = "rulebook_unknown"   // the rulebook was not adopted
	ScheduleUnknown refusal.Code = "schedule_unknown"   // the rulebook has no such schedule
	ApprovalMissing refusal.Code = "approval_missing"   // nobody has approved it
	GameNotAhead    refusal.Code = "game_not_ahead"     // the game has opened, or lies before one that was announced
	NoDelayedStart  refusal.Code = "no_delayed_start"   // the rulebook takes entries for the open game only
	NoJackpot       refusal.Code = "no_jackpot"         // there is no jackpot of this size
	SeriesKnown     refusal.Code = "series_known"       // there is such a series already
	SeriesName      refusal.Code = "series_name"        // a series cannot have the name
	SeriesInterval  refusal.Code = "series_interval"    // games cannot close so often, or so seldom
	MoveUnknown     refusal.Code = "move_unknown"       // no such move of jackpot money
	NumbersOfOthers refusal.Code = "other_game_numbers" // the rulebook's games are of other numbers
	CurrencyOther   refusal.Code = "other_currency"     // the rulebook's amounts are in another currency
	ZoneOther       refusal.Code = "other_zone"         // the rulebook's days are those of another place
	SeriesOver      refusal.Code = "series_over"        // the series has had its last Keno Day
	SoldBeyond      refusal.Code = "sold_beyond"        // tickets are sold for games behind the last
	GamesMissing    refusal.Code = "games_missing"      // it is not said how many games a Keno Day has
	SystemMissing   refusal.Code = "system_missing"     // the system outside has no name
	NothingTakenIn  refusal.Code = "nothing_taken_in"   // no money comes in
	SystemFixed     refusal.Code = "system_fixed"       // the rulebook is for another system than the series
	NotSuccessor    refusal.Code = "not_successor"      // the series is not of the successor system
	SeriesGoesOn    refusal.Code = "series_goes_on"     // the series has not had its last Keno Day
)

// ChangeTerms announces the rulebook and the schedule of a series from a game on.
// The change is an event of its own: games before it keep the terms under which
// they opened, and a ticket of many games plays each under that game's.
//
//rule:vic-keno-2015 S.classic
func ChangeTerms(s *state.State, c record.TermsChanged) (*record.TermsChanged, error) {
	current, err := seriesOf(s, c.Series)
	if err != nil {
		return nil, err
	}
	book, ok := s.Book(c.Rulebook)
	if !ok {
		return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "rulebook",
			Sentence: "There is no such rulebook in this house."}
	}
	if _, ok := book.Schedule(c.Schedule); !ok {
		return nil, &refusal.Refusal{Code: ScheduleUnknown, Path: "schedule",
			Sentence: fmt.Sprintf("%s has no schedule %q.", book.ID(), c.Schedule)}
	}
	if c.Approval == "" {
		return nil, &refusal.Refusal{Code: ApprovalMissing, Path: "approval",
			Sentence: "A change of terms needs the reference of its approval."}
	}
	if err := checkAhead(current, c.From); err != nil {
		return nil, err
	}
	if changes := current.Changes(); len(changes) > 0 && c.From < changes[len(changes)-1].From {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "from",
			Sentence: fmt.Sprintf("A change from game %d of the series is announced already.",
				changes[len(changes)-1].From)}
	}
	if d, ok := current.LastDesignated(); ok && c.From <= d.Ordinal {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "from",
			Sentence: fmt.Sprintf("Tickets are sold for game %d of the series already.", d.Ordinal)}
	}
	if err := checkSameGames(current, book); err != nil {
		return nil, err
	}
	if err := checkDecided(s, book); err != nil {
		return nil, err
	}
	return &c, nil
}

// checkSameGames refuses a rulebook under which the series could not go on: of
// other numbers, in another currency, by another clock, of another system, or with jackpots that nobody has begun.
// Tickets, jackpots and the prize fund go on from game to game, and their amounts and days name
// neither currency nor clock.
//
//rule:tas-keno-2023 3.2
func checkSameGames(series *state.Series, book *rulebook.Book) error {
	of, draw := series.Book.Numbers()
	if thisOf, thisDraw := book.Numbers(); thisOf != of || thisDraw != draw {
		return &refusal.Refusal{Code: NumbersOfOthers, Path: "rulebook",
			Sentence: fmt.Sprintf("The games of this series draw %d of %d numbers.", draw, of)}
	}
	if now := series.Book.Currency(); book.Currency() != now {
		return &refusal.Refusal{Code: CurrencyOther, Path: "rulebook", Clause: series.Book.PrizeFund().Quoted(),
			Sentence: fmt.Sprintf("The stakes and prizes of this series are in %s, and those of %s are in %s.", now,
				book.ID(), book.Currency())}
	}
	if now := series.Book.Zone(); book.Zone() != now {
		return &refusal.Refusal{Code: ZoneOther, Path: "rulebook", Clause: series.Book.Games().Numbering.Quoted(),
			Sentence: fmt.Sprintf("The Keno Days of this series are by the clock of %s, and those of %s by that of %s.",
				now, book.ID(), book.Zone())}
	}
	if form := series.Book.SerialForm(); book.SerialForm().Form != form.Form {
		return &refusal.Refusal{Code: SystemFixed, Path: "rulebook", Clause: form.Quoted(),
			Sentence: "The game numbers and ticket codes of a series stay. A successor system is a series of its own."}
	}
	jackpots, ok := book.Jackpots()
	if !ok {
		return nil
	}
	for _, pool := range jackpots.Pools {
		if _, ok := series.Pool(uint8(pool.Spots)); !ok {
			return &refusal.Refusal{Code: NoJackpot, Path: "rulebook",
				Sentence: fmt.Sprintf("The series has no jackpot of %d spots.", pool.Spots)}
		}
	}
	return nil
}

func checkAhead(series *state.Series, ordinal uint32) error {
	if newest := series.Newest(); ordinal == 0 || newest != nil && ordinal <= newest.Ordinal {
		return &refusal.Refusal{Code: GameNotAhead, Path: "from",
			Sentence: fmt.Sprintf("Game %d of the series is not ahead.", ordinal)}
	}
	return nil
}

// Designate announces a later game of the open Keno Day for which entries are taken
// from now on. The day does not end before it.
//
//rule:vic-keno-2015 9(h)
func Designate(s *state.State, series uint8, ordinal uint32) (*record.GameDesignated, error) {
	current, err := openSeries(s, series)
	if err != nil {
		return nil, err
	}
	games := current.Book.Games()
	if !games.Delayed.Allowed {
		return nil, &refusal.Refusal{Code: NoDelayedStart,
			Sentence: fmt.Sprintf("Under %s every entry is for the game that is open.", current.Book.ID())}
	}
	if err := checkAhead(current, ordinal); err != nil {
		return nil, err
	}
	if known, ok := current.LastDesignated(); ok && ordinal <= known.Ordinal {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "game",
			Sentence: fmt.Sprintf("Game %d of the series is announced already.", known.Ordinal)}
	}
	if changes := current.Changes(); len(changes) > 0 && changes[0].From <= ordinal {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "game",
			Sentence: fmt.Sprintf("The terms change from game %d of the series on.", changes[0].From)}
	}
	newest := current.Newest()
	if newest == nil || newest.Ref.Day != current.Day {
		return nil, &refusal.Refusal{Code: NoGameOpen, Sentence: "No game of this Keno Day has opened yet."}
	}
	number := int64(newest.Ref.Number) + int64(ordinal-newest.Ordinal)
	if number > int64(games.Numbering.Last) {
		return nil, &refusal.Refusal{
			Code: NumbersUsedUp, Clause: games.Numbering.Quoted(), Path: "game",
			Sentence: fmt.Sprintf("The last game of Keno Day %v has number %d.", current.Day, games.Numbering.Last),
		}
	}
	return &record.GameDesignated{Game: record.Game{Series: series, Day: current.Day, Number: uint16(number)},
		Ordinal: ordinal}, nil
}

// NameParticipants says who shares the jackpots from a game on.
//
//rule:vic-keno-2015 2(a).pooled-jackpot
func NameParticipants(s *state.State, p record.ParticipantsNamed) (*record.ParticipantsNamed, error) {
	current, err := seriesOf(s, p.Series)
	if err != nil {
		return nil, err
	}
	if err := checkAhead(current, p.From); err != nil {
		return nil, err
	}
	if jackpots, ok := current.Book.Jackpots(); len(p.Names) > 0 && (!ok || !jackpots.Pooled) {
		return nil, &refusal.Refusal{Code: jackpot.NotPooled, Path: "names",
			Sentence: "These jackpots are not shared with other jurisdictions."}
	}
	return &p, nil
}

// The move of jackpot money from a system that ends, beside those that a rulebook
// lists.
const moveMigrate = "migrate"

// approved returns the terms and the pool of a move of jackpot money, and what the
// rulebook says of it.
func approved(s *state.State, series, spots uint8, move,
	reference string) (*jackpot.Terms, jackpot.Pool, jackpot.Approval, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, jackpot.Pool{}, jackpot.Approval{}, err
	}
	terms, err := jackpotTerms(current.Book, current.Schedule)
	if err != nil {
		return nil, jackpot.Pool{}, jackpot.Approval{}, err
	}
	pool, ok := current.Pool(spots)
	if !ok || terms == nil {
		return nil, pool, jackpot.Approval{}, &refusal.Refusal{Code: NoJackpot, Path: "spots",
			Sentence: fmt.Sprintf("There is no jackpot of %d spots.", spots)}
	}
	policy, _ := current.Book.Jackpots()
	for _, m := range policy.Moves {
		if m.Move == move {
			return terms, pool, jackpot.Approval{Reference: reference, Clause: m.Quoted()}, nil
		}
	}
	return nil, pool, jackpot.Approval{}, &refusal.Refusal{Code: MoveUnknown, Path: "move", Clause: policy.Quoted(),
		Sentence: fmt.Sprintf("Jackpot money cannot be moved by %q.", move)}
}

// MovePool moves jackpot money between games, as approved.
//
//rule:tas-keno-2023 7.4(i) 7.5(a) 7.6(a)
func MovePool(s *state.State, series, spots uint8, move string, amount money.Amount,
	reference string) (*record.PoolMoved, []ledger.Posting, error) {
	terms, pool, approval, err := approved(s, series, spots, move, reference)
	if err != nil {
		return nil, nil, err
	}
	do, ok := map[string]func(jackpot.Pool, money.Amount, jackpot.Approval) (jackpot.Pool, jackpot.Movement, error){
		rulebook.MoveLend: terms.Lend, rulebook.MoveReallocate: terms.Reallocate, rulebook.MoveSetAside: terms.SetAside,
	}[move]
	if !ok {
		return nil, nil, &refusal.Refusal{Code: MoveUnknown, Path: "move", Clause: approval.Clause,
			Sentence: fmt.Sprintf("%q needs winners to give the money to.", move)}
	}
	if err := checkBetween(s, series, "jackpot money is moved"); err != nil {
		return nil, nil, err
	}
	after, moved, err := do(pool, amount, approval)
	if err != nil {
		return nil, nil, err
	}
	return &record.PoolMoved{Series: series, Move: move, AmountCents: amount, Approval: reference,
			Pools: []record.Pool{poolRecord(after)}},
		ledger.Merge(movePostings(after, moved)...), nil
}

// checkBetween refuses what is done with jackpot money or the bonus prize pool while a
// game is closed and not over: no prize of a draw changes after its seal, and what the
// game contributed goes back if it is declared void.
func checkBetween(s *state.State, series uint8, what string) error {
	current, err := seriesOf(s, series)
	if err != nil {
		return err
	}
	if waits := current.Unsettled(); len(waits) > 0 {
		return &refusal.Refusal{
			Code: GameNotReady, Path: "game",
			Sentence: fmt.Sprintf("Game %d is %v; %s between games.", waits[0].Ref.Number, waits[0].Phase, what),
		}
	}
	return nil
}

// Give shares money that was set aside among the winners of a game's jackpot: the
// game is settled a further time, with their prizes raised.
//
//rule:tas-keno-2023 7.5(b)
func Give(s *state.State, series uint8, ordinal uint32, spots uint8, amount money.Amount,
	reference string) (Settled, error) {
	terms, pool, approval, err := approved(s, series, spots, rulebook.MoveGive, reference)
	if err != nil {
		return Settled{}, err
	}
	current, g, err := gameIn(s, series, ordinal, state.PhaseSettled)
	if err != nil {
		return Settled{}, err
	}
	won, err := terms.Give(pool, series, int(spots), amount, winnersOf(g, spots), approval)
	if err != nil {
		return Settled{}, err
	}
	again := g.Settled
	again.Revision++
	again.Awards = append(again.Awards[:len(again.Awards):len(again.Awards)], awardRecords(won.Awards)...)
	return settleShares(s, current, g, again, []jackpot.Won{won})
}

// Migrate brings the players' money of a system that ends into a jackpot of its
// successor, in lots.
//
//rule:tas-keno-2023 7.7(b) 7.7(c) 7.7(d)
func Migrate(s *state.State, from, into uint8, reference string) (*record.PoolMoved, []ledger.Posting, error) {
	old, err := seriesOf(s, from)
	if err != nil {
		return nil, nil, err
	}
	current, err := seriesOf(s, into)
	if err != nil {
		return nil, nil, err
	}
	if reference == "" {
		return nil, nil, &refusal.Refusal{Code: ApprovalMissing, Path: "approval",
			Sentence: "Only an approved move of jackpot money is made."}
	}
	terms, pool, err := receiving(current, "into")
	if err != nil {
		return nil, nil, err
	}
	migration, _ := current.Book.Migration()
	if err := checkMove(old, current, migration.Quoted()); err != nil {
		return nil, nil, err
	}
	for _, id := range []uint8{from, into} {
		if err := checkBetween(s, id, "jackpot money is moved"); err != nil {
			return nil, nil, err
		}
	}
	if err := reconcile(s, old, migration.Quoted()); err != nil {
		return nil, nil, err
	}
	closed, grown, move, err := terms.Migrate(old.Pools(), pool, current.CameInLots(pool.Spots))
	if err != nil {
		return nil, nil, err
	}
	players := grown.Primary + grown.Waiting - pool.Primary - pool.Waiting
	if players.Cents() <= 0 {
		return nil, nil, &refusal.Refusal{Code: PoolEmpty, Path: "from", Clause: migration.Quoted(),
			Sentence: "The jackpots of that series hold no money of players."}
	}
	moved := &record.PoolMoved{
		Series: into, Move: moveMigrate, AmountCents: players.Cents(), Approval: reference,
		Pools: []record.Pool{poolRecord(grown)}, ClosedSeries: from,
	}
	postings := []ledger.Posting{ledger.Credit(ledger.PrizeFund, 0, move.Fund),
		ledger.Credit(ledger.Operator, 0, move.Operator)}
	for i, p := range closed {
		moved.Closed = append(moved.Closed, poolRecord(p))
		postings = append(postings, balancePostings(old.Pools()[i], p)...)
	}
	return moved, ledger.Merge(append(postings, balancePostings(pool, grown)...)...), nil
}

// checkMove refuses a move of pools that is not from a system which was closed to its successor: a system is closed
// when its series has had its last Keno Day.
//
//rule:tas-keno-2023 7.7(b) 17.4(c)
func checkMove(old, current *state.Series, clause string) error {
	if from := old.Book.System().Plays; old.ID == current.ID || from == rulebook.PlaysSuccessor {
		return &refusal.Refusal{Code: jackpot.SameSystem, Path: "from", Clause: clause,
			Sentence: "A pool cannot move within its own system."}
	}
	if err := checkSuccessor(current, clause); err != nil {
		return err
	}
	if !old.IsOver() {
		return &refusal.Refusal{Code: SeriesGoesOn, Path: "from", Clause: clause,
			Sentence: fmt.Sprintf("%s goes on. Its pools move when it is closed: after its last Keno Day.", old.Name)}
	}
	return nil
}

// checkSuccessor refuses to bring pools of another system into a series that is not of the successor.
//
//rule:tas-keno-2023 7.7(b) 17.4(c)
func checkSuccessor(current *state.Series, clause string) error {
	if current.Book.System().Plays == rulebook.PlaysSuccessor {
		return nil
	}
	return &refusal.Refusal{Code: NotSuccessor, Clause: clause,
		Sentence: fmt.Sprintf("Pools of another system go to its successor, and %s is not a series of that.", current.Name)}
}

// receiving returns the jackpot of a series that takes money of another system, with its terms. A refusal names the
// field at path.
func receiving(current *state.Series, path string) (*jackpot.Terms, jackpot.Pool, error) {
	terms, err := jackpotTerms(current.Book, current.Schedule)
	if err != nil {
		return nil, jackpot.Pool{}, err
	}
	migration, ok := current.Book.Migration()
	pool, has := current.Pool(uint8(migration.Into))
	if terms == nil || !ok || !has {
		return nil, jackpot.Pool{}, &refusal.Refusal{Code: NoJackpot, Path: path,
			Sentence: "No jackpot of the series takes money of another system."}
	}
	return terms, pool, nil
}

// TakeIn brings the players' money that the pools of a system outside held into the series: of its jackpots in lots, as
// from a series of the house, and of its bonus prize pool at once. The operator of that system pays it in.
//
//rule:tas-keno-2023 7.7(b) 7.7(c) 7.7(d) 17.4(c)
func TakeIn(s *state.State, b record.PoolsTakenIn) (*record.PoolsTakenIn, []ledger.Posting, error) {
	current, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case b.Approval == "":
		return nil, nil, &refusal.Refusal{Code: ApprovalMissing, Path: "reference",
			Sentence: "Money of another system comes in with the reference of an approval."}
	case b.System == "":
		return nil, nil, &refusal.Refusal{Code: SystemMissing, Path: "system",
			Sentence: "Name the system that the money comes from."}
	case b.JackpotCents < 0 || b.BonusCents < 0 || b.JackpotCents+b.BonusCents == 0:
		return nil, nil, &refusal.Refusal{Code: NothingTakenIn, Path: "jackpot_cents",
			Sentence: "Say what comes in, for jackpots or for bonus prizes."}
	}
	if b.BonusCents > 0 {
		policy, ok := current.Book.Promotions()
		if !ok || !policy.Moves {
			return nil, nil, &refusal.Refusal{Code: NoPromotions, Path: "bonus_cents",
				Sentence: fmt.Sprintf("%s takes no bonus prize pool of another system.", current.Book.ID())}
		}
		if err := checkSuccessor(current, rulebook.Quoted(policy.MovesClause)); err != nil {
			return nil, nil, err
		}
	}
	postings := []ledger.Posting{ledger.Debit(ledger.Bank, 0, b.JackpotCents+b.BonusCents),
		ledger.Credit(ledger.BonusPool, 0, b.BonusCents)}
	if b.JackpotCents > 0 {
		terms, pool, err := receiving(current, "jackpot_cents")
		if err != nil {
			return nil, nil, err
		}
		migration, _ := current.Book.Migration()
		if err := checkSuccessor(current, migration.Quoted()); err != nil {
			return nil, nil, err
		}
		grown, move, err := terms.TakeIn(b.JackpotCents, pool, current.CameInLots(pool.Spots))
		if err != nil {
			return nil, nil, err
		}
		b.Pools = []record.Pool{poolRecord(grown)}
		postings = append(postings, movePostings(grown, move)...)
	}
	if err := checkBetween(s, b.Series, "money of another system comes in"); err != nil {
		return nil, nil, err
	}
	return &b, ledger.Merge(postings...), nil
}

// Limit says with which Keno Day a series ends, or says it anew. No ticket that was sold has a game behind it.
//
//rule:tas-keno-2023 front.transition
func Limit(s *state.State, b record.SeriesLimited) (*record.SeriesLimited, error) {
	current, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, err
	}
	system := current.Book.System()
	clause := system.EndClause()
	switch {
	case b.Approval == "":
		return nil, &refusal.Refusal{Code: ApprovalMissing, Path: "reference", Clause: clause,
			Sentence: "The last day of a series needs the reference of the decision."}
	case b.Games == 0:
		return nil, &refusal.Refusal{Code: GamesMissing, Path: "games", Clause: clause,
			Sentence: "Say how many games a Keno Day of the series has: tickets are sold up to the last of them."}
	case current.IsOver():
		return nil, &refusal.Refusal{Code: SeriesOver, Path: "last_day", Clause: clause,
			Sentence: fmt.Sprintf("%s has ended with Keno Day %v.", current.Name, current.LastDay)}
	case b.LastDay < current.Day:
		return nil, &refusal.Refusal{Code: DayIsPast, Path: "last_day", Clause: clause,
			Sentence: fmt.Sprintf("Keno Day %v has begun, and %v is before it.", current.Day, b.LastDay)}
	}
	if last := current.LastGame(b.LastDay, b.Games); current.Open.Furthest() > last {
		return nil, &refusal.Refusal{Code: SoldBeyond, Path: "last_day", Clause: clause,
			Sentence: fmt.Sprintf("A ticket is sold up to game %d of the series, and game %d would be the last.",
				current.Open.Furthest(), last)}
	}
	return &b, nil
}

// checkLastDay refuses a Keno Day behind the last one of a series.
//
//rule:tas-keno-2023 front.transition
func checkLastDay(series *state.Series, d day.Day) error {
	if series.LastDay == day.None || d <= series.LastDay {
		return nil
	}
	system := series.Book.System()
	return &refusal.Refusal{Code: SeriesOver, Path: "day", Clause: system.EndClause(),
		Sentence: fmt.Sprintf("%s ends with Keno Day %v.", series.Name, series.LastDay)}
}

// reconcile holds the jackpots of a series that ends against the ledger: what players put
// in and did not win must be there, to the cent, before it goes anywhere.
//
//rule:tas-keno-2023 7.7(a)
func reconcile(s *state.State, old *state.Series, clause string) error {
	for _, p := range old.Pools() {
		unit := ledger.Pool(p.Series, p.Spots)
		for _, part := range []struct {
			account ledger.Account
			holds   jackpot.Exact
		}{
			{ledger.JackpotPrimary, p.Primary}, {ledger.JackpotSecondary, p.Secondary},
			{ledger.JackpotWaiting, p.Waiting}, {ledger.JackpotAside, p.Aside},
		} {
			if booked := -s.Balances().OfUnit(part.account, unit); booked != part.holds.Cents() {
				return &refusal.Refusal{Code: NotReconciled, Path: "from", Clause: clause,
					Sentence: fmt.Sprintf("The jackpot of %d spots holds %v, and its account %v has %v.", p.Spots,
						part.holds.Cents(), part.account, booked)}
			}
		}
	}
	return nil
}

// balancePostings books what a pool holds more or less than before.
func balancePostings(before, after jackpot.Pool) []ledger.Posting {
	unit := ledger.Pool(before.Series, before.Spots)
	return []ledger.Posting{
		ledger.Credit(ledger.JackpotPrimary, unit, after.Primary.Cents()-before.Primary.Cents()),
		ledger.Credit(ledger.JackpotSecondary, unit, after.Secondary.Cents()-before.Secondary.Cents()),
		ledger.Credit(ledger.JackpotWaiting, unit, after.Waiting.Cents()-before.Waiting.Cents()),
		ledger.Credit(ledger.JackpotAside, unit, after.Aside.Cents()-before.Aside.Cents()),
	}
}

// BeginSeries starts a further series of games. Two systems that run side by side are
// two series, each with its own jackpots.
//
//rule:tas-keno-2023 7.2
func BeginSeries(s *state.State, b record.SeriesBegun) (*record.SeriesBegun, error) {
	book, ok := s.Book(b.Rulebook)
	if !ok {
		return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "rulebook",
			Sentence: "There is no such rulebook in this house."}
	}
	if _, ok := book.Schedule(b.Schedule); !ok {
		return nil, &refusal.Refusal{Code: ScheduleUnknown, Path: "schedule",
			Sentence: fmt.Sprintf("%s has no schedule %q.", book.ID(), b.Schedule)}
	}
	if _, ok := s.Series(b.Series); ok || b.Series == 0 {
		return nil, &refusal.Refusal{Code: SeriesKnown, Path: "series",
			Sentence: fmt.Sprintf("There is a series %d already.", b.Series)}
	}
	if err := checkDecided(s, book); err != nil {
		return nil, err
	}
	return &b, checkBeside(s, b, book)
}

// leastInterval and mostInterval bound the time between the closes of two games, in seconds: there is a game
// on each day.
const leastInterval, mostInterval = 10, 24 * 60 * 60

// checkBeside refuses a series that cannot stand beside those of the house: all money of a house is of one currency,
// and all its days are of one time zone.
func checkBeside(s *state.State, b record.SeriesBegun, book *rulebook.Book) error {
	if err := Playable(book); err != nil {
		return err
	}
	switch {
	case b.Approval == "":
		return &refusal.Refusal{Code: ApprovalMissing, Path: "reference",
			Sentence: "A further series needs the reference of the decision that allows it."}
	case b.Interval < leastInterval || b.Interval > mostInterval:
		return &refusal.Refusal{Code: SeriesInterval, Path: "interval_seconds",
			Sentence: fmt.Sprintf("Games close every %d to %d seconds.", leastInterval, mostInterval)}
	}
	if err := (journal.Game{Series: b.Name, Day: "2000-01-01"}).Check(); err != nil {
		return &refusal.Refusal{Code: SeriesName, Path: "name",
			Sentence: "The name of a series has small letters, digits and hyphens."}
	}
	for other := range s.AllSeries() {
		switch {
		case other.Name == b.Name:
			return &refusal.Refusal{Code: SeriesKnown, Path: "name",
				Sentence: fmt.Sprintf("There is a series %s already.", b.Name)}
		case other.Book.Currency() != book.Currency():
			return &refusal.Refusal{Code: CurrencyOther, Path: "rulebook",
				Sentence: fmt.Sprintf("The house has its money in %s, and %s is in %s.", other.Book.Currency(), book.ID(),
					book.Currency())}
		case other.Book.Zone() != book.Zone():
			return &refusal.Refusal{Code: ZoneOther, Path: "rulebook",
				Sentence: fmt.Sprintf("The house is in the time zone %s, and %s in %s.", other.Book.Zone(), book.ID(),
					book.Zone())}
		}
	}
	return nil
}
