package record

import (
	"errors"
	"fmt"

	"drawhouse/core/money"
)

// PromotionBegun offers a prize beyond the schedules. Its postings set the money
// aside.
//
// A promotion on draws is won in the earliest of its games in which a way meets its
// conditions, and shared among all that do. A promotion on ready tickets falls at
// random on tickets that are presented.
type PromotionBegun struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	// Number of the promotion; the promotions of a series are numbered from 1.
	Number uint32
	Name   string // name of the promotion
	// Number in the series of its first game.
	From uint32
	// Number in the series of its last game; 0 where it goes on until it is won or ended.
	Last        uint32
	AmountCents money.Amount `most:"amount"` // what it offers, in all
	// Whether the money is from the bonus prize pool and not from the prize fund.
	Pool     bool
	Approval string // reference of the decision
	// Bet of a way that wins a promotion on draws, by its id.
	Bet        string
	Spots      uint8        // how many numbers such a way has
	Matched    uint8        // how many of them must match
	LeastCents money.Amount `most:"amount"` // the least stake on such a way
	// The ready ticket of the other kind of promotion, on each of which that is presented a prize can fall.
	Item   string
	Den    uint32       // of how many cases one is drawn for each ready ticket
	Prizes []BonusPrize // prizes for ready tickets
}

// BonusPrize is a prize that falls at random.
type BonusPrize struct {
	_     struct{}     `cbor:",toarray"`
	Cents money.Amount `most:"amount"` // amount of the prize
	Num   uint32       // in how many of the cases the prize falls
	Count uint32       `most:"1000000"` // how many of the prize there are
}

func (p *PromotionBegun) check() error {
	if p.Series == 0 || p.Number == 0 || p.Name == "" || p.From == 0 || p.Last != 0 && p.Last < p.From ||
		p.AmountCents <= 0 || p.Approval == "" {
		return errors.New("a promotion needs a series, a number, a name, games, an amount and an approval")
	}
	if (p.Bet == "") == (p.Item == "") {
		return errors.New("a promotion is on draws of a bet or on a ready ticket")
	}
	if p.Bet != "" {
		if p.Spots == 0 || p.Matched > p.Spots || p.LeastCents < 0 || len(p.Prizes) > 0 || p.Den != 0 {
			return fmt.Errorf("a promotion on %d of %d", p.Matched, p.Spots)
		}
		return nil
	}
	return p.checkPrizes()
}

func (p *PromotionBegun) checkPrizes() error {
	var sum money.Amount
	cases := uint64(0)
	for i, prize := range p.Prizes {
		if prize.Cents <= 0 || prize.Num == 0 || prize.Count == 0 {
			return fmt.Errorf("prize %d: %d times %v in %d cases", i, prize.Count, prize.Cents, prize.Num)
		}
		cases += uint64(prize.Num)
		part, err := money.MulDiv(prize.Cents, int64(prize.Count), 1, money.Floor)
		if err == nil {
			sum, err = sum.Add(part)
		}
		if err != nil {
			return err
		}
	}
	if sum != p.AmountCents || p.Den == 0 || cases > uint64(p.Den) {
		return fmt.Errorf("prizes of %v in %d of %d cases, and %v set aside", sum, cases, p.Den, p.AmountCents)
	}
	return nil
}

// PromotionChanged pauses a promotion, lets it go on, or ends it. A paused one is
// not won; ending gives what is left back to where it came from.
type PromotionChanged struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8
	Number   uint32 // number of the promotion
	Paused   bool   // whether the promotion is paused from now on; a paused one is not won
	Ended    bool   // whether the promotion ends
	Approval string
}

func (p *PromotionChanged) check() error {
	if p.Series == 0 || p.Number == 0 || p.Paused && p.Ended || p.Approval == "" {
		return errors.New("a change of a promotion needs a series, a number and an approval")
	}
	return nil
}

// PromotionWon is a promotion that was won in a game: the amount is shared by all
// ways that met its conditions in the proportion of their stakes, without features.
// What rounding leaves goes back to where it came from.
type PromotionWon struct {
	_           struct{}     `cbor:",toarray"`
	Number      uint32       `is:"number"` // number of the promotion
	AmountCents money.Amount `is:"amount"` // what the winners share
	// Stakes of all winning ways, without features, in whose proportion it is shared.
	StakesCents money.Amount `is:"stake"`
	Ways        uint64       `is:"way"` // how many ways won
	PaidCents   money.Amount // what was won after rounding
}

func (p *PromotionWon) check() error {
	if p.PaidCents < 0 || p.PaidCents > p.AmountCents {
		return fmt.Errorf("%v paid of %v", p.PaidCents, p.AmountCents)
	}
	return nil
}

// BonusAllocated says what fell on a ready ticket that was presented, and from which
// random bytes. It follows the payment that it belongs to.
type BonusAllocated struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8
	Number   uint32 // number of the promotion
	Ticket   Place  // the ready ticket that was presented
	Terminal uint32
	Bytes    []byte       // random bytes that decided it
	Cents    money.Amount // what fell on the ticket; 0 for nothing
	Tenders  []Tender
}

func (b *BonusAllocated) check() error {
	if b.Series == 0 || b.Number == 0 || b.Ticket.Volume == 0 || b.Terminal == 0 || b.Cents < 0 || len(b.Bytes) == 0 {
		return errors.New("a bonus needs a promotion, a ticket, a terminal and the bytes that decided it")
	}
	return checkTenders(b.Tenders, -b.Cents)
}

// BonusMoved brings what the bonus prize pool of a series that ends holds to that of its
// successor, as somebody outside has approved.
type BonusMoved struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8    // the series that takes the pool in
	From     uint8    // the series that ends
	Amount   Exact    `most:"act"` // all that the pool of the series that ends held
	Approval string   // reference of the decision
}

func (b *BonusMoved) check() error {
	if b.Series == 0 || b.From == 0 || b.Series == b.From || b.Amount <= 0 || b.Approval == "" {
		return errors.New("a move of the bonus prize pool needs two series, an amount and an approval")
	}
	return nil
}
