package verify

import (
	"crypto/sha256"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	library "drawhouse/rulebook/rules"
)

// rulesOf returns the rules of a book.
func rulesOf(t *testing.T, id string) *rules {
	t.Helper()
	book, err := library.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRules(book)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// endAt is the end of a session at terminal 7.
func endAt(t *testing.T, rulebook string, kind rulebook.VenueKind, channel rulebook.Channel) (*checker, *ending) {
	t.Helper()
	c, r := outAt(record.Place{}), rulesOf(t, rulebook)
	c.terminals[7].kind, c.terminals[7].channel = kind, channel
	return c, &ending{
		SessionEnded: &record.SessionEnded{Request: record.Request{Terminal: 7}}, term: c.terminals[7], rules: r,
		series: &series{}, out: map[string]money.Amount{}, credited: map[uint64]money.Amount{},
	}
}

// TestTenderedWhereNobodyTakesIt tenders cash and chips at terminals that take them, and at others.
func TestTenderedWhereNobodyTakesIt(t *testing.T) {
	for name, x := range map[string]struct {
		rulebook string
		channel  rulebook.Channel
		tender   record.Settlement
		want     string
	}{
		"cash to a writer": {"vic-keno-2015", rulebook.ChannelWriter,
			record.Settlement{Kind: record.TenderCash, Cents: 5}, ""},
		"cash to a display": {"vic-keno-2015", "display", record.Settlement{Kind: record.TenderCash, Cents: 5},
			"cash does not pay at terminal 7"},
		"cash out of a display": {"vic-keno-2015", "display", record.Settlement{Kind: record.TenderCash, Cents: -5}, ""},
		"chips in a casino": {"casino-keno-div2", rulebook.ChannelWriter,
			record.Settlement{Kind: record.TenderChips, Cents: 5}, ""},
		"chips elsewhere": {"vic-keno-2015", rulebook.ChannelWriter,
			record.Settlement{Kind: record.TenderChips, Cents: 5}, "chips do not pay at terminal 7"},
		"chips that go out": {"casino-keno-div2", rulebook.ChannelWriter,
			record.Settlement{Kind: record.TenderChips, Cents: -5}, "chips do not pay at terminal 7"},
	} {
		c, e := endAt(t, x.rulebook, rulebook.VenueCasino, x.channel)
		objects(t, name, c.tendered(e, &x.tender), x.want)
	}
}

// TestPaperThatIsNotTaken uses a paper on which payment is stopped, one that is claimed, and one at a venue that does
// not take it.
func TestPaperThatIsNotTaken(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 40}
	for name, x := range map[string]struct {
		kind rulebook.VenueKind
		put  func(*checker, *ending)
		want string
	}{
		"in a casino": {rulebook.VenueCasino, func(*checker, *ending) {}, ""},
		"in a hotel":  {rulebook.VenueHotel, func(*checker, *ending) {}, "a central_voucher does not pay at terminal 7"},
		"claimed": {rulebook.VenueCasino, func(c *checker, _ *ending) { c.tills.forms.under[flat(place)] = 1 },
			"is claimed on form 1"},
		"for tickets": {rulebook.VenueCasino, func(_ *checker, e *ending) { e.visit.sold = []inVisit{{seq: 50, cents: 5}} },
			"where tickets were sold"},
		"not for long": {rulebook.VenueCasino, func(c *checker, _ *ending) { c.tills.papers[flat(place)].last = 1 },
			"was good to"},
	} {
		c, e := endAt(t, "tas-keno-2023", x.kind, rulebook.ChannelWriter)
		c.now = record.Time(30 * 24 * 3_600_000)
		c.tills.papers[flat(place)] = &paper{id: "central_voucher", cents: 5, claim: record.Hash(sha256.Sum256([]byte("x")))}
		x.put(c, e)
		objects(t, name, c.tendered(e, &record.Settlement{Kind: record.TenderInstrument, Cents: 5, Instrument: place,
			Opening: []byte("x")}), x.want)
	}
}

