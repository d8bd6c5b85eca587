package honest

import (
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/money"
)

// Holding is what kind of money waits for somebody.
type Holding string

// The holdings.
const (
	HeldPrize       Holding = "a prize"
	HeldVoid        Holding = "the stake of a void game"
	HeldUndelivered Holding = "the stake of an undelivered ticket"
	HeldPaper       Holding = "a receipt or a central site voucher"
	HeldVoucher     Holding = "a voucher"
	HeldCard        Holding = "a card"
	HeldSession     Holding = "a visit"
	HeldClaim       Holding = "a claim"
	HeldStopped     Holding = "a stopped ticket or paper"
)

// Way is a way out that the house offers: money of a holding may leave in a form at a desk.
// Most is the house's own limit for one payment; zero is none. For [HeldStopped] and
// [HeldUndelivered] only From counts: the house can lift a stop or carry it through, and
// print a ticket again or void it.
type Way struct {
	From Holding
	To   Form
	At   Place
	Most money.Amount
}

// held is money that waits.
type held struct {
	holding Holding
	name    string
	amount  money.Amount
	pot     int // -1: a prize that is in no pot yet
	ticket  string
	jackpot bool
	forms   func(Desk) Forms // nil: the text does not bind the form
}

// Stranded returns the money that none of the ways reaches. Money whose time has run out
// does not count: the text gives it to a fund.
func (b *Book) Stranded(ways []Way) []Breach {
	var out []Breach
	for _, h := range b.holdings() {
		if rest := h.amount - b.reach(h, ways); rest > 0 {
			goal := StrandedMoney
			if h.holding == HeldSession {
				goal = StuckSession
			}
			out = append(out, Breach{goal, b.rules.Topics[onRest],
				fmt.Sprintf("%s, %s: %v of %v has no way out", h.holding, h.name, rest, h.amount), rest})
		}
	}
	return out
}

// holdings returns all money that waits for somebody.
func (b *Book) holdings() []held {
	b.stay()
	var out []held
	for _, id := range b.order {
		out = append(out, b.ofTicket(b.tickets[id])...)
	}
	for _, id := range slices.Sorted(maps.Keys(b.papers)) {
		out = append(out, b.ofPaper(b.papers[id])...)
	}
	for _, id := range slices.Sorted(maps.Keys(b.cards)) {
		c := b.cards[id]
		h := held{holding: HeldCard, name: id, amount: c.balance, pot: c.pot}
		if c.stopped {
			h.holding = HeldStopped
		}
		out = append(out, h)
	}
	for _, id := range slices.Sorted(maps.Keys(b.sessions)) {
		if s := b.sessions[id]; !s.ended {
			out = append(out, held{holding: HeldSession, name: id, amount: s.balance, pot: s.pot, forms: b.prizeForms})
		}
	}
	return slices.DeleteFunc(out, func(h held) bool { return h.amount <= 0 })
}

// ofTicket returns what a ticket has for its holder.
func (b *Book) ofTicket(t *ticket) []held {
	due, life, jackpot := t.due(), b.rules.PrizeLife, false
	for _, s := range t.slots {
		jackpot = jackpot || s.jackpot
		if life.set() && s.prize > s.paid && b.day.After(life.last(s.won)) && !b.rules.PrizeLate.set() {
			due -= s.prize - s.paid
		}
	}
	void := t.stakes(voided)
	if t.round != "" {
		void = max(0, void-t.back)
	}
	undelivered := money.Amount(0)
	if t.undelivered {
		undelivered = t.stakes(waiting) + t.stakes(played)
		due = 0 // Nobody has the ticket that wins.
	}
	switch {
	case t.stopped:
		return []held{{holding: HeldStopped, name: t.id, amount: due + void + undelivered, pot: -1}}
	case t.claim != "" && !b.claims[t.claim].closed:
		return []held{{holding: HeldClaim, name: t.id, amount: due + void, pot: -1, forms: b.claimForms}}
	}
	return []held{
		{holding: HeldPrize, name: t.id, amount: due, pot: -1, ticket: t.id, forms: b.prizeForms, jackpot: jackpot},
		{holding: HeldVoid, name: t.id, amount: void, pot: t.pot},
		{holding: HeldUndelivered, name: t.id, amount: undelivered, pot: t.pot},
	}
}

