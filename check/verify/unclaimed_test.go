package verify_test

import (
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// unclaimedStory has prizes of two games that nobody fetches: the first for seven years,
// the second not yet so long.
const unclaimedStory = `
house 2027-02-28
sell A at T1 standard 1 @ 1.00
sell B at T1 standard 1 @ 2.00
end 1-20
day 2027-03-31
sell C at T1 standard 1 @ 1.00
end 1-19 21
day 2028-02-28
pay A at T1 -> $3.00
day 2028-02-29
sell D at T1 standard 1 @ 1.00
end 1-19 22
day 2034-03-01
sell E at T1 standard 1 @ 1.00
`

// TestLyingAboutUnclaimedPrizes lets a house skip the prizes that nobody fetched in
// time, or take them too early, twice, for less, or to somebody else.
func TestLyingAboutUnclaimedPrizes(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", unclaimedStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	swept := func(to func(*record.PrizesSwept)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.PrizesSwept)) }
	}
	const first, last = 1, 2 // After 12 months, and after seven years.
	for _, lie := range []moneyLie{
		{"skipped after 12 months", record.KindPrizesSwept, first, nil, "does not take those of game 1 to claim_form"},
		{"skipped after seven years", record.KindPrizesSwept, last, nil, "to treasurer"},
		{"too early", record.KindPrizesSwept, first, swept(func(b *record.PrizesSwept) {
			b.List = append(b.List, record.Swept{Ordinal: 2, Cents: 3_00})
		}), `nothing of game 2 is due to move from "" on 2028-02-29`},
		{"for less", record.KindPrizesSwept, first, swept(func(b *record.PrizesSwept) { b.List[0].Cents-- }),
			"$5.99 of game"},
		{"with what was paid", record.KindPrizesSwept, first, swept(func(b *record.PrizesSwept) { b.List[0].Cents = 9_00 }),
			"$6.00 is unpaid"},
		{"to the Treasurer at once", record.KindPrizesSwept, first, swept(func(b *record.PrizesSwept) { b.To = "treasurer" }),
			`go to "claim_form", and not to "treasurer"`},
		{"to nobody that the books know", record.KindPrizesSwept, first,
			swept(func(b *record.PrizesSwept) { b.To = "charity" }), "no account has prizes"},
		{"on another day", record.KindPrizesSwept, first, swept(func(b *record.PrizesSwept) { b.Day-- }),
			"which is not the Keno Day"},
		{"by another clause", record.KindPrizesSwept, first, swept(func(b *record.PrizesSwept) { b.Clause = "9.9" }),
			"says so"},
		{"from where they are not", record.KindPrizesSwept, last, swept(func(b *record.PrizesSwept) { b.From = "" }),
			`nothing of game 1 is due to move from "" on 2034-03-01`},
		{"into the operator's pocket", record.KindPrizesSwept, last,
			posted(ledger.Debit(ledger.Unclaimed, 0, 6_00), ledger.Credit(ledger.Operator, 0, 6_00)), "is right"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			seq := story.find(lie.kind, lie.nth)
			next := seq + 1 // Behind the whole sweep, where one is left out.
			for k := lie.kind; k == lie.kind; next++ {
				k, _ = record.KindOf(story.Records[next])
			}
			told := story.Records[next-1]
			if lie.tell != nil {
				r, err := record.Decode(story.Records[seq])
				require(t, err)
				lie.tell(story, &r)
				told, err = record.Encode(r)
				require(t, err)
			}
			f := story.verified(seq, told)
			if f == nil || f.Place.Seq != uint64(seq) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, seq, lie.reason)
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		seq := story.find(record.KindPrizesSwept, first)
		f := story.verified(seq+1, story.Records[seq])
		if f == nil || !strings.Contains(f.Reason, "nothing of game 1 is due to move") {
			t.Error(f)
		}
	})
}
