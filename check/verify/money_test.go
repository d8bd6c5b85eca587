package verify_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// moneyStory is told in the words of the case files. Every kind of record about
// sessions, papers, cards, stops and tills is in it.
const moneyStory = `
house 2026-11-15
issue Gift at T1 gift_voucher 10.00
issue Prepaid at T1 prepaid_voucher 10.00 by the operator
issue Short at T1 prepaid_voucher 10.00 for 5 days by the operator
card born 1990-05-05
next T1
settle T1 card 1 -50.00 -> card -$50.00, cash $50.00
next T1
sell A at T1 classic 1 @ 30.00
settle T1 card 1 30.00 -> card $30.00
next T1
sell B at T1 classic 1 @ 21.00
settle T1 card 1 20.00 -> card $20.00, cash $1.00
next T1
sell C at T1 classic 1 @ 20.00
settle T1 with Gift -> paper $10.00, cash $10.00
sell D at T1 heads_or_tails heads @ 5001
sell E at T1 classic 1 @ 5.00
next T1
sell F at T1 classic 1 @ 5.00
settle T1 unpaid -> unpaid $5.00
play 1-20
next T1
pay D at T1 -> $10,002.00
settle T1 pay cash 5000, change_receipt 5000, cheque payee = R -> cash -$5,000.00, cheque -$2.00, change_receipt -$5,000.00
freeze E
release E
pay E at T1 -> $15.00
bank T1 drop 50.00
bank T1 count 11.00
day 2026-11-25
next T1
sell G at T1 classic 1 @ 10.00
settle T1 -> cash $10.00
day 2026-12-16
sell H at T1 classic 1 @ 1.00
`

// A teller is a house of the cases whose journal can be told otherwise.
type teller struct {
	*cases.Core
	t      testing.TB
	papers []cases.Paper
	signer journal.Signer
}

// IssuePaper implements cases.House and keeps the claim code.
func (s *teller) IssuePaper(terminal uint32, id string, cents money.Amount, days int, gameType string,
	byOperator bool) (cases.Paper, error) {
	p, err := s.Core.IssuePaper(terminal, id, cents, days, gameType, byOperator)
	s.papers = append(s.papers, p)
	return p, err
}

// tellMoney plays a story.
func tellMoney(t testing.TB, rulebook, story string) *teller {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, rulebook, "cases")
	require(t, os.MkdirAll(path, 0o755))
	require(t, os.WriteFile(filepath.Join(path, "story.txt"), []byte(story), 0o644))
	files, err := cases.ReadAll(folder)
	require(t, err)
	s := &teller{t: t}
	require(t, files[0].Run(files[0].Scenarios[0], func(f cases.Founding) (cases.House, error) {
		core, err := cases.NewCore(f)
		require(t, err)
		// Its keys are those that its script makes first.
		secret, _, err := journal.GenerateKey(cases.NewScript(sha256.Sum256([]byte(f.Seed))), "case.example")
		require(t, err)
		s.Core = core
		s.signer, err = journal.ParseSigner(secret)
		return s, err
	}))
	require(t, s.Take())
	return s
}

// find returns the place of the nth record of a kind, from 1.
func (s *teller) find(kind record.Kind, nth int) int {
	s.t.Helper()
	for seq, data := range s.Records {
		if k, _ := record.KindOf(data); k == kind {
			if nth--; nth == 0 {
				return seq
			}
		}
	}
	s.t.Fatalf("no such %v", kind)
	return 0
}

// settledWith returns a tender with one of the papers that were bought or given, as if
// its holder presented it.
func (s *teller) settledWith(paper int) record.Settlement {
	s.t.Helper()
	p := s.papers[paper]
	r, err := record.Decode(s.Records[p.Place.Seq])
	require(s.t, err)
	request := r.Body.(*record.InstrumentIssued).Request
	opening := p.Code.Opening(request.Terminal, request.Number)
	return record.Settlement{Kind: record.TenderInstrument, Cents: p.Cents, Instrument: p.Place, Opening: opening[:]}
}

// verified checks the records before a place with others behind them, signed anew.
func (s *teller) verified(seq int, others ...[]byte) *verify.Failure {
	s.t.Helper()
	told := *s.Core
	told.Records = append(slices.Clone(s.Records[:seq]), others...)
	tree := journal.NewTree()
	for _, data := range told.Records {
		tree.Append(data)
	}
	origin := journal.VolumeOrigin("case.example", 1)
	signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()},
		s.signer)
	require(s.t, err)
	out := files{}
	about := verify.House{Format: verify.FormatVersion, House: "case.example", Volume: 1, HouseKey: s.Keys.House,
		DeviceKey: s.Keys.Device}
	require(s.t, export.Write(context.Background(), out, about, signed, reader{&told}))
	return runBothWays(s.t, out, verify.Options{HasClause: rules.Has, HouseKey: s.Keys.House,
		DeviceKey: s.Keys.Device}).Failure
}

