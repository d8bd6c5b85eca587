package honest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"drawhouse/core/money"
)

// noGame is the slot of a bingo fee: it is for a session, and each win has a slot of its own.
const noGame = math.MinInt

// sell records an entry, or the fee and the book of a bingo player.
func (r *run) sell() {
	a := r.act
	if r.ticket(a.Ticket) != nil {
		r.report(PaidTwice, r.on(onTicket), 0, "ticket %s was sold before", a.Ticket)
		return
	}
	t := &ticket{id: a.Ticket, session: a.Session, at: a.At, sold: r.day, plays: a.Plays, set: a.Set}
	if t.plays == nil {
		t.plays = []Bet{Plain}
	}
	var price money.Amount
	if a.Kind == Fee {
		t.round = a.Round
		t.slots, price = []slot{{game: noGame, stake: a.Amount}}, a.Amount
		if r.rounds[a.Round] == nil {
			r.rounds[a.Round] = &round{fee: a.Amount}
		}
		r.jackpot += int64(a.Amount) * int64(100-r.rules.AdminShare)
	} else {
		for _, g := range a.Games {
			t.slots = append(t.slots, slot{game: g, stake: a.Stake})
			price += a.Stake
			if r.game(g).drawn {
				r.report(TooLate, r.rules.CancelDrawn, a.Stake,
					"ticket %s was sold for game %d after its draw", t.id, g)
			}
		}
	}
	t.cost = price
	r.tickets[t.id] = t
	r.order = append(r.order, t.id)

	if a.Session != "" {
		s := r.visit()
		s.pot, t.card = r.in(s.pot, a.In, a.Session)
		t.pot = s.pot
		s.sold = append(s.sold, t.id)
		s.balance += total(a.In) - price - total(a.Out)
		r.out(s.pot, a.Out, exit{session: s, change: true})
		return
	}
	r.checkGames(t.id)
	t.pot, t.card = r.in(r.newPot(), a.In, "")
	paid, change := total(a.In), total(a.Out)
	r.out(t.pot, a.Out, exit{change: true, ticket: t.id})
	switch rest := paid - price - change; {
	case rest < 0 && paid >= price:
		r.report(MoreBack, r.on(onRefund), -rest, "%v of change from %v for %v", change, paid, price)
	case rest < 0:
		r.report(Credit, r.on(onCredit), -rest, "ticket %s costs %v and %v was paid", t.id, price, paid-change)
	case rest > 0:
		r.report(StrandedMoney, r.on(onRest), rest,
			"ticket %s costs %v, %v was taken and %v came back", t.id, price, paid, change)
	}
}

// checkTicket reports a ticket from which no money may leave now.
func (r *run) checkTicket(t *ticket) {
	if t.stopped {
		r.report(WhileStopped, r.on(onStop), 0, "ticket %s is stopped", t.id)
	}
	if t.expired {
		r.report(PaidTwice, r.on(onForfeited), 0, "the money of ticket %s was given up", t.id)
	}
	// What a claimant was paid is not there any more. Games that came later are.
	if c := r.claims[t.claim]; c != nil && !(c.closed && c.granted) {
		r.report(WhileStopped, r.on(onClaim), 0, "ticket %s is claimed", t.id)
	}
}

// checkBought reports a ticket that pays before anybody has paid for it: its visit is open, or has
// ended without all that it owed.
func (r *run) checkBought(t *ticket, n money.Amount) {
	if r.unpaid(t) != nil {
		r.report(Credit, r.on(onCredit), n,
			"ticket %s pays %v, and its visit %s has not paid for it", t.id, n, t.session)
	}
	r.checkDebt("ticket "+t.id, t.session, n)
}

// checkDebt reports what leaves for a thing of a visit that has not paid for it.
func (r *run) checkDebt(what, visit string, n money.Amount) {
	if s := r.sessions[visit]; visit != "" && s != nil && s.debt > 0 {
		r.report(Credit, r.on(onCredit), n, "%s gives %v, and its visit left %v unpaid", what, n, s.debt)
	}
}

