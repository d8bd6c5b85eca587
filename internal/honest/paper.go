package honest

import (
	"slices"

	"drawhouse/core/money"
)

// issue makes a voucher or a receipt for money that was paid.
func (r *run) issue() {
	a := r.act
	if !a.Form.voucher() && a.Form != Receipt {
		r.report(NeverWas, r.on(onPaper), a.Amount, "nobody issues %s", a.Form)
		return
	}
	paid := total(a.In) - total(a.Out)
	var lots []Cents
	free := a.Free && len(a.In)+len(a.Out) == 0
	if a.Session != "" && !free {
		// The balance of the visit pays. For a receipt that is a way out.
		s := r.visit()
		s.pot, _ = r.in(s.pot, a.In, s.id)
		s.balance += paid - a.Amount
		r.out(s.pot, a.Out, exit{session: s, change: true})
		if a.Form == Receipt {
			// The end of the visit pays for it, and nobody uses it elsewhere before.
			v := r.newPaper(Part{Form: Receipt, Paper: a.Paper, Amount: a.Amount}, nil)
			v.pot, v.visit = s.pot, s.id
			s.receipts = append(s.receipts, v.id)
			return
		}
		// Other money in the pot, such as the stake of a void game, waits for its own holder.
		own := min(a.Amount, max(0, s.balance+a.Amount))
		for _, fits := range []func(Cents) bool{isCash, isPrize} {
			lots = append(lots, r.takeIf(s.pot, own-sum(lots), fits)...)
		}
		if short := a.Amount - sum(lots); short > 0 { // the player pays it at the end
			s.bought += short
			lots = append(lots, Cents{Origin: Cash, Amount: short})
		}
		paid = a.Amount
	} else {
		p, _ := r.in(r.newPot(), a.In, "")
		r.out(p, a.Out, exit{change: true})
		if a.Form == Receipt {
			if a.Amount > paid {
				r.report(MoreBack, r.on(onPaper), a.Amount-paid, "a receipt of %v for %v", a.Amount, paid)
				r.put(p, Cents{Origin: Cash, Amount: a.Amount - paid})
			}
			r.out(p, []Part{{Form: Receipt, Paper: a.Paper, Amount: a.Amount}}, exit{change: true})
			if a.Amount < paid {
				r.report(StrandedMoney, r.on(onPaper), paid-a.Amount, "a receipt of %v for %v", a.Amount, paid)
			}
			return
		}
		lots = r.takeIf(p, min(a.Amount, paid), isAny)
	}
	switch {
	case free:
	case paid < a.Amount:
		r.report(Credit, r.on(onPaper), a.Amount-paid, "a %s of %v for %v", a.Form, a.Amount, paid)
	case paid > a.Amount:
		r.report(StrandedMoney, r.on(onPaper), paid-a.Amount, "a %s of %v for %v", a.Form, a.Amount, paid)
	}
	for _, c := range lots {
		if c.Origin.voucher() {
			r.report(NewLife, r.on(onVouchers), c.Amount, "%s %s bought a new %s", c.Origin, c.Paper, a.Form)
		}
	}
	v := r.newPaper(Part{Form: a.Form, Paper: a.Paper, Amount: a.Amount}, nil)
	v.bought = lots
	if len(a.Plays) > 0 {
		v.plays = a.Plays[0]
	}
	if clause := r.rules.OneGame[a.Form]; clause != "" && v.plays == AnyGame {
		r.report(WrongGame, clause, a.Amount, "%s %s is for no type of game in particular", a.Form, v.id)
	}
	if !free {
		v.visit = a.Session
	}
	if free {
		v.bought = []Cents{{Origin: a.Form, Paper: v.id, Amount: a.Amount}}
	}
	if !a.Expires.isZero() {
		if !v.expires.isZero() && a.Expires.After(v.expires) {
			r.report(NewLife, r.rules.PaperLife[a.Form].Clause, a.Amount,
				"%s %s ends on %v, the text ends it on %v", a.Form, v.id, a.Expires, v.expires)
		}
		v.expires = a.Expires
	}
}

