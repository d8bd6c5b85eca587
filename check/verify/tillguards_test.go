package verify

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// atTill is a house with one series of a rulebook on 2026-11-15, a ticket at place 50 and a gift voucher at place 60.
func atTill(t *testing.T, id string) *checker {
	t.Helper()
	c := outAt(record.Place{})
	today := day.MustParse("2026-11-15")
	c.now = record.Time(today-day.MustParse("1970-01-01"))*24*3_600_000 + 12*3_600_000
	c.series[1] = &series{id: 1, day: today, dayOpen: true, changes: []change{{terms: &terms{rules: rulesOf(t, id)}}}}
	c.tickets.sold.turn(1)
	c.tickets.sold.set(flat(tillTicket))
	c.tills.papers[flat(tillPaper)] = &paper{id: "gift_voucher", series: 1, cents: 10_00, kept: today - 1}
	c.people.persons[1], c.people.persons[2] = &member{}, &member{}
	c.seq = 99
	return c
}

var (
	tillTicket = record.Place{Volume: 1, Seq: 50}
	tillPaper  = record.Place{Volume: 1, Seq: 60}
)

// TestSettles: what is settled by itself is settled in cash, and not while a session is open.
func TestSettles(t *testing.T) {
	for name, x := range map[string]struct {
		tenders []record.Tender
		open    bool
		want    string
	}{
		"in cash":      {[]record.Tender{{Kind: record.TenderCash, Cents: 5}}, false, ""},
		"in chips":     {[]record.Tender{{Kind: record.TenderChips, Cents: 5}}, false, "is none of a single act"},
		"in a session": {nil, true, ""},
		"in cash, beside a visit": {[]record.Tender{{Kind: record.TenderCash, Cents: 5}}, true,
			"and a session is open at terminal 7"},
	} {
		c := outAt(record.Place{})
		if x.open {
			c.terminals[7].visit = new(visit)
		}
		_, _, err := c.settles(CheckPayments, c.terminals[7], 7, x.tenders)
		objects(t, name, err, x.want)
	}
}

// TestStoppedTwice stops what is stopped, lets go what is not, and asks for what is stopped.
func TestStoppedTwice(t *testing.T) {
	places := []record.Place{tillTicket}
	parties := rulesOf(t, "vic-keno-2015").book.Disqualify().By
	var all []record.Decider
	for _, party := range parties {
		all = append(all, record.Decider{Party: party, Reference: "letter"})
	}
	for name, x := range map[string]struct {
		before stops
		do     func(*checker) error
		want   string
	}{
		"frozen": {stops{}, func(c *checker) error { return c.paymentFrozen(&record.PaymentFrozen{Places: places}) },
			""},
		"frozen twice": {stops{frozen: true},
			func(c *checker) error { return c.paymentFrozen(&record.PaymentFrozen{Places: places}) },
			"is not stopped so that this can be"},
		"disqualified": {stops{}, func(c *checker) error {
			return c.ticketDisqualified(&record.TicketDisqualified{Ticket: tillTicket, Deciders: all})
		}, ""},
		"disqualified twice": {stops{disqualified: true}, func(c *checker) error {
			return c.ticketDisqualified(&record.TicketDisqualified{Ticket: tillTicket, Deciders: all})
		}, "is not stopped so that this can be"},
		"one party is missing": {stops{}, func(c *checker) error {
			return c.ticketDisqualified(&record.TicketDisqualified{Ticket: tillTicket, Deciders: all[1:]})
		}, "has not disqualified ticket"},
		"reinstated": {stops{disqualified: true},
			func(c *checker) error { return c.ticketReinstated(&record.TicketReinstated{Ticket: tillTicket}) }, ""},
		"not disqualified": {stops{},
			func(c *checker) error { return c.ticketReinstated(&record.TicketReinstated{Ticket: tillTicket}) },
			"is not stopped so that this can be"},
		"claimed": {stops{}, func(c *checker) error { return c.checkClaimable(flat(tillTicket)) }, ""},
		"claimed, frozen": {stops{frozen: true}, func(c *checker) error { return c.checkClaimable(flat(tillTicket)) },
			"is stopped"},
		"claimed, disqualified": {stops{disqualified: true},
			func(c *checker) error { return c.checkClaimable(flat(tillTicket)) }, "is stopped"},
		"a winner's name": {stops{},
			func(c *checker) error { return c.anonymitySet(&record.AnonymitySet{Ticket: tillTicket}) }, ""},
		"the name of no winner": {stops{}, func(c *checker) error {
			return c.anonymitySet(&record.AnonymitySet{Ticket: record.Place{Volume: 1, Seq: 51}})
		}, "is no ticket or paper before it"},
	} {
		c := atTill(t, "vic-keno-2015")
		c.tills.stopped[flat(tillTicket)] = x.before
		objects(t, name, x.do(c), x.want)
	}
}

