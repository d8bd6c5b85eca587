package keno

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Price is what a ticket costs, part by part. Amounts are over all its games
// unless they say otherwise.
type Price struct {
	Cost       money.Amount // Main + Multiplier + LuckyLast
	Main       money.Amount
	Multiplier money.Amount
	LuckyLast  money.Amount
	FirstGame  money.Amount // every part in the first game, which no later game exceeds
	Ways       int          // in one game, over all bets
	Jackpot    bool         // a way plays for a jackpot
	ToGo       bool         // so many games that the ticket is sold under the name for them
	Bets       []BetPrice
}

// BetPrice is what one bet costs over all games of its ticket.
type BetPrice struct {
	Ways       int // in one game
	Main       money.Amount
	Multiplier money.Amount
	LuckyLast  money.Amount
	Jackpot    bool
}

// Quote checks a ticket against the rulebook and prices it. An error is a
// *[Refusal]; it is the first in the order of the codes.
//
// A bet whose prize becomes the next stake costs its first stake only: what it
// stakes later is its own prize.
//
//rule:vic-keno-2015 2(a).keno-to-go 2(a).superplay 11(g)
//rule:casino-keno-div2 3.8(b) 3.8C(a)(ii) 3.9(b) 3.10(b) 3.11(a)
//rule:tas-keno-2023 18.1 21.3(f)
func (d *Desk) Quote(t Ticket, env Envelope) (Price, error) {
	s := sale{Desk: d, ticket: &t, env: env, parts: make([]part, len(t.Bets))}
	for i := range t.Bets {
		s.parts[i].Bet = &t.Bets[i]
	}
	if r := s.check(); r != nil {
		return Price{}, r
	}
	price, err := s.price()
	if err != nil {
		return Price{}, refuse(AmountTooLarge, "", "", "The ticket costs more than can be counted: %v.", err)
	}
	if r := s.checkLimits(&price); r != nil {
		return Price{}, r
	}
	return price, nil
}

// QuoteRequest prices a request before anything is picked: what is picked does
// not change the price. The entropy of the setting is not used. Of a mystery
// pick the price does not know whether it will play for a jackpot.
func (d *Desk) QuoteRequest(req Request, in Setting, env Envelope) (Price, error) {
	in.Entropy = zeros{}
	t, err := d.Resolve(req, in)
	if err != nil {
		return Price{}, err
	}
	return d.Quote(t, env)
}

// zeros is a source of nothing but zeros: enough where the numbers do not matter.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func (s *sale) price() (p Price, err error) {
	p.Bets = make([]BetPrice, len(s.parts))
	for i := range s.parts {
		b := &s.parts[i]
		if p.Bets[i], err = s.priceBet(b); err != nil {
			return Price{}, fmt.Errorf("bets[%d]: %w", i, err)
		}
		bet := &p.Bets[i]
		p.Ways += bet.Ways
		p.Jackpot = p.Jackpot || bet.Jackpot
		inFirst, err := s.stakeIn(b, rulebook.PartAll, 0).Mul(b.ways)
		if err != nil {
			return Price{}, err
		}
		for _, add := range []struct {
			to     *money.Amount
			amount money.Amount
		}{{&p.Main, bet.Main}, {&p.Multiplier, bet.Multiplier}, {&p.LuckyLast, bet.LuckyLast}, {&p.FirstGame,
			inFirst}} {
			if *add.to, err = add.to.Add(add.amount); err != nil {
				return Price{}, err
			}
		}
	}
	p.ToGo = s.games.Multi.ToGoFrom > 0 && s.ticket.Games >= s.games.Multi.ToGoFrom
	p.Cost, err = money.Sum(p.Main, p.Multiplier, p.LuckyLast)
	return p, err
}

func (s *sale) priceBet(b *part) (p BetPrice, err error) {
	p = BetPrice{Ways: int(b.ways), Jackpot: b.sizes.IsValid() && !b.sizes.Disjoint(b.offer.jackpots)}
	if p.Main, err = over(b.Stake, b.ways, s.paidGames(b, s.ticket.Games)); err != nil {
		return BetPrice{}, err
	}
	for _, side := range []struct {
		Side
		to *money.Amount
	}{{b.With.Multiplier, &p.Multiplier}, {b.With.LuckyLast, &p.LuckyLast}} {
		if !side.On {
			continue
		}
		if *side.to, err = over(side.stake(b.Bet), b.ways, s.paidGames(b, side.games(s.ticket.Games))); err != nil {
			return BetPrice{}, err
		}
	}
	return p, nil
}

// paidGames returns in how many of the first games the player pays for b.
//
//rule:vic-keno-2015 11(g)
func (s *sale) paidGames(b *part, games int) int64 {
	if b.Run {
		return 1
	}
	return int64(games)
}

// over returns a stake over ways and games.
func over(stake money.Amount, ways, games int64) (money.Amount, error) {
	total, err := stake.Mul(ways)
	if err != nil {
		return 0, err
	}
	return total.Mul(games)
}

// stakeIn returns what the player stakes on each way of b in game i of the
// ticket, counted from 0, of one part of the money.
func (s *sale) stakeIn(b *part, of rulebook.Part, i int) money.Amount {
	if b.Run && i > 0 {
		return 0
	}
	total := money.Amount(0)
	if of == rulebook.PartMain || of == rulebook.PartAll {
		total = b.Stake
	}
	if m := b.With.Multiplier; m.On && i < m.games(s.ticket.Games) &&
		(of == rulebook.PartMultiplier || of == rulebook.PartAll) {
		total += m.stake(b.Bet)
	}
	if l := b.With.LuckyLast; l.On && i < l.games(s.ticket.Games) &&
		(of == rulebook.PartLuckyLast || of == rulebook.PartAll) {
		total += l.stake(b.Bet)
	}
	return total
}