// redeem turns a paper into other money.
func (r *run) redeem() {
	a := r.act
	v, n, own := r.redeemed()
	if v == nil {
		return
	}
	p := v.pot
	r.payAnew(v, n)
	if v.form.voucher() {
		r.checkGiftReturn(v, n, own)
		p = r.bought(v, n)
	}
	forms := Forms(nil)
	if v.form == CentralVoucher {
		forms = r.rules.CentralOut[a.At.Desk]
		if forms == nil {
			forms = Forms{}
		}
	}
	if a.Session != "" {
		r.redeemInVisit(v, p, n, forms)
		return
	}
	for _, part := range a.Out {
		// What is left of a receipt is no newer than the receipt.
		if part.Form == v.form && v.form == Receipt && !part.Expires.isZero() && part.Expires.After(v.expires) &&
			part.Expires != r.day {
			r.report(NewLife, r.rules.PaperLife[v.form].Clause, part.Amount,
				"%s ended on %v, and %s ends on %v", v.id, v.expires, part.Paper, part.Expires)
		}
	}
	// A central site voucher is itself the paper that large payments need, and a receipt
	// is the player's own money where it counted as cash when it was made.
	// A receipt for a receipt pays nothing.
	change := v.form == CentralVoucher || v.form == Gift || r.counts(v.form) || totalOf(a.Out, v.form) == n
	r.out(p, a.Out, exit{forms: forms, change: change})
}

// redeemed takes so much of the paper of an act as is turned into other money. What the visit itself has
// sold nobody has paid for: it is handed back whatever its rules are, and nothing is paid for it.
func (r *run) redeemed() (v *paper, n money.Amount, own bool) {
	a := r.act
	n, v = total(a.Out), r.papers[a.Paper]
	if a.Session != "" && n == 0 {
		n = a.Amount
		if n == 0 && v != nil {
			n = v.left
		}
	}
	if v != nil && v.visit != "" && v.visit == a.Session && v.left == n && !v.stopped && len(a.Out) == 0 {
		v.left = 0
		return v, n, true
	}
	return r.use(Part{Paper: a.Paper, Amount: n}), n, false
}

// checkGiftReturn objects to a voucher that is turned into money, other than a gift voucher that goes back
// on the day and in the venue where it was bought.
func (r *run) checkGiftReturn(v *paper, n money.Amount, own bool) {
	returns := v.form == Gift && r.rules.GiftReturn != ""
	if own || returns && v.issued == r.day && v.at.Venue == r.act.At.Venue {
		return
	}
	clause := r.on(onVouchers)
	if returns {
		clause = r.rules.GiftReturn
	}
	r.report(VoucherToCash, clause, n, "%s %s was turned into %v", v.form, v.id, n)
}

// redeemInVisit puts the money of a paper into the visit in which it is redeemed.
func (r *run) redeemInVisit(v *paper, p int, n money.Amount, forms Forms) {
	s := r.visit()
	s.pot = r.pour(s.pot, p)
	s.balance += n - total(r.act.Out)
	if v.form == CentralVoucher {
		s.exchanged += n
	}
	s.way = max(s.way, v.way)
	if len(r.act.Out) > 0 {
		r.out(s.pot, r.act.Out, exit{session: s, forms: forms})
	}
}

// bought returns a pot with so much of the money that paid for a voucher.
func (r *run) bought(v *paper, n money.Amount) int {
	all := r.newPot(v.bought...)
	lots := r.takeIf(all, n, isAny)
	v.bought = slices.Clone(r.pots[all].lots)
	return r.newPot(lots...)
}

func (r *run) deposit() {
	a := r.act
	c := r.card(a.Paper)
	n := total(a.In)
	if a.Session != "" && n == 0 {
		s := r.visit()
		s.balance -= a.Amount
		r.out(s.pot, []Part{{Form: Card, Paper: a.Paper, Amount: a.Amount}}, exit{session: s})
		return
	}
	// The card keeps the origins. Whether a voucher became cash is seen when the money
	// leaves the card.
	c.pot, _ = r.in(c.pot, a.In, "")
	c.balance += n
}

func (r *run) withdraw() {
	a := r.act
	c := r.card(a.Paper)
	n := total(a.Out)
	if c.stopped {
		r.report(WhileStopped, r.on(onStop), n, "card %s is stopped", c.id)
	}
	if n > c.balance {
		r.report(MoreBack, r.on(onRefund), n-c.balance, "card %s held %v and paid %v", c.id, c.balance, n)
	}
	c.balance -= n
	r.out(c.pot, a.Out, exit{change: true})
}