// checkTaken reports a ticket whose stake goes back before anybody has paid it. The visit that has
// sold it may take it back as long as it is open.
func (r *run) checkTaken(t *ticket) {
	if v := r.unpaid(t); v != nil && v.id != r.act.Session {
		r.report(Credit, r.on(onCredit), 0, "ticket %s goes back, and its visit %s has not paid for it", t.id, v.id)
	}
	r.checkDebt("ticket "+t.id, t.session, 0)
}

// goesBack returns the ticket of which stakes go back, or nil if there is none.
func (r *run) goesBack() *ticket {
	t := r.known(r.act.Ticket)
	if t != nil {
		r.checkTicket(t)
		r.checkTaken(t)
	}
	return t
}

// cancel gives the stakes of games back that are not drawn yet.
func (r *run) cancel() {
	a, t := r.act, r.goesBack()
	if t == nil {
		return
	}
	// A ticket that was never delivered is no entry yet, so the bounds of a cancellation
	// do not hold for it.
	if !t.undelivered && !t.invalid {
		if r.rules.CancelDay != "" && (r.day != t.sold || r.over == t.sold) {
			r.report(TooLate, r.rules.CancelDay, 0, "ticket %s of %v cancelled on %v", t.id, t.sold, r.day)
		}
		if r.rules.CancelVenue != "" && a.At.Venue != t.at.Venue {
			r.report(OverLimit, r.rules.CancelVenue, 0,
				"ticket %s of venue %s cancelled at %s", t.id, t.at.Venue, a.At.Venue)
		}
		if long := r.rules.CancelLong; long > 0 && len(t.slots) > long && r.game(t.slots[long].game).drawn {
			r.report(TooLate, r.rules.CancelLongWhere, 0,
				"ticket %s has %d games and game %d of them is drawn", t.id, len(t.slots), long+1)
		}
	}
	r.giveBack(t, func(s *slot) bool {
		if s.carried && r.rules.VoidCarries != "" {
			return false // The game that it was wagered on has closed.
		}
		if len(a.Games) > 0 {
			return slices.Contains(a.Games, s.game)
		}
		return s.state == waiting
	}, func(s *slot) {
		g := r.game(s.game)
		switch {
		case t.undelivered || t.invalid || g.void:
		case g.drawn:
			r.report(TooLate, r.rules.CancelDrawn, s.stake, "game %d of ticket %s is drawn", s.game, t.id)
		case g.closed && r.rules.CancelClosed != "":
			r.report(TooLate, r.rules.CancelClosed, s.stake, "game %d of ticket %s is closed", s.game, t.id)
		}
	})
	// A person who gives it back has it, or is given its money by two persons in its place. Games
	// that were drawn before were played.
	t.undelivered = false
}

// refund gives the stakes of void games back, or the fees of a bingo session.
func (r *run) refund() {
	a, t := r.act, r.goesBack()
	if t == nil {
		return
	}
	if t.round != "" && a.Partial {
		r.refundFee(t)
		return
	}
	before := t.stakes(returned)
	r.giveBack(t, func(s *slot) bool {
		if len(a.Games) > 0 {
			return slices.Contains(a.Games, s.game)
		}
		return s.state == voided || s.game == noGame && s.state != returned
	}, func(s *slot) {
		// A bingo session that breaks off keeps the results of its earlier games.
		if s.paid > 0 && s.game != noGame {
			r.report(PaidTwice, r.on(onOnce), s.stake,
				"game %d of ticket %s paid %v and gave its stake back", s.game, t.id, s.paid)
		}
		closed := t.round != "" && r.rounds[t.round] != nil && r.rounds[t.round].closed
		if s.state == played || s.state == waiting && !closed && !t.feeVoid {
			r.report(MoreBack, r.on(onRefund), s.stake, "game %d of ticket %s is not void", s.game, t.id)
		}
	})
	if t.round != "" {
		r.jackpot -= int64(t.stakes(returned)-before) * int64(100-r.rules.AdminShare)
	}
}

