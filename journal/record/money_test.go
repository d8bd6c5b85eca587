package record

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
)

// moneySamples holds one record of every kind about sessions, papers and stops.
func moneySamples() []Record {
	request := Request{Terminal: 7, Number: 12, Body: [16]byte{1, 2, 3}}
	ticket, paper := Place{Volume: 1, Seq: 20417}, Place{Volume: 1, Seq: 20418}
	issued := day.MustParse("2026-11-15")
	at := func(b Body, postings ...ledger.Posting) Record {
		return Record{Time: 1_794_700_800_000, Postings: postings, Body: b}
	}
	hash := make([]byte, 32)
	return []Record{
		at(&SessionEnded{
			Request: request, Session: 3, Day: issued, Printed: "runner", Anonymous: true, Checked: true,
			Tenders: []Settlement{
				{Kind: TenderCash, Cents: -500}, {Kind: TenderInstrument, Cents: 300, Instrument: paper, Opening: hash},
				{Kind: TenderCheque, Cents: -800, Particulars: hash},
			},
			Funded: []Funding{{Ticket: ticket, ID: "gift_voucher", Cents: 300}},
		}, ledger.Credit(ledger.Cash, 1, 500), ledger.Debit(ledger.Instruments, 2, 300), ledger.Credit(ledger.Bank, 0, 800),
			ledger.Debit(ledger.Customer, 7, 1000)),
		at(&InstrumentIssued{
			Request: request, Session: 3, Series: 1, ID: "gift_voucher", Cents: 300, Day: issued, LastDay: issued + 30,
			Kept:  issued + 365,
			Claim: Hash{5}, Reason: IssuedForMoney, For: ticket, Tenders: []Tender{{Kind: TenderCash, Cents: 300}},
		}, ledger.Debit(ledger.Cash, 1, 300), ledger.Credit(ledger.Instruments, 2, 300)),
		at(&InstrumentsExpired{Series: 1, Day: issued, ID: "gift_voucher", To: "prize_fund",
			List: []Expired{{Instrument: paper, Cents: 300}}},
			ledger.Debit(ledger.Instruments, 2, 300), ledger.Credit(ledger.PrizeFund, 0, 300)),
		at(&PaperReissued{Request: request, Of: ticket, Claim: Hash{6}, Reason: ReissueContinuation, By: 12}),
		at(&PaperUndelivered{Paper: ticket, Terminal: 7, Reason: "printer"}),
		at(&CardRegistered{Card: 5, Details: Hash{4}, By: 12}),
		at(&CardStatusSet{Card: 5, Status: CardExcluded, Until: Forever, Reason: "own wish"}),
		at(&CardNotified{Card: 5, Tickets: []Place{ticket}, By: 12}),
		at(&PaymentFrozen{Places: []Place{ticket, paper}, Reason: "not paid for", Clause: "16.2", By: 12}),
		at(&PaymentReleased{Places: []Place{ticket}, Reason: "paid after all", By: 12}),
		at(&TicketDisqualified{Ticket: ticket, Reason: "fraud", Clause: "20.1",
			Deciders: []Decider{{Party: "operator", Person: 12}, {Party: "commission", Reference: "C 4"}}}),
		at(&TicketReinstated{Ticket: ticket, Reason: "cleared up", By: 12}),
		at(&TicketInvalidated{Ticket: ticket, Reason: "bet withdrawn", By: 12}),
		at(&PrizeForfeited{Request: request, Ticket: ticket, Series: 1, Parts: []PaidPart{{Ordinal: 90417, Cents: 300}},
			Reason: "under age", Clause: "13.11"},
			ledger.Debit(ledger.Prizes, 0, 300), ledger.Credit(ledger.Crown, 0, 300)),
		at(&AnonymitySet{Ticket: ticket, Anonymous: true, By: 12}),
		at(&VenueLimitSet{Venue: 1, Cents: 500_000, By: 12}),
		at(&BankMoved{Terminal: 7, Move: BankFloat, Cents: 50_000, By: 12, With: 13}, ledger.Debit(ledger.Cash, 1, 50_000),
			ledger.Credit(ledger.Safe, 1, 50_000)),
		at(&BankCounted{Terminal: 7, ExpectCents: 50_000, CountedCents: 49_990, By: 12, With: 13},
			ledger.Debit(ledger.OverShort, 1, 10), ledger.Credit(ledger.Cash, 1, 10)),
		at(&HolidaysNamed{Days: []day.Day{day.MustParse("2026-12-25"), day.MustParse("2026-12-28")}, By: 12}),
		at(&ChequePromised{End: paper, Terminal: 7, Means: "site_cheque", Cents: 44_000, Due: 1_794_787_200_000,
			Tickets: []Place{ticket}, Payee: make([]byte, 32)}),
		at(&ChequeHanded{Cheque: paper, By: 12}),
	}
}