// TestCardStatus sets the status of cards in journals of before the guards, where an exclusion ended no sooner either.
func TestCardStatus(t *testing.T) {
	for name, x := range map[string]struct {
		card   uint32
		held   card
		status record.CardStatus
		want   string
	}{
		"closed":       {1, card{status: record.CardActive}, record.CardClosed, ""},
		"no such card": {2, card{status: record.CardActive}, record.CardClosed, "card 2 does not exist"},
		"active while it is excluded": {1, card{status: record.CardExcluded, until: 1 << 50}, record.CardActive,
			"card 1 does not exist or is excluded"},
		"active after its exclusion": {1, card{status: record.CardExcluded, until: 1}, record.CardActive, ""},
		"active, and its holder unknown": {1, card{status: record.CardClosed, erased: true}, record.CardActive,
			"nobody knows its holder"},
		"closed, and its holder unknown": {1, card{status: record.CardActive, erased: true}, record.CardClosed, ""},
	} {
		c := atTill(t, "vic-keno-2015")
		c.level = record.LevelFirst
		c.tills.cards[1] = &x.held
		objects(t, name, c.cardStatusSet(&record.CardStatusSet{Card: x.card, Status: x.status}), x.want)
	}
}

// TestCardTold tells the holder of a card of tickets.
func TestCardTold(t *testing.T) {
	for name, x := range map[string]struct {
		card uint32
		put  func(*checker)
		want string
	}{
		"a prize that waits":   {1, func(*checker) {}, ""},
		"no such card":         {2, func(*checker) {}, "card 2 was not registered"},
		"paid by another card": {1, func(c *checker) { c.tills.cardAt[40] = 9 }, "which the card has not paid for"},
		"paid in cash": {1, func(c *checker) { c.tills.paidBy[flat(tillTicket)][0].id = originCash },
			"which the card has not paid for"},
		"payment is stopped": {1, func(c *checker) { c.tills.stopped[flat(tillTicket)] = stops{frozen: true} },
			"is stopped"},
		"nothing was won": {1, func(c *checker) { c.series[1].games[0].winners = nil }, "for which no prize waits"},
		"what was won is withheld": {1, func(c *checker) {
			c.series[1].games[0].winners = nil
			c.tills.withheld[flat(tillTicket)] = brought{cents: 5}
		}, ""},
		"what was won has been had": {1, func(c *checker) { c.series[1].games[0].winners[0].paid = 5 },
			"for which no prize waits"},
	} {
		c := atTill(t, "vic-keno-2015")
		c.level = record.LevelSeries
		c.tills.cards[1], c.tills.cardAt[40] = &card{}, 1
		c.tills.paidBy[flat(tillTicket)] = []part{{id: originCard, of: 40, cents: 5}}
		c.series[1].games = []*game{{winners: []winner{{seq: flat(tillTicket), cents: 5}}}}
		x.put(c)
		objects(t, name, c.cardNotified(&record.CardNotified{Card: x.card, Tickets: []record.Place{tillTicket}}), x.want)
	}
}

