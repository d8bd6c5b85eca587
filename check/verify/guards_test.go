package verify_test

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// guardLie is an act that a guard of the house refuses, told just before a record of the
// story: the last record that it writes is the one that verify objects to.
type guardLie struct {
	name   string
	before string
	tell   func(*house)
	reason string // empty for an honest act
}

// asLevel returns the lies with which a story is told at a level.
func (l guardLie) asLevel(level uint8) lies {
	return lies{
		level:  level,
		change: map[string]func(*record.Record){"volume": func(r *record.Record) { r.Body.(*record.VolumeBegun).Level = level }},
		before: map[string]func(*house){l.before: l.tell},
	}
}

// The places in the story: while the first game is on sale, after it is settled, and after
// the second is.
const (
	onSale  = "close 1"
	between = "close 2"
	settled = "pay floor"
)

// writer has somebody sign on at terminal 70.
func (h *house) writer() {
	h.add("writer", &record.PersonAdded{Person: 9, Details: staff.Unnamed(9, record.RoleWriter)})
	h.add("writer's role", &record.RoleGranted{Person: 9, Role: record.RoleWriter, Venue: 7})
	h.add("writer's shift", &record.ShiftBegun{Person: 9, Role: record.RoleWriter, Venue: 7, Terminal: 70})
}

// undelivered says of a ticket that it was not handed over.
func (h *house) undelivered(label, ticket string, terminal uint32) {
	h.add(label, &record.PaperUndelivered{Paper: h.place(ticket), Terminal: terminal, Reason: "no paper"})
}

// reissue prints another sheet. Requests of terminal 71 are free.
func (h *house) reissue(label, ticket string, terminal uint32, number uint64, reason record.ReissueReason) {
	h.add(label, &record.PaperReissued{Request: record.Request{Terminal: terminal, Number: number}, Of: h.place(ticket),
		Claim: claimOf(label), Reason: reason, By: 9})
}

// agreeSheet has the writer ask for another sheet of a ticket, and the supervisor consent.
func (h *house) agreeSheet(ticket string) {
	h.approvals++
	content := staff.ContentOf("reissue_sheet", []byte(h.place(ticket).String()))
	h.add("asked "+ticket, &record.ApprovalRequested{Approval: h.approvals, Action: "reissue_sheet", Content: content,
		Roles: []record.Role{record.RoleSupervisor}, Expires: h.now + 3_600_000, By: 9})
	h.add("agreed "+ticket, &record.ApprovalDecided{Approval: h.approvals, Content: content, Granted: true, By: 1})
	h.add("used "+ticket, &record.ApprovalUsed{Approval: h.approvals, By: 9})
}

// sellsPaper sells a gift voucher at a terminal, before it has sold a ticket of a higher number.
func (h *house) sellsPaper(label string, terminal uint32, number uint64, cents money.Amount) {
	last, err := today.AddMonths(12)
	if err != nil {
		h.t.Fatal(err)
	}
	h.add(label, &record.InstrumentIssued{
		Request: record.Request{Terminal: terminal, Number: number}, Session: uint32(number), Series: series,
		ID: "gift_voucher", Cents: cents,
		Day: today, LastDay: last, Kept: last, Claim: claimOf(label), Reason: record.IssuedForMoney,
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: cents}}, GameType: h.gameType(),
	}, ledger.Debit(ledger.Cash, 7, cents), ledger.Credit(ledger.Instruments, 2, cents))
}

// gameType is that of the vouchers. In an older journal they name none.
func (h *house) gameType() string {
	if h.lies.level < record.LevelGuarded {
		return ""
	}
	return "classic"
}

// attendKiosk has the writer work at terminal 71, whose request numbers are free.
func (h *house) attendKiosk() {
	h.add("writer", &record.PersonAdded{Person: 9, Details: staff.Unnamed(9, record.RoleWriter)})
	h.add("writer's role", &record.RoleGranted{Person: 9, Role: record.RoleWriter, Venue: 7})
	h.add("writer's shift", &record.ShiftBegun{Person: 9, Role: record.RoleWriter, Venue: 7, Terminal: 71})
}

// excluded has a card whose holder is excluded for a day.
func (h *house) excluded() record.Time {
	end := h.now + 24*3_600_000
	h.add("card", &record.CardRegistered{Card: 1, Details: record.Hash{1}})
	h.add("excluded", &record.CardStatusSet{Card: 1, Status: record.CardExcluded, Until: end, Reason: "own wish"})
	return end
}