// refundFee gives a part of a fee back: of a game that was void, or of the whole. All parts
// together are never more than the fee.
func (r *run) refundFee(t *ticket) {
	n, fee := total(r.act.Out), &t.slots[0]
	if t.back+n > fee.stake {
		goal := MoreBack
		if t.back > 0 {
			goal = PaidTwice
		}
		r.report(goal, r.on(onRefund), t.back+n-fee.stake, "book %s paid %v and got %v back", t.id, fee.stake, t.back+n)
	}
	t.back += n
	if t.back >= fee.stake {
		fee.state = returned
	}
	r.jackpot -= int64(n) * int64(100-r.rules.AdminShare)
	r.out(t.pot, r.act.Out, exit{ticket: t.id})
}

func (t *ticket) stakes(state slotState) money.Amount {
	var n money.Amount
	for _, s := range t.slots {
		if s.state == state {
			n += s.stake
		}
	}
	return n
}

// giveBack pays stakes back, into a visit or over the counter.
func (r *run) giveBack(t *ticket, which func(*slot) bool, check func(*slot)) {
	a := r.act
	var stakes money.Amount
	twice, none := false, true
	for i := range t.slots {
		s := &t.slots[i]
		if !which(s) {
			continue
		}
		none = false
		switch s.state {
		case returned, forfeit:
			twice = true
			continue
		}
		check(s)
		stakes += s.stake
		if s.ran {
			r.collect(t, s.stake, func(c Cents) bool { return isPrize(c) && c.Ticket == t.id })
		}
		if s.state == played {
			r.unspend(t, s.stake, s.used)
		}
		s.used, s.state = nil, returned
	}
	back := total(a.Out)
	if a.Session != "" && back == 0 {
		back = a.Amount
		if back == 0 {
			back = stakes
		}
	}
	if back > stakes {
		goal := MoreBack
		if twice || none && t.stakes(returned) > 0 {
			goal = PaidTwice
		}
		r.report(goal, r.on(onRefund), back-stakes, "ticket %s got %v back for stakes of %v", t.id, back, stakes)
	}
	if back < stakes {
		r.report(StrandedMoney, r.on(onRest), stakes-back, "ticket %s got %v back for stakes of %v", t.id, back, stakes)
	}
	if a.Session == "" {
		r.out(t.pot, a.Out, exit{ticket: t.id})
		return
	}
	s := r.visit()
	s.pot = r.pour(s.pot, t.pot)
	s.balance += back
	if len(a.Out) > 0 {
		s.balance -= total(a.Out)
		r.out(s.pot, a.Out, exit{session: s})
	}
}

// collect makes a prize that ran on, and goes back with its stake, one that is paid in this visit, or for itself.
func (r *run) collect(t *ticket, n money.Amount, fits func(Cents) bool) {
	r.payments++
	for _, c := range r.takeIf(t.pot, n, fits) {
		c.Session = cmp.Or(r.act.Session, fmt.Sprintf("payment %d", r.payments))
		r.put(t.pot, c)
	}
}

func (r *run) draw() {
	r.game(r.act.Game).drawn = true
	r.eachSlot(r.act.Game, func(t *ticket, s *slot) {
		if s.state == waiting {
			s.state, s.won = played, r.day
			if v := r.unpaid(t); v != nil {
				// What pays for it is known when the visit ends; a voucher that is there pays.
				s.used = r.takeIf(t.pot, s.stake, isBound)
				v.owed += s.stake - sum(s.used)
				return
			}
			s.used = r.spend(t.pot, s.stake)
		}
	})
}

// eachSlot visits the slots of one game in the order of sale.
func (r *run) eachSlot(game int, do func(*ticket, *slot)) {
	for _, id := range r.order {
		t := r.tickets[id]
		for i := range t.slots {
			if t.slots[i].game == game {
				do(t, &t.slots[i])
			}
		}
	}
}