// TestCardThatMayNotPlay pays for tickets from cards that are excluded or closed, in journals of each level.
func TestCardThatMayNotPlay(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 40}
	sold := []inVisit{{seq: 50, cents: 5}}
	for name, x := range map[string]struct {
		level uint8
		held  card
		sold  []inVisit
		cents money.Amount
		want  string
	}{
		"active":                      {record.LevelFirst, card{status: record.CardActive}, sold, 5, ""},
		"closed":                      {record.LevelFirst, card{status: record.CardClosed}, sold, 5, "may not play"},
		"closed, and nothing is sold": {record.LevelFirst, card{status: record.CardClosed}, nil, 5, ""},
		"excluded": {record.LevelFirst, card{status: record.CardExcluded, until: 101}, sold, 5,
			"may not play"},
		"an exclusion that is over": {record.LevelFirst, card{status: record.CardExcluded, until: 100}, sold, 5, ""},
		"barred since, and active again": {record.LevelGuarded, card{status: record.CardActive, barred: 101}, sold, 5,
			"and it is used"},
		"a closed card is loaded":  {record.LevelGuarded, card{status: record.CardClosed}, nil, -5, "and it is used"},
		"a closed card is emptied": {record.LevelGuarded, card{status: record.CardClosed}, nil, 5, ""},
	} {
		c, e := endAt(t, "vic-keno-2015", rulebook.VenueHotel, rulebook.ChannelWriter)
		c.level, c.now, e.visit.sold = x.level, 100, x.sold
		x.held.cents = 10
		c.tills.cards[1], c.tills.cardAt[flat(place)] = &x.held, 1
		objects(t, name, c.tendered(e, &record.Settlement{Kind: record.TenderCard, Cents: x.cents, Instrument: place}),
			x.want)
	}
}

// TestFundedBeforeTheGuards says of sessions in older journals what has paid for their tickets.
func TestFundedBeforeTheGuards(t *testing.T) {
	ticket := record.Place{Volume: 1, Seq: 50}
	for name, x := range map[string]struct {
		vouchers money.Amount
		funded   []record.Funding
		out      money.Amount // in cash
		want     string
	}{
		"a voucher of the whole price": {10_00, []record.Funding{{Ticket: ticket, ID: "gift_voucher", Cents: 10_00}}, 0, ""},
		"more vouchers than stakes": {10_01, []record.Funding{{Ticket: ticket, ID: "gift_voucher", Cents: 10_00}}, 0,
			"and give no change"},
		"a ticket paid twice": {10_00, []record.Funding{{Ticket: ticket, ID: "gift_voucher", Cents: 10_01}}, 0,
			"pay for ticket 1:50 of the session"},
		"a ticket of another session": {10_00,
			[]record.Funding{{Ticket: record.Place{Volume: 1, Seq: 51}, ID: "gift_voucher", Cents: 1}}, 0,
			"pay for ticket 1:51 of the session"},
		"a voucher that paid nothing": {10_00, []record.Funding{{Ticket: ticket, ID: "gift_voucher", Cents: 9_00}}, 0,
			"were used, and $9.00 are said to have paid"},
		"too much cash":          {0, nil, 10_000_01, "and $10,000.00 is the most"},
		"as much cash as may be": {0, nil, 10_000_00, ""},
	} {
		c, e := endAt(t, "vic-keno-2015", rulebook.VenueHotel, rulebook.ChannelWriter)
		c.level, e.visit.sold, e.vouchers, e.Funded = record.LevelFirst, []inVisit{{seq: flat(ticket), cents: 10_00}},
			x.vouchers, x.funded
		if x.out > 0 {
			e.out["cash"] = x.out
		}
		objects(t, name, c.checkFunded(e), x.want)
	}
}

