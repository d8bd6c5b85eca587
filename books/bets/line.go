package bets

import (
	"cmp"
	"strings"

	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
)

// Line names what bets have in common.
type Line struct {
	Series  uint8
	Venue   uint32 // that sold the ticket
	Channel string // kind of the terminal that sold it
	Method  string // how the particulars were given
	Bet     string // id of the rulebook's bet, and of a race the racing type behind it; empty for no bet (see Sums)
	Spots   uint8  // of each way; 0 for a bet without spots
	With    string // what hangs on the bet: multiplier, lucky_last and run, those of them that it has
}

// Compare orders lines.
func (l Line) Compare(m Line) int {
	return cmp.Or(cmp.Compare(l.Series, m.Series), cmp.Compare(l.Venue, m.Venue), cmp.Compare(l.Channel, m.Channel),
		cmp.Compare(l.Method, m.Method), cmp.Compare(l.Bet, m.Bet), cmp.Compare(l.Spots, m.Spots),
		cmp.Compare(l.With, m.With))
}

// Sums is what bets came to. What a further settlement changes for a ticket, and cannot be said of a way, stands in a
// line without a bet, so that every sum ties.
type Sums struct {
	Ways       int64 // that were sold
	Sold       money.Amount
	Multiplier money.Amount // the part of Sold for the multiplier
	LuckyLast  money.Amount // the part of Sold for the last number
	GivenBack  money.Amount // for tickets that were cancelled
	Closed     money.Amount // stakes of games that closed, with prizes that ran on into them
	Void       money.Amount // the part of Closed that went back, or on, because games were void
	Prizes     money.Amount // that are payable
	RunsOn     money.Amount // prizes that are stakes of the next game
	Ran        money.Amount // RunsOn, and what runs on out of void games
}

// Add adds the sums of other bets.
func (s *Sums) Add(t Sums) {
	s.Ways += t.Ways
	s.Sold += t.Sold
	s.Multiplier += t.Multiplier
	s.LuckyLast += t.LuckyLast
	s.GivenBack += t.GivenBack
	s.Closed += t.Closed
	s.Void += t.Void
	s.Prizes += t.Prizes
	s.RunsOn += t.RunsOn
	s.Ran += t.Ran
}

// Staked returns the stakes that count: those of games that closed, less what went back.
func (s *Sums) Staked() money.Amount { return s.Closed - s.Void }

// Ahead returns by how much more is owed for games that have not closed.
func (s *Sums) Ahead() money.Amount { return s.Sold + s.Ran - s.GivenBack - s.Closed }

// bet is what the ways of a ticket with one line have together.
type bet struct {
	line   Line
	sums   Sums           // of its sale
	stakes []money.Amount // in each game of the ticket
}

// The words of Line.With.
const (
	withMultiplier = "multiplier"
	withLuckyLast  = "lucky last"
	withRun        = "run"
)

// lineOf returns the line of a way.
func lineOf(of Line, w *settle.Way) Line {
	of.Bet, of.Spots = w.Bet, uint8(w.Spots.Len())
	if w.Type != "" {
		of.Bet += " " + w.Type
	}
	var with []string
	if w.Multiplier.Stake != 0 {
		with = append(with, withMultiplier)
	}
	if w.LuckyLast.Stake != 0 {
		with = append(with, withLuckyLast)
	}
	if w.Run {
		with = append(with, withRun)
	}
	of.With = strings.Join(with, ", ")
	return of
}

// ticket is a ticket with what it plays.
type ticket struct {
	play   settle.Play
	bets   []bet
	of     []int // of each way its bet
	series uint8
}

// ticketOf reads what a ticket plays.
func (f *Fold) ticketOf(place record.Place, sold *record.TicketSold) (*ticket, error) {
	stated, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		return nil, err
	}
	series, ok := f.state.Series(sold.Series)
	if !ok {
		return nil, unknown("series %d", sold.Series)
	}
	terminal, ok := f.state.Terminal(sold.Request.Terminal)
	if !ok {
		return nil, unknown("terminal %d", sold.Request.Terminal)
	}
	t := &ticket{series: sold.Series,
		play: settle.PlayOf(f.state.DeskFor(series, sold.Ordinal), place, sold.Ordinal, &stated)}
	line := Line{Series: sold.Series, Venue: terminal.Venue, Channel: string(terminal.Channel), Method: sold.Method}
	at := map[Line]int{}
	for i := range t.play.Ways {
		w := &t.play.Ways[i]
		of := lineOf(line, w)
		k, ok := at[of]
		if !ok {
			k = len(t.bets)
			at[of] = k
			t.bets = append(t.bets, bet{line: of, stakes: make([]money.Amount, stated.Games)})
		}
		t.of = append(t.of, k)
		t.bets[k].add(w)
	}
	return t, nil
}

// add adds a way of a ticket. The first stake of a way that runs is its only one.
func (b *bet) add(w *settle.Way) {
	b.sums.Ways++
	for game := range b.stakes {
		if w.Run && game > 0 {
			break
		}
		stake := w.Stake
		if game < w.Multiplier.Games {
			stake += w.Multiplier.Stake
			b.sums.Multiplier += w.Multiplier.Stake
		}
		if game < w.LuckyLast.Games {
			stake += w.LuckyLast.Stake
			b.sums.LuckyLast += w.LuckyLast.Stake
		}
		b.stakes[game] += stake
		b.sums.Sold += stake
	}
}