// TestCheques shows which calendars and cheques are none.
func TestCheques(t *testing.T) {
	christmas, place := day.MustParse("2026-12-25"), Place{Volume: 1, Seq: 9}
	for name, bad := range map[string]Body{
		"a day that is none":        &HolidaysNamed{Days: []day.Day{day.None}},
		"a day twice":               &HolidaysNamed{Days: []day.Day{christmas, christmas}},
		"days in another order":     &HolidaysNamed{Days: []day.Day{christmas + 1, christmas}},
		"more days than a calendar": &HolidaysNamed{Days: make([]day.Day, MostHolidays+1)},
		"a cheque of no session":    &ChequePromised{Terminal: 1, Means: "site_cheque", Cents: 1, Due: 1},
		"a cheque of no terminal":   &ChequePromised{End: place, Means: "site_cheque", Cents: 1, Due: 1},
		"a cheque by no means":      &ChequePromised{End: place, Terminal: 1, Cents: 1, Due: 1},
		"a cheque of nothing":       &ChequePromised{End: place, Terminal: 1, Means: "site_cheque", Due: 1},
		"a cheque for half a payee": &ChequePromised{End: place, Terminal: 1, Means: "site_cheque", Cents: 1, Due: 1,
			Payee: make([]byte, 16)},
		"a cheque that is never due":  &ChequePromised{End: place, Terminal: 1, Means: "site_cheque", Cents: 1},
		"a cheque handed by nobody":   &ChequeHanded{Cheque: place},
		"nothing that is handed over": &ChequeHanded{By: 1},
	} {
		if err := checkBody(bad); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := checkBody(&HolidaysNamed{By: 1}); err != nil {
		t.Errorf("a calendar without a day: %v", err)
	}
}

// TestSettlements shows which payments can end a session.
func TestSettlements(t *testing.T) {
	hash := make([]byte, 32)
	paper := Place{Volume: 1, Seq: 1}
	for name, bad := range map[string]Settlement{
		"no kind":                  {Cents: 1},
		"cash that moves nothing":  {Kind: TenderCash},
		"cash that names a paper":  {Kind: TenderCash, Cents: 1, Instrument: paper},
		"paper without a place":    {Kind: TenderInstrument, Cents: 1, Opening: hash},
		"paper without an opening": {Kind: TenderInstrument, Cents: 1, Instrument: paper},
		"paper that goes out":      {Kind: TenderInstrument, Cents: -1, Instrument: paper, Opening: hash},
		"card without a place":     {Kind: TenderCard, Cents: 1},
		"cheque that comes in":     {Kind: TenderCheque, Cents: 1, Particulars: hash},
		"cheque without a payee":   {Kind: TenderSiteCheque, Cents: -1},
		"debt of the house":        {Kind: TenderUnpaid, Cents: -1},
		"refund in cash":           {Kind: TenderCash, Cents: -1, Refund: true},
	} {
		if err := bad.check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, good := range []Settlement{
		{Kind: TenderCash, Cents: -1}, {Kind: TenderChips, Cents: 1}, {Kind: TenderUnpaid, Cents: 1},
		{Kind: TenderInstrument, Cents: 1, Instrument: paper, Opening: hash, Refund: true},
		{Kind: TenderCard, Cents: -1, Instrument: paper}, {Kind: TenderTransfer, Cents: -1, Particulars: hash},
	} {
		if err := good.check(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
}