// TestPapersExpire lets papers expire that do not, on days that are none, to where their money does not go.
func TestPapersExpire(t *testing.T) {
	type expiry = record.InstrumentsExpired
	for name, x := range map[string]struct {
		put  func(*checker, *expiry)
		want string
	}{
		"in time":                 {func(*checker, *expiry) {}, ""},
		"of no series":            {func(_ *checker, b *expiry) { b.Series = 2 }, "which is not the Keno Day"},
		"on a day that is closed": {func(c *checker, _ *expiry) { c.series[1].dayOpen = false }, "which is not the Keno Day"},
		"on another day":          {func(_ *checker, b *expiry) { b.Day++ }, "which is not the Keno Day"},
		"of no kind":              {func(_ *checker, b *expiry) { b.ID = "banknote" }, "the money of a banknote goes to"},
		"of a kind that never ends": {func(c *checker, b *expiry) {
			b.ID, b.To, c.tills.papers[flat(tillPaper)].id = "player_card", "", "player_card"
		}, "the money of a player_card goes to"},
		"to nobody":     {func(_ *checker, b *expiry) { b.To = "charity" }, "the money of a gift_voucher goes to"},
		"to another":    {func(_ *checker, b *expiry) { b.To = "treasurer" }, "the money of a gift_voucher goes to"},
		"no such paper": {func(_ *checker, b *expiry) { b.List[0].Instrument.Seq++ }, "does not expire on"},
		"of another kind": {func(c *checker, _ *expiry) { c.tills.papers[flat(tillPaper)].id = "prepaid_voucher" },
			"does not expire on"},
		"for more": {func(_ *checker, b *expiry) { b.List[0].Cents++ }, "does not expire on"},
		"without an end": {func(c *checker, _ *expiry) { c.tills.papers[flat(tillPaper)].kept = 0 },
			"does not expire on"},
		"on its last day": {func(c *checker, b *expiry) { c.tills.papers[flat(tillPaper)].kept = b.Day },
			"does not expire on"},
		"under a claim": {func(c *checker, _ *expiry) { c.tills.forms.under[flat(tillPaper)] = 1 },
			"does not expire on"},
		"nobody has paid for it": {func(c *checker, _ *expiry) { c.tills.unsettled[flat(tillPaper)] = 7 },
			"does not expire on"},
	} {
		c := atTill(t, "vic-keno-2015")
		kind, _ := c.series[1].rulesNow().book.Instrument("gift_voucher")
		b := &expiry{Series: 1, Day: c.series[1].day, ID: "gift_voucher", To: kind.ExpiresTo,
			List: []record.Expired{{Instrument: tillPaper, Cents: 10_00}}}
		x.put(c, b)
		_, err := c.papersExpired(b)
		objects(t, name, err, x.want)
	}
}

// TestPapersIssued issues papers that are none, in sessions that are none, and for what does not buy them.
func TestPapersIssued(t *testing.T) {
	type issue = record.InstrumentIssued
	cash := []record.Tender{{Kind: record.TenderCash, Cents: 10_00}}
	operator := func(c *checker, b *issue) {
		b.Reason, b.Tenders, b.ID = record.IssuedByOperator, nil, "prepaid_voucher"
		life(c, b)
	}
	refund := func(c *checker, b *issue, cents money.Amount) {
		c.terminals[7].session, c.terminals[7].series = 1, 1
		c.terminals[7].visit = &visit{brought: map[uint64]brought{flat(tillTicket): {parts: []part{{id: "gift_voucher",
			of: flat(tillPaper), cents: cents}}}}}
		b.Reason, b.Tenders, b.For, b.Replaces = record.IssuedAsRefund, nil, tillTicket, []record.Place{tillPaper}
	}
	for name, x := range map[string]struct {
		rulebook string
		put      func(*checker, *issue)
		want     string
	}{
		"sold": {"vic-keno-2015", func(*checker, *issue) {}, ""},
		"in no series": {"vic-keno-2015", func(_ *checker, b *issue) { b.Series = 2 },
			"series 2 or terminal 7 does not exist"},
		"at no terminal": {"vic-keno-2015", func(_ *checker, b *issue) { b.Request.Terminal = 3 },
			"series 1 or terminal 3 does not exist"},
		"no paper of these rules": {"vic-keno-2015", func(_ *checker, b *issue) { b.ID = "sst_receipt" },
			"there is no paper sst_receipt"},
		"chips, which are no paper": {"casino-keno-div2",
			func(c *checker, b *issue) { b.ID, b.GameType, b.LastDay, b.Kept = "chips", "", 0, 0 }, "there is no paper chips"},
		"of another day": {"vic-keno-2015", func(_ *checker, b *issue) { b.Day++ }, "or it is not of"},
		"an old request": {"vic-keno-2015", func(c *checker, _ *issue) { c.terminals[7].number = 5 },
			"and numbers rise"},
		"without a licence": {"vic-keno-2015", func(c *checker, _ *issue) { c.venues[1].sells[1] = false },
			"venue 1 sells series 1 without a licence"},
		"in another's session": {"vic-keno-2015",
			func(c *checker, _ *issue) { c.terminals[7].session, c.terminals[7].series = 1, 2 },
			"session 1 of terminal 7 is of series 2"},
		"at a terminal shut out": {"vic-keno-2015",
			func(c *checker, b *issue) { b.Request.Terminal = 9; c.people.posts[9] = 1 }, "terminal 9 was shut out"},
		"an old session": {"vic-keno-2015", func(c *checker, _ *issue) { c.terminals[7].session = 5 },
			"follows its session 5"},
		"that is not sold": {"vic-keno-2015", func(c *checker, b *issue) {
			b.ID = "prepaid_voucher"
			life(c, b)
		}, "a prepaid_voucher is not bought"},
		"given": {"vic-keno-2015", operator, ""},
		"given in a session": {"vic-keno-2015", func(c *checker, b *issue) {
			operator(c, b)
			c.terminals[7].session, c.terminals[7].series, c.terminals[7].visit = 1, 1, new(visit)
		}, "the operator gives a paper in a session, or for money"},
		"given for money": {"vic-keno-2015", func(c *checker, b *issue) { operator(c, b); b.Tenders = cash },
			"the operator gives a paper in a session, or for money"},
		"given, and turned into money": {"vic-keno-2015",
			func(c *checker, b *issue) { operator(c, b); b.ID, b.GameType = "change_receipt", ""; life(c, b) },
			"which stands for money that was paid"},
		"given back": {"vic-keno-2015", func(c *checker, b *issue) { refund(c, b, 10_00) }, ""},
		"given back for more": {"vic-keno-2015", func(c *checker, b *issue) { refund(c, b, 9_99) },
			"which has not paid for ticket"},
	} {
		c := atTill(t, x.rulebook)
		c.people.posts[7] = 1
		c.venues = map[uint32]venue{1: {sells: map[uint8]bool{1: true}}}
		c.terminals[7].kind, c.terminals[7].channel = rulebook.VenueHotel, rulebook.ChannelWriter
		b := &issue{
			Request: record.Request{Terminal: 7, Number: 1}, Session: 1, Series: 1, ID: "gift_voucher", Cents: 10_00,
			Day: c.series[1].day, GameType: "classic", Reason: record.IssuedForMoney, Tenders: cash,
		}
		life(c, b)
		x.put(c, b)
		_, err := c.paperIssued(b)
		objects(t, name, err, x.want)
	}
}