// reader is the journal of a case as an export reads it.
type reader struct{ *cases.Core }

func (r reader) Records(_ context.Context, _ uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for seq := from; seq < to; seq++ {
		if err := fn(seq, r.Core.Records[seq]); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) Object(_ context.Context, name string) ([]byte, error) { return r.Objects[name], nil }

// A moneyLie changes the nth record of a kind, or leaves it out, and is found at the
// record that then stands there, for a reason.
type moneyLie struct {
	name   string
	kind   record.Kind
	nth    int
	tell   func(*teller, *record.Record) // nil to leave the record out
	reason string
}

// ended returns a lie about the end of a session.
func ended(to func(*teller, *record.SessionEnded)) func(*teller, *record.Record) {
	return func(s *teller, r *record.Record) { to(s, r.Body.(*record.SessionEnded)) }
}

// posted returns a lie about the postings alone.
func posted(moves ...ledger.Posting) func(*teller, *record.Record) {
	return func(_ *teller, r *record.Record) { r.Postings = ledger.Merge(moves...) }
}

// The ends of sessions in the story, by number.
const (
	endLoaded   = iota + 1 // the card is loaded
	endCard                // A is paid by card
	endCardCash            // B by card and cash
	endGift                // C by gift voucher and cash
	endUnpaid              // F is not paid
	endPrize               // D is paid out
	endLater               // G is paid in cash, ten days later
)

// soldUnpaid is the number of F among the tickets that are sold in the story.
const soldUnpaid = 6

// TestReceiptThatLastsLonger: a paper given in place of money may have the life of an earlier
// paper, which the end of the session brings. Where it brings none, that end is a fault.
func TestReceiptThatLastsLonger(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", moneyStory)
	receipt, end := story.find(record.KindInstrumentIssued, 4), story.find(record.KindSessionEnded, endPrize)
	for _, days := range []day.Day{-1, 1} {
		r, err := record.Decode(story.Records[receipt])
		require(t, err)
		b := r.Body.(*record.InstrumentIssued)
		b.LastDay, b.Kept = b.LastDay+days, b.Kept+days
		told, err := record.Encode(r)
		require(t, err)
		f := story.verified(receipt, append([][]byte{told}, story.Records[receipt+1:end+1]...)...)
		if f == nil || f.Place.Seq != uint64(end) || !strings.Contains(f.Reason, "nothing that the customer had is") {
			t.Errorf("%d days more: %v", days, f)
		}
	}
}

// TestLyingAboutMoney lets a house lie about sessions, papers, cards, stops and tills.
func TestLyingAboutMoney(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", moneyStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	const end, expired = record.KindSessionEnded, record.KindInstrumentsExpired
	prepaid, _ := ledger.Paper("prepaid_voucher")
	cash := func(cents money.Amount) record.Settlement {
		return record.Settlement{Kind: record.TenderCash, Cents: cents}
	}
	for _, lie := range []moneyLie{
		{"tenders that come to less", end, endCard,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[0].Cents = 29_00 }),
			"owes $30.00, and the tenders come to $29.00"},
		{"a session netted wrongly", end, endPrize,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[0].Cents += 1_00 }), "the customer owes -$5,002.00"},
		{"a session of another day", end, endCard, ended(func(_ *teller, b *record.SessionEnded) { b.Day++ }),
			"the Keno Day is 2026-11-15"},
		{"a card overdrawn", end, endCardCash,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders = b.Tenders[:1]; b.Tenders[0].Cents = 21_00 }),
			"card 1 has not $21.00"},
		{"a card that nobody has", end, endCard,
			ended(func(s *teller, b *record.SessionEnded) { b.Tenders[0].Instrument = s.papers[0].Place }),
			"card 0 has not $30.00"},
		{"a card loaded for nothing", end, endLoaded,
			posted(ledger.Debit(ledger.Operator, 0, 50_00), ledger.Credit(ledger.Instruments, 4, 50_00)), "is right"},
		{"a card filled on credit", end, endLoaded,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[len(b.Tenders)-1].Kind = record.TenderUnpaid }),
			"$50.00 go to a card, and the customer did not pay all"},
		{"a voucher used twice", end, endLater,
			ended(func(s *teller, b *record.SessionEnded) { b.Tenders = []record.Settlement{s.settledWith(0)} }),
			"is not out with $10.00"},
		{"a voucher used for more", end, endGift,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders = b.Tenders[:1]; b.Tenders[0].Cents = 20_00 }),
			"is not out with $20.00"},
		{"a voucher of somebody else", end, endGift,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[0].Opening[0]++ }), "does not open the claim"},
		{"a voucher past its last day", end, endLater,
			ended(func(s *teller, b *record.SessionEnded) { b.Tenders = []record.Settlement{s.settledWith(2)} }),
			"was good to 2026-11-20"},
		{"change for a voucher", end, endUnpaid, ended(func(s *teller, b *record.SessionEnded) {
			b.Tenders = []record.Settlement{s.settledWith(1), cash(-5_00)}
			ticket := record.Place{Volume: 1, Seq: uint64(s.find(record.KindTicketSold, soldUnpaid))}
			b.Spent = []record.Spent{{Ticket: ticket, ID: "prepaid_voucher", Of: s.papers[1].Place, Cents: 5_00}}
		}), "become something else (13 17(e))"},
		{"a voucher that paid for nothing", end, endGift, ended(func(_ *teller, b *record.SessionEnded) { b.Spent = nil }),
			"of gift_voucher are left, and money has paid that is spent later"},
		{"a voucher that paid for another's ticket", end, endGift,
			ended(func(_ *teller, b *record.SessionEnded) { b.Spent[0].Ticket.Seq++ }), "which was not sold in the session"},
		{"a voucher given back that was not bought", end, endLater, ended(func(s *teller, b *record.SessionEnded) {
			given := s.settledWith(1)
			given.Refund = true
			b.Tenders = []record.Settlement{given}
		}), "is given back elsewhere or on another day"},
		{"more cash than the rule allows", end, endPrize, ended(func(_ *teller, b *record.SessionEnded) {
			b.Tenders = []record.Settlement{cash(-5_002_00)}
		}), "it pays $10,002.00 in cash and receipts, and $10,000.00 is the most"},
		{"a means that these rules do not have", end, endPrize,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[1].Kind = record.TenderSiteCheque }),
			"$2.00 leave as site_cheque, and $0.00 may"},
		{"a cheque out of the till", end, endPrize,
			posted(ledger.Debit(ledger.Customer, 1, 5_002_00), ledger.Credit(ledger.Cash, 1, 5_002_00)), "is right"},
		{"a receipt left out", record.KindInstrumentIssued, 4, nil, "the customer owes -$10,002.00"},
		{"a given voucher that ends before its time", record.KindInstrumentIssued, 2, func(_ *teller, r *record.Record) {
			r.Body.(*record.InstrumentIssued).LastDay--
		}, "something else than this"},
		{"a given voucher that lasts a day longer than agreed", record.KindInstrumentIssued, 3,
			func(_ *teller, r *record.Record) {
				r.Body.(*record.InstrumentIssued).LastDay++
			}, "something else than this"},
		{"a voucher sold for less", record.KindInstrumentIssued, 1,
			posted(ledger.Debit(ledger.Cash, 1, 9_00), ledger.Debit(ledger.Operator, 0, 1_00),
				ledger.Credit(ledger.Instruments, 2, 10_00)), "is right"},
		{"a loss of nobody", end, endUnpaid, posted(ledger.Debit(ledger.Operator, 0, 5_00),
			ledger.Credit(ledger.Customer, 1, 5_00)), "is right"},
		{"an unpaid ticket that is not frozen", record.KindPaymentFrozen, 1, nil, "the next record does not freeze them"},
		{"another ticket frozen", record.KindPaymentFrozen, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.PaymentFrozen).Places[0].Seq-- },
			"was not paid for and is not frozen"},
		{"a release that one person asked for and another wrote", record.KindPaymentReleased, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.PaymentReleased).By++ }, "something else than this"},
		{"a release for another reason", record.KindPaymentReleased, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.PaymentReleased).Reason += "!" }, "something else than this"},
		{"a release of more than was agreed on", record.KindPaymentReleased, 1, func(s *teller, r *record.Record) {
			frozen, err := record.Decode(s.Records[s.find(record.KindPaymentFrozen, 1)])
			require(s.t, err)
			b := r.Body.(*record.PaymentReleased)
			b.Places = append(b.Places, frozen.Body.(*record.PaymentFrozen).Places...)
		}, "something else than this"},
		{"a drop that is not booked", record.KindBankMoved, 1, posted(), "is right"},
		{"a drop booked as a fill", record.KindBankMoved, 1,
			posted(ledger.Debit(ledger.Cash, 1, 50_00), ledger.Credit(ledger.Safe, 1, 50_00)), "is right"},
		{"a drop that another person signed for than consented", record.KindBankMoved, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.BankMoved).With = 99 }, "something else than this"},
		{"a count of another bank", record.KindBankCounted, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.BankCounted).ExpectCents++ },
			"the bank of terminal 1 should have"},
		{"a shortage that is not booked", record.KindBankCounted, 1, posted(), "is right"},
		{"an expiry skipped", expired, 1, nil, "does not let 1:"},
		{"a paper that expires too early", expired, 1, func(s *teller, r *record.Record) {
			b := r.Body.(*record.InstrumentsExpired)
			receipt := s.find(record.KindInstrumentIssued, 4)
			b.List = append(b.List, record.Expired{Instrument: record.Place{Volume: 1, Seq: uint64(receipt)}, Cents: 5_000_00})
		}, "does not expire on 2026-12-16"},
		{"a paper that expires for less", expired, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.InstrumentsExpired).List[0].Cents-- },
			"does not expire on 2026-12-16 with $9.99"},
		{"an expiry to somebody else", expired, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.InstrumentsExpired).To = "prize_fund" },
			"the money of a prepaid_voucher goes to forfeited"},
		{"an expiry into another account", expired, 1,
			posted(ledger.Debit(ledger.Instruments, prepaid, 20_00), ledger.Credit(ledger.Operator, 0, 20_00)), "is right"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			seq := story.find(lie.kind, lie.nth)
			told := story.Records[seq+1]
			if lie.tell != nil {
				r, err := record.Decode(story.Records[seq])
				require(t, err)
				lie.tell(story, &r)
				told, err = record.Encode(r)
				require(t, err)
			}
			f := story.verified(seq, told)
			if f == nil {
				t.Fatal("accepted")
			}
			if f.Place.Seq != uint64(seq) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, seq, lie.reason)
			}
		})
	}
}

