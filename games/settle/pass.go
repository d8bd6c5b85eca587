package settle

import (
	"fmt"
	"math/big"
	"math/bits"

	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// Pass settles a closed game: it goes once through the open ways, awards what
// each wins, reduces the major prizes where they exceed a limit, shares the
// jackpots among those that won them, rounds every prize once, and returns what
// the game came to. Open is as before when it returns; [Open.Carry] moves on what
// the game carries. The pools are as before too: [Outcome.Won] says what becomes of
// them.
//
//rule:vic-keno-2015 20(a)
//rule:casino-keno-div2 8.1 8.3(b) 8.10A
//rule:tas-keno-2023 18.1
func Pass[N Numbers](open *Open, ordinal uint32, numbers N, terms *Terms, pots Pots) (*Outcome, error) {
	drawn, err := resultOf(terms, numbers)
	if err != nil {
		return nil, fmt.Errorf("settle: game %d: %w", ordinal, err)
	}
	out, err := settleGame(open, ordinal, drawn, terms, pots)
	if err != nil {
		return nil, fmt.Errorf("settle: game %d: %w", ordinal, err)
	}
	return out, nil
}

func settleGame(open *Open, ordinal uint32, drawn *result, terms *Terms, pots Pots) (*Outcome, error) {
	if err := open.checkSettles(ordinal); err != nil {
		return nil, err
	}
	if err := terms.checkPots(pots); err != nil {
		return nil, err
	}
	p := &pass{open: open, ordinal: ordinal, terms: terms, result: drawn, pots: pots,
		majors: make([][]major, len(terms.limits))}
	out := &Outcome{Totals: open.Totals(ordinal)}
	if terms.multiply != nil {
		out.Factor = int(drawn.factor)
	}
	if len(open.deferred) > 0 {
		out.Deferred = open.DeferredTotals()
	}
	if err := terms.checkBounds(out.Stakes + out.Deferred.Stakes); err != nil {
		return nil, err
	}
	if err := p.sweep(); err != nil {
		return nil, err
	}
	exact := p.settleMajors(out)
	if err := p.settleJackpots(out); err != nil {
		return nil, err
	}
	if p.empty {
		p.winners.dropEmpty()
	}
	out.WinningWays, out.Prizes = p.winning, money.Amount(p.paid)
	out.winners = p.winners
	p.collectCarries(out)
	exact.Add(exact, new(big.Rat).SetUint64(p.exact))
	out.Breakage = terms.inCents(exact) - out.Prizes - out.CarriedOn
	return out, nil
}

// checkSettles refuses a game that is not closed or is gone.
func (o *Open) checkSettles(ordinal uint32) error {
	switch {
	case ordinal > o.closed || ordinal <= o.dropped:
		return fmt.Errorf("games %d to %d can be settled", o.dropped+1, o.closed)
	case ordinal <= o.carried && o.sum(ordinal).runs > 0:
		return fmt.Errorf("its prizes that run have moved on")
	}
	return nil
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
	result  *result
	pots    Pots
	drawn   [drawn]uint8 // planes of the numbers drawn
	rows    []judged     // as in open

	winners winners
	carries []carry
	empty   bool      // some winners may have no prize
	majors  [][]major // by limit
	totals  []totalCatch
	winning uint64 // ways
	paid    uint64 // cents
	exact   uint64 // units, majors apart

	// Of the page in hand: the tickets in the game, those that won, and what.
	in, won members
	cents   [pageTickets]uint64
}

// judged is a row with what its ways can win.
type judged struct {
	*rate               // nil: the schedule has no prizes for it
	wins      []catch   // of a bet on numbers
	prize     uint64    // of other bets, if they win, for a stake of one cent in units
	call      keno.Call // that has come true
	race      rulebook.RaceType
	ranking   *ranking
	factor    uint64  // by which prizes are multiplied; 0: they are not
	lastWins  []catch // of the last number
	lastKnown bool    // there are prizes of the last number
	total     int     // spots of a total catch that wins a jackpot; 0: there is none
	unpooled  bool    // there is a jackpot and no pool of it
}

// major is a major prize, set aside until all are known.
type major struct {
	place, units uint64
	carry        int  // its place among what is carried; none: it is paid
	total        int  // its place among the total catches that win a jackpot; none: it is none
	counted      bool // its way is already counted among those that win
}

// sweep goes through the ways, page by page and column by column, and then through
// the runs.
func (p *pass) sweep() error {
	for i, n := range p.result.set.Numbers() {
		p.drawn[i] = uint8(n - 1)
	}
	for i := range p.open.rows {
		p.rows = append(p.rows, p.judge(&p.open.rows[i]))
	}
	if err := p.sweepPages(); err != nil {
		return err
	}
	if err := p.sweepDeferred(); err != nil {
		return err
	}
	return p.runs()
}

// sweepPages goes through the ways that are in a game and do not run.
func (p *pass) sweepPages() error {
	for _, page := range p.open.pages {
		p.in = page.playing(p.ordinal)
		for i := range page.columns {
			c := &page.columns[i]
			row := &p.rows[c.row]
			switch {
			case row.rate == nil:
				if err := p.refuse(page, int(c.row), c.ticket[:c.n]); err != nil {
					return err
				}
			case c.side != nil:
				if err := p.featured(page, c); err != nil {
					return err
				}
			default:
				if total := p.column(page, row, c.column, int(c.n)); total != 0 {
					p.totalCatches(page, c, total, 0)
				}
			}
		}
		for i := range page.codes {
			if err := p.codes(page, &page.codes[i]); err != nil {
				return err
			}
		}
		p.collect(page)
	}
	return nil
}

// judge finds what the ways of a row can win.
func (p *pass) judge(r *row) (j judged) {
	t := p.terms
	switch r.form {
	case formNumbers:
		if table := t.tables[r.bet]; table != nil && table.Spots().Has(r.size) {
			j.rate, j.wins = &table.rate, table.catches(r.size)
			p.judgeJackpot(r, table, &j)
		}
	case formCalls:
		if table := t.calls[r.bet]; table != nil {
			j.rate, j.call = &table.rate, p.result.calls[r.bet]
			prize, _ := table.Prize(j.call.String())
			j.prize = j.units(prize)
		}
	case formRace:
		if table := t.races[r.bet]; table != nil && p.result.races != nil {
			j.race, _ = table.race.Type(r.kind)
			if prize, ok := table.Prize(r.kind); ok && j.race.Places == r.size {
				j.rate, j.ranking, j.prize = &table.rate, p.result.races[r.bet], table.units(prize)
			}
		}
	}
	if t.multiplies(r.bet) {
		j.factor = p.result.factor
	}
	if _, ok := p.result.last(); ok && t.last != nil && t.last.Allows(r.bet) {
		j.lastWins, j.lastKnown = t.last.catches(r.size)
	}
	return j
}

// refuse returns an error if a way for which there are no prizes is in the game:
// that it cannot be judged must not look as if it had lost.
func (p *pass) refuse(page *page, row int, tickets []uint16) error {
	for _, i := range tickets {
		if p.in.has(i) {
			return p.unknown(page.place(int(i)), row, "")
		}
	}
	return nil
}

// unknown is the error about a way that cannot be judged.
func (p *pass) unknown(place uint64, row int, feature string) error {
	if p.rows[row].unpooled {
		return fmt.Errorf("ticket %v plays %v, and there is no pool of its jackpot", placeOf(place), p.open.rows[row])
	}
	return fmt.Errorf("ticket %v plays %v%s, for which %s has no prizes", placeOf(place), p.open.rows[row], feature,
		p.terms.schedule)
}

// column settles 64 ways of one row without features, and returns those that may
// have won a jackpot, which are few.
//
//rule:casino-keno-div2 8.6
func (p *pass) column(page *page, row *judged, c *column, n int) (total lanes) {
	matched := c.count(&p.drawn)
	// Lanes behind the last way match nothing, and nothing can win.
	all, wayCap, major := upTo(n), p.terms.wayCap, row.major
	for _, catch := range row.wins {
		for hits := matched.equal(catch.matched) & all; hits != 0; hits &= hits - 1 {
			lane := bits.TrailingZeros64(hits)
			ticket := c.ticket[lane] % pageTickets
			if !p.in.has(ticket) {
				continue
			}
			units := min(uint64(c.stake[lane])*catch.prize, wayCap)
			if units >= major {
				p.setAside(page, ticket, units, row.rate, false)
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
	if row.total == 0 {
		return 0
	}
	return matched.equal(row.total) & all
}

// setAside keeps a major prize until all are known.
func (p *pass) setAside(page *page, ticket uint16, units uint64, r *rate, counted bool) {
	p.majors[r.limit] = append(p.majors[r.limit], major{page.place(int(ticket)), units, none, none, counted})
	p.won.add(ticket)
}

// award gives a ticket a prize of one of its ways.
func (p *pass) award(page *page, ticket uint16, units uint64, r *rate, counted bool) {
	units = min(units, p.terms.wayCap)
	if units >= r.major {
		p.setAside(page, ticket, units, r, counted)
		return
	}
	p.exact += units
	if cents := p.terms.round(units); cents > 0 {
		p.won.add(ticket)
		p.cents[ticket] += cents
		if !counted {
			p.winning++
		}
	}
}

// featured settles 64 ways of one row, some of which have features.
//
//rule:vic-keno-2015 2(a).keno-bonus(a) S.classic
//rule:tas-keno-2023 1.37(a) 21.4(a)
func (p *pass) featured(page *page, c *filled) error {
	matched := c.count(&p.drawn)
	lucky, err := p.lastNumber(page, c, &matched)
	if err != nil {
		return err
	}
	if err := p.checkMultiplied(page, int(c.row), c.ticket[:c.n], c.side); err != nil {
		return err
	}
	row, ways, side, all := &p.rows[c.row], c.column, c.side, upTo(int(c.n))
	for _, catch := range row.wins {
		for hits := matched.equal(catch.matched) & all; hits != 0; hits &= hits - 1 {
			lane := bits.TrailingZeros64(hits)
			ticket := ways.ticket[lane] % pageTickets
			if p.in.has(ticket) {
				units := uint64(ways.stake[lane]) * catch.prize * p.times(page, side, lane, ticket)
				p.award(page, ticket, units, row.rate, lucky>>lane&1 != 0)
			}
		}
	}
	if row.total != 0 {
		p.totalCatches(page, c, matched.equal(row.total)&all, lucky)
	}
	return nil
}

// times returns by how much the prize of a way is multiplied.
func (p *pass) times(page *page, s *side, lane int, ticket uint16) uint64 {
	if p.multiplied(page, s, lane, ticket) {
		return p.result.factor
	}
	return 1
}

// multiplied reports whether a way has the multiplier in the game.
func (p *pass) multiplied(page *page, s *side, lane int, ticket uint16) bool {
	return s != nil && s.multiplied != nil && p.ordinal-page.first[ticket] < uint32(s.multiplied[lane])
}

// checkMultiplied refuses ways with a multiplier where there is none for their bet.
func (p *pass) checkMultiplied(page *page, row int, tickets []uint16, s *side) error {
	if s == nil || s.multiplied == nil || p.rows[row].factor != 0 {
		return nil
	}
	for lane, ticket := range tickets {
		if p.in.has(ticket) && p.ordinal-page.first[ticket] < uint32(s.multiplied[lane]) {
			return p.unknown(page.place(int(ticket)), row, " with a multiplier")
		}
	}
	return nil
}

// lastNumber settles what the ways of a column have on the last number, and
// returns those that win by it. It is a game of its own with a stake of its own, so
// that its prize is rounded on its own and is none of the bet's major prizes.
//
//rule:tas-keno-2023 21.1(a)(i)
func (p *pass) lastNumber(page *page, c *filled, matched *tally) (won lanes, err error) {
	if c.side.lucky == nil {
		return 0, nil
	}
	row, all := &p.rows[c.row], upTo(int(c.n))
	if !row.lastKnown {
		for ; all != 0; all &= all - 1 {
			if lane := bits.TrailingZeros64(all); p.onLast(page, c, lane) {
				return 0, p.unknown(page.place(int(c.ticket[lane]%pageTickets)), int(c.row), " with the last number")
			}
		}
		return 0, nil
	}
	last, _ := p.result.last()
	all &= c.planes[last-1]
	for _, catch := range row.lastWins {
		hits := all
		if catch.matched != anyMatch {
			hits &= matched.equal(catch.matched)
		}
		for ; hits != 0; hits &= hits - 1 {
			lane := bits.TrailingZeros64(hits)
			if !p.onLast(page, c, lane) {
				continue
			}
			units := min(uint64(c.side.lucky[lane])*catch.prize, p.terms.wayCap)
			p.exact += units
			if cents := p.terms.round(units); cents > 0 {
				ticket := c.ticket[lane] % pageTickets
				p.won.add(ticket)
				p.cents[ticket] += cents
				p.winning++
				won |= 1 << lane
			}
		}
	}
	return won, nil
}

// onLast reports whether a way of a column has a stake on the last number in the game.
func (p *pass) onLast(page *page, c *filled, lane int) bool {
	side, ticket := c.side, c.ticket[lane]%pageTickets
	return side.lucky[lane] != 0 && p.in.has(ticket) &&
		(side.luckyGames == nil || p.ordinal-page.first[ticket] < uint32(side.luckyGames[lane]))
}

// codes settles 64 ways of one row on calls or on a race.
//
//rule:tas-keno-2023 21.3(e)
func (p *pass) codes(page *page, c *filledCodes) error {
	row := &p.rows[c.row]
	if row.rate == nil {
		return p.refuse(page, int(c.row), c.ticket[:c.n])
	}
	if err := p.checkMultiplied(page, int(c.row), c.ticket[:c.n], c.side); err != nil {
		return err
	}
	hits, ways, side := upTo(int(c.n)), c.codes, c.side
	if row.ranking != nil {
		hits &= row.ranking.winning(&row.race, ways)
	} else {
		hits &= ways.calling(row.call, p.ordinal)
	}
	for ; hits != 0; hits &= hits - 1 {
		lane := bits.TrailingZeros64(hits)
		ticket := ways.ticket[lane] % pageTickets
		if p.in.has(ticket) {
			p.award(page, ticket, uint64(ways.stake[lane])*row.prize*p.times(page, side, lane, ticket), row.rate, false)
		}
	}
	return nil
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
