package verify

import (
	"crypto/sha3"
	"fmt"
	"slices"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A series is what its games so far come to.
type series struct {
	id      uint8
	name    string
	changes []change // of its terms; the first is what it began with

	day      day.Day // the last one opened
	dayOpen  bool
	dayGames uint32
	openedAt record.Time  // when that day opened
	bookFrom record.Place // the first record of the day's book
	booked   int          // games of the days whose books are closed
	offset   int32
	swept    int               // games from the first on whose prizes move no more
	paused   bool              // neither sale nor draws
	notice   string            // what players are told
	closure  record.Time       // after which no game of the day opens; 0 for none
	ends     bool              // no further game of the day is possible, as two persons have said
	endedBy  record.GameVoided // with which they said so

	// committed are the commitments to links of days to come, in their order.
	committed []*record.LinksCommitted
	// beacons are the beacon that is part of draws now and the one from a day to come, ascending by that day.
	beacons []*record.BeaconChosen

	games  []*game // by ordinal, from 1
	byName map[record.Game]*game
	// results names the game that drew each set of numbers.
	results map[[4]uint64]record.Game
	// tickets are those with a game to come or to be settled.
	tickets openTickets
	// runs tells that a ticket was sold whose prize may run on.
	runs bool
	// called is what all tickets stake on calls in games to come.
	called map[uint32]*calledIn
	// designated are games of delayed start that have not opened, by ordinal.
	designated map[uint32]record.Game

	end *end // with which the series ends; nil for none
	tax taxed

	pools map[uint8]*pool // by size
	sizes []uint8         // of those pools, ascending
	// deferred are void games whose plays are played along with the next game to close.
	deferred []*game
	// shared says from which games on the jackpots are shared with whom.
	shared []participants
	// waiting are the games whose jackpots wait for reports.
	waiting []*game

	promotions []*promotion // by number, from 1
	bonusPool  record.Exact // not offered yet
	ready      map[uint64]ready

	device device // that draws the games that open from now on
	chains map[chainKey]*chain
	cage   cage
	byHand []record.Game // whose prizes are paid by hand: the computer did not take their results at first
}

func newSeries(b *record.SeriesBegun, t *terms) *series {
	return &series{id: b.Series, name: b.Name, changes: []change{{0, t}},
		byName: make(map[record.Game]*game), results: make(map[[4]uint64]record.Game),
		called: make(map[uint32]*calledIn), designated: make(map[uint32]record.Game), pools: make(map[uint8]*pool),
		ready:  make(map[uint64]ready),
		chains: make(map[chainKey]*chain)}
}

// A stage is how far a game has come. Every game passes all of them in order.
type stage uint8

const (
	stageOpen stage = iota
	stageClosed
	stageSealed // and drawn number by number
	stageDrawn
	stageSettled
	stageVoid // without a result
)

var stageNames = [...]string{"open", "closed", "sealed", "drawn", "settled", "void"}

func (s stage) String() string { return stageNames[s] }

// over reports whether nothing is left to be drawn or settled.
func (s stage) over() bool { return s >= stageSettled }

// A game is one game of a series.
type game struct {
	name    record.Game
	ordinal uint32
	stage   stage
	terms   *terms
	delayed bool // entries were taken before it opened
	// wonSoFar is the prizes of its newest settlement, payable or running on.
	wonSoFar money.Amount
	// succeeding says that it opened while its system was being succeeded by another.
	succeeding bool
	rates      []record.PoolRate

	logged loggedSeal // where its seal stands in the public log

	// As of the close.
	closed *volume // in which it closed
	size   uint64  // of the log just after the close
	root   hash
	plays  uint64
	ways   uint64
	stakes stakes
	// onSizes are the main stakes of ways that play for the jackpot of each size.
	onSizes [ball.Keno + 1]money.Amount
	// pooled are the stakes that fill the bonus prize pool.
	pooled money.Amount
	// closing is what became of the stakes.
	closing closing
	// along are void games whose plays are played along. waits are the plays of a void
	// game that are still to be, and refunds what of it went back.
	along   []*game
	waits   []ticket
	refunds []refund

	seal hash // of the seal's body
	// quorate says that all custodians have cosigned the public log with the seal.
	quorate bool
	// witnessed are those who have cosigned the seal.
	witnessed []string
	voided    uint8 // draws that do not count
	confirmed uint8 // the draw whose result stands although it equals a recent one
	numbers   []byte
	drawn     drawnNumbers
	// device draws the game; links are those of the draw that counts, and stream the
	// bytes that they give.
	device device
	links  map[string]hash
	round  rounds
	stream *sha3.SHAKE

	carrying carrying

	// winners are the plays that won, by place. They are kept: a prize can be
	// claimed long after.
	winners []winner
	// paid are those of them that were packed, and paying says that some may be since.
	paid   paidWinners
	paying bool
	// settled is the last revision, and what it came to as far as a further one may
	// change it.
	settled settled
	// endedAt is the place of its last settlement, or of the record that made it void.
	endedAt   uint64
	unclaimed unclaimed
	// figures are what the books of its day say of it.
	figures bookFigures

	// past is what a correction of the result is graded by, and corrected the revision of
	// the last one, or else that of the first settlement. outplayed are plays that were
	// paid and have not won by the right numbers, and overpaid is what was paid and not
	// won.
	past      *past
	corrected uint8
	outplayed []winner
	overpaid  money.Amount
	// recorded is the Keno Day of the last correction that changed what is won here; none without one.
	recorded day.Day
}

// wonOn returns the Keno Day on which the wins of the game were recorded (casino-keno-div2 9.1, 9.2).
func (g *game) wonOn() day.Day {
	if g.recorded != day.None {
		return g.recorded
	}
	return g.name.Day
}

// dayOpened checks that Keno Days follow each other, and that a day has the date
// on which it began (vic-keno-2015 2(a).keno-day). Trading that begins late, after
// midnight, still belongs to the day before.
func (c *checker) dayOpened(b *record.DayOpened) error {
	s := c.series[b.Series]
	switch {
	case s == nil:
		return fault(CheckGames, "series %d has not begun", b.Series)
	case s.dayOpen:
		return fault(CheckGames, "day %v of the series has not closed", s.day)
	case b.Day <= s.day:
		return fault(CheckGames, "day %v follows day %v", b.Day, s.day)
	case s.end != nil && b.Day > s.end.day:
		return fault(CheckGames, "day %v opens, and the series ends with day %v", b.Day, s.end.day)
	case !s.termsAt(uint32(len(s.games)) + 1).rules.book.InForce(b.Day):
		return fault(CheckGames, "the rulebook is not in force on %v", b.Day)
	}
	date := localDate(c.now, b.OffsetSeconds)
	if date != b.Day && date != b.Day+1 {
		return fault(CheckGames, "day %v was opened on %v", b.Day, date)
	}
	if err := s.checkChains(b.Day); err != nil {
		return err
	}
	s.returnUpTo(monthOf(b.Day))
	s.day, s.dayOpen, s.dayGames, s.offset, s.closure, s.ends = b.Day, true, 0, b.OffsetSeconds, 0, false
	s.openedAt = c.now
	c.fallDue(s)
	c.sweepDue(s)
	c.lapseDue(s)
	c.venuesOpen(b.Day)
	c.report.Days++
	return nil
}

// localDate returns the date on clocks that add offset seconds to UTC.
func localDate(at record.Time, offset int32) day.Day {
	t := at.Time().Add(time.Duration(offset) * time.Second)
	year, month, dom := t.Date()
	date, err := day.Of(year, int(month), dom)
	if err != nil {
		return day.None
	}
	return date
}

// dayClosed checks that a day ends when all its games are settled, and that it
// counts them, and that its book is what its records come to. The hash of the house's
// state is the house's own matter: nothing here depends on it.
func (c *checker) dayClosed(b *record.DayClosed) error {
	s := c.series[b.Series]
	if s == nil || !s.dayOpen || b.Day != s.day {
		return fault(CheckGames, "day %v is not open", b.Day)
	}
	for _, g := range s.games[len(s.games)-int(s.dayGames):] {
		if !g.stage.over() {
			return fault(CheckGames, "day %v closes while game %v is %v", b.Day, g.name, g.stage)
		}
	}
	if err := s.playsOn(); err != nil {
		return err
	}
	if b.Games != s.dayGames {
		return fault(CheckGames, "it counts %d games, and the day had %d", b.Games, s.dayGames)
	}
	if err := c.checkBook(s, b); err != nil {
		return fault(CheckLedger, "%v", err)
	}
	if err := s.taxDay(); err != nil {
		return fault(CheckLedger, "%v", err)
	}
	s.dayOpen = false
	c.packPaid()
	return nil
}

// gameOpened checks that games follow each other by ordinal and by number
// (vic-keno-2015 18(c)) and that one is open at a time.
func (c *checker) gameOpened(b *record.GameOpened) error {
	s := c.series[b.Game.Series]
	if s == nil || !s.dayOpen || b.Game.Day != s.day {
		return fault(CheckGames, "game %v opens on a day that is not open", b.Game)
	}
	if s.termsAt(b.Ordinal).schedule == nil {
		return fault(CheckGames, "it opens in series %s, whose rulebook has no keno", s.name)
	}
	if err := s.checkEnds(CheckGames); err != nil {
		return err
	}
	if uint64(b.Ordinal) != uint64(len(s.games))+1 {
		return fault(CheckGames, "it is game %d of its series, and the next is %d", b.Ordinal, len(s.games)+1)
	}
	if last := s.last(); last != nil && last.stage == stageOpen {
		return fault(CheckGames, "it opens while game %v is open", last.name)
	}
	if s.closure != 0 && c.now > s.closure && !s.owesGame() {
		return fault(CheckGames, "it opens after trading was announced to end")
	}
	if err := c.checkWatched(s); err != nil {
		return err
	}
	terms := s.termsAt(b.Ordinal)
	number, err := s.nextNumber(terms.rules.games.Numbering)
	if err != nil {
		return err
	}
	if b.Game.Number != number {
		return fault(CheckGames, "it has number %d, and the next is %d", b.Game.Number, number)
	}
	if key := (termsKey{b.Rulebook, b.Schedule}); key != terms.key {
		return fault(CheckGames, "it is played under %v, and %v is current", key, terms.key)
	}
	if rates := s.rates(terms.rules); !slices.Equal(b.Rates, rates) {
		return fault(CheckJackpots, "it fills the jackpots by %v, and as they stand %v is right", b.Rates, rates)
	}
	g := &game{name: b.Game, ordinal: b.Ordinal, terms: terms, rates: b.Rates, succeeding: c.succeeding(s)}
	if err := c.opensWith(s, g); err != nil {
		return err
	}
	if err := c.opensRound(s, g, b); err != nil {
		return err
	}
	if name, ok := s.designated[b.Ordinal]; ok {
		if name != b.Game {
			return fault(CheckGames, "it was announced as game %v", name)
		}
		g.delayed = true
		delete(s.designated, b.Ordinal)
	}
	s.games = append(s.games, g)
	s.byName[g.name] = g
	s.dayGames++
	c.report.Games++
	return nil
}

func (s *series) last() *game {
	if len(s.games) == 0 {
		return nil
	}
	return s.games[len(s.games)-1]
}

// nextNumber returns the number of the next game within its day.
func (s *series) nextNumber(numbering rulebook.Numbering) (uint16, error) {
	last := s.last()
	switch {
	case last == nil, numbering.Restarts == rulebook.RestartsDaily && s.dayGames == 0:
		return uint16(numbering.First), nil
	case int(last.name.Number) < numbering.Last:
		return last.name.Number + 1, nil
	case numbering.Restarts == rulebook.RestartsAtEnd && s.dayGames <= uint32(numbering.Last-numbering.First):
		return uint16(numbering.First), nil
	}
	return 0, fault(CheckGames, "the day has used all its numbers up to %d", numbering.Last)
}

// closed returns how many games have closed.
func (s *series) closed() uint32 {
	n := uint32(len(s.games))
	if last := s.last(); last != nil && last.stage == stageOpen {
		n--
	}
	return n
}

// unsettled returns the first game that has closed and is not settled, or nil.
// Games are settled in their order.
func (s *series) unsettled() *game {
	for i := int(s.closed()) - 1; i >= 0 && !s.games[i].stage.over(); i-- {
		if i == 0 || s.games[i-1].stage.over() {
			return s.games[i]
		}
	}
	return nil
}

// maxOrdinal is more games than a series will have, and leaves room to count on.
const maxOrdinal = 1 << 31

// gameDesignated checks the announcement of a game of delayed start: the rulebook
// allows them, and the game has not opened (vic-keno-2015 2(a).delayed-start-game).
// That it is the game of that name is seen when it opens.
func (c *checker) gameDesignated(b *record.GameDesignated) error {
	s := c.series[b.Game.Series]
	switch {
	case s == nil:
		return fault(CheckGames, "series %d has not begun", b.Game.Series)
	case !s.termsAt(b.Ordinal).rules.games.Delayed.Allowed:
		return fault(CheckGames, "the rulebook has no games of delayed start")
	case uint64(b.Ordinal) <= uint64(len(s.games)):
		return fault(CheckGames, "game %d of the series has opened", b.Ordinal)
	case b.Ordinal > maxOrdinal:
		return fault(CheckGames, "game %d of the series is out of reach", b.Ordinal)
	case b.Game.Day < s.day:
		return fault(CheckGames, "game %v is of a day that is over", b.Game)
	}
	if name, ok := s.designated[b.Ordinal]; ok {
		return fault(CheckGames, "game %d of the series was announced as %v before", b.Ordinal, name)
	}
	s.designated[b.Ordinal] = b.Game
	return nil
}

// selling returns the name of the game of an ordinal if tickets may be sold for it
// now: the one that is open, or the next of delayed start (vic-keno-2015 9(h)).
func (s *series) selling(ordinal uint32) (record.Game, error) {
	if !s.dayOpen {
		return record.Game{}, fault(CheckRequests, "it is sold on no Keno Day")
	}
	if s.paused {
		return record.Game{}, fault(CheckRequests, "it is sold while play is paused")
	}
	if ordinal != 0 && uint64(ordinal) <= uint64(len(s.games)) {
		g := s.games[ordinal-1]
		if g.stage != stageOpen {
			return record.Game{}, fault(CheckRequests,
				"it is sold for game %v after the close of that game at %d", g.name, g.size-1)
		}
		return g.name, nil
	}
	name, ok := s.designated[ordinal]
	if !ok {
		return record.Game{}, fault(CheckRequests,
			"it is sold for game %d of its series, which has not opened", ordinal)
	}
	for other := range s.designated {
		if other < ordinal {
			return record.Game{}, fault(CheckRequests,
				"it is sold for game %v, and the next of delayed start is game %d of the series", name, other)
		}
	}
	return name, nil
}

// at returns a game that must be at a stage.
func (c *checker) at(check Check, name record.Game, want stage) (*series, *game, error) {
	s := c.series[name.Series]
	if s == nil || s.byName[name] == nil {
		return nil, nil, fault(check, "game %v was never opened", name)
	}
	g := s.byName[name]
	if g.stage != want {
		return nil, nil, fault(check, "game %v is %v, and must be %v", name, g.stage, want)
	}
	return s, g, nil
}

// gameClosed adds up the tickets in the game and checks what the close says of
// them. The prize fund gets its least part of the stakes, rounded up, for it is
// "not less than" (2(a).prize-fund); the rest is the operator's. Out of the fund the
// jackpots get their part of the main stakes on their sizes.
func (c *checker) gameClosed(b *record.GameClosed) (postings, error) {
	s, g, err := c.at(CheckGames, b.Game, stageOpen)
	if err != nil {
		return nil, err
	}
	if err := s.checkRunsKnown(g); err != nil {
		return nil, err
	}
	for t := range s.tickets.all() {
		if err := g.count(t, &c.counter); err != nil {
			return nil, fault(CheckGames, "the stakes of game %v: %v", g.name, err)
		}
	}
	total := g.stakes.total()
	if err := s.playAlong(g, b); err != nil {
		return nil, fault(CheckGames, "%v", err)
	}
	if b.Plays != g.plays || b.Ways != g.ways || b.StakesCents != total {
		return nil, fault(CheckGames, "%v",
			differs("plays, ways and stakes", fmt.Sprintf("%d, %d and %v", b.Plays, b.Ways, b.StakesCents),
				fmt.Sprintf("%d, %d and %v", g.plays, g.ways, total),
				"it counts %d plays of %d ways for %v, and %d plays of %d ways for %v were sold", b.Plays, b.Ways, b.StakesCents,
				g.plays, g.ways, total))
	}
	// Half of a prize that runs on may be for the multiplier, and counts in both.
	multiplier := g.stakes.multiplier + g.stakes.half
	if b.MultiplierCents != multiplier || b.LuckyLastCents != g.stakes.lucky || b.CarriedCents != g.stakes.carried {
		return nil,
			fault(CheckGames,
				"it counts %v on the multiplier, %v on the last number and %v that run on, and it was %v, %v and %v",
				b.MultiplierCents, b.LuckyLastCents, b.CarriedCents, multiplier, g.stakes.lucky, g.stakes.carried)
	}
	g.stage, g.closed, g.size, g.root = stageClosed, c.volume(), c.log.size(), c.log.root()
	delete(s.called, g.ordinal)
	fund, err := money.MulDiv(total, int64(g.terms.rules.fund), int64(rulebook.Whole), money.Ceil)
	if err != nil {
		return nil, fault(CheckGames, "the part of the prize fund: %v", err)
	}
	due := postings{ledger.Debit(ledger.Unplayed, 0, total), ledger.Credit(ledger.Retained, 0, total-fund)}
	g.closing.fund = fund
	jackpots, err := s.contribute(g, b.Contributions)
	if err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	part, bonus, err := s.fillBonusPool(g)
	if err != nil {
		return nil, fault(CheckPromotions, "%v", err)
	}
	if b.BonusPool != part {
		return nil, fault(CheckPromotions,
			"it gives %d parts of a cent to the bonus prize pool, and %d is right", b.BonusPool, part)
	}
	g.closing.bonus = part
	c.report.PlayedCents += total
	return balanced(slices.Concat(due, jackpots, bonus), ledger.PrizeFund), nil
}

// contribute books what the game gives to the jackpots and compares it with what
// the close states. A size on which nobody played may be left out.
func (s *series) contribute(g *game, stated []record.Contribution) (postings, error) {
	var due postings
	for _, rate := range g.rates {
		p := s.pools[rate.Spots]
		was := p.Pool
		c, err := p.contribute(g.ordinal, rate, g.onSizes[rate.Spots])
		if err != nil {
			return nil, err
		}
		if len(stated) > 0 && stated[0] == c {
			stated = stated[1:]
		} else if c.StakesCents != 0 {
			return nil, sentence("the jackpots get %v next, and %v is right", stated, c)
		}
		g.closing.contributions = append(g.closing.contributions, c)
		due = append(due, moved(s.id, was, p.Pool)...)
		due = append(due, ledger.Credit(ledger.Operator, 0, up(was.Owed)-up(p.Owed)))
		g.onSizes[rate.Spots] = 0
	}
	if len(stated) > 0 {
		return nil, sentence("it states a contribution of %v, and the game has none", stated[0])
	}
	for spots, stakes := range g.onSizes {
		if stakes != 0 {
			return nil, fmt.Errorf("%v is staked on the jackpot of %d spots, which has not begun", stakes, spots)
		}
	}
	return due, nil
}

// checkRunsKnown checks that the prizes that may run on into a game are known when
// it closes (reading let-it-run-order).
func (s *series) checkRunsKnown(g *game) error {
	if !s.runs || g.ordinal == 1 || s.games[g.ordinal-2].stage.over() {
		return nil
	}
	for t := range s.tickets.all() {
		if t.covers(g.ordinal) && t.plays(g.ordinal-1) && t.runs() {
			return fault(CheckGames, "game %v closes while prizes of game %v may still run on into it", g.name,
				s.games[g.ordinal-2].name)
		}
	}
	return nil
}

// count adds a ticket to the totals of the game, if it is in it.
func (g *game) count(t *ticket, c *wayCounter) error {
	if !t.covers(g.ordinal) {
		return nil
	}
	if t.isLines() {
		return g.countLines(t)
	}
	before := g.ways
	for i := range t.bets {
		b := &t.bets[i]
		ways, staked := b.inGame(g.ordinal - t.first)
		g.ways += ways
		if err := g.stakes.add(staked); err != nil {
			return err
		}
		if err := g.countSizes(b, c); err != nil {
			return err
		}
		if g.fillsPool(b.id) {
			g.pooled += staked.main + staked.multiplier
		}
	}
	if g.ways > before {
		g.plays++
	}
	return nil
}

// fillsPool reports whether stakes on a bet fill the bonus prize pool.
func (g *game) fillsPool(bet string) bool {
	policy := g.terms.rules.promotions
	return policy != nil && !slices.Contains(policy.PoolExcludes, bet)
}

// countSizes adds the main stakes on ways that play for a jackpot.
func (g *game) countSizes(b *bet, c *wayCounter) error {
	rules, err := g.terms.betRules(b)
	if err != nil || rules.jackpot.Len() == 0 || rules.form != rulebook.FormNumbers {
		return err
	}
	for _, w := range c.count(b, nil) {
		if !rules.jackpot.Has(w.spots) {
			continue
		}
		stakes, err := b.stake.Mul(int64(w.count))
		if err == nil {
			g.onSizes[w.spots], err = g.onSizes[w.spots].Add(stakes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkOpenMoney compares what the books owe with what is still to be played and
// to be paid.
func (c *checker) checkOpenMoney() error {
	var unplayed, unpaid, byForm, refunds money.Amount
	for _, s := range c.series {
		if s == nil {
			continue
		}
		unplayed += s.unplayed()
		for _, g := range s.games {
			unpaid += g.left("", true)
			byForm += g.left("claim_form", true)
			refunds += g.unrefunded()
		}
	}
	if owed := -c.books.of(ledger.Unplayed); owed != unplayed {
		return fault(CheckLedger, "%v",
			differs("unplayed", owed, unplayed,
				"the books hold %v for games to come, and %v was paid for them", owed, unplayed))
	}
	if owed := -c.books.of(ledger.Prizes); owed != unpaid {
		return fault(CheckLedger, "%v",
			differs("prizes", owed, unpaid, "the books owe %v in prizes, and %v is unpaid", owed, unpaid))
	}
	if owed := -c.books.of(ledger.Unclaimed); owed != byForm {
		return fault(CheckLedger, "%v",
			differs("unclaimed", owed, byForm, "the books hold %v for claim forms, and %v is unpaid", owed, byForm))
	}
	held := c.tills.withheldCents()
	if owed := -c.books.of(ledger.Withheld); owed != held {
		return fault(CheckLedger, "%v",
			differs("withheld", owed, held,
				"the books hold %v that was withheld, and sessions have withheld %v", owed, held))
	}
	if owed, others := -c.books.of(ledger.OtherSystems), c.outside.owed(); owed != others {
		return fault(CheckLedger, "%v",
			differs("other_systems", owed, others,
				"the books owe %v on tickets of other systems, and %v is unpaid", owed, others))
	}
	if owed := -c.books.of(ledger.Refunds); owed != refunds {
		return fault(CheckLedger, "%v",
			differs("refunds", owed, refunds, "the books owe %v for void games, and %v is to go back", owed, refunds))
	}
	return nil
}

// unplayed adds up the stakes of games that have not closed.
func (s *series) unplayed() money.Amount {
	closed := s.closed()
	var sum money.Amount
	for t := range s.tickets.all() {
		sum += t.ahead(closed + 1)
	}
	return sum
}

// ahead adds up what is staked in the games of a ticket from an ordinal on.
func (t *ticket) ahead(from uint32) money.Amount {
	var sum money.Amount
	for ordinal := max(t.first, from); ordinal <= t.last; ordinal++ {
		sum += t.line.stake
		for k := range t.more {
			sum += t.more[k].stake
		}
		for k := range t.bets {
			_, s := t.bets[k].inGame(ordinal - t.first)
			sum += s.total()
		}
	}
	return sum
}