// inSession sells a ticket at terminal 70 that nobody has paid for.
func (h *house) inSession(label string, first uint32) {
	h.add(label, &record.TicketSold{
		Request: record.Request{Terminal: 70, Number: 8}, Session: 8, Method: "form", Series: series, Ordinal: first,
		Ticket: ticketBytes(h.t, h.rulebook, first, 1, map[int]any{1: "classic", 2: 100, 3: []byte{80}}), CostCents: 100,
		Ways: 1, Claim: claimOf(label),
	}, ledger.Debit(ledger.Customer, 70, 100), ledger.Credit(ledger.Unplayed, 0, 100))
}

// guardLies are acts without their guard, and honest ones beside them.
var guardLies = []guardLie{
	{"honest copy", onSale, func(h *house) {
		h.writer()
		h.undelivered("lie 0", "evens", 70)
		h.reissue("lie", "evens", 70, 8, record.ReissueCopy)
		h.moveOn()
	}, ""},
	{"honest replacement", settled, func(h *house) {
		h.attendKiosk()
		h.agreeSheet("evens")
		h.reissue("lie", "evens", 71, 1, record.ReissueDuplicate)
	}, ""},
	{"undelivered by nobody", onSale, func(h *house) { h.undelivered("lie", "evens", 70) }, "where nobody is on shift"},
	{"undelivered at another terminal", onSale, func(h *house) { h.writer(); h.undelivered("lie", "evens", 71) },
		"was sold at terminal 70"},
	{"undelivered after the seal", settled, func(h *house) { h.writer(); h.undelivered("lie", "evens", 70) },
		"is sealed, and no second person"},
	{"undelivered though paid", settled, func(h *house) { h.writer(); h.undelivered("lie", "five spots", 70) },
		"was paid, and its sheet"},
	{"a copy after the seal", settled, func(h *house) {
		h.writer()
		h.agreeSheet("evens")
		h.undelivered("marked", "evens", 70)
		h.reissue("lie", "evens", 71, 1, record.ReissueCopy)
	}, "is sealed, and no second person"},
	{"a winner printed again by one person", settled, func(h *house) {
		h.writer()
		h.agreeSheet("evens")
		h.undelivered("marked", "evens", 70)
		h.reissue("lie", "evens", 71, 1, record.ReissueDuplicate)
	}, "is sealed, and no second person"},
	{"replaced by one person before the seal", onSale, func(h *house) {
		h.writer()
		h.undelivered("marked", "evens", 70)
		h.reissue("lie", "evens", 70, 8, record.ReissueDuplicate)
		h.moveOn()
	}, "one person makes a copy"},
	{"replaced by two where neither works", settled, func(h *house) {
		h.writer()
		h.approvals++
		content := staff.ContentOf("reissue_sheet", []byte(h.place("evens").String()))
		h.add("stranger", &record.PersonAdded{Person: 10, Details: staff.Unnamed(10, record.RoleWriter)})
		h.add("stranger's role", &record.RoleGranted{Person: 10, Role: record.RoleWriter, Venue: 7})
		h.add("asked", &record.ApprovalRequested{Approval: h.approvals, Action: "reissue_sheet", Content: content,
			Roles: []record.Role{record.RoleSupervisor}, Expires: h.now + 3_600_000, By: 10})
		h.add("agreed", &record.ApprovalDecided{Approval: h.approvals, Content: content, Granted: true, By: 1})
		h.add("used", &record.ApprovalUsed{Approval: h.approvals, By: 10})
		h.reissue("lie", "evens", 71, 1, record.ReissueDuplicate)
	}, "neither on shift there nor a senior"},
	{"honest exclusion", settled, func(h *house) {
		end := h.excluded()
		h.add("longer", &record.CardStatusSet{Card: 1, Status: record.CardExcluded, Until: end + 1, Reason: "own wish"})
		h.add("lie", &record.CardStatusSet{Card: 1, Status: record.CardClosed, Reason: "own wish", By: 2})
	}, ""},
	{"an exclusion lifted through a closed card", settled, func(h *house) {
		h.excluded()
		h.add("closed", &record.CardStatusSet{Card: 1, Status: record.CardClosed, Reason: "own wish", By: 2})
		h.add("lie", &record.CardStatusSet{Card: 1, Status: record.CardActive, Reason: "own wish", By: 2})
	}, "card 1 is excluded to"},
	{"an exclusion made shorter", settled, func(h *house) {
		end := h.excluded()
		h.add("lie", &record.CardStatusSet{Card: 1, Status: record.CardExcluded, Until: end - 1, Reason: "own wish", By: 2})
	}, "card 1 is excluded to"},
	{"honest voucher", between, func(h *house) { h.moveOn(); h.writer(); h.sellsPaper("lie", 70, 12, 1_000_00) }, ""},
	{"a voucher sold by nobody", between, func(h *house) { h.moveOn(); h.sellsPaper("lie", 70, 12, 10_00) },
		"where nobody is on shift"},
	{"a voucher of too much", between, func(h *house) { h.moveOn(); h.writer(); h.sellsPaper("lie", 70, 12, 1_000_01) },
		"$1,000.00 is the most"},
	{"honest vouchers of a day", between, func(h *house) {
		h.moveOn()
		h.writer()
		h.vouchers(9)
		h.sellsPaper("lie", 70,
			21, 1_000_00)
	}, ""},
	{"vouchers of a day of too much", between,
		func(h *house) { h.moveOn(); h.writer(); h.vouchers(10); h.sellsPaper("lie", 70, 22, 1) }, "$10,000.00 is the most"},
	{"cashed at another terminal", onSale, func(h *house) {
		h.inSession("open", 1)
		h.add("lie", &record.TicketCancelled{
			Request: record.Request{Terminal: 71, Number: 1}, Session: 1, Ticket: h.place("open"), Opening: openingOf("open"),
			Series: series, RefundCents: 100,
			Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -100}},
		}, ledger.Debit(ledger.Unplayed, 0, 100), ledger.Credit(ledger.Cash, 7, 100))
		h.add("end", &record.SessionEnded{Request: record.Request{Terminal: 70, Number: 9}, Session: 8, Day: today,
			Tenders: []record.Settlement{{Kind: record.TenderCash, Cents: 100}}},
			ledger.Debit(ledger.Cash, 7, 100), ledger.Credit(ledger.Customer, 70, 100))
		h.moveOn()
	}, "of the session that is open at terminal 70"},
	{"paid at a venue that is closed", between, func(h *house) {
		h.add("closed", &record.HoursSet{Venue: 7})
		h.add("lie", &record.TicketPaid{
			Request: record.Request{Terminal: 70, Number: 12}, Session: 12, Ticket: h.place("evens"),
			Opening: openingOf("evens"), Series: series,
			Parts: []record.PaidPart{{Ordinal: 1, Cents: 800}}, Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -800}},
		}, ledger.Debit(ledger.Prizes, 0, 800), ledger.Credit(ledger.Cash, 7, 800))
		var week []record.Trading
		for weekday := range uint8(7) {
			week = append(week, record.Trading{Weekday: weekday, To: 24 * 60})
		}
		h.add("open again", &record.HoursSet{Venue: 7, Hours: week})
		h.moveOn()
	}, "which is closed: it has no hours"},
	{"honest withholding", between, func(h *house) {
		h.paidInSession("evens", 1, 800)
		h.freeze("frozen", "evens")
		h.endsSession("lie", 800, ledger.Withheld, 0,
			record.Settlement{Kind: record.TenderWithheld, Cents: -800, Instrument: h.place("evens")})
		h.moveOn()
	}, ""},
	{"a session that hands out what is stopped", between, func(h *house) {
		h.paidInSession("evens", 1, 800)
		h.freeze("frozen", "evens")
		h.endsSession("lie", 800, ledger.Cash, 7, record.Settlement{Kind: record.TenderCash, Cents: -800})
		h.moveOn()
	}, "is stopped, and the session hands out the $8.00"},
	{"honest freeze of a voucher", between, func(h *house) {
		h.boughtWith("evens")
		h.freeze("lie", "evens", "bought")
		h.moveOn()
	}, ""},
	{"a freeze that leaves a voucher out", between, func(h *house) {
		h.boughtWith("evens")
		h.freeze("lie", "evens")
		h.moveOn()
	}, "which came of what is stopped"},
}

