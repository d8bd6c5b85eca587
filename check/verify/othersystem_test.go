package verify_test

import (
	"bytes"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// otherStory has tickets of another system: one that is claimed and paid, one whose claim is refused, one that lapses,
// and one that is claimed after that.
const otherStory = `
house 2026-11-15
take-in TABCORP as of 2026-11-14: 4711000000000017 1.00 prize until 2026-12-01; 4711000000000025 2.00 prize; 4711000000000033 4.00 prize until 2026-12-01
claim 4711000000000017 retired with the original -> claim 1 of $1.00
sign 1 as state_wide_gaming_operative
decide 1 allowed
settle-claim 1 by cheque -> $1.00
claim 4711000000000025 lost -> claim 2 of $2.00
decide 2 refused
day 2026-12-02
claim 4711000000000025 lost -> claim 3 of $2.00
sell E at T1 standard 1 @ 1.00
`

// TestLyingAboutOtherTickets lets a house take in tickets that nobody has signed for, pay them twice or for more,
// and keep what has lapsed.
func TestLyingAboutOtherTickets(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", otherStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	taken := func(to func(*record.TicketsTakenIn)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.TicketsTakenIn)) }
	}
	lodged := func(to func(*record.ClaimLodged)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.ClaimLodged)) }
	}
	lapsed := func(to func(*record.TicketsLapsed)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.TicketsLapsed)) }
	}
	const in, claim, over = record.KindTicketsTakenIn, record.KindClaimLodged, record.KindTicketsLapsed
	for _, lie := range []moneyLie{
		{"one ticket more", in, 1, taken(func(b *record.TicketsTakenIn) { b.Tickets++ }), "4 tickets of TABCORP"},
		{"a cent more", in, 1, taken(func(b *record.TicketsTakenIn) { b.Cents++ }), "the file has 3 of TABCORP for $7.00"},
		{"of another system", in, 1, taken(func(b *record.TicketsTakenIn) { b.System = "OTHER" }), "tickets of OTHER"},
		{"another key", in, 1, taken(func(b *record.TicketsTakenIn) { b.Key[0]++ }), "on something else than this"},
		{"an amount altered", in, 1, taken(func(b *record.TicketsTakenIn) {
			b.Text = bytes.Replace(b.Text, []byte(",100,"), []byte(",900,"), 1)
		}), "on something else than this"},
		{"claimed longer", in, 1, taken(func(b *record.TicketsTakenIn) { b.Until++ }), "the rules say 2033-11-14"},
		{"going elsewhere", in, 1, taken(func(b *record.TicketsTakenIn) { b.Then = "lapsed" }), "the rules say 2033-11-14"},
		{"by another clause", in, 1, taken(func(b *record.TicketsTakenIn) { b.Clause = "14.2" }), "the rules say 2033-11-14"},
		{"by another decision", in, 1, taken(func(b *record.TicketsTakenIn) { b.Reference = "decision 2" }), "agreed"},
		{"without their money", in, 1, posted(ledger.Debit(ledger.Operator, 0, 7_00),
			ledger.Credit(ledger.OtherSystems, 0, 7_00)), "is right"},
		{"claimed for more", claim, 1, lodged(func(b *record.ClaimLodged) { b.Parts[0].Cents++ }), "and $1.00 is owed"},
		{"a ticket that is not in the file", claim, 1, lodged(func(b *record.ClaimLodged) { b.Parts[0].Ordinal = 4 }),
			"no ticket 4 of another system"},
		{"a ticket of no file", claim, 1, lodged(func(b *record.ClaimLodged) { b.Parts[0].Of.Seq-- }),
			"no ticket 1 of another system"},
		{"without the ticket", claim, 1, lodged(func(b *record.ClaimLodged) { b.Original = false }), "was not handed in"},
		{"as expired", claim, 1, lodged(func(b *record.ClaimLodged) { b.Reason = record.ClaimExpired }),
			"no venue has ever paid it"},
		{"claimed after it was paid", claim, 2,
			lodged(func(b *record.ClaimLodged) { b.Parts[0].Ordinal, b.Parts[0].Cents = 1, 1_00 }), "was paid, has lapsed"},
		{"claimed after it has lapsed", claim, 3,
			lodged(func(b *record.ClaimLodged) { b.Parts[0].Ordinal, b.Parts[0].Cents = 3, 4_00 }), "was paid, has lapsed"},
		{"claimed twice on one form", claim, 2, lodged(func(b *record.ClaimLodged) {
			b.Parts = append(b.Parts, b.Parts[0])
			b.Parts[1].Ordinal, b.Parts[1].Cents = 1, 1_00
		}), "was paid, has lapsed"},
		{"paid out of prizes", record.KindClaimPaid, 1,
			posted(ledger.Debit(ledger.Prizes, 0, 1_00), ledger.Credit(ledger.Bank, 0, 1_00)), "is right"},
		{"kept though it has lapsed", over, 1, nil, "the next record does not end them"},
		{"lapsed for less", over, 1, lapsed(func(b *record.TicketsLapsed) { b.Cents-- }), "1 with $4.00 are due"},
		{"lapsed elsewhere", over, 1, lapsed(func(b *record.TicketsLapsed) { b.To = "lapsed" }), `belong to "treasurer"`},
		{"lapsed on another day", over, 1, lapsed(func(b *record.TicketsLapsed) { b.Day-- }), "which is not the Keno Day"},
		{"lapsed of no file", over, 1, lapsed(func(b *record.TicketsLapsed) { b.File.Seq++ }), "which is not the Keno Day"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			seq := story.find(lie.kind, lie.nth)
			told := [][]byte{}
			if lie.tell != nil {
				r, err := record.Decode(story.Records[seq])
				require(t, err)
				lie.tell(story, &r)
				data, err := record.Encode(r)
				require(t, err)
				told = append(told, data)
			} else {
				told = append(told, story.Records[seq+1:]...)
			}
			f := story.verified(seq, told...)
			if f == nil || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant ... %s ...", f, lie.reason)
			}
		})
	}
}