// TestReleaseTakesTwo has payment on a ticket stopped and let go on. Without the stop, without
// the release or without the record that uses a second person's consent, that is a lie.
func TestReleaseTakesTwo(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015",
		"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nfreeze A\nrelease A\npay A at T1 -> $15.00\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	frozen, used, released := s.find(record.KindPaymentFrozen, 1), s.find(record.KindApprovalUsed, 1),
		s.find(record.KindPaymentReleased, 1)
	if used != released-1 {
		t.Fatalf("the approval is used at %d and the payment released at %d", used, released)
	}
	for name, c := range map[string]struct {
		at     int
		told   [][]byte
		reason string
	}{
		"paid though it is stopped":    {used, s.Records[released+1:], "payment on 1:"},
		"released by one person":       {used, s.Records[released:], "nobody has approved it"},
		"released though not stopped":  {frozen, s.Records[frozen+1 : released+1], "is not stopped so that this can be"},
		"agreed on and something else": {released, s.Records[released+1:], "it comes of an approval of release_payment"},
	} {
		if f := s.verified(c.at, c.told...); f == nil || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %v, want ... %s ...", name, f, c.reason)
		}
	}
}

// TestStopsTakeTheirPersons has a ticket disqualified by nobody who may, and tickets
// disqualified, reinstated and made invalid without the record that uses a second person's
// consent.
func TestStopsTakeTheirPersons(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015",
		"house\nsell A at T1 classic 1 @ 5.00\nsell B at T1 classic 2 @ 5.00 for 3 games\ndisqualify A by supervisor\nreinstate A\ninvalidate B\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	disqualified := s.find(record.KindTicketDisqualified, 1)
	r, err := record.Decode(s.Records[disqualified])
	require(t, err)
	r.Body.(*record.TicketDisqualified).Deciders[0].Person = 99
	data, err := record.Encode(r)
	require(t, err)
	if f := s.verified(disqualified, data); f == nil ||
		!strings.Contains(f.Reason, "it is by person 99, who was not added") {
		t.Errorf("disqualified by somebody who does not exist: %v", f)
	}
	for _, kind := range []record.Kind{record.KindTicketDisqualified, record.KindTicketReinstated,
		record.KindTicketInvalidated} {
		seq := s.find(kind, 1)
		if f := s.verified(seq-1, s.Records[seq]); f == nil || !strings.Contains(f.Reason, "nobody has approved it") {
			t.Errorf("a %v by one person: %v", kind, f)
		}
	}
}