// void takes a game back, before or after its draw. Its stakes are the players' again,
// from where they came.
func (r *run) void() {
	g := r.game(r.act.Game)
	g.void = true
	r.eachSlot(r.act.Game, func(t *ticket, s *slot) {
		if s.state != waiting && s.state != played {
			return
		}
		if t.round != "" {
			return // Who was found to have won a bingo before, has won it.
		}
		if s.state == played {
			r.unspend(t, s.stake, s.used)
		}
		g.won -= s.prize - s.paid
		s.used, s.state, s.prize = nil, voided, s.paid
		if s.ran {
			r.stayed = append(r.stayed, t)
		}
	})
	// In bingo the prize that nobody was paid goes to the next game.
	if r.act.To != 0 {
		r.game(r.act.To).prize += max(0, g.prize-g.won)
	}
	g.prize = g.won
}

// stay makes prizes due that ran on into a void game and go no further. The series is over for
// them, and nobody has lost it: they are prizes of that game, and no stakes.
func (b *Book) stay() {
	for _, t := range b.stayed {
		for i := range t.slots {
			if s := &t.slots[i]; s.ran && s.state == voided {
				of := b.takeIf(t.pot, s.stake, func(c Cents) bool { return isPrize(c) && c.Ticket == t.id })
				b.spend(t.pot, s.stake-sum(of)) // A visit that is open has had this money, and pays for it at its end.
				s.prize, s.way, s.won = s.prize+s.stake, s.stake, b.day
				s.stake, s.state = 0, played
			}
		}
	}
	b.stayed = nil
}

func (r *run) carry() {
	t := r.known(r.act.Ticket)
	if t == nil {
		return
	}
	also := slices.ContainsFunc(t.slots, func(s slot) bool { return s.game == r.act.Game && s.carried })
	for i := range t.slots {
		s := &t.slots[i]
		if s.game != r.act.Game {
			continue
		}
		switch {
		case (s.state == returned || s.state == forfeit) && also:
			continue // What was carried there before goes on, and not what was cancelled.
		case s.state == returned || s.state == forfeit:
			r.report(PaidTwice, r.on(onRefund), s.stake, "the stake of game %d went back and is carried too", s.game)
		case s.state == played:
			r.report(PaidTwice, r.on(onRefund), s.stake, "game %d was played and its stake is carried too", s.game)
		case s.paid > 0:
			r.report(PaidTwice, r.on(onOnce), s.stake, "game %d paid %v and its stake is carried too", s.game, s.paid)
		}
		s.game, s.state, s.carried = r.act.To, waiting, true
	}
}

// runOn makes the prize of one game the stake of the next.
func (r *run) runOn() {
	t := r.known(r.act.Ticket)
	if t == nil {
		return
	}
	for i := range t.slots {
		s := &t.slots[i]
		if s.game != r.act.Game {
			continue
		}
		prize := s.prize - s.paid
		if s.prize > 0 && prize == 0 {
			r.report(PaidTwice, r.on(onOnce), s.prize, "the prize of game %d was paid and runs on too", s.game)
			prize = s.prize
		}
		s.paid = s.prize
		t.pot = r.pour(t.pot, r.newPot(Cents{Origin: Prize, Ticket: t.id, Amount: prize}))
		t.slots = append(t.slots, slot{game: r.act.To, stake: prize, ran: true})
		return
	}
}