// paidInSession pays a ticket at terminal 70 into the customer's session.
func (h *house) paidInSession(ticket string, ordinal uint32, cents money.Amount) {
	h.add("paid in session", &record.TicketPaid{
		Request: record.Request{Terminal: 70, Number: 12}, Session: 12, Ticket: h.place(ticket), Opening: openingOf(ticket),
		Series: series,
		Parts:  []record.PaidPart{{Ordinal: ordinal, Cents: cents}},
	}, ledger.Debit(ledger.Prizes, 0, cents), ledger.Credit(ledger.Customer, 70, cents))
}

// endsSession ends that session.
func (h *house) endsSession(label string, cents money.Amount, to ledger.Account, unit uint32,
	tenders ...record.Settlement) {
	moves := []ledger.Posting{ledger.Debit(ledger.Customer, 70, cents), ledger.Credit(to, unit, cents)}
	if cents == 0 {
		moves = nil
	}
	h.add(label, &record.SessionEnded{Request: record.Request{Terminal: 70, Number: 14}, Session: 12, Day: today,
		Tenders: tenders}, moves...)
}

// boughtWith has a gift voucher bought with what a ticket won.
func (h *house) boughtWith(ticket string) {
	h.writer()
	h.paidInSession(ticket, 1, 800)
	last, err := today.AddMonths(12)
	if err != nil {
		h.t.Fatal(err)
	}
	h.add("bought", &record.InstrumentIssued{
		Request: record.Request{Terminal: 70, Number: 13}, Session: 12, Series: series, ID: "gift_voucher", Cents: 800,
		Day: today, LastDay: last, Kept: last, Claim: claimOf("bought"), Reason: record.IssuedForMoney,
		GameType: h.gameType(),
	}, ledger.Debit(ledger.Customer, 70, 800), ledger.Credit(ledger.Instruments, 2, 800))
	h.add("even", &record.SessionEnded{Request: record.Request{Terminal: 70, Number: 14}, Session: 12, Day: today,
		CountedCents: 800})
}