func (r *run) lodge() {
	a := r.act
	c := &claim{id: a.Claim, paper: a.Paper, shown: a.Shown, on: r.day, original: a.Original}
	r.claims[a.Claim] = c
	if a.Ticket != "" {
		t := r.known(a.Ticket)
		if t == nil {
			return
		}
		c.ticket = t.id
		// The first claim stands, unless it was refused and is gone. That a second one is
		// paid too is found when it is paid.
		// What comes later than a claim that was paid is claimed anew.
		if old := r.claims[t.claim]; old == nil || old.closed {
			t.claim = a.Claim
		}
		return
	}
	v := r.papers[a.Paper]
	if v == nil {
		r.report(NeverWas, r.on(onPaper), 0, "paper %s was never issued", a.Paper)
		return
	}
	if v.claim == "" {
		v.claim = a.Claim
	}
}

func (r *run) decide() {
	a := r.act
	c := r.claims[a.Claim]
	if c == nil {
		r.report(NeverWas, r.on(onClaim), 0, "claim %s was never lodged", a.Claim)
		return
	}
	c.decided, c.granted, c.shown = true, a.Grant, c.shown|a.Shown
	if a.Grant {
		return
	}
	c.closed = true
	// A refused claim holds nothing back any more.
	if t := r.ticket(c.ticket); t != nil && t.claim == c.id {
		t.claim = ""
	}
	if v := r.papers[c.paper]; v != nil && v.claim == c.id {
		v.claim = ""
	}
}

func (r *run) payClaim() {
	a := r.act
	c := r.claims[a.Claim]
	n := total(a.Out)
	if c == nil {
		r.report(NeverWas, r.on(onClaim), n, "claim %s was never lodged", a.Claim)
		return
	}
	c.shown |= a.Shown
	switch {
	case !c.decided:
		r.report(WhileStopped, r.on(onClaim), n, "claim %s is not decided", c.id)
	case !c.granted:
		r.report(WhileStopped, r.on(onClaim), n, "claim %s was refused", c.id)
	case c.closed:
		r.report(PaidTwice, r.on(onClaim), n, "claim %s was paid before", c.id)
	}
	if r.rules.ClaimOperative != "" && c.shown&Operative == 0 {
		r.report(OverLimit, r.rules.ClaimOperative, n, "claim %s was paid without an operative", c.id)
	}
	if above := r.rules.ClaimInspector; above.set() && n > above.Amount && c.shown&Inspector == 0 {
		r.report(OverLimit, above.Clause, n, "claim %s of %v was paid without an inspector", c.id, n)
	}
	var p int
	if t := r.ticket(c.ticket); t != nil {
		if t.stopped {
			r.report(WhileStopped, r.on(onStop), n, "ticket %s is stopped", t.id)
		}
		r.checkBought(t, n)
		p = r.claimTicket(t, c, n)
		t.undelivered = false // Who decided has found that the claimant holds the entry.
	} else if v := r.papers[c.paper]; v != nil {
		p = r.claimPaper(v, c, n)
	} else {
		return
	}
	c.closed = true
	// The limit on cash at a venue is not asked here: the form of a claim binds it.
	forms := r.rules.ClaimOut
	if c.original && r.rules.HeadOfficeForm != "" {
		forms = r.rules.PrizeOut[HeadOffice] // a written claim with the ticket
	}
	r.out(p, a.Out, exit{forms: forms, change: true})
}

// claimTicket takes a claimed prize, and the stakes of void games, off a ticket.
func (r *run) claimTicket(t *ticket, c *claim, n money.Amount) int {
	if t.claim != c.id {
		r.report(PaidTwice, r.on(onClaim), n, "claim %s is the second one for ticket %s", c.id, t.id)
	}
	prize := n
	stakes := t.stakes(voided)
	switch {
	case len(r.act.Prizes)+len(r.act.Games) > 0: // the house says which games
		prize = 0
		for _, p := range r.act.Prizes {
			prize += p.Amount
		}
	case n > t.due():
		prize = max(t.due(), n-stakes)
	}
	r.takePrize(t, prize)
	if prize == n {
		return r.newPot(Cents{Origin: Prize, Ticket: t.id, Amount: n})
	}
	back := money.Amount(0)
	for i := range t.slots {
		if s := &t.slots[i]; s.state == voided && (len(r.act.Games) == 0 || slices.Contains(r.act.Games, s.game)) {
			back += s.stake
			s.state = returned
		}
	}
	if more := n - prize - back; more > 0 {
		r.report(PaidTwice, r.on(onRefund), more,
			"a claim got %v of stakes back and ticket %s had %v", n-prize, t.id, back)
	}
	return r.pour(t.pot, r.newPot(Cents{Origin: Prize, Ticket: t.id, Amount: prize}))
}

