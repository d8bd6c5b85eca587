package verify

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestOriginsAtTheEnd ends sessions in which money becomes what the rulebook does not let it become, one at a time
// (vic-keno-2015 11(b), 12(c), 17(e), 21(d)(i)).
func TestOriginsAtTheEnd(t *testing.T) {
	const ticket, voucher, cardAt = 50, 40, 30
	today := day.MustParse("2026-11-15")
	spent := func(id string, of uint64, cents money.Amount) record.Spent {
		return record.Spent{Ticket: placeOf(ticket), ID: id, Of: placeOf(of), Cents: cents}
	}
	gift := func(cents money.Amount) part {
		return part{id: "gift_voucher", of: voucher, cents: cents, last: today + 300, kept: today + 365}
	}
	sold := func(cents money.Amount, plays ...string) func(*checker, *ending) {
		return func(_ *checker, e *ending) { e.visit.sold = []inVisit{{seq: ticket, cents: cents, plays: plays}} }
	}
	brings := func(p part) func(*checker, *ending) { return func(_ *checker, e *ending) { e.purse.put(p, 45, false) } }
	spends := func(list ...record.Spent) func(*checker, *ending) {
		return func(_ *checker, e *ending) { e.Spent = list }
	}
	replaces := func(p paper) func(*checker, *ending) {
		return func(_ *checker, e *ending) { e.visit.replaced = []replacement{{paper: &p, ticket: 45, of: voucher}} }
	}
	held := func(of card) func(*checker, *ending) {
		return func(c *checker, _ *ending) { c.tills.cards[1], c.tills.cardAt[cardAt] = &of, 1 }
	}
	credits := func(cents money.Amount) func(*checker, *ending) {
		return func(_ *checker, e *ending) { e.credited[cardAt] = cents }
	}
	counts := func(cents money.Amount) func(*checker, *ending) {
		return func(_ *checker, e *ending) { e.CountedCents = cents }
	}
	out := func(means string, cents money.Amount) func(*checker, *ending) {
		return func(_ *checker, e *ending) { e.out[means] += cents }
	}
	type puts = []func(*checker, *ending)
	for name, x := range map[string]struct {
		puts puts
		want string
	}{
		"a prize pays for a ticket": {puts{sold(5_00), brings(part{id: originPrize, of: 45, cents: 5_00}),
			spends(spent(originPrize, 45, 5_00))}, ""},
		"a prize pays for no ticket": {puts{brings(part{id: originPrize, of: 45, cents: 5_00}),
			spends(spent(originPrize, 45, 5_00))}, "which was not sold in the session"},
		"more of a prize than there is": {puts{sold(6_00), brings(part{id: originPrize, of: 45, cents: 5_00}),
			spends(spent(originPrize, 45, 6_00))}, "and the customer has $5.00 of it"},
		"more than the ticket costs": {puts{sold(4_00), brings(part{id: originPrize, of: 45, cents: 5_00}),
			spends(spent(originPrize, 45, 5_00))}, "costs $4.00, and it is said that $5.00 have paid for it"},
		"the prize of another ticket": {puts{sold(5_00), brings(part{id: originPrize, of: 45, cents: 5_00}),
			spends(spent(originPrize, 46, 5_00))}, "and the customer has $0.00 of it"},
		"cash before a prize": {puts{sold(5_00), brings(part{id: originPrize, of: 45, cents: 5_00})},
			"and money has paid that is spent later"},
		"a voucher of another game": {puts{sold(5_00, "classic"),
			brings(part{id: "gift_voucher", of: voucher, cents: 5_00, play: "heads_or_tails"}),
			spends(spent("gift_voucher", voucher, 5_00))}, "a gift_voucher for heads_or_tails pays for ticket"},
		"a voucher that has run out": {puts{sold(5_00),
			brings(part{id: "gift_voucher", of: voucher, cents: 5_00, last: today - 1}),
			spends(spent("gift_voucher", voucher, 5_00))}, "and the customer has $0.00 of it"},
		"a voucher goes back": {puts{brings(gift(5_00)),
			replaces(paper{id: "gift_voucher", cents: 5_00, last: today + 300, kept: today + 365})}, ""},
		"a voucher of more": {puts{brings(gift(5_00)),
			replaces(paper{id: "gift_voucher", cents: 5_01, last: today + 300, kept: today + 365})},
			"gives back no such voucher"},
		"a voucher of a longer life": {puts{brings(gift(5_00)),
			replaces(paper{id: "gift_voucher", cents: 5_00, last: today + 301, kept: today + 365})},
			"gives back no such voucher"},
		"a voucher that is kept longer": {puts{brings(gift(5_00)),
			replaces(paper{id: "gift_voucher", cents: 5_00, last: today + 300, kept: today + 366})},
			"gives back no such voucher"},
		"a voucher for one game": {puts{brings(gift(5_00)),
			replaces(paper{id: "gift_voucher", cents: 5_00, last: today + 300, kept: today + 365, play: "classic"})},
			"gives back no such voucher"},
		"a voucher becomes cash": {puts{brings(gift(5_00)), out(originCash, 5_00), counts(0)},
			"become something else"},
		"a card has its money back": {puts{held(card{}), brings(part{id: originCard, of: cardAt, cents: 5_00}),
			credits(5_00)}, ""},
		"the money of a card becomes cash": {puts{held(card{}), brings(part{id: originCard, of: cardAt, cents: 5_00}),
			out(originCash, 5_00)}, "come back, and do not go to it"},
		"that of a closed card does": {puts{held(card{status: record.CardClosed}),
			brings(part{id: originCard, of: cardAt, cents: 5_00}), out(originCash, 5_00)}, ""},
		"a card is filled on credit": {puts{held(card{}), credits(5_00), func(_ *checker, e *ending) {
			e.purse.cash, e.Tenders = 5_00, []record.Settlement{{Kind: record.TenderUnpaid, Cents: 5_00}}
		}}, "go to a card, and the customer did not pay all"},
		"a card is filled for cash": {puts{held(card{}), credits(5_00),
			func(_ *checker, e *ending) { e.purse.cash = 5_00 }}, ""},
		"a prize leaves": {puts{brings(part{id: originPrize, of: 45, cents: 5_00}), out(originCash, 5_00),
			counts(5_00)}, ""},
		"more leaves than there is": {puts{brings(part{id: originPrize, of: 45, cents: 5_00}), out("cheque", 5_01)},
			"leave as cheque, and $5.00 may"},
		"less counts than does": {puts{brings(part{id: originPrize, of: 45, cents: 5_00}), out(originCash, 5_00),
			counts(4_99)}, "it says that $4.99 count against limits, and $5.00 do"},
		"a receipt for more than there was": {puts{brings(part{id: originPrize, of: 45, cents: 5_00}),
			func(_ *checker, e *ending) { e.given = []*paper{{id: "change_receipt", cents: 5_01}} }},
			"and nothing that the customer had is"},
		"more in cash than is the most": {puts{brings(part{id: originPrize, of: 45, cents: 10_000_01}),
			out(originCash, 10_000_01), counts(10_000_01)}, "and $10,000.00 is the most"},
	} {
		c, e := endAt(t, "vic-keno-2015", rulebook.VenueHotel, rulebook.ChannelWriter)
		c.level, e.purse.today = record.LevelSeries, today
		for _, put := range x.puts {
			put(c, e)
		}
		objects(t, name, c.checkOrigins(e), x.want)
	}
}