// freeze stops payment on tickets and papers.
func (h *house) freeze(label string, of ...string) {
	var places []record.Place
	for _, name := range of {
		places = append(places, h.place(name))
	}
	h.add(label, &record.PaymentFrozen{Places: places, Reason: "a complaint", By: 1})
}

// vouchers sells so many vouchers of the most that one may be worth.
func (h *house) vouchers(count int) {
	for i := range count {
		h.sellsPaper("voucher", 70, uint64(i)+12, 1_000_00)
	}
}

// moveOn makes room for the requests of an act: what the story asks after it has higher
// numbers.
func (h *house) moveOn() { h.shift = 100 }

// TestGuardsOfEveryWayOut tells acts without their guard: in a journal of the level of the
// guards each is a fault at its record, and in an older journal a finding. Honest acts are
// neither.
func TestGuardsOfEveryWayOut(t *testing.T) {
	for _, lie := range guardLies {
		t.Run(lie.name, func(t *testing.T) {
			h := newHouse(t, lie.asLevel(record.LevelGuarded)).tell()
			report := verify.Run(h.files(), verify.Options{})
			switch {
			case lie.reason == "" && (report.Failure != nil || report.FindingCount != 0):
				t.Errorf("an honest act: %v, %v", report.Failure, report.Findings)
			case lie.reason != "":
				expectFailure(t, report, verify.CheckPayments, h.places, "lie", lie.reason)
			}
			h = newHouse(t, lie.asLevel(record.LevelFirst)).tell()
			report = verify.Run(h.files(), verify.Options{})
			listed := slices.ContainsFunc(report.Findings, func(f verify.Finding) bool {
				return f.Place.Seq == h.places["lie"] && strings.Contains(f.Reason, lie.reason)
			})
			if report.Failure != nil || listed != (lie.reason != "") {
				t.Errorf("in an older journal: %v, findings %v", report.Failure, report.Findings)
			}
		})
	}
}

// paidClaim is of a claim form that is paid.
const paidClaim = `
house
sell A at T1 standard 1 @ 1.00
play 1-20
claim A lost
sign 1 as state_wide_gaming_operative
decide 1 allowed
settle-claim 1 by cheque -> $3.00
`