func (r *run) win() {
	a := r.act
	t := r.known(a.Ticket)
	if t == nil {
		return
	}
	i := slices.IndexFunc(t.slots, func(s slot) bool {
		return s.game == a.Game &&
			(t.round == "" || s.jackpot == a.Jackpot)
	})
	if i < 0 && t.round != "" {
		i = len(t.slots)
		t.slots = append(t.slots, slot{game: a.Game, state: played})
	}
	if i < 0 {
		r.report(NeverWas, r.on(onSchedule), a.Amount, "ticket %s is not in game %d", t.id, a.Game)
		return
	}
	s := &t.slots[i]
	gone := func(s slot) bool { return s.state == returned || s.state == forfeit }
	if gone(*s) || t.round != "" && gone(t.slots[0]) || s.state == voided || t.feeVoid {
		r.report(PaidTwice, r.on(onOnce), a.Amount,
			"game %d of ticket %s has no stake any more and won %v", a.Game, t.id, a.Amount)
	}
	s.prize += a.Amount
	way := a.Way
	if way == 0 {
		way = a.Amount
	}
	s.way = max(s.way, way)
	s.won = r.day
	s.jackpot = s.jackpot || a.Jackpot
	if t.round == "" {
		return
	}
	if a.Jackpot {
		if int64(a.Amount)*100 > r.jackpot {
			r.report(MoreBack, r.rules.AdminWhere, a.Amount,
				"a jackpot of %v from %v", a.Amount, money.Amount(r.jackpot/100))
		}
		r.jackpot -= int64(a.Amount) * 100
		return
	}
	g := r.game(a.Game)
	if g.void {
		r.report(PaidTwice, r.on(onOnce), a.Amount, "game %d is void and its prize went on", a.Game)
	}
	g.won += a.Amount
	if g.won > g.prize {
		r.report(MoreBack, r.on(onSchedule), g.won-g.prize,
			"game %d had %v and its winners got %v", a.Game, g.prize, g.won)
	}
}

// correct states anew what a game of a ticket has won. What was paid stays paid.
func (r *run) correct() {
	t := r.known(r.act.Ticket)
	if t == nil {
		return
	}
	for i := range t.slots {
		s := &t.slots[i]
		if s.game != r.act.Game || s.state != played {
			continue
		}
		if life := r.rules.PrizeLife; r.act.Amount > s.paid && life.set() && r.day.After(life.last(s.won)) {
			r.report(StrandedMoney, life.Clause, r.act.Amount-s.paid,
				"game %d of %v was corrected on %v, and nobody can claim what it won", s.game, s.won, r.day)
		}
		s.prize, s.way = max(r.act.Amount, s.paid), r.act.Amount
		return
	}
	if r.act.Amount > 0 {
		r.report(NeverWas, r.on(onSchedule), r.act.Amount, "ticket %s was not drawn in game %d", t.id, r.act.Game)
	}
}

// record starts the time of all prizes of a game anew. The text counts it from a win being recorded, and a
// corrected result records the wins of its game once more.
func (r *run) record() {
	r.eachSlot(r.act.Game, func(_ *ticket, s *slot) {
		if s.state == played {
			s.won = r.day
		}
	})
}

// payTicket takes a prize off a ticket and reports what stands against it.
func (r *run) payTicket(t *ticket, n money.Amount) {
	r.checkTicket(t)
	if t.undelivered {
		r.report(OverLimit, r.on(onDelivery), n, "ticket %s was never delivered", t.id)
	}
	if t.feeVoid {
		r.report(WhileStopped, r.on(onStop), n, "the fee of book %s is void", t.id)
	}
	r.checkBought(t, n)
	r.takePrize(t, n)
}

func (r *run) takePrize(t *ticket, n money.Amount) {
	for _, p := range r.act.Prizes {
		r.takeOf(t, p.Amount, func(s *slot) bool { return s.game == p.Game })
		n -= p.Amount
	}
	r.takeOf(t, n, func(s *slot) bool {
		return r.act.Kind != Pay || r.act.Game == 0 || s.game == r.act.Game && s.jackpot == r.act.Jackpot
	})
}

