package verify_test

import (
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// staked tells of a prize of which tickets are bought, and of ticket C, whose stake comes back in a receipt
// of a terminal before the limit of its venue falls.
func staked(bought, limit string) string {
	return `
house
sell A at T1 heads_or_tails heads @ 6000
play 1-20
next T1
pay A at T1 -> $12,000.00` + bought + `close
void game 2
limit venue 1 20000.00
next T2
pay C at T2 -> $2.00
settle T2 -> change_receipt -$2.00
limit venue 1 ` + limit + "\n"
}

// TestMachine has journals in which a terminal that hands out its receipts alone owes more than
// they may be for: by what it takes in, and by a limit that falls while its session is open.
func TestMachine(t *testing.T) {
	const want = "its papers are for at most"
	for name, test := range map[string]struct {
		story string
		paid  int // the last payment at the terminal
		least money.Amount
	}{
		"prizes": {`
house
sell A at T1 classic 1 @ 100.00
sell B at T1 classic 1 @ 40.00
play 1-20
limit venue 1 500.00
next T2
pay A at T2 -> $300.00
pay B at T2 -> $120.00
settle T2 -> change_receipt -$420.00
limit venue 1 419.99
`, 2, 42_000},
		"a stake, which counts against no limit": {staked(`
sell B at T1 classic 1 @ 2002.00
settle T1 -> cash -$9,998.00
sell C at T1 classic 1 @ 2.00
`, "1.99"), 2, 0},
		"what came back of a prize": {staked(`
sell B at T1 classic 1 @ 2000.00
sell C at T1 classic 1 @ 2.00
settle T1 -> cash -$9,998.00
`, "9999.99"), 2, 1_000_000},
	} {
		story := tellMoney(t, "vic-keno-2015", test.story)
		if f := story.verified(len(story.Records)); f != nil {
			t.Fatal(f)
		}
		limit, end := story.find(record.KindVenueLimitSet, 1),
			story.find(record.KindSessionEnded, strings.Count(test.story, "settle"))
		falls := story.Records[story.find(record.KindVenueLimitSet, 2)]
		if f := story.verified(end, falls); test.least > 0 && (f == nil || !strings.Contains(f.Reason, want)) ||
			test.least == 0 && f != nil {
			t.Errorf("%s, a limit that falls below what is due: %v", name, f)
		}
		for _, cents := range []money.Amount{max(1, test.least-1), max(1, test.least)} {
			r, err := record.Decode(story.Records[limit])
			require(t, err)
			r.Body.(*record.VenueLimitSet).Cents = cents
			data, err := record.Encode(r)
			require(t, err)
			told := append([][]byte{data}, story.Records[limit+1:story.find(record.KindTicketPaid, test.paid)+1]...)
			if f := story.verified(limit, told...); (f != nil) != (cents < test.least) || f != nil &&
				!strings.Contains(f.Reason, want) {
				t.Errorf("%s with a limit of %v: %v", name, cents, f)
			}
		}
	}
}