// TestStopsReachEveryWay puts a stop of payment before a record by which money leaves. The
// house would have refused the record, and verify finds it.
func TestStopsReachEveryWay(t *testing.T) {
	for name, c := range map[string]struct {
		rulebook, story string
		kind            record.Kind
		of              int // the ticket, by its sale
	}{
		"a ticket paid": {"vic-keno-2015", "house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\npay A at T1 -> $15.00\n",
			record.KindTicketPaid, 1},
		"a ticket cancelled": {"vic-keno-2015", "house\nsell A at T1 classic 1 @ 5.00\ncancel A at T1\n",
			record.KindTicketCancelled, 1},
		"a prize forfeited": {"tas-keno-2023", "house\nsell A at T1 standard 1 @ 10.00\nplay 1-20\nforfeit A at T1\n",
			record.KindPrizeForfeited, 1},
		"a claim paid":    {"tas-keno-2023", paidClaim, record.KindClaimPaid, 1},
		"a claim allowed": {"tas-keno-2023", paidClaim, record.KindClaimDecided, 1},
		"a session ended": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1 -> $15.00\nsettle T1\n",
			record.KindSessionEnded, 1},
		"a refund": {"vic-keno-2015", "house\nsell A at T1 classic 1 @ 5.00\nnext T1\ncancel A at T1\nsettle T1\n",
			record.KindSessionEnded, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := tellMoney(t, c.rulebook, c.story)
			if f := s.verified(len(s.Records)); f != nil {
				t.Fatal(f)
			}
			seq, ticket := s.find(c.kind, 1), s.find(record.KindTicketSold, c.of)
			r, err := record.Decode(s.Records[seq])
			require(t, err)
			frozen, err := record.Encode(record.Record{Time: r.Time, Body: &record.PaymentFrozen{
				Places: []record.Place{{Volume: 1, Seq: uint64(ticket)}}, Reason: "a complaint", By: 1,
			}})
			require(t, err)
			if f := s.verified(seq, frozen, s.Records[seq]); f == nil || f.Kind != c.kind ||
				!strings.Contains(f.Reason, "is stopped") {
				t.Errorf("paid all the same: %v", f)
			}
		})
	}
}

// chequeStory is of a customer who is promised a cheque.
const chequeStory = `
house 2026-11-12
sell A at T1 standard 1-3 @ 10.00
play 1-20
next T1
pay A at T1 -> $440.00
settle T1 pay cash 300, site_cheque payee checked
`

// TestChequeOfAFrozenTicket hands over a cheque of a ticket that was frozen since it was
// promised: verify finds it, and not before.
func TestChequeOfAFrozenTicket(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023", chequeStory)
	promised, ticket := s.find(record.KindChequePromised, 1), s.find(record.KindTicketSold, 1)
	last, err := record.Decode(s.Records[len(s.Records)-1])
	require(t, err)
	encoded := func(body record.Body) []byte {
		data, err := record.Encode(record.Record{Time: last.Time, Body: body})
		require(t, err)
		return data
	}
	handed := encoded(&record.ChequeHanded{Cheque: record.Place{Volume: 1, Seq: uint64(promised)}, By: s.operative()})
	frozen := encoded(&record.PaymentFrozen{Places: []record.Place{{Volume: 1, Seq: uint64(ticket)}},
		Reason: "a complaint", By: 1})
	if f := s.verified(len(s.Records), handed); f != nil {
		t.Fatal(f)
	}
	if f := s.verified(len(s.Records), frozen, handed); f == nil || f.Kind != record.KindChequeHanded ||
		!strings.Contains(f.Reason, "is stopped") {
		t.Errorf("handed over all the same: %v", f)
	}
}

// operative returns a person who speaks for the operator.
func (s *teller) operative() uint32 {
	people := s.Engine.State().People()
	for id := uint32(1); id < 2000; id++ {
		if p, ok := people.Person(id); ok && p.HasAny(record.RoleOperative, record.RoleSupervisor) {
			return id
		}
	}
	s.t.Fatal("nobody speaks for the operator")
	return 0
}

// TestCancelledUnderAClaim leaves the decision of a claim out, so that the ticket is given
// back while the claim for it may still be paid.
func TestCancelledUnderAClaim(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023", `
house
sell A at T1 standard 1 @ 1.00 for 3 games
play 1-20
claim A lost
sign 1 as state_wide_gaming_operative
decide 1 refused
cancel A at T1
`)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	decided, cancelled := s.find(record.KindClaimDecided, 1), s.find(record.KindTicketCancelled, 1)
	if f := s.verified(decided, s.Records[decided+1:cancelled+1]...); f == nil || f.Kind != record.KindTicketCancelled ||
		!strings.Contains(f.Reason, "and it is claimed on form 1") {
		t.Errorf("cancelled all the same: %v", f)
	}
}
