package honest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/money"
)

// in takes a tender into a pot. It returns the pot, which may be a larger one now, and the
// card that was used.
func (r *run) in(p int, parts []Part, session string) (int, string) {
	usedCard := ""
	for _, part := range parts {
		switch part.Form {
		case Card:
			c := r.card(part.Paper)
			usedCard = part.Paper
			if c.stopped {
				r.report(WhileStopped, r.on(onStop), part.Amount, "card %s is stopped", c.id)
			}
			if part.Amount > c.balance {
				r.report(Credit, r.on(onCredit), part.Amount-c.balance,
					"card %s holds %v and gave %v", c.id, c.balance, part.Amount)
			}
			c.balance -= part.Amount
			p = r.pour(p, c.pot)
		case Gift, Prepaid, OtherVoucher:
			r.use(part)
			r.put(p, Cents{Origin: part.Form, Paper: part.Paper, Amount: part.Amount})
		case Receipt, CentralVoucher:
			if v := r.use(part); v != nil {
				r.payAnew(v, part.Amount)
				p = r.pour(p, v.pot)
			}
		case Winning:
			if t := r.known(part.Paper); t != nil {
				r.payTicket(t, part.Amount)
				r.put(p, Cents{Origin: Prize, Ticket: t.id, Session: session, Amount: part.Amount})
			}
		case Unpaid: // It is the venue's loss, and its cash in place of the player's.
			r.put(p, Cents{Origin: Cash, Amount: part.Amount})
		default:
			r.put(p, Cents{Origin: part.Form, Amount: part.Amount})
		}
	}
	return p, usedCard
}

// payAnew makes prizes that were withheld, and that nobody has had before, into prizes that are paid in this
// visit, or for themselves.
func (r *run) payAnew(v *paper, n money.Amount) {
	if v.form != Withheld {
		return
	}
	r.paysKept(v, n)
	r.payments++
	for _, c := range r.takeIf(v.pot, n, isPrize) {
		c.Session = r.paysAs()
		r.put(v.pot, c)
	}
}

// use takes an amount off a paper.
func (r *run) use(part Part) *paper {
	v := r.papers[part.Paper]
	if v == nil {
		r.report(NeverWas, r.on(onPaper), part.Amount, "paper %s was never issued", part.Paper)
		return nil
	}
	if part.Form != "" && part.Form != v.form {
		r.report(NeverWas, r.on(onPaper), part.Amount, "%s is a %s, not a %s", v.id, v.form, part.Form)
	}
	r.checkPaper(v)
	if s := r.sessions[v.visit]; v.visit != "" && s != nil && !s.ended && v.visit != r.act.Session {
		r.report(Credit, r.on(onCredit), part.Amount,
			"%s %s is used, and its visit %s has not paid for it", v.form, v.id, v.visit)
	}
	r.checkDebt(string(v.form)+" "+v.id, v.visit, part.Amount)
	if part.Amount > v.left {
		goal := MoreBack
		if v.left < v.face {
			goal = PaidTwice
		}
		r.report(goal, r.on(onPaper), part.Amount-v.left,
			"%s %s holds %v and gave %v", v.form, v.id, v.left, part.Amount)
	}
	v.left -= part.Amount
	return v
}

// checkPaper reports a paper that is stopped, claimed or too old.
func (r *run) checkPaper(v *paper) {
	if v.stopped {
		r.report(WhileStopped, r.on(onStop), v.left, "%s %s is stopped", v.form, v.id)
	}
	if c := r.claims[v.claim]; c != nil && c.closed && c.granted {
		r.report(PaidTwice, r.on(onClaim), v.left, "%s %s was paid to a claimant", v.form, v.id)
	} else if v.claim != "" {
		r.report(WhileStopped, r.on(onClaim), v.left, "%s %s is claimed", v.form, v.id)
	}
	if v.expired {
		r.report(PaidTwice, r.on(onForfeited), v.left, "the money of %s %s was given up", v.form, v.id)
	}
	late := r.rules.PaperLate != "" && v.form == Receipt && r.act.Shown&ClaimForm != 0
	if !v.expires.isZero() && r.day.After(v.expires) && !late {
		r.report(TooLate, r.rules.PaperLife[v.form].Clause, v.left, "%s %s ended on %v", v.form, v.id, v.expires)
	}
}

