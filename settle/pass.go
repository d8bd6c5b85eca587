package settle

import (
	"fmt"
	"math/bits"

	"drawhouse/ball"
	"drawhouse/money"
)

// Pass settles a closed game: it goes once through the open ways, awards what
// each wins, reduces the major prizes where they exceed a limit, rounds every
// way's prize once, and returns what the game came to. Open is as before when it
// returns.
//
//rule:vic-keno-2015 20(a)
//rule:casino-keno-div2 8.1 8.10A
//rule:tas-keno-2023 18.1
func Pass(open *Open, ordinal uint32, numbers ball.Set, terms *Terms) (*Outcome, error) {
	if ordinal > open.closed || ordinal <= open.dropped {
		return nil, fmt.Errorf("settle: game %d: games %d to %d can be settled", ordinal, open.dropped+1, open.closed)
	}
	if numbers.Universe() != ball.Keno || numbers.Len() != drawn {
		return nil, fmt.Errorf("settle: game %d: %d numbers drawn, not %d: %v", ordinal, numbers.Len(), drawn, numbers)
	}
	p := &pass{open: open, ordinal: ordinal, terms: terms, majors: make([][]major, len(terms.limits))}
	out := &Outcome{Totals: open.Totals(ordinal)}
	if err := terms.checkBounds(out.Stakes); err != nil {
		return nil, fmt.Errorf("settle: game %d: %w", ordinal, err)
	}
	if err := p.run(numbers); err != nil {
		return nil, fmt.Errorf("settle: game %d: %w", ordinal, err)
	}
	p.settleMajors(out)
	out.WinningWays, out.Prizes = p.winning, money.Amount(p.paid)
	out.winners = p.winners
	return out, nil
}

// checkBounds refuses a game in which sums of prizes might not fit. If all stakes
// won the highest prize, the prizes would still be below 2^63 units; so every
// sum of prizes is, and the pass need not look.
func (t *Terms) checkBounds(stakes money.Amount) error {
	if hi, lo := bits.Mul64(uint64(stakes), t.highest); hi != 0 || lo >= beyond {
		return fmt.Errorf("%w: stakes of %v are beyond exact settlement", money.ErrOverflow, stakes)
	}
	return nil
}

// pass is a game that is being settled.
type pass struct {
	open    *Open
	ordinal uint32
	terms   *Terms
	drawn   [drawn]uint8 // planes of the numbers drawn
	rows    []judged     // as in open

	winners winners
	empty   bool      // some winners may have no prize
	majors  [][]major // by limit
	winning uint64    // ways
	paid    uint64    // cents
	exact   uint64    // units, majors apart

	// Of the page in hand: the tickets in the game, those that won, and what.
	in, won members
	cents   [pageTickets]uint64
}

// judged is a row with what its ways can win; a row that the schedule does not
// have has no table.
type judged struct {
	*table
	wins []catch
}

// major is a major prize, set aside until all are known.
type major struct{ place, units uint64 }

// run goes through the ways, page by page and column by column.
func (p *pass) run(numbers ball.Set) error {
	for i, n := range numbers.Numbers() {
		p.drawn[i] = uint8(n - 1)
	}
	for _, r := range p.open.rows {
		row := judged{}
		if t := p.terms.tables[r.bet]; t != nil && t.Spots().Has(r.size) {
			row = judged{t, t.catches(r.size)}
		}
		p.rows = append(p.rows, row)
	}
	for _, page := range p.open.pages {
		p.in = page.playing(p.ordinal)
		for _, c := range page.columns {
			if p.rows[c.row].table == nil {
				if err := p.refuse(page, c); err != nil {
					return err
				}
				continue
			}
			p.column(page, c)
		}
		p.collect(page)
	}
	return nil
}

// refuse returns an error if a way for which there are no prizes is in the game:
// that it cannot be judged must not look as if it had lost.
func (p *pass) refuse(page *page, c filled) error {
	for _, i := range c.ticket[:c.n] {
		if p.in.has(i) {
			return fmt.Errorf("ticket %v plays %s on %d spots, for which %s has no prizes",
				placeOf(page.place(int(i))), p.open.rows[c.row].bet, p.open.rows[c.row].size, p.terms.schedule)
		}
	}
	return nil
}

// column settles 64 ways of one row.
//
//rule:casino-keno-div2 8.6
func (p *pass) column(page *page, c filled) {
	row := &p.rows[c.row]
	matched := c.count(&p.drawn)
	// Lanes behind the last way match nothing, and nothing can win.
	all := c.lanes()
	for _, catch := range row.wins {
		for hits := matched.equal(catch.matched) & all; hits != 0; hits &= hits - 1 {
			lane := bits.TrailingZeros64(hits)
			ticket := c.ticket[lane] % pageTickets
			if !p.in.has(ticket) {
				continue
			}
			units := min(uint64(c.stake[lane])*catch.prize, p.terms.wayCap)
			if units >= row.major {
				p.majors[row.limit] = append(p.majors[row.limit], major{page.place(int(ticket)), units})
				p.won.add(ticket)
				continue
			}
			p.exact += units
			if cents := p.terms.round(units); cents > 0 {
				p.won.add(ticket)
				p.cents[ticket] += cents
				p.winning++
			}
		}
	}
}

// collect adds the winners of a page, in the order of their places.
func (p *pass) collect(page *page) {
	n := 0
	for _, word := range p.won {
		n += bits.OnesCount64(word)
	}
	part := make([]winner, 0, n)
	for i, word := range p.won {
		for ; word != 0; word &= word - 1 {
			ticket := i*64 + bits.TrailingZeros64(word)
			part = append(part, winner{page.place(ticket), p.cents[ticket]})
			p.paid += p.cents[ticket]
			p.cents[ticket] = 0
		}
	}
	p.winners.add(part)
	p.won = members{}
}