func (r *run) claimPaper(v *paper, c *claim, n money.Amount) int {
	if v.claim != c.id {
		r.report(PaidTwice, r.on(onClaim), n, "claim %s is the second one for %s", c.id, v.id)
	}
	r.checkDebt(string(v.form)+" "+v.id, v.visit, n)
	if n > v.left {
		goal := MoreBack
		if v.left < v.face {
			goal = PaidTwice
		}
		r.report(goal, r.on(onPaper), n-v.left, "%s %s held %v and its claim got %v", v.form, v.id, v.left, n)
	}
	v.left -= n
	if v.form.voucher() {
		if _, ok := r.rules.UnreadClaims[v.form]; !ok {
			r.report(VoucherToCash, r.on(onVouchers), n, "%s %s was claimed as money", v.form, v.id)
		}
		return r.bought(v, n)
	}
	return v.pot
}

// payLate pays what the visits of tickets and papers were left owing.
func (r *run) payLate() {
	rest := r.act.Amount
	for _, id := range r.act.Things {
		visit := ""
		if t := r.ticket(id); t != nil {
			visit = t.session
		} else if v := r.papers[id]; v != nil {
			visit = v.visit
		}
		if s := r.sessions[visit]; visit != "" && s != nil {
			n := min(rest, s.debt)
			s.debt -= n
			rest -= n
		}
	}
	if rest > 0 {
		r.report(StrandedMoney, r.on(onRest), rest, "%v were paid late, and nobody owed them", rest)
	}
}

// stop stops or releases a ticket, a paper or a card.
func (r *run) stop() {
	a := r.act
	on := a.Kind == Stop
	switch {
	case a.Ticket != "":
		if t := r.known(a.Ticket); t != nil {
			t.stopped = on
		}
	case r.papers[a.Paper] != nil:
		r.papers[a.Paper].stopped = on
	case r.cards[a.Paper] != nil:
		r.cards[a.Paper].stopped = on
	}
}

// sheet says that a ticket was not handed over, or was printed again.
func (r *run) sheet() {
	t := r.known(r.act.Ticket)
	if t == nil {
		return
	}
	t.undelivered = r.act.Kind == Undelivered
	if r.act.Kind == Reprint && r.act.NewID != "" {
		r.alias[r.act.NewID] = t.id
	}
}

// forfeit takes the prize of one game, everything that a ticket still has, or what is withheld.
func (r *run) forfeit() {
	if v := r.papers[r.act.Paper]; r.act.Ticket == "" && v != nil {
		n := r.act.Amount
		if n > v.left {
			r.report(PaidTwice, r.on(onForfeited), n-v.left,
				"%s %s holds %v, and %v of prizes were forfeited", v.form, v.id, v.left, n)
		}
		// The prize may be what has paid for another stake, as the book divides it.
		r.takeIf(v.pot, n-sum(r.takeIf(v.pot, n, isPrize)), isAny)
		v.left -= min(v.left, r.act.Amount)
		return
	}
	t := r.known(r.act.Ticket)
	if t == nil {
		return
	}
	if t.round != "" && r.act.Partial { // a part of the fee is kept
		if !t.feeVoid { // A void fee is as if it was not made: nothing of it is there to be kept.
			t.back += r.act.Amount
		}
		return
	}
	if g := r.act.Game; g != 0 {
		for i := range t.slots {
			if s := &t.slots[i]; s.game == g && r.act.Amount > 0 {
				// What was paid stays paid.
				less := min(r.act.Amount, s.prize-s.paid)
				if t.round == "" || s.jackpot == r.act.Jackpot {
					s.prize -= less
					s.fell += r.act.Amount - less
				}
				if t.round != "" && !s.jackpot && !r.act.Jackpot {
					// Who else has won divides it, even if it was paid: that is the casino's loss.
					r.game(g).won -= r.act.Amount
				}
			} else if s.game == g {
				// In bingo the numbers go on until somebody else has the prize.
				r.game(g).won -= s.prize - s.paid
				s.prize, s.fell = s.paid, s.paid
			}
		}
		return
	}
	for i := range t.slots {
		s := &t.slots[i]
		s.prize = s.paid
		if s.state == waiting || s.state == voided {
			r.spend(t.pot, s.stake)
		}
		if s.state != returned {
			s.state = forfeit
		}
	}
}

