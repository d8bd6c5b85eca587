package settle

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// carry is a prize that is staked in the next game.
type carry struct {
	place, cents uint64
	nth          uint8
}

// runs settles the ways whose prizes run. The prize of the last game of a run is
// paid; one of a game before that is carried. It is a prize of its game in
// either case: reduced with the others, rounded, and only then carried.
//
//rule:vic-keno-2015 2(a).let-it-run
func (p *pass) runs() error {
	var paid []winner
	for i := range p.open.runs {
		r := &p.open.runs[i]
		if r.game() != p.ordinal {
			continue
		}
		row := &p.rows[r.row]
		if row.rate == nil || r.halved() && row.factor == 0 {
			return p.unknown(r.place, int(r.row), " as a run")
		}
		if r.calls.call(p.ordinal) != row.call {
			continue
		}
		paid = p.awardRun(r, row, paid)
	}
	p.winners.merge(paid)
	return nil
}

// units returns what a run wins, before any cap. Of a halved amount one half is
// the stake that is multiplied, and the other is what the multiplier costs. What
// half a cent wins is a whole number of units, see Terms.
//
//rule:vic-keno-2015 11(i)(i) 11(i)(ii)
func (r *run) units(prize, factor uint64) uint64 {
	if r.halved() {
		return r.amount * prize * factor / 2
	}
	return r.amount * prize
}

// awardRun gives a run that has won its prize, and returns the list of prizes that
// are paid, with this one if it is.
func (p *pass) awardRun(r *run, row *judged, paid []winner) []winner {
	units, cents := min(r.units(row.prize, row.factor), p.terms.wayCap), uint64(0)
	m := major{r.place, units, none, none, false}
	if units < row.major {
		p.exact += units
		if cents = p.terms.round(units); cents == 0 {
			return paid
		}
		p.winning++
	}
	if r.isLast() {
		paid = append(paid, winner{r.place, cents})
		p.paid += cents
	} else {
		m.carry = len(p.carries)
		p.carries = append(p.carries, carry{r.place, cents, r.nth})
	}
	if units >= row.major {
		p.majors[row.limit] = append(p.majors[row.limit], m)
	}
	return paid
}

// collectCarries states what the game carries.
func (p *pass) collectCarries(out *Outcome) {
	out.carries = slices.DeleteFunc(p.carries, func(c carry) bool { return c.cents == 0 })
	out.CarriedWays = uint64(len(out.carries))
	for _, c := range out.carries {
		out.CarriedOn += money.Amount(c.cents)
	}
}

// Void returns what a closed game that has no result comes to for what runs through
// it. An amount goes on to the next game as it is. If there is none it is due, unless it
// has won nothing because all its games are void: then it is a stake still, and goes back.
// The games before this one are void from since on; since is the game itself if the one
// before has a result. What becomes of other ways is not for settlement to say.
//
//rule:vic-keno-2015 2(a).let-it-run
func Void(open *Open, ordinal, since uint32) (*Outcome, error) {
	if err := open.checkSettles(ordinal); err != nil {
		return nil, fmt.Errorf("settle: game %d: %w", ordinal, err)
	}
	p, out := &pass{}, &Outcome{Totals: open.Totals(ordinal)}
	var due []winner
	for i := range open.runs {
		r := &open.runs[i]
		switch {
		case r.game() != ordinal || r.isLast() && r.at == 0: // of the latter the stake goes back
		case r.isLast() && r.first >= since:
			out.Unwon += money.Amount(r.amount)
		case r.isLast():
			due = append(due, winner{r.place, r.amount})
			out.Prizes += money.Amount(r.amount)
		default:
			p.carries = append(p.carries, carry{r.place, r.amount, r.nth})
		}
	}
	out.winners.merge(due)
	p.collectCarries(out)
	return out, nil
}