// TestEndsOfOtherSessions ends a session that is over already, and one that has not begun while another is open.
func TestEndsOfOtherSessions(t *testing.T) {
	for session, want := range map[uint32]string{4: "follows its session 5", 6: "begins while session 5 is open"} {
		c := outAt(record.Place{})
		c.terminals[7].session, c.terminals[7].visit = 5, &visit{}
		_, err := c.sessionEnded(&record.SessionEnded{Request: record.Request{Terminal: 7, Number: 1}, Session: session})
		objects(t, want, err, want)
	}
}

// TestCancelledAfterAClaim cancels a ticket that was paid as lost on a form.
func TestCancelledAfterAClaim(t *testing.T) {
	ticket := record.Place{Volume: 1, Seq: 50}
	c := outAt(record.Place{})
	cancelled := &record.TicketCancelled{Request: record.Request{Terminal: 7}, Ticket: ticket}
	objects(t, "not claimed", c.exitCancelled(cancelled), "")
	c.tills.forms.lost = map[uint64]int{flat(ticket): 3}
	objects(t, "paid as lost", c.exitCancelled(cancelled), "was paid as lost on form 3")
}

// TestCompulsoryMeans: from its amount on, all that does not leave in cash goes by a means that is compulsory
// (tas-keno-2023 13.7(b)).
func TestCompulsoryMeans(t *testing.T) {
	way := rulebook.PayoutMethod{ID: "central_voucher", From: dollars(10)}
	for other, want := range map[string]string{originCash: "",
		"site_cheque": "what is not in cash goes by central_voucher"} {
		e := &ending{SessionEnded: &record.SessionEnded{}, out: map[string]money.Amount{way.ID: 9_00, other: 1_00}}
		objects(t, other, e.checkMeans(&way, 10_00), want)
	}
}