func (b *Book) claimForms(Desk) Forms { return b.rules.ClaimOut }

func (b *Book) prizeForms(d Desk) Forms { return b.rules.PrizeOut[d] }

// ofPaper returns what a paper has for its holder.
func (b *Book) ofPaper(v *paper) []held {
	if v.expired || !v.expires.isZero() && b.day.After(v.expires) && (b.rules.PaperLate == "" || v.form != Receipt) {
		return nil
	}
	h := held{holding: HeldPaper, name: v.id, amount: v.left, pot: v.pot}
	switch {
	case v.stopped:
		h.holding, h.pot = HeldStopped, -1
	case v.claim != "":
		h.holding, h.pot, h.forms = HeldClaim, -1, b.claimForms
	case v.form.voucher():
		h.holding = HeldVoucher
	case v.form == CentralVoucher:
		h.forms = func(d Desk) Forms {
			if f := b.rules.CentralOut[d]; f != nil {
				return f
			}
			return Forms{}
		}
	}
	return []held{h}
}

// reach returns how much of a holding the ways let out without a breach.
func (b *Book) reach(h held, ways []Way) money.Amount {
	if h.holding == HeldStopped || h.holding == HeldUndelivered {
		if slices.ContainsFunc(ways, func(w Way) bool { return w.From == h.holding }) {
			return h.amount
		}
		return 0
	}
	// Money that must stay a voucher: as little as the pot allows.
	var must, plain, prize money.Amount
	switch {
	case h.holding == HeldVoucher:
		must = h.amount
	case h.pot >= 0:
		plain = b.has(h.pot, isCash)
		prize = min(h.amount, b.has(h.pot, isPrize))
		must = max(0, h.amount-plain-prize)
	default:
		prize = h.amount
	}
	free := h.amount - must
	r := &run{Book: b}
	var asVoucher, asCash, asPaper, small money.Amount
	for _, w := range ways {
		if w.From != h.holding || !b.fits(h, w) {
			continue
		}
		most := w.Most
		if most == 0 {
			most = h.amount
		}
		switch {
		case w.To == Stake && h.holding == HeldVoucher, w.To.voucher():
			asVoucher += most
		case w.To == Stake:
			// Playing on is not fetching.
		case r.counts(w.To):
			n := most
			if limit, _, bounded := r.cashLimit(w.At.Venue); bounded {
				left := limit
				if b.rules.RefundsCount != "" {
					n = min(n, left)
				} else {
					n = min(n, left+max(0, h.amount-prize))
				}
			}
			if from := b.rules.CentralFrom; from.set() && h.amount >= from.Amount && h.holding != HeldPaper {
				// Cash alone does not settle this payment; a central site voucher must be
				// among the ways.
				small = max(small, n)
				continue
			}
			asCash = max(asCash, n)
		default:
			if t := b.rules.TerminalMost; t.set() && w.At.Desk == SelfService && h.amount > t.Amount {
				continue // the terminal refuses the ticket as a whole
			}
			asPaper += most
		}
	}
	if asPaper > 0 {
		asCash = max(asCash, small)
	}
	return min(must, asVoucher) + min(free, asCash+asPaper)
}

// fits reports whether the text knows the way at that desk.
func (b *Book) fits(h held, w Way) bool {
	if w.To == Stake || w.To.voucher() || h.forms == nil {
		return true
	}
	forms := h.forms(w.At.Desk)
	if h.jackpot && b.rules.JackpotOut != nil {
		forms = b.rules.JackpotOut
	}
	if forms == nil {
		return true
	}
	_, ok := forms[w.To]
	return ok
}