// TestVoidingTakesTwo takes a ticket back that was not handed over. Without the record
// that uses a second person's consent, or with consent to something else, that is a lie.
func TestVoidingTakesTwo(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015",
		"house\nsell A at T1 classic 1 @ 5.00\nsell B at T1 classic 2 @ 5.00\nundelivered A at T1\n")
	state, err := s.State()
	require(t, err)
	var senior, supervisor uint32
	for _, p := range state.People().Persons() {
		if p.Has(record.RoleSenior, 1) {
			senior = p.ID
		}
		if p.HasAny(record.RoleSupervisor) {
			supervisor = p.ID
		}
	}
	place := record.Place{Volume: 1, Seq: uint64(s.find(record.KindTicketSold, 1))}
	content := staff.ContentOf("void_undelivered", []byte(place.String()))
	require(t, s.Staff(staff.Request{By: senior, Action: "void_undelivered", Content: content}))
	require(t, s.Staff(staff.Consent{By: supervisor, Approval: 1, Content: content, Granted: true}))
	r, err := record.Decode(s.Records[place.Seq])
	require(t, err)
	sold := r.Body.(*record.TicketSold)
	_, err = s.Engine.Request(record.Of(cases.Noon(today)), command.VoidUndelivered{Cancellation: counter.Cancellation{
		Request: record.Request{Terminal: 1, Number: 90, Body: [16]byte{1}}, Place: place, Sold: sold,
	}, Use: staff.Use{By: senior, Approval: 1}}, command.Env{})
	require(t, err)
	require(t, s.Take())
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	used, cancelled := s.find(record.KindApprovalUsed, 1), s.find(record.KindTicketCancelled, 1)
	if f := s.verified(used, s.Records[cancelled]); f == nil ||
		!strings.Contains(f.Reason, "does not use a second person's consent") {
		t.Errorf("voided by one person: %v", f)
	}
	requested := s.find(record.KindApprovalRequested, 1)
	other := staff.ContentOf("void_undelivered", []byte("1:99"))
	again := slices.Clone(s.Records[requested:])
	for i, data := range again {
		r, err := record.Decode(data)
		require(t, err)
		switch b := r.Body.(type) {
		case *record.ApprovalRequested:
			b.Content = other
		case *record.ApprovalDecided:
			b.Content = other
		}
		again[i], err = record.Encode(r)
		require(t, err)
	}
	if f := s.verified(requested, again...); f == nil ||
		!strings.Contains(f.Reason, "does not use a second person's consent") {
		t.Errorf("voided with consent to another: %v", f)
	}
}

