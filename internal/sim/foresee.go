package sim

import (
	"context"
	"errors"
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/games/keno"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// foreseen is what a request must be answered with, as the auditor sees it.
type foreseen struct {
	// codes are the refusals that are right; none means that it must be granted.
	codes []refusal.Code
	// either says that it may be granted all the same.
	either bool
	place  record.Place // of the answer, if it was given before
	cents  money.Amount // that change hands
	known  bool         // that cents are known
}

// check holds an answer against what was foreseen. That the house is down can be
// foreseen by nobody.
func (f foreseen) check(r reply) error {
	code := codeOf(r.err)
	switch {
	case r.err != nil && (isDown(r.err) || errors.Is(r.err, lane.ErrBusy)):
		return nil
	case r.err != nil && code == "":
		return breach("answer", "answered with %v", r.err)
	case code != "" && len(f.codes) == 0 && !f.either:
		return breach("answer", "refused and should have been granted: %v", r.err)
	case code != "" && len(f.codes) > 0 && !slices.Contains(f.codes, code):
		return breach("answer", "refused with %v; right would be %v", r.err, f.codes)
	case code != "":
		return nil
	case len(f.codes) > 0 && !f.either:
		return breach("answer", "granted at %v and should have been refused with %v", r.place, f.codes)
	case f.place != record.Place{} && f.place != r.place:
		return breach("P2", "answered at %v now and at %v before", r.place, f.place)
	case f.known && f.cents != r.cents:
		return breach("P6", "%v change hands; right would be %v", r.cents, f.cents)
	}
	return nil
}

// foresee says what a request must be answered with.
func (w *world) foresee(a *ask) foreseen {
	last := w.audit.last[a.request.Terminal]
	switch {
	case a.request.Number < last.Number:
		return foreseen{codes: []refusal.Code{engine.RequestSuperseded}}
	case a.request.Number > last.Number:
	case last.burned:
		return foreseen{codes: []refusal.Code{engine.RequestBurned}}
	case last.Body != a.request.Body:
		return foreseen{codes: []refusal.Code{engine.RequestBodyOther}}
	default:
		return foreseen{place: last.place}
	}
	switch a.kind {
	case Pay:
		return w.audit.foreseePay(a)
	case Cancel:
		return w.audit.foreseeCancel(a)
	}
	return w.foreseeSale(a)
}

// refusedForOther are refusals that the auditor does not foresee: they depend on all
// tickets of a game together.
var refusedForOther = []refusal.Code{keno.OutcomeFull}

// foreseeSale says whether a ticket must be sold: if the counter would quote it and
// a game is on sale.
func (w *world) foreseeSale(a *ask) foreseen {
	offer, err := w.house.Quote(context.Background(), a.order)
	if code := codeOf(err); code != "" {
		return foreseen{codes: []refusal.Code{code}, either: hasPick(&a.order.Ticket)}
	}
	if err != nil {
		return foreseen{either: true}
	}
	open := w.audit.onSale()
	switch {
	case w.audit.paused:
		return foreseen{codes: []refusal.Code{counter.SalePaused}}
	case open == 0:
		return foreseen{codes: []refusal.Code{counter.NotOnSale, counter.GameClosed}}
	case a.expect != 0 && a.expect != offer.Price.Cost:
		return foreseen{codes: []refusal.Code{counter.CostOther}}
	case len(offer.Exposures) > 0:
		return foreseen{codes: refusedForOther, either: true, cents: offer.Price.Cost, known: true}
	}
	return foreseen{cents: offer.Price.Cost, known: !hasPick(&a.order.Ticket), either: hasPick(&a.order.Ticket)}
}

// hasPick reports whether the terminal chooses numbers, which it does anew each time.
func hasPick(r *keno.Request) bool {
	return slices.ContainsFunc(r.Bets, func(b keno.BetRequest) bool { return b.Pick != keno.Pick{} || b.Item.ID != "" })
}

// otherWay are the refusals of a prize that is due and is not paid in cash, here or
// now: the rulebooks have many ways of paying, and which of them is open is not what
// is looked into here.
var otherWay = []refusal.Code{
	counter.OverCashLimit, "means_unknown", "means_other", "means_too_much", "ticket_over_sst", counter.NotHandedOut,
	"keeps_ticket", "payee_missing", "not_looked_up",
}

// foreseePay works out what a ticket is due.
func (a *auditor) foreseePay(q *ask) foreseen {
	t := a.tickets[q.paper.place]
	if !t.opens(q.code) {
		return foreseen{codes: []refusal.Code{counter.ClaimCodeOther}}
	}
	if t.cancelled && t.kept < t.first {
		return foreseen{codes: []refusal.Code{counter.TicketCancelled}}
	}
	var due money.Amount
	var over, paid, late, held int
	for _, ordinal := range a.gamesOf(t) {
		g := a.games[ordinal-1]
		if !g.isOver() {
			break
		}
		over++
		prize, _ := a.prize(q.paper.place, t, ordinal)
		switch {
		case prize == 0:
		case t.paid[ordinal] >= prize:
			paid++
		case a.isLate(g):
			late++
		case a.isHeld(g):
			held++
		default:
			due += prize - t.paid[ordinal]
		}
	}
	switch {
	case due > 0:
		// A bonus may fall on it, and so much may be paid in another way.
		return foreseen{codes: otherWay, either: true, cents: -due, known: a.promotions == 0}
	case late > 0 && held > 0:
		return foreseen{codes: []refusal.Code{counter.TooLate, counter.HeldBack}}
	case late > 0:
		return foreseen{codes: []refusal.Code{counter.TooLate}}
	case held > 0:
		return foreseen{codes: []refusal.Code{counter.HeldBack}}
	case paid > 0:
		return foreseen{codes: []refusal.Code{counter.AlreadyPaid}}
	case over == 0:
		return foreseen{codes: []refusal.Code{counter.NotDrawn}}
	}
	return foreseen{codes: []refusal.Code{counter.NoPrize}}
}

// isLate reports whether the time for claims of a game has passed.
func (a *auditor) isLate(g *auditGame) bool {
	period := g.book.Payout().Period
	last, err := g.ref.Day.AddMonths(period.Months + 12*period.Years)
	if err == nil {
		last, err = last.AddDays(period.Days)
	}
	return err != nil || a.today() > last
}

// isHeld reports whether a game of delayed start is paid from the next Keno Day on
// and that has not come.
func (a *auditor) isHeld(g *auditGame) bool {
	return g.delayed && g.book.Games().Delayed.PaidNextDay && a.today() <= g.ref.Day
}

// today returns the Keno Day, or between two of them the date.
func (a *auditor) today() day.Day {
	if a.dayOpen {
		return a.day
	}
	local := a.now.Time().Add(time.Duration(a.offset) * time.Second)
	d, err := day.Of(local.Year(), int(local.Month()), local.Day())
	if err != nil {
		return day.None
	}
	return d
}

// foreseeCancel says whether a ticket must be taken back, and for how much where that
// is plain.
func (a *auditor) foreseeCancel(q *ask) foreseen {
	t := a.tickets[q.paper.place]
	g, _ := a.newest()
	rule := g.book.Cancellation()
	kept := max(a.closed(), t.first-1)
	switch {
	case !t.opens(q.code):
		return foreseen{codes: []refusal.Code{counter.ClaimCodeOther}}
	case rule.SameVenue && q.terminal.venue != a.venues[t.sold.Request.Terminal]:
		return foreseen{codes: []refusal.Code{counter.OtherVenue}}
	case rule.SameDay && (!a.dayOpen || a.day != t.ticket.First.Day):
		return foreseen{codes: []refusal.Code{counter.OtherDay}}
	case t.cancelled || kept >= t.last:
		return foreseen{codes: []refusal.Code{counter.NothingLeft, counter.NotHandedOut}}
	case rule.LastGame > 0 && t.ticket.Games > rule.LastGame && kept >= t.first+uint32(rule.LastGame):
		return foreseen{codes: []refusal.Code{counter.TooFarPlayed}}
	case !paysCash(g.book, q.terminal.channel):
		// A run that is lost already has nothing left.
		return foreseen{codes: []refusal.Code{counter.MeansUnknown, counter.NotHandedOut, counter.NothingLeft}}
	}
	for i := range t.ticket.Bets {
		if b := &t.ticket.Bets[i]; b.Run {
			// What runs may be lost already, and then nothing is left.
			return foreseen{codes: []refusal.Code{counter.NothingLeft}, either: true}
		} else if b.With.Any() {
			return foreseen{}
		}
	}
	each := t.sold.CostCents / money.Amount(t.ticket.Games)
	return foreseen{cents: -each * money.Amount(t.last-kept), known: true}
}

// paysCash reports whether terminals of a kind hand out cash: those that have no ways of their
// own, or cash among these.
func paysCash(book *rulebook.Book, channel rulebook.Channel) bool {
	if !book.Gives(channel, rulebook.OriginCash) {
		return false
	}
	own := slices.DeleteFunc(slices.Clone(book.Payout().Methods),
		func(m rulebook.PayoutMethod) bool { return m.Channel != channel })
	return len(own) == 0 || slices.ContainsFunc(own,
		func(m rulebook.PayoutMethod) bool { return m.ID == rulebook.OriginCash })
}

// closed returns the ordinal of the last game that is closed.
func (a *auditor) closed() uint32 {
	if g, ordinal := a.newest(); g != nil && g.closed == nil {
		return ordinal - 1
	}
	return uint32(len(a.games))
}