// life gives a paper the life that its rulebook says.
func life(c *checker, b *record.InstrumentIssued) {
	kind, _ := c.series[1].rulesNow().book.Instrument(b.ID)
	b.LastDay = lifeFrom(b.Day, kind.Life)
	if b.Kept = b.LastDay; kind.FormLife != nil {
		b.Kept = lifeFrom(b.Day, kind.FormLife)
	}
}

// TestLivesOfPapers: a paper without an end has none, and another is good as long as its rulebook says, or as a shorter
// time that was announced.
func TestLivesOfPapers(t *testing.T) {
	today := day.MustParse("2026-11-15")
	year := &rulebook.Life{Years: 1}
	for name, x := range map[string]struct {
		kind            rulebook.Instrument
		day, last, kept day.Day
		want            string
	}{
		"without an end":         {rulebook.Instrument{}, today, 0, 0, ""},
		"an end that it has not": {rulebook.Instrument{}, today, today, 0, "has no end"},
		"kept to no end":         {rulebook.Instrument{}, today, 0, today, "has no end"},
		"a year":                 {rulebook.Instrument{Life: year}, today, today + 365, today + 365, ""},
		"a day more":             {rulebook.Instrument{Life: year}, today, today + 366, today + 365, "are right"},
		"a day less":             {rulebook.Instrument{Life: year}, today, today + 364, today + 365, "are right"},
		"kept a day less":        {rulebook.Instrument{Life: year}, today, today + 365, today + 364, "are right"},
		"a shorter time":         {rulebook.Instrument{Life: year, ShorterLife: true}, today, today + 5, today + 365, ""},
		"a shorter time, for more": {rulebook.Instrument{Life: year, ShorterLife: true}, today, today + 366, today + 365,
			"are right"},
		"over before it began": {rulebook.Instrument{Life: year, ShorterLife: true}, today, today - 1, today + 365,
			"are right"},
		"of no calendar": {rulebook.Instrument{Life: year}, day.MustParse("9999-11-15"), 0, 0, "are right"},
		"good to a day of no calendar": {
			rulebook.Instrument{Life: year, FormLife: &rulebook.Life{Days: 1}}, day.MustParse("9999-11-15"), 0,
			day.MustParse("9999-11-16"), "are right",
		},
		"kept to a day of no calendar": {
			rulebook.Instrument{Life: &rulebook.Life{Days: 1}, FormLife: year}, day.MustParse("9999-11-15"),
			day.MustParse("9999-11-16"), 0, "are right",
		},
	} {
		objects(t, name, checkLife(&x.kind, &record.InstrumentIssued{ID: "x", Day: x.day, LastDay: x.last, Kept: x.kept}),
			x.want)
	}
}