// TestMeans pays by means that are for more, for less, or for something else.
func TestMeans(t *testing.T) {
	for name, x := range map[string]struct {
		way       rulebook.PayoutMethod
		cents     money.Amount // by that way, with nothing else beside it
		exchanged money.Amount
		checked   bool
		paid      []inVisit
		want      string
	}{
		"a ticket at the most": {rulebook.PayoutMethod{ID: "sst_receipt", Of: "ticket", UpTo: dollars(10)}, 10_00,
			0, false, []inVisit{{cents: 10_00}}, ""},
		"a ticket above the most": {rulebook.PayoutMethod{ID: "sst_receipt", Of: "ticket", UpTo: dollars(10)}, 10_01,
			0, false, []inVisit{{cents: 10_01}}, "and $10.00 is the most at this terminal"},
		"from its amount on": {rulebook.PayoutMethod{ID: "cheque", From: dollars(10)}, 10_00, 0, false, nil, ""},
		"below its amount": {rulebook.PayoutMethod{ID: "cheque", From: dollars(10)}, 9_99, 0, false, nil,
			"which is for more"},
		"over its amount": {rulebook.PayoutMethod{ID: "cheque", Over: dollars(10)}, 10_01, 0, false, nil, ""},
		"not over its amount": {rulebook.PayoutMethod{ID: "cheque", Over: dollars(10)}, 10_00, 0, false, nil,
			"which is for more"},
		"major prizes": {rulebook.PayoutMethod{ID: "cheque", MajorOrClaim: true}, 3_00, 0, false, nil, ""},
		"more than major prizes": {rulebook.PayoutMethod{ID: "cheque", MajorOrClaim: true}, 3_01, 0, false, nil,
			"and major prizes come to $3.00"},
		"exchanged": {rulebook.PayoutMethod{ID: "cheque", Exchange: true}, 5_00, 5_00, false, nil, ""},
		"more than is exchanged": {rulebook.PayoutMethod{ID: "cheque", Exchange: true}, 5_01, 5_00, false, nil,
			"and vouchers of $5.00 are exchanged"},
		"exchanged beside a prize": {rulebook.PayoutMethod{ID: "cheque", Exchange: true}, 5_00, 5_00, false,
			[]inVisit{{cents: 1}}, "and vouchers of $5.00 are exchanged"},
		"looked up": {rulebook.PayoutMethod{ID: "cheque", Exclusion: true}, 1, 0, true, nil, ""},
		"nobody looked up the exclusion": {rulebook.PayoutMethod{ID: "cheque", Exclusion: true}, 1, 0, false, nil,
			"nobody looked up"},
	} {
		e := &ending{SessionEnded: &record.SessionEnded{Checked: x.checked}, out: map[string]money.Amount{x.way.ID: x.cents},
			exchanged: x.exchanged}
		e.visit.paid, e.visit.majors = x.paid, 3_00
		objects(t, name, e.checkMeans(&x.way, x.cents), x.want)
	}
}

// TestCountedAtTheEnd: a session that hands out nothing counts nothing against limits.
func TestCountedAtTheEnd(t *testing.T) {
	for cents, want := range map[money.Amount]string{0: "", 1: "it says that $0.01 count against limits, and $0.00 do"} {
		c, e := endAt(t, "vic-keno-2015", rulebook.VenueHotel, rulebook.ChannelWriter)
		c.level, e.CountedCents = record.LevelSeries, cents
		objects(t, cents.String(), c.checkPay(e, 0, 0), want)
	}
}

// TestPapersOfMore: the papers that an end gives are for no more than the customer had, and one with the life of an
// earlier paper is for money that had that life.
func TestPapersOfMore(t *testing.T) {
	for _, x := range []struct {
		cents money.Amount
		odd   bool
		want  string
	}{
		{5_00, false, ""}, {5_01, false, "and nothing that the customer had is"},
		{2_00, true, "and nothing that the customer had is"},
	} {
		_, e := endAt(t, "vic-keno-2015", rulebook.VenueHotel, rulebook.ChannelWriter)
		e.purse.today, e.purse.cash = day.MustParse("2026-11-15"), 2_00
		e.purse.put(part{id: originPrize, of: 50, cents: 3_00}, 50, false)
		e.given = []*paper{{id: "change_receipt", cents: x.cents, last: e.purse.today + 365, odd: x.odd}}
		objects(t, x.cents.String(), e.papersLive(), x.want)
	}
}

// TestSessionOfNoSeries ends a session in a house that has begun none, and one on another day than the Keno Day.
func TestSessionOfNoSeries(t *testing.T) {
	end := &record.SessionEnded{Request: record.Request{Terminal: 7, Number: 1}, Session: 1, Day: 5}
	c := outAt(record.Place{})
	_, err := c.sessionEnded(end)
	objects(t, "no series", err, "a session of series 1 ends, which has not begun")
	c = outAt(record.Place{})
	c.series[1] = &series{day: 6, changes: []change{{terms: &terms{rules: rulesOf(t, "vic-keno-2015")}}}}
	_, err = c.sessionEnded(end)
	objects(t, "another day", err, "and the Keno Day is")
}