// exit describes a payment to [run.out].
type exit struct {
	session *session
	// ticket is the ticket behind a plain payment, for limits on one ticket.
	ticket string
	// change says that it is money handed back at once, which no limit covers.
	change bool
	forms  Forms // nil where the text does not bind the form
}

// cashLimit returns the most cash that the place may pay for one settlement.
func (r *run) cashLimit(venue string) (money.Amount, string, bool) {
	most, clause, any := r.rules.CashMost.Amount, r.rules.CashMost.Clause, r.rules.CashMost.set()
	if v, ok := r.venues[venue]; ok && r.rules.VenueCash != "" && v.Limit > 0 && (!any || v.Limit < most) {
		most, clause, any = v.Limit, r.rules.VenueCash, true
	}
	return most, clause, any
}

// outOrder is the order in which the parts of one payment leave. Vouchers take back what
// is theirs; the papers made for large prizes take prizes; cash comes last and has what
// suits it best.
func outOrder(f Form) int {
	switch {
	case f.voucher():
		return 0
	case f == Cash || f == Chips:
		return 3
	case f == Receipt:
		return 2
	}
	return 1
}

// out lets a payment leave a pot.
func (r *run) out(p int, parts []Part, x exit) {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return outOrder(a.Form) - outOrder(b.Form) })
	r.checkMachineOut(parts)
	for _, part := range parts {
		if _, ok := x.forms[part.Form]; x.forms != nil && !ok && !part.Form.voucher() && part.Form != Withheld {
			r.report(OverLimit, r.rules.Acts[r.act.Kind], part.Amount,
				"%v paid by %s at a %v", part.Amount, part.Form, r.act.At.Desk)
		}
		r.checkPart(part)
		switch part.Form {
		case Gift, Prepaid, OtherVoucher:
			r.voucherBack(p, part)
		case Receipt:
			lots := r.leave(p, part.Amount, part)
			if r.counts(Receipt) {
				lots = []Cents{{Origin: Receipt, Amount: part.Amount}}
			}
			r.newPaper(part, lots)
		case Withheld:
			r.withhold(p, part, x)
		case CentralVoucher:
			r.leave(p, part.Amount, part)
			r.newPaper(part, []Cents{{Origin: CentralVoucher, Amount: part.Amount}})
		case Card:
			lots := r.leave(p, part.Amount, part)
			c := r.card(part.Paper)
			c.balance += part.Amount
			for _, l := range lots {
				r.put(c.pot, l)
			}
		default:
			r.leave(p, part.Amount, part)
		}
	}
	r.settleLimits(parts, x)
}

// counts reports whether a form is cash to the limits. Chips are changed at any cashier.
func (r *run) counts(f Form) bool {
	if f == Chips {
		f = Cash
	}
	_, ok := r.rules.CashForms[f]
	return ok
}

// checkPart reports a part without the paper or the person that its form needs.
func (r *run) checkPart(part Part) {
	need := func(clause string, what Shown, name string) {
		if clause != "" && r.act.Shown&what == 0 {
			r.report(OverLimit, clause, part.Amount, "%v by %s without %s", part.Amount, part.Form, name)
		}
	}
	switch part.Form {
	case Cheque:
		need(r.rules.ChequePayee, PayeeNamed, "a payee")
	case CentralVoucher:
		need(r.rules.CentralPayee, PayeeNamed, "a payee")
	case Transfer:
		need(r.rules.TransferPayee, PayeeNamed, "a payee")
		need(r.rules.TransferAccount, AccountNamed, "an account of the claimant")
	case SiteCheque:
		need(r.rules.SiteChequeCheck, ExclusionChecked, "a look at the exclusions")
		need(r.rules.SiteChequePayee, PayeeNamed, "a payee")
	}
}