// takeOf takes a prize off the games of a ticket that fit.
func (r *run) takeOf(t *ticket, n money.Amount, of func(*slot) bool) {
	var due money.Amount
	for i := range t.slots {
		if s := &t.slots[i]; of(s) {
			due += s.prize - s.paid
		}
	}
	if n > due {
		goal := MoreBack
		if t.paid() > 0 || t.expired || t.stakes(forfeit) > 0 {
			goal = PaidTwice
		}
		r.report(goal, r.on(onOnce), n-due, "ticket %s had %v to come and got %v", t.id, due, n)
	}
	rest := n
	for i := range t.slots {
		s := &t.slots[i]
		part := min(rest, s.prize-s.paid)
		if part <= 0 || !of(s) {
			continue
		}
		s.paid += part
		rest -= part
		// A prize that is claimed on a form within its time is not unclaimed, however long the
		// decision takes.
		day := r.day
		if c := r.claims[r.act.Claim]; c != nil && r.act.Kind == PayClaim {
			day = c.on
		}
		if life := r.rules.PrizeLife; life.set() && day.After(life.last(s.won)) {
			late := r.rules.PrizeLate
			withForm := r.act.Shown&ClaimForm != 0 || r.act.Kind == PayClaim
			switch {
			case !late.set() || !withForm:
				r.report(TooLate, life.Clause, part, "the prize of %v was claimed on %v", s.won, day)
			case day.After(late.last(s.won)):
				r.report(TooLate, late.Clause, part, "the prize of %v was claimed on %v", s.won, day)
			}
		}
	}
}

func (r *run) pay() {
	a := r.act
	t := r.known(a.Ticket)
	if t == nil {
		return
	}
	n := total(a.Out)
	if a.Session != "" && n == 0 {
		n = a.Amount
		if n == 0 {
			n = t.due()
		}
	}
	var way money.Amount
	forms := r.rules.PrizeOut[a.At.Desk]
	jackpot, plain := false, false
	for _, s := range t.slots {
		if s.prize > s.paid {
			way = max(way, s.way)
			jackpot, plain = jackpot || s.jackpot, plain || !s.jackpot
		}
	}
	if a.Game != 0 { // the house says which prize it pays
		jackpot, plain = a.Jackpot, !a.Jackpot
	}
	if jackpot && r.rules.JackpotOut != nil {
		forms = maps.Clone(r.rules.JackpotOut)
		if plain { // one payment for both
			maps.Copy(forms, r.rules.PrizeOut[a.At.Desk])
		}
	}
	r.payTicket(t, n)

	if a.Session != "" {
		r.visit()
	}
	r.machinePays(t, n)
	if a.At.Desk == HeadOffice && r.rules.HeadOfficeForm != "" && a.Shown&ClaimForm == 0 {
		r.report(OverLimit, r.rules.HeadOfficeForm, n, "head office paid ticket %s without a form", t.id)
	}
	if r.rules.Verified != "" && a.Shown&Supervisor == 0 {
		r.report(OverLimit, r.rules.Verified, n, "book %s was paid and nobody verified it", t.id)
	}
	if from := r.rules.ChequeFrom; from.set() && totalOf(a.Out, Cheque) > 0 && way < from.Amount {
		r.report(OverLimit, from.Clause, n, "a cheque for a prize of %v", way)
	}
	prize := Cents{Origin: Prize, Ticket: t.id, Session: a.Session, Amount: n}
	if a.Session == "" {
		r.payments++
		prize.Session = fmt.Sprintf("payment %d", r.payments)
		r.out(r.newPot(prize), a.Out, exit{ticket: t.id, forms: forms})
		return
	}
	s := r.visit()
	r.put(s.pot, prize)
	s.way = max(s.way, way)
	s.balance += n - total(a.Out)
	if len(a.Out) > 0 {
		r.out(s.pot, a.Out, exit{session: s, forms: forms})
	}
}

