package counter

import (
	"encoding/binary"
	"errors"
	"math"

	"drawhouse/keno"
	"drawhouse/ledger"
	"drawhouse/record"
	"drawhouse/state"
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
	series, ok := s.Series(c.Sold.Series)
	if !ok {
		return nil, nil, nil
	}
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return nil, nil, err
	}
	if !isPresentedInTime(s, series, c, ticket.Games) {
		return nil, nil, nil
	}
	terminal, _ := s.Terminal(c.Request.Terminal)
	for _, p := range series.Promotions() {
		if p.Item == "" || !p.On(c.Sold.Ordinal) || s.Allocated(p.Number, c.Place) || !isOfItem(&ticket, p.Item) {
			continue
		}
		prize, err := BonusPrize(&p.PromotionBegun, p.Left, c.Entropy)
		if err != nil {
			return nil, nil, err
		}
		b := &record.BonusAllocated{Series: series.ID, Number: p.Number, Ticket: c.Place, Terminal: terminal.ID, Bytes: c.Entropy}
		if prize < 0 {
			return b, nil, nil
		}
		b.Cents = p.Prizes[prize].Cents
		if c.InSession {
			return b, []ledger.Posting{ledger.Debit(ledger.Promotions, p.Number, b.Cents), ledger.Credit(ledger.Customer, terminal.ID, b.Cents)}, nil
		}
		b.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -b.Cents}}
		return b, []ledger.Posting{
			ledger.Debit(ledger.Promotions, p.Number, b.Cents), ledger.Credit(ledger.Cash, terminal.Venue, b.Cents),
		}, nil
	}
	return nil, nil, nil
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