// leave takes money that is not a voucher out of a pot.
func (r *run) leave(p int, n money.Amount, part Part) []Cents {
	var lots []Cents
	take := func(most money.Amount, fits func(Cents) bool) money.Amount {
		got := r.takeIf(p, min(most, n-sum(lots)), fits)
		lots = append(lots, got...)
		return sum(got)
	}
	if r.counts(part.Form) {
		r.mightBe(p, take(n, isCash))
		r.prizeCash(p, take)
	} else if part.Form == Card {
		r.mightBe(p, take(n, isCash))
		take(n, func(c Cents) bool { return isPrize(c) && r.wonBy(c, part.Paper) })
		// A person who puts another prize on a card has it as cash for a moment: it counts now,
		// and is cash on the card.
		own := len(lots)
		r.prizeCash(p, take)
		for i := range lots[own:] {
			lots[own+i] = Cents{Origin: Cash, Amount: lots[own+i].Amount}
		}
	} else {
		r.prizeOver(p, take)
		take(n, isPrize)
		take(n, isCash)
	}
	// What the fair money does not cover, a voucher has to.
	if part.Form == CasinoDollars || part.Form == SlotDollars {
		take(n, func(c Cents) bool { return c.Origin == part.Form })
	}
	if got := take(n, isBound); got > 0 {
		clause := r.rules.VoucherBack
		if clause == "" {
			clause = r.on(onVouchers)
		}
		r.report(VoucherToCash, clause, got, "%v of a voucher left as %s", got, part.Form)
	}
	if short := n - sum(lots); short > 0 {
		r.report(MoreBack, r.on(onRefund), short, "%v left as %s and %v of it was never paid in", n, part.Form, short)
		lots = append(lots, Cents{Origin: Cash, Amount: short})
	}
	return lots
}

// wonBy reports whether a prize was won by a ticket that a card has paid for.
func (r *run) wonBy(c Cents, card string) bool {
	t := r.ticket(c.Ticket)
	return t != nil && t.card == card
}

