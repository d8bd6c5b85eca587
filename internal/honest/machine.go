package honest

import "drawhouse/core/money"

// A self-service terminal has nobody beside it. The text says what it gives, up to how much, and what falls on a
// ticket that is presented there as at any other terminal.

// checkMachineOut reports what a self-service terminal cannot give.
func (r *run) checkMachineOut(parts []Part) {
	if r.act.At.Desk != SelfService || r.rules.MachineOut == nil {
		return
	}
	for _, part := range parts {
		if _, ok := r.rules.MachineOut[part.Form]; !ok && part.Form != Withheld {
			r.report(OverLimit, r.rules.MachineWhere, part.Amount,
				"a self-service terminal gave %v by %s", part.Amount, part.Form)
		}
	}
}

// machinePays counts what a self-service terminal pays for one ticket, in all its visits.
func (r *run) machinePays(t *ticket, n money.Amount) {
	if r.act.At.Desk != SelfService {
		return
	}
	t.terminal += n
	if s := r.sessions[r.act.Session]; s != nil {
		if s.machine == nil {
			s.machine = map[string]money.Amount{}
		}
		s.machine[t.id] += n
	}
	if most := r.rules.TerminalMost; most.set() && t.terminal > most.Amount {
		r.report(OverLimit, most.Clause, t.terminal, "a terminal paid %v for ticket %s", t.terminal, t.id)
	}
}

// unpays takes back what a visit has counted as paid for a ticket, because its end kept it.
func (r *run) unpays(v *paper, s *session, ticket string) {
	t := r.ticket(ticket)
	if t == nil {
		return
	}
	v.ticket = t.id
	n := s.machine[t.id]
	t.terminal -= n
	v.machine += n
	delete(s.machine, t.id)
}

// paysKept counts what a self-service terminal pays of money that another such visit kept.
func (r *run) paysKept(v *paper, n money.Amount) {
	if t := r.ticket(v.ticket); t != nil && v.form == Withheld {
		n = min(n, v.machine)
		v.machine -= n
		r.machinePays(t, n)
	}
}

// limitVenue takes in the limits of a venue. In cash it must be able to pay so much.
func (r *run) limitVenue() {
	least := r.rules.VenueLeast
	if n := r.act.Limit; least.set() && n > 0 && n < least.Amount {
		r.report(OverLimit, least.Clause, least.Amount-n, "venue %s pays up to %v in cash", r.act.At.Venue, n)
	}
	r.venues[r.act.At.Venue] = r.act
}

// bonus pays a prize that fell at random on a ticket which was presented: of a set bet that has won, once, on the
// day of its last game. The terminal pays it with what the ticket has won. Without an amount nothing fell, and the
// ticket has had its chance.
func (r *run) bonus() {
	a := r.act
	t := r.known(a.Ticket)
	if t == nil {
		return
	}
	n := max(a.Amount, total(a.Out))
	clause := r.rules.Bonus
	r.checkTicket(t)
	r.checkBought(t, n)
	var won bool
	var last slot
	for _, s := range t.slots {
		won = won || s.prize > 0
		if s.game >= last.game {
			last = s
		}
	}
	switch {
	case !t.set:
		r.report(NeverWas, clause, n, "a bonus fell on ticket %s, which is no set bet", t.id)
	case !won:
		r.report(NeverWas, clause, n, "a bonus fell on ticket %s, which has won nothing", t.id)
	case last.state == waiting || last.won != r.day:
		r.report(TooLate, clause, n, "a bonus fell on ticket %s, whose last game is not of %v", t.id, r.day)
	case t.chance:
		r.report(PaidTwice, clause, n, "ticket %s had its chance of a bonus before", t.id)
	}
	t.chance = true
	if n == 0 {
		return
	}
	r.machinePays(t, n)
	prize := Cents{Origin: Prize, Ticket: t.id, Session: r.paysAs(), Amount: n}
	if a.Session == "" {
		r.out(r.newPot(prize), a.Out, exit{ticket: t.id, forms: r.rules.PrizeOut[a.At.Desk]})
		return
	}
	s := r.visit()
	r.put(s.pot, prize)
	s.balance += n
}

// withBonus adds what the payment of the same ticket gave, beside which a bonus is paid: they are one pay.
func (r *run) withBonus(cash, paid money.Amount) (allCash, all money.Amount) {
	if r.act.Kind == Bonus && r.act.Session == "" && r.paidNow.ticket == r.act.Ticket {
		return cash + r.paidNow.cash, paid + r.paidNow.paid
	}
	if r.paidNow = (payment{}); r.act.Kind == Pay {
		r.paidNow = payment{r.act.Ticket, cash, paid}
	}
	return cash, paid
}

// payment is what one pay of a ticket gave, in cash and in all.
type payment struct {
	ticket     string
	cash, paid money.Amount
}
