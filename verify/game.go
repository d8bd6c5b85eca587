package verify

import (
	"sort"
	"time"

	"drawhouse/day"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// A series is what its games so far come to.
type series struct {
	id       uint8
	name     string
	rulebook record.Hash
	schedule string
	rules    *rules

	day      day.Day // the last one opened
	dayOpen  bool
	dayGames uint32
	offset   int32

	games  []*game // by ordinal, from 1
	byName map[record.Game]*game
	// results names the game that drew each set of numbers.
	results map[[4]uint64]record.Game
	// tickets are those with a game to come or to be settled, by place.
	tickets []ticket
}

func newSeries(b *record.SeriesBegun, r *rules) *series {
	return &series{id: b.Series, name: b.Name, rulebook: b.Rulebook, schedule: b.Schedule, rules: r,
		byName: make(map[record.Game]*game), results: make(map[[4]uint64]record.Game)}
}

// A stage is how far a game has come. Every game passes all of them in order.
type stage uint8

const (
	stageOpen stage = iota
	stageClosed
	stageSealed // and drawn number by number
	stageDrawn
	stageSettled
)

var stageNames = [...]string{"open", "closed", "sealed", "drawn", "settled"}

func (s stage) String() string { return stageNames[s] }

// A game is one game of a series.
type game struct {
	name    record.Game
	ordinal uint32
	stage   stage

	// As of the close.
	size   uint64 // of the log just after the close
	root   hash
	plays  uint64
	ways   uint64
	stakes money.Amount

	seal    hash // of the seal's body
	numbers []byte
	drawn   drawnNumbers

	// winners are the plays that won, by place. They are kept: a prize can be
	// claimed long after.
	winners []winner
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
	case !s.rules.book.InForce(b.Day):
		return fault(CheckGames, "the rulebook is not in force on %v", b.Day)
	}
	date := localDate(c.now, b.OffsetSeconds)
	if date != b.Day && date != b.Day+1 {
		return fault(CheckGames, "day %v was opened on %v", b.Day, date)
	}
	s.day, s.dayOpen, s.dayGames, s.offset = b.Day, true, 0, b.OffsetSeconds
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
// counts them. The hash of the house's state is the house's own matter: nothing
// here depends on it.
func (c *checker) dayClosed(b *record.DayClosed) error {
	s := c.series[b.Series]
	if s == nil || !s.dayOpen || b.Day != s.day {
		return fault(CheckGames, "day %v is not open", b.Day)
	}
	for _, g := range s.games[len(s.games)-int(s.dayGames):] {
		if g.stage != stageSettled {
			return fault(CheckGames, "day %v closes while game %v is %v", b.Day, g.name, g.stage)
		}
	}
	if b.Games != s.dayGames {
		return fault(CheckGames, "it counts %d games, and the day had %d", b.Games, s.dayGames)
	}
	s.dayOpen = false
	return nil
}

// gameOpened checks that games follow each other by ordinal and by number
// (vic-keno-2015 18(c)) and that one is open at a time.
func (c *checker) gameOpened(b *record.GameOpened) error {
	s := c.series[b.Game.Series]
	if s == nil || !s.dayOpen || b.Game.Day != s.day {
		return fault(CheckGames, "game %v opens on a day that is not open", b.Game)
	}
	if uint64(b.Ordinal) != uint64(len(s.games))+1 {
		return fault(CheckGames, "it is game %d of its series, and the next is %d", b.Ordinal, len(s.games)+1)
	}
	if last := s.last(); last != nil && last.stage == stageOpen {
		return fault(CheckGames, "it opens while game %v is open", last.name)
	}
	number, err := s.nextNumber()
	if err != nil {
		return err
	}
	if b.Game.Number != number {
		return fault(CheckGames, "it has number %d, and the next is %d", b.Game.Number, number)
	}
	if b.Rulebook != s.rulebook || b.Schedule != s.schedule {
		return fault(CheckGames, "it is played under %s of rulebook %x, and %s of rulebook %x is current", b.Schedule, b.Rulebook[:4], s.schedule, s.rulebook[:4])
	}
	g := &game{name: b.Game, ordinal: b.Ordinal}
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
func (s *series) nextNumber() (uint16, error) {
	numbering := s.rules.games.Numbering
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

// selling returns the game of an ordinal if tickets may be sold for it now.
func (s *series) selling(ordinal uint32) (*game, error) {
	if ordinal == 0 || uint64(ordinal) > uint64(len(s.games)) {
		return nil, fault(CheckRequests, "it is sold for game %d of its series, which has not opened", ordinal)
	}
	g := s.games[ordinal-1]
	if g.stage != stageOpen {
		return nil, fault(CheckRequests, "it is sold for game %v after the close of that game at %d", g.name, g.size-1)
	}
	return g, nil
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
// "not less than" (2(a).prize-fund); the rest is the operator's.
func (c *checker) gameClosed(b *record.GameClosed) (postings, error) {
	s, g, err := c.at(CheckGames, b.Game, stageOpen)
	if err != nil {
		return nil, err
	}
	for i := range s.tickets {
		if err := g.count(&s.tickets[i]); err != nil {
			return nil, fault(CheckGames, "the stakes of game %v: %v", g.name, err)
		}
	}
	if b.Plays != g.plays || b.Ways != g.ways || b.StakesCents != g.stakes {
		return nil, fault(CheckGames, "it counts %d plays of %d ways for %v, and %d plays of %d ways for %v were sold",
			b.Plays, b.Ways, b.StakesCents, g.plays, g.ways, g.stakes)
	}
	g.stage, g.size, g.root = stageClosed, c.tree.size, c.tree.root()
	fund, err := money.MulDiv(g.stakes, int64(s.rules.fund), int64(rulebook.Whole), money.Ceil)
	if err != nil {
		return nil, fault(CheckGames, "the part of the prize fund: %v", err)
	}
	c.report.PlayedCents += g.stakes
	return postings{
		ledger.Debit(ledger.Unplayed, 0, g.stakes),
		ledger.Credit(ledger.PrizeFund, 0, fund),
		ledger.Credit(ledger.Retained, 0, g.stakes-fund),
	}, nil
}

// count adds a ticket to the totals of the game, if it is in it.
func (g *game) count(t *ticket) error {
	if !t.plays(g.ordinal) {
		return nil
	}
	g.plays++
	for i := range t.bets {
		ways, stakes := t.bets[i].inGame(g.ordinal - t.first)
		g.ways += ways
		sum, err := g.stakes.Add(stakes)
		if err != nil {
			return err
		}
		g.stakes = sum
	}
	return nil
}

// ticketAt returns the ticket sold by the record of that sequence number, if it
// still has a game to come or to be settled.
func (s *series) ticketAt(seq uint64) *ticket {
	i := sort.Search(len(s.tickets), func(i int) bool { return s.tickets[i].seq >= seq })
	if i == len(s.tickets) || s.tickets[i].seq != seq {
		return nil
	}
	return &s.tickets[i]
}

// checkOpenMoney compares what the books owe with what is still to be played and
// to be paid.
func (c *checker) checkOpenMoney() error {
	var unplayed, unpaid money.Amount
	for _, s := range c.series {
		if s == nil {
			continue
		}
		unplayed += s.unplayed()
		for _, g := range s.games {
			unpaid += g.unpaid()
		}
	}
	if owed := -c.books.of(ledger.Unplayed); owed != unplayed {
		return fault(CheckLedger, "the books hold %v for games to come, and %v was paid for them", owed, unplayed)
	}
	if owed := -c.books.of(ledger.Prizes); owed != unpaid {
		return fault(CheckLedger, "the books owe %v in prizes, and %v is unpaid", owed, unpaid)
	}
	return nil
}

// unplayed adds up the stakes of games that have not closed.
func (s *series) unplayed() money.Amount {
	closed := uint32(len(s.games))
	if last := s.last(); last != nil && last.stage == stageOpen {
		closed--
	}
	var sum money.Amount
	for i := range s.tickets {
		t := &s.tickets[i]
		for ordinal := max(t.first, closed+1); ordinal <= t.last; ordinal++ {
			for k := range t.bets {
				_, stakes := t.bets[k].inGame(ordinal - t.first)
				sum += stakes
			}
		}
	}
	return sum
}