// TestBankTakesTwo has a bank counted by two persons who agreed on the count. A count of
// another amount, of another bank, or signed by others than those two is a lie.
func TestBankTakesTwo(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015", "house\nbank T1 float 100.00\nsell A at T1 classic 1 @ 5.00\n")
	by, err := s.person(record.RoleSenior)
	require(t, err)
	with, err := s.person(record.RoleSupervisor)
	require(t, err)
	act, now := command.CountBank{Terminal: 1, Cents: 104_00}, record.Of(cases.Noon(today))
	number, err := s.Engine.Ask(now, command.As(1, by), act)
	require(t, err)
	require(t, s.Staff(staff.Consent{By: with, Approval: number, Content: command.Content(1, act), Granted: true}))
	_, err = s.Engine.Operate(now, command.As(1, by), number)
	require(t, err)
	require(t, s.Take())
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	counted := s.find(record.KindBankCounted, 1)
	for _, at := range []int{s.find(record.KindBankMoved, 1), counted} {
		if f := s.verified(at-1, s.Records[at]); f == nil || !strings.Contains(f.Reason, "nobody has approved it") {
			t.Errorf("record %d without the use of an approval: %v", at, f)
		}
	}
	for name, lie := range map[string]func(*record.BankCounted){
		"another amount":  func(b *record.BankCounted) { b.CountedCents = 103_00 },
		"another signer":  func(b *record.BankCounted) { b.By, b.With = b.With, b.By },
		"another witness": func(b *record.BankCounted) { b.With = 900 },
	} {
		r, err := record.Decode(s.Records[counted])
		require(t, err)
		b := r.Body.(*record.BankCounted)
		lie(b)
		over := b.CountedCents - b.ExpectCents
		r.Postings = ledger.Merge(ledger.Debit(ledger.Cash, 1, over), ledger.Credit(ledger.OverShort, 1, over))
		data, err := record.Encode(r)
		require(t, err)
		if f := s.verified(counted, data); f == nil || !strings.Contains(f.Reason, "on something else than this") {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// person returns somebody of a role.
func (s *teller) person(role record.Role) (uint32, error) {
	all, err := s.State()
	if err != nil {
		return 0, err
	}
	for _, p := range all.People().Persons() {
		if p.HasAny(role) {
			return p.ID, nil
		}
	}
	return 0, fmt.Errorf("nobody is a %s", role)
}