// ownFirst returns what is in a pot, and first the prizes that this act pays: others that are in
// the pot with them, because it cannot be told apart, wait for their own.
func (r *run) ownFirst(p int) []Cents {
	lots := slices.Clone(r.pots[r.find(p)].lots)
	rank := func(c Cents) int {
		if isPrize(c) && c.Session != "" && c.Session == r.paysAs() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(lots, func(a, b Cents) int { return rank(a) - rank(b) })
	return lots
}

// paysAs names the visit of this act, or the payment that it is by itself.
func (r *run) paysAs() string {
	return cmp.Or(r.act.Session, fmt.Sprintf("payment %d", r.payments))
}

// prizeCash lets prizes leave as cash, and counts them for the visit in which they
// were paid. Going through a card or a receipt does not start a new count. Where each settlement counts
// alone, with all that it pays, [run.settleLimits] bounds it: what a prize did before says nothing.
func (r *run) prizeCash(p int, take func(money.Amount, func(Cents) bool) money.Amount) {
	most, clause, bounded := r.cashLimit(r.act.At.Venue)
	bounded = bounded && r.rules.EachPay == ""
	count := func(c Cents, n money.Amount) {
		if c.Session != "" {
			r.cashed["visit "+c.Session] += n
		}
	}
	lots := slices.DeleteFunc(r.ownFirst(p), func(c Cents) bool { return !isPrize(c) })
	for i, c := range lots {
		allowed := c.Amount
		if bounded && c.Session != "" {
			allowed = min(allowed, max(0, most-r.cashed["visit "+c.Session]))
		}
		got := take(allowed, c.same)
		count(c, got)
		lots[i].Amount -= got
	}
	// Only what no division of the prizes explains is over the limit.
	for _, c := range lots {
		over := take(c.Amount, c.same)
		over -= r.wasBefore(p, over)
		if count(c, over); over > 0 {
			r.report(OverLimit, clause, over, "%v of prizes left as cash above %v", over, most)
		}
	}
}

// mightBe remembers prizes that the cash might have been which leaves now, and which the limit
// would have allowed. The two cannot be told apart.
func (r *run) mightBe(p int, cash money.Amount) {
	most, _, bounded := r.cashLimit(r.act.At.Venue)
	at := &r.pots[r.find(p)]
	for _, c := range r.ownFirst(p) {
		if !isPrize(c) || c.Session == "" {
			continue
		}
		if bounded {
			c.Amount = min(c.Amount, max(0, most-r.cashed["visit "+c.Session]))
		}
		if c.Amount = min(c.Amount, cash); c.Amount > 0 {
			cash -= c.Amount
			at.might = append(at.might, maybe{c, most, bounded})
		}
	}
}

// wasBefore returns how much of prizes may have left before, when cash did, so that what leaves now is
// cash. Then it counted in the visit in which it was paid, and all that counts there must have been within
// the limit of that time.
func (r *run) wasBefore(p int, over money.Amount) (n money.Amount) {
	at := &r.pots[r.find(p)]
	for i := range at.might {
		m := &at.might[i]
		x := min(m.Amount, over-n)
		if m.bounded {
			x = min(x, max(0, m.most-r.cashed["visit "+m.Session]))
		}
		r.cashed["visit "+m.Session] += x
		m.Amount -= x
		n += x
	}
	return n
}

// prizeOver lets prizes leave first that cannot be cash any more: a cheque is made for them. All
// prizes of one visit have one room under the limit. A visit that has no room left anywhere comes
// first; one that this venue bounds may have more elsewhere.
func (r *run) prizeOver(p int, take func(money.Amount, func(Cents) bool) money.Amount) {
	if highest := r.rules.CashMost; highest.set() {
		for _, c := range slices.Clone(r.pots[r.find(p)].lots) {
			if isPrize(c) && c.Session != "" && r.cashed["visit "+c.Session] >= highest.Amount {
				take(c.Amount, c.same)
			}
		}
	}
	most, _, bounded := r.cashLimit(r.act.At.Venue)
	stays := map[string]money.Amount{} // by visit
	for _, c := range r.ownFirst(p) {
		if isPrize(c) && bounded && c.Session != "" {
			room := max(0, most-r.cashed["visit "+c.Session]-stays[c.Session])
			stays[c.Session] += min(c.Amount, room)
			take(c.Amount-min(c.Amount, room), c.same)
		}
	}
}

// settleLimits checks what a rulebook says about a payment as a whole.
func (r *run) settleLimits(parts []Part, x exit) {
	if x.change {
		return
	}
	cash, paid := r.withBonus(totalOf(parts, Cash, Chips),
		totalOf(parts, Cash, Chips, Receipt, CentralVoucher, SiteCheque, Cheque, Transfer))
	if r.rules.RefundsCount != "" {
		most, clause, bounded := r.cashLimit(r.act.At.Venue)
		key := ""
		switch {
		case x.session != nil:
			key = "settled in visit " + x.session.id
		case x.ticket != "" && (r.rules.EachPay == "" || r.act.Kind == Cancel):
			// Where each pay counts alone, only a cancellation must not be done in pieces.
			key = "settled for ticket " + x.ticket
		}
		if x.session != nil {
			// A voucher that a casino exchanges was a pay before, and is none here.
			cash -= min(cash, x.session.exchanged)
		}
		counted := cash
		if key != "" {
			r.cashed[key] += cash
			counted = r.cashed[key]
		}
		if bounded && counted > most {
			r.report(OverLimit, clause, counted-most, "%v of cash in one settlement above %v", counted, most)
		}
	}
	from := r.rules.CentralFrom
	if x.session != nil {
		paid -= min(paid, x.session.exchanged)
	}
	if from.set() && paid >= from.Amount && totalOf(parts, CentralVoucher) == 0 {
		r.report(OverLimit, from.Clause, paid, "%v paid without a central site voucher", paid)
	}
}

// voucherBack gives a voucher back, or a new one in its place.
func (r *run) voucherBack(p int, part Part) {
	id := part.Paper
	if part.Replaces != "" {
		id = part.Replaces
	}
	v := r.papers[id]
	if id == AnyVoucher {
		v = r.anyVoucher(p, part)
	}
	if v == nil {
		r.report(NeverWas, r.on(onPaper), part.Amount, "%s %s was never issued", part.Form, id)
		return
	}
	if v.stopped {
		r.report(WhileStopped, r.on(onStop), part.Amount, "%s %s is stopped", v.form, v.id)
	}
	if part.Replaces != "" && id != AnyVoucher && !slices.Contains(r.pots[r.find(p)].vouchers, v.id) {
		r.report(MoreBack, r.on(onRefund), part.Amount, "%s %s comes back, and it has not paid for this", v.form, v.id)
	}
	// The money is first looked for in the voucher itself. If the book let that money go
	// with an earlier draw, the house may see it the other way round: other money was played.
	itself := func(c Cents) bool { return c.Origin == v.form && c.Paper == v.id }
	got := r.takeIf(p, part.Amount, itself)
	other := len(got)
	take := func(most money.Amount, fits func(Cents) bool) money.Amount {
		more := r.takeIf(p, min(most, part.Amount-sum(got)), fits)
		got = append(got, more...)
		return sum(more)
	}
	take(part.Amount, func(c Cents) bool { return c.Origin == v.form })
	r.prizeOver(p, take)
	for _, fits := range []func(Cents) bool{isPrize, isCash, isAny} {
		take(part.Amount, fits)
	}
	r.playedInstead(p, itself, slices.Clone(got[other:]))
	used := v.face - v.left
	if short := max(part.Amount-sum(got), part.Amount-used); short > 0 {
		r.report(MoreBack, r.on(onRefund), short, "%s %s gave %v and got %v back", v.form, v.id, used, part.Amount)
	}
	if part.Form != v.form {
		r.report(VoucherToCash, r.on(onVouchers), part.Amount, "%s %s came back as a %s", v.form, v.id, part.Form)
	}
	if part.Replaces == "" {
		v.left += part.Amount
		return
	}
	if clause := r.rules.OneGame[v.form]; clause != "" && part.Plays != v.plays {
		r.report(WrongGame, clause, part.Amount, "%s %s for %q came back for %q", v.form, v.id, v.plays, part.Plays)
	}
	expires := part.Expires
	if expires.isZero() {
		expires = v.expires
	}
	// One whose time ran out while its money was in a game that became void comes back for the
	// day: its holder could not use it before.
	if !v.expires.isZero() && expires.After(v.expires) && expires != r.day {
		r.report(NewLife, r.on(onLife), part.Amount,
			"%s ended on %v, and %s ends on %v", v.id, v.expires, part.Paper, expires)
	}
	// The old voucher stays used for this amount; the new one has its first day and its
	// place, so that a return within the day of purchase goes by the purchase.
	w := *v
	w.id, w.form, w.face, w.left, w.expires, w.claim = part.Paper, part.Form, part.Amount, part.Amount, expires, ""
	v.face -= part.Amount
	w.bought = slices.Clone(r.pots[r.bought(v, part.Amount)].lots)
	r.papers[w.id] = &w
}

// playedInstead says that draws took other money of a pot in place of what fits.
func (r *run) playedInstead(p int, fits func(Cents) bool, other []Cents) {
	if len(other) == 0 {
		return
	}
	exchange := func(used []Cents) []Cents {
		out := make([]Cents, 0, len(used))
		for _, c := range used {
			for i := range other {
				if n := min(c.Amount, other[i].Amount); fits(c) && n > 0 {
					played := other[i]
					played.Amount = n
					out = append(out, played)
					c.Amount, other[i].Amount = c.Amount-n, other[i].Amount-n
				}
			}
			if c.Amount > 0 {
				out = append(out, c)
			}
		}
		return out
	}
	for _, id := range r.order {
		if t := r.tickets[id]; r.find(t.pot) == r.find(p) {
			for i := range t.slots {
				t.slots[i].used = exchange(t.slots[i].used)
			}
		}
	}
	at := &r.pots[r.find(p)]
	at.late = exchange(at.late)
}

// withhold keeps money of a visit for a ticket on which payment was stopped. It is money of
// the same origins as before, and what is withheld of a ticket once more comes to what was
// withheld of it before.
func (r *run) withhold(p int, part Part, x exit) {
	v := r.papers[part.Paper]
	if v == nil {
		v = &paper{id: part.Paper, form: Withheld, at: r.act.At, issued: r.day, pot: p}
		r.papers[v.id] = v
	}
	if x.session != nil {
		v.way = max(v.way, x.session.way)
		r.unpays(v, x.session, part.Of)
	}
	v.pot = r.pour(v.pot, p)
	v.face += part.Amount
	v.left += part.Amount
}

// newPaper makes a receipt or a voucher with its money.
func (r *run) newPaper(part Part, lots []Cents) *paper {
	v := &paper{
		id: part.Paper, form: part.Form, face: part.Amount, left: part.Amount,
		at: r.act.At, issued: r.day, pot: r.newPot(lots...),
	}
	if life := r.rules.PaperLife[part.Form]; life.set() {
		v.expires = life.last(r.day)
	}
	if part.Form == Receipt && !part.Expires.isZero() && v.expires.After(part.Expires) {
		v.expires = part.Expires // It is what is left of an older one.
	}
	if old := r.papers[v.id]; old != nil && part.More {
		old.pot = r.pour(old.pot, v.pot)
		old.face, old.left = old.face+v.face, old.left+v.left
		return old
	}
	if r.papers[v.id] != nil {
		r.report(PaidTwice, r.on(onPaper), part.Amount, "paper %s was issued before", v.id)
	}
	r.papers[v.id] = v
	return v
}

func (b *Book) card(id string) *card {
	if b.cards[id] == nil {
		b.cards[id] = &card{id: id, pot: b.newPot()}
	}
	return b.cards[id]
}

// anyVoucher finds the voucher that a new one stands for, where nobody says which: one whose
// money is in the pot and that lives as long as the new one, and if there is none the one of
// its form that has paid for as much and lives longest, because that suits the house best. One for
// another type of game is taken only where there is no other.
func (r *run) anyVoucher(p int, part Part) *paper {
	if v := r.anyOf(p, part, func(v *paper) bool { return v.plays == part.Plays }); v != nil {
		return v
	}
	return r.anyOf(p, part, func(*paper) bool { return true })
}

// anyOf finds such a voucher among those that fit.
func (r *run) anyOf(p int, part Part, fits func(*paper) bool) *paper {
	var best *paper
	better := func(v *paper, inPot bool) bool {
		switch {
		case v == nil || v.form != part.Form || v.face == v.left || !fits(v):
			return false
		case best == nil:
			return true
		}
		return !inPot && v.expires.After(best.expires)
	}
	// One that has paid for less has not paid for this.
	enough := func(v *paper) bool { return v.face-v.left >= part.Amount }
	for _, c := range r.pots[r.find(p)].lots {
		if v := r.papers[c.Paper]; c.Origin == part.Form && better(v, true) && enough(v) &&
			(part.Expires.isZero() || !part.Expires.After(v.expires)) {
			best = v
		}
	}
	if best != nil {
		return best
	}
	all := slices.Sorted(maps.Keys(r.papers))
	for _, id := range all {
		if v := r.papers[id]; enough(v) && better(v, false) {
			best = v
		}
	}
	if best != nil {
		return best
	}
	for _, id := range all {
		if v := r.papers[id]; better(v, false) {
			best = v
		}
	}
	return best
}