// expire gives money up to the fund that the text names. Before its time it would be the
// player's loss.
func (r *run) expire() {
	a := r.act
	if a.Ticket != "" {
		t := r.known(a.Ticket)
		if t == nil {
			return
		}
		of := func(s slot) bool {
			return (a.Game == 0 || s.game == a.Game) && !r.claimedInTime(t, s)
		}
		for _, s := range t.slots {
			life := r.rules.PrizeLife
			if of(s) && s.prize > s.paid && life.set() && !r.day.After(life.last(s.won)) {
				r.report(StrandedMoney, life.Clause, s.prize-s.paid, "the prize of %v was given up on %v", s.won, r.day)
			}
		}
		// Where a late claim is paid from the fund, the prize stays on the ticket.
		if !r.rules.PrizeLate.set() {
			for i := range t.slots {
				if of(t.slots[i]) {
					t.slots[i].prize = t.slots[i].paid
				}
			}
			t.expired = a.Game == 0
		}
		return
	}
	v := r.papers[a.Paper]
	if v == nil {
		r.report(NeverWas, r.on(onPaper), 0, "paper %s was never issued", a.Paper)
		return
	}
	if !v.expires.isZero() && !r.day.After(v.expires) {
		r.report(StrandedMoney, r.rules.PaperLife[v.form].Clause, v.left,
			"%s %s was given up on %v and lasts until %v", v.form, v.id, r.day, v.expires)
	}
	if r.rules.PaperLate == "" || v.form != Receipt {
		v.expired = true
	}
}

// claimedInTime reports whether somebody has claimed a prize on a form that is not settled
// yet, and did so within the time of the prize. Such a prize is not an unclaimed one.
func (r *run) claimedInTime(t *ticket, s slot) bool {
	c := r.claims[t.claim]
	return c != nil && !c.closed && !c.on.After(r.rules.PrizeLife.last(s.won))
}

// abandon makes all fees of a bingo session the players' again. Of keno it is one ticket that
// a change of the rules has made invalid: its holder gives it back at any time and place.
func (r *run) abandon() {
	if r.act.Ticket != "" {
		if t := r.known(r.act.Ticket); t != nil {
			t.invalid = true
		}
		return
	}
	for _, id := range r.order {
		t := r.tickets[id]
		if t.round == "" || t.round != r.act.Round || t.feeVoid {
			continue
		}
		// The results of earlier games stand: only the fee goes back.
		if s := &t.slots[0]; s.state == waiting {
			s.state = voided
		}
	}
}

// voidFee takes the result from a fee. Nothing that it has won may stand then.
func (r *run) voidFee() {
	t := r.known(r.act.Ticket)
	if t == nil {
		return
	}
	for _, s := range t.slots {
		if stands := s.prize - s.fell; stands > 0 {
			r.report(MoreBack, r.rules.Acts[VoidFee], stands,
				"the fee of book %s is void and has won %v in game %d", t.id, stands, s.game)
		}
	}
	t.feeVoid = true
}

func (r *run) closeEarly() {
	if d := r.rounds[r.act.Round]; d != nil {
		d.closed = true
	}
	if r.act.Notice < r.rules.CloseNotice {
		r.report(OverLimit, r.rules.NoticeWhere, 0,
			"session %s closed after a notice of %d minutes", r.act.Round, r.act.Notice)
	}
}

// promotion pays a prize that no entry won.
func (r *run) promotion() {
	a := r.act
	n := total(a.Out)
	forms := Forms(nil)
	if from := r.rules.PromotionFrom; from.set() && n > from.Amount {
		forms = r.rules.PromotionOut
		if a.Shown&Scrutineer == 0 {
			r.report(OverLimit, from.Clause, n, "a promotional prize of %v without a scrutineer", n)
		}
	}
	r.out(r.newPot(Cents{Origin: Prize, Amount: n}), a.Out, exit{forms: forms, change: true})
}
