package counter

import (
	"cmp"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// held is money of one origin that the customer has in the session.
type held struct {
	state.Lot
	from record.Place // the ticket that brought it; the zero place for what was tendered
}

// purse is what a customer has in a session, as far as it says what pays for the tickets and what
// goes back as what it was.
type purse struct {
	book  *rulebook.Book
	today day.Day
	open  *state.Open
	lots  []held // by origin; cash apart
}

// brought returns what tickets have brought, by origin.
func brought(open *state.Open) []held {
	var all []held
	for _, in := range slices.Concat(open.Paid, open.Cancelled) {
		for _, l := range in.Lots {
			all = append(all, held{l, in.Place})
		}
	}
	return all
}

// purse returns what the customer has: what tickets have brought, and what was tendered.
func (e *ending) purse() purse {
	return purse{e.series.Book, e.series.Today(e.Now), e.open, append(brought(e.open), e.lots...)}
}

// spend says what pays for the tickets of the session.
func (e *ending) spend() error {
	p := e.purse()
	e.spent = p.spend()
	e.lots = p.lots
	return nil
}

// spend says what pays for the tickets of the session: what the rulebook puts first is spent
// first, and cash at last. A ticket that was sold and cancelled in the session is not paid for.
//
//rule:vic-keno-2015 2(a).parlay 11(a)(ii) 11(a)(iv) 11(a)(vi) 17(e)
//rule:tas-keno-2023 1.19 1.21
//rule:casino-keno-div2 4.1
func (p *purse) spend() (spent []record.Spent) {
	slices.SortStableFunc(p.lots, func(a, b held) int {
		// Of one kind, what is for one type of game alone is bound more than what is for any.
		return cmp.Or(cmp.Compare(p.rank(a.ID), p.rank(b.ID)), cmp.Compare(forAny(a), forAny(b)))
	})
	for _, in := range p.open.Sold {
		cost := in.Cents - p.ownRefund(in.Place)
		first := len(spent)
		for i := range p.lots {
			l := &p.lots[i]
			part := min(l.Cents, cost)
			if part <= 0 || !p.buys(l) || !l.PaysFor(in.Types) {
				continue
			}
			spent = append(spent, record.Spent{Ticket: in.Place, ID: l.ID, Of: l.Of, Cents: part})
			l.Cents -= part
			cost -= part
		}
		if cost > 0 && len(spent) > first {
			spent = append(spent, record.Spent{Ticket: in.Place, ID: state.OriginCash, Cents: cost})
		}
	}
	return JoinSpent(spent)
}

// forAny is 1 for money that pays for any type of game, and 0 for what is for one alone.
func forAny(l held) int {
	if l.GameType == "" {
		return 1
	}
	return 0
}

// rank is the place of an origin in the order in which money is spent.
func (p *purse) rank(id string) int {
	_, rank := p.book.Origin(id)
	return rank
}

// ownRefund returns what a ticket of the session gave back in the session itself.
func (p *purse) ownRefund(ticket record.Place) (sum money.Amount) {
	for _, in := range slices.Concat(p.open.Paid, p.open.Cancelled) {
		if in.Place == ticket {
			sum += in.Own
		}
	}
	return sum
}

// buys reports whether money may pay for tickets. What a voucher had paid, and comes back
// after the voucher's time, does not.
func (p *purse) buys(l *held) bool {
	return l.LastDay == 0 || p.today <= l.LastDay
}

// returning spends, and returns what of the money that tickets brought then goes back as what it was:
// the lots that are left, each whole. A card takes its money where takes says so.
func (p *purse) returning(takes func(card record.Place) bool) (all []held) {
	p.spend()
	for _, l := range p.lots {
		origin, _ := p.book.Origin(l.ID)
		if _, ok := origin.Way(rulebook.Same); !ok || l.Cents == 0 || l.from == (record.Place{}) {
			continue
		}
		if l.ID != state.OriginCard || takes(l.Of) {
			all = append(all, l)
		}
	}
	return all
}

// returns is what goes back as what it was with what is tendered so far.
func (e *ending) returns() (sum money.Amount) {
	p := e.purse()
	for _, l := range p.returning(e.takes) {
		sum += l.Cents
	}
	return sum
}

// takes reports whether the card at a place takes money: nothing goes to one that is closed, or whose
// holder is excluded.
func (e *ending) takes(card record.Place) bool {
	c, ok := e.state.CardAt(card)
	return ok && c.Account().Takes(e.Now)
}

// giveBack gives money back that may leave as what it was alone: vouchers as vouchers with
// the life that they had, and the money of a card to the card. A voucher that is tendered and
// worth more than the tickets is refused: there is no change, and nothing is lost unseen.
//
//rule:vic-keno-2015 12(c) 13 17(e)
//rule:tas-keno-2023 1.76
func (e *ending) giveBack() error {
	for i := range e.lots {
		l := &e.lots[i]
		origin, _ := e.series.Book.Origin(l.ID)
		way, ok := origin.Way(rulebook.Same)
		if !ok || l.Cents == 0 {
			continue
		}
		var err error
		switch {
		case l.ID == state.OriginCard:
			e.toCard(l)
			continue
		case l.from == record.Place{}:
			err = refuse(VoucherNoChange, origin.Quoted(), "papers",
				"The vouchers are worth %v more than the tickets cost that they may pay for. A voucher gives no change.",
				e.unspent())
		default:
			err = e.issue(e.living(l.Lot, way), record.IssuedAsRefund, l.from)
		}
		if err != nil {
			return err
		}
		l.Cents = 0
	}
	return nil
}

// unspent returns what tendered vouchers have left.
func (e *ending) unspent() (sum money.Amount) {
	for _, l := range e.lots {
		origin, _ := e.series.Book.Origin(l.ID)
		if _, ok := origin.Way(rulebook.Same); ok && l.ID != state.OriginCard && l.from == (record.Place{}) {
			sum += l.Cents
		}
	}
	return sum
}

// living returns the life and the type of game of a paper that is given for an earlier one. One whose time ended
// while its stake was played is good for the day on which it is given: nobody could use it
// otherwise.
func (e *ending) living(l state.Lot, way rulebook.Leave) state.Lot {
	paper := state.Lot{ID: l.ID, Of: l.Of, Cents: l.Cents}
	if slices.Contains(way.Keeps, "life") && l.LastDay != 0 {
		today := e.series.Today(e.Now)
		paper.LastDay, paper.Kept = max(l.LastDay, today), max(l.Kept, today)
	}
	if slices.Contains(way.Keeps, "game_type") {
		paper.GameType = l.GameType
	}
	return paper
}

// toCard gives the money of a card back that tickets brought. To a card that is closed, or
// whose holder is excluded, nothing goes: the holder gets it as cash.
func (e *ending) toCard(l *held) {
	if l.from == (record.Place{}) {
		return // The holder takes it out.
	}
	if !e.takes(l.Of) {
		return
	}
	unit, _ := ledger.Paper(PlayerCard)
	e.tender(record.Settlement{Kind: record.TenderCard, Cents: -l.Cents, Instrument: l.Of}, ledger.Instruments, unit)
	l.Cents = 0
}

// bought returns what papers were bought for in the session and are not handed back, and what goes to a
// card: the money leaves as cash does.
func (e *ending) bought() (sum money.Amount) {
	for _, in := range e.open.Issued {
		sum += in.Cents
	}
	return sum - e.unsold + max(0, -e.Card.Cents)
}

// checkBought refuses to turn money into papers, or to bring it to a card, that could not
// leave as cash, where cash pays for the rest.
//
//rule:vic-keno-2015 21(d)(i) 21(j)
func (e *ending) checkBought() error {
	counted, err := CheckBought(e.series.Book, e.dues())
	e.counted = max(e.counted, counted)
	return err
}

// wonByCard returns the card that has paid the stakes of tickets which are paid in the
// session, the first if there are several, and what these have won.
//
//rule:vic-keno-2015 21(j)
func (e *ending) wonByCard() (number uint32, won money.Amount) {
	var at record.Place
	for _, l := range e.lots {
		paid := e.state.Lots(l.Of)
		if l.ID != state.OriginPrize || len(paid) == 0 {
			continue
		}
		by := paid[0].Of
		if at != (record.Place{}) && by != at ||
			slices.ContainsFunc(paid, func(p state.Lot) bool { return p.ID != state.OriginCard || p.Of != by }) {
			continue
		}
		at = by
		won += l.Cents
	}
	for _, n := range e.state.Cards() {
		if card, _ := e.state.Card(n); card.Place == at {
			return n, won
		}
	}
	return 0, 0
}

// payPaper gives papers in place of money. Money that was such a paper keeps its life.
func (e *ending) payPaper(share Share) error {
	left := share.Cents
	for i := range e.lots {
		l := &e.lots[i]
		origin, _ := e.series.Book.Origin(l.ID)
		way, ok := origin.Way(share.Means)
		if l.ID != share.Means || !ok || len(way.Keeps) == 0 {
			continue
		}
		part := min(l.Cents, left)
		if part == 0 {
			continue
		}
		paper := e.living(l.Lot, way)
		paper.Cents = part
		if err := e.issue(paper, e.paperReason(), record.Place{}); err != nil {
			return err
		}
		l.Cents -= part
		left -= part
	}
	if left == 0 {
		return nil
	}
	return e.issue(state.Lot{ID: share.Means, Cents: left}, e.paperReason(), record.Place{})
}
