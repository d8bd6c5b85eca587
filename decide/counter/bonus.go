package counter

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// BonusBytes is how many random bytes decide a bonus. They are enough for several
// words, because a word that would favour some cases is passed over.
const BonusBytes = 64

// ErrEntropy reports random bytes that decide nothing: too few of them, or with
// negligible probability none that can be used.
var ErrEntropy = errors.New("counter: the random bytes decide nothing")

// AllocateBonus lets the promotions on ready tickets fall on a ticket that is being paid. A
// ticket takes part once, if it is of the promotion's ready ticket, has won, and is
// presented on the Keno Day of its last game. It returns nothing if no promotion
// is concerned.
//
//rule:tas-keno-2023 5.11
func AllocateBonus(s *state.State, c Payment) (*record.BonusAllocated, []ledger.Posting, error) {
	series, p, err := bonusOn(s, c)
	if p == nil || err != nil {
		return nil, nil, err
	}
	terminal, _ := s.Terminal(c.Request.Terminal)
	prize, err := BonusPrize(&p.PromotionBegun, p.Left, c.Entropy)
	if err != nil {
		return nil, nil, err
	}
	b := &record.BonusAllocated{Series: series.ID, Number: p.Number, Ticket: c.Place, Terminal: terminal.ID,
		Bytes: c.Entropy}
	if prize < 0 {
		return b, nil, nil
	}
	b.Cents = p.Prizes[prize].Cents
	if c.InSession {
		return b, []ledger.Posting{ledger.Debit(ledger.Promotions, p.Number, b.Cents),
			ledger.Credit(ledger.Customer, terminal.ID, b.Cents)}, nil
	}
	b.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -b.Cents}}
	return b, []ledger.Posting{
		ledger.Debit(ledger.Promotions, p.Number, b.Cents), ledger.Credit(ledger.Cash, terminal.Venue, b.Cents),
	}, nil
}

// bonusOn returns the promotion that falls on a ticket which is paid now, or nil.
func bonusOn(s *state.State, c Payment) (*state.Series, *state.Promotion, error) {
	series, ok := s.Series(c.Sold.Series)
	if !ok || c.Hand.Ordinal != 0 {
		return nil, nil, nil
	}
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return nil, nil, err
	}
	// The stake of a void game that goes back is no win.
	won := slices.ContainsFunc(c.Wins, func(w Win) bool { return w.Cents > 0 })
	if !won || !isPresentedInTime(s, series, c, ticket.Games) {
		return nil, nil, nil
	}
	promotions := series.Promotions()
	for _, p := range promotions {
		if s.Allocated(p.Number, c.Place) {
			return nil, nil, nil // It has had its one chance, and is paid again because a session withheld its money.
		}
	}
	for _, p := range promotions {
		if p.Item != "" && p.On(c.Sold.Ordinal) && isOfItem(&ticket, p.Item) {
			return series, &p, nil
		}
	}
	return nil, nil, nil
}

// mostBonus returns the largest bonus that may fall on a ticket which is paid now.
func mostBonus(s *state.State, c Payment) (most money.Amount, err error) {
	_, p, err := bonusOn(s, c)
	if p == nil || err != nil {
		return 0, err
	}
	for i, prize := range p.Prizes {
		if p.Left[i] > 0 {
			most = max(most, prize.Cents)
		}
	}
	return most, nil
}

// checkBonus refuses a payment at a terminal that could not hand out the largest bonus which may fall
// on the ticket with it. It is asked before the bonus is drawn: a ticket has one chance, and who is
// refused has it still.
//
//rule:tas-keno-2023 5.11 13.7(a) 13.7(b) 13.7(c)
func checkBonus(s *state.State, series *state.Series, terminal state.Terminal, venue state.Venue, c Payment,
	d Dues) error {
	most, err := mostBonus(s, c)
	if most == 0 || err != nil {
		return err
	}
	lots := append(slices.Clone(d.Lots), state.Lot{ID: state.OriginPrize, Of: c.Place, Cents: most})
	err = checkTicketAt(s, series.Book, terminal, venue, c.Place, d.Total+most, lots)
	if over, ok := errors.AsType[*refusal.Refusal](err); ok {
		return refuse(TicketOverSST, over.Clause, "serial",
			"A bonus of up to %v may fall on the ticket, and this terminal may not hand out so much. Go to a writer's terminal.",
			most)
	}
	if err != nil || c.InSession {
		return err
	}
	d.Total, d.Lots, d.Tickets = d.Total+most, lots, []money.Amount{d.Total + most}
	err = InCash(series.Book, d)
	if over, ok := errors.AsType[*refusal.Refusal](err); ok {
		return refuse(InSession, over.Clause, "serial",
			"A bonus of up to %v may fall on the ticket, and so much is not all paid in cash. Pay it in a session.",
			most)
	}
	return err
}

// isPresentedInTime reports whether all games of a ticket are settled and the last of
// them was on the Keno Day that is now.
//
//rule:tas-keno-2023 5.11
func isPresentedInTime(s *state.State, series *state.Series, c Payment, games int) bool {
	last, ok := series.Game(c.Sold.Ordinal + uint32(games) - 1)
	_, cancelled := s.Cancelled(c.Place)
	return ok && !cancelled && last.Phase == state.PhaseSettled && last.Ref.Day == series.Today(c.Now)
}

// isOfItem reports whether every bet of a ticket is of a ready ticket.
func isOfItem(ticket *keno.Ticket, item string) bool {
	for i := range ticket.Bets {
		if ticket.Bets[i].Item.ID != item {
			return false
		}
	}
	return len(ticket.Bets) > 0
}

// BonusPrize returns which prize some random bytes give, or -1 for none. Each word of
// eight bytes, the highest first, is a number; one at the end of the range that
// would make some cases likelier is passed over. The first that counts is taken
// modulo the number of cases: the first cases are the first prize's, the next the
// second's, and so on. A prize that is used up is none.
//
//rule:tas-keno-2023 5.11
func BonusPrize(p *record.PromotionBegun, left []uint32, entropy []byte) (prize int, err error) {
	den := uint64(p.Den)
	if den == 0 {
		return 0, ErrEntropy
	}
	whole := math.MaxUint64 - (math.MaxUint64%den+1)%den // the last number that counts
	for ; len(entropy) >= 8; entropy = entropy[8:] {
		word := binary.BigEndian.Uint64(entropy)
		if word > whole {
			continue
		}
		at := word % den
		for i, prize := range p.Prizes {
			if at < uint64(prize.Num) {
				if left[i] == 0 {
					return -1, nil
				}
				return i, nil
			}
			at -= uint64(prize.Num)
		}
		return -1, nil
	}
	return 0, ErrEntropy
}