// end settles a visit.
func (r *run) end() {
	a := r.act
	s := r.open(a.Session)
	if s.ended {
		r.report(PaidTwice, r.on(onRest), total(a.Out), "visit %s ended before", s.id)
	}
	owes := s.balance < 0
	r.checkCredit(s)
	r.checkGames(s.sold...)
	var card string
	s.pot, card = r.in(s.pot, a.In, s.id)
	r.byCard(s, card, totalOf(a.In, Card))
	gone := r.spend(s.pot, s.owed)
	s.owed = 0
	p := &r.pots[r.find(s.pot)]
	p.late = append(p.late, gone...)
	r.payVouchers(s)
	r.payReceipts(s)
	s.balance += total(a.In)
	pays := total(a.Out)
	switch {
	case s.balance < 0:
		r.report(Credit, r.on(onCredit), -s.balance, "visit %s ended and %v was not paid", s.id, -s.balance)
	case pays < s.balance:
		r.report(StrandedMoney, r.on(onRest), s.balance-pays,
			"visit %s ended with %v and paid %v", s.id, s.balance, pays)
	}
	if owed := max(0, s.balance); pays > owed {
		r.report(MoreBack, r.on(onRefund), pays-owed, "visit %s ended with %v and paid %v", s.id, owed, pays)
	}
	if from := r.rules.ChequeFrom; from.set() && totalOf(a.Out, Cheque) > 0 && s.way < from.Amount {
		r.report(OverLimit, from.Clause, pays, "a cheque for a prize of %v", s.way)
	}
	// If the player still owed money, what comes back is change of the tender.
	r.out(s.pot, a.Out, exit{session: s, forms: r.rules.PrizeOut[a.At.Desk], change: owes})
	s.balance -= pays
	s.ended, s.debt = true, totalOf(a.In, Unpaid)
}

// checkCredit reports money that goes to a card in a visit whose player does not pay all: what was
// sold is stopped then, and what is on a card is not. Money that was there before may go.
func (r *run) checkCredit(s *session) {
	unpaid, card := totalOf(r.act.In, Unpaid), totalOf(r.act.Out, Card)
	if more := card - r.has(s.pot, notBound); unpaid > 0 && more > 0 {
		r.report(Credit, r.on(onCredit), more,
			"%v went to a card in visit %s, which left %v unpaid", card, s.id, unpaid)
	}
}

// checkGames reports vouchers that pay for more than those of some entries which are of their type
// of game alone.
func (r *run) checkGames(sold ...string) {
	spent := map[Bet]money.Amount{}
	clause := ""
	for _, part := range r.act.In {
		if v := r.papers[part.Paper]; v != nil && r.rules.OneGame[v.form] != "" {
			spent[v.plays] += part.Amount
			clause = r.rules.OneGame[v.form]
		}
	}
	for _, part := range r.act.Out {
		if r.rules.OneGame[part.Form] != "" {
			spent[part.Plays] -= part.Amount
		}
	}
	for _, plays := range slices.Sorted(maps.Keys(spent)) {
		var cost money.Amount
		for _, id := range sold {
			if t := r.tickets[id]; len(t.plays) == 1 && t.plays[0] == plays {
				cost += t.cost - t.stakes(returned)
			}
		}
		if more := spent[plays] - cost; more > 0 {
			r.report(WrongGame, clause, more, "%v of vouchers for %q paid for other games", more, plays)
		}
	}
}

// payVouchers takes what vouchers cost that were bought in a visit. Money of another voucher
// does not buy one: it would begin a new life.
func (r *run) payVouchers(s *session) {
	for _, fits := range []func(Cents) bool{isCash, isPrize} {
		s.bought -= sum(r.takeIf(s.pot, s.bought, fits))
	}
	if got := sum(r.takeIf(s.pot, s.bought, isAny)); got > 0 {
		r.report(NewLife, r.on(onVouchers), got, "%v of a voucher bought a new one in visit %s", got, s.id)
	}
	s.bought = 0
}

// payReceipts lets the money of receipts leave that were issued in a visit. One that is handed
// back in the same visit was never there.
func (r *run) payReceipts(s *session) {
	for _, id := range s.receipts {
		v := r.papers[id]
		if v.left == 0 {
			continue
		}
		lots := r.leave(s.pot, min(v.face, r.has(s.pot, isAny)),
			Part{Form: Receipt, Paper: v.id, Amount: v.face})
		if r.counts(Receipt) {
			lots = []Cents{{Origin: Receipt, Amount: v.face}}
		}
		v.pot = r.newPot(lots...)
	}
	s.receipts = nil
}

// byCard notes which tickets of a visit a card may have paid for, alone: any that costs no
// more than it gave.
func (r *run) byCard(s *session, card string, gave money.Amount) {
	for _, id := range s.sold {
		if t := r.tickets[id]; gave > 0 && t.cost <= gave {
			t.card = card
		}
	}
}