// TestForfeits takes prizes for the Crown that nobody has won, that are gone, or under rules that know no forfeit.
func TestForfeits(t *testing.T) {
	for name, x := range map[string]struct {
		rulebook string
		put      func(*checker, *record.PrizeForfeited)
		want     string
	}{
		"a prize": {"tas-keno-2023", func(*checker, *record.PrizeForfeited) {}, ""},
		"an old request": {"tas-keno-2023", func(c *checker, _ *record.PrizeForfeited) { c.terminals[7].number = 5 },
			"and numbers rise"},
		"no winner": {"tas-keno-2023",
			func(c *checker, _ *record.PrizeForfeited) { c.series[1].games[0].winners = nil }, "has no prize of $0.05"},
		"less": {"tas-keno-2023", func(_ *checker, b *record.PrizeForfeited) { b.Parts[0].Cents-- },
			"has no prize of $0.04"},
		"gone": {"tas-keno-2023",
			func(c *checker, _ *record.PrizeForfeited) { c.series[1].games[0].unclaimed.at = "treasurer" },
			"have gone to treasurer"},
		"no forfeit": {"vic-keno-2015", func(*checker, *record.PrizeForfeited) {}, "these rules know no forfeit"},
		"withheld":   {"tas-keno-2023", func(_ *checker, b *record.PrizeForfeited) { b.Parts[0].Ordinal = 0 }, ""},
		"less withheld": {"tas-keno-2023",
			func(_ *checker, b *record.PrizeForfeited) { b.Parts[0].Ordinal, b.Parts[0].Cents = 0, 4 },
			"that were withheld are forfeited"},
		"withheld, no forfeit": {"vic-keno-2015", func(_ *checker, b *record.PrizeForfeited) { b.Parts[0].Ordinal = 0 },
			"these rules know no forfeit"},
	} {
		c := atTill(t, x.rulebook)
		c.tickets.presented.turn(1)
		c.tills.withheld[flat(tillTicket)] = brought{cents: 5, series: 1,
			parts: []part{{id: originPrize, of: flat(tillTicket), cents: 5}}}
		c.series[1].games = []*game{{stage: stageSettled, terms: c.series[1].changes[0].terms,
			winners: []winner{{seq: flat(tillTicket), cents: 5}}}}
		b := &record.PrizeForfeited{Request: record.Request{Terminal: 7, Number: 1}, Series: 1, Ticket: tillTicket,
			Parts: []record.PaidPart{{Ordinal: 1, Cents: 5}}}
		x.put(c, b)
		_, err := c.prizeForfeited(b)
		objects(t, name, err, x.want)
	}
}

// TestBanks moves and counts the banks of terminals and persons that are not there, and counts one in a session.
func TestBanks(t *testing.T) {
	for name, x := range map[string]struct {
		terminal, by, with uint32
		open               bool
		moved, counted     string
	}{
		"two persons":    {7, 1, 2, false, "", ""},
		"no terminal":    {3, 1, 2, false, "terminal 3 or one of two persons", "terminal 3 or one of two persons"},
		"no person":      {7, 3, 2, false, "one of two persons", "one of two persons"},
		"no second":      {7, 1, 3, false, "one of two persons", "one of two persons"},
		"in the session": {7, 1, 2, true, "", "the bank of terminal 7 should have"},
	} {
		c := atTill(t, "vic-keno-2015")
		if x.open {
			c.terminals[7].visit = new(visit)
		}
		_, err := c.bankMoved(&record.BankMoved{Terminal: x.terminal, By: x.by, With: x.with, Move: record.BankDrop,
			Cents: 5})
		objects(t, name, err, x.moved)
		_, err = c.bankCounted(&record.BankCounted{Terminal: x.terminal, By: x.by, With: x.with})
		objects(t, name, err, x.counted)
	}
}
