package verify_test

import (
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestUnwound ends the session of a terminal that was shut out by two persons. Verify objects
// where one person ends it, where it hands anything out, and where it ends otherwise than
// they agreed on.
func TestUnwound(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015",
		"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1 -> $15.00\nsell B at T1 classic 1 @ 4.00\n")
	second, err := s.person(record.RoleOperative)
	require(t, err)
	by, err := s.person(record.RoleSupervisor)
	require(t, err)
	require(t, s.Staff(staff.RevokeTerminal{Terminal: 1, Reason: "stolen"}))
	act, now := command.UnwindSession{Terminal: 1, Cents: 1_00, Reason: "stolen"}, record.Of(cases.Noon(today))
	number, err := s.Engine.Ask(now, command.As(1, by), act)
	require(t, err)
	require(t, s.Staff(staff.Consent{By: second, Approval: number, Content: command.Content(1, act), Granted: true}))
	_, err = s.Engine.Operate(now, command.As(1, by), number)
	require(t, err)
	require(t, s.Take())
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	at := s.find(record.KindSessionEnded, 1)
	if f := s.verified(at-1, s.Records[at]); f == nil || !strings.Contains(f.Reason, "nobody has approved it") {
		t.Errorf("ended by nobody: %v", f)
	}
	for name, lie := range map[string]struct {
		tell   func(*record.SessionEnded)
		reason string
	}{
		"handed out": {func(b *record.SessionEnded) {
			b.Tenders = []record.Settlement{{Kind: record.TenderCash, Cents: 1_00},
				{Kind: record.TenderCheque, Cents: -12_00, Particulars: make([]byte, 32)}}
		}, "terminal 1 was shut out, and the session hands out the $15.00"},
		"paid in chips": {func(b *record.SessionEnded) { b.Tenders[2].Kind = record.TenderChips },
			"terminal 1 was shut out, and its session ends with a tender"},
		"paid by the winner": {func(b *record.SessionEnded) { b.Tenders = b.Tenders[1:] },
			"terminal 1 was shut out, and the session hands out the $15.00"},
		"for other cash": {func(b *record.SessionEnded) {
			b.Tenders[1].Cents, b.Tenders[2].Cents = 2_00, 2_00
		}, "on something else than this"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := record.Decode(s.Records[at])
			require(t, err)
			b := r.Body.(*record.SessionEnded)
			lie.tell(b)
			r.Postings = nil
			for _, tender := range b.Tenders {
				account, unit := ledger.Cash, uint32(1)
				switch tender.Kind {
				case record.TenderWithheld:
					account, unit = ledger.Withheld, 0
				case record.TenderUnpaid:
					account = ledger.VenueLosses
				}
				r.Postings = append(r.Postings, ledger.Debit(account, unit, tender.Cents),
					ledger.Credit(ledger.Customer, 1, tender.Cents))
			}
			r.Postings = ledger.Merge(r.Postings...)
			told, err := record.Encode(r)
			require(t, err)
			if f := s.verified(at, told); f == nil || f.Place.Seq != uint64(at) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, at, lie.reason)
			}
		})
	}
}
