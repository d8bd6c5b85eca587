package report

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestAges sorts amounts of games just below, at and above the bounds of each column, of each place.
func TestAges(t *testing.T) {
	today := day.MustParse("2026-11-15")
	for days, want := range map[day.Day]string{0: "0-30 days", 29: "0-30 days", 30: "0-30 days", 31: "31-90 days",
		90: "31-90 days", 91: "91-180 days", 180: "91-180 days", 181: "181-365 days", 365: "181-365 days",
		366: "Over 365 days", 5000: "Over 365 days"} {
		for account, u := range map[ledger.Account]counter.Unfetched{
			ledger.Prizes: {}, ledger.Unclaimed: {At: counter.ByForm}, ledger.Treasurer: {At: counter.Treasurer},
			ledger.ApprovedPurposes: {At: counter.Lapsed}, ledger.Refunds: {Stake: true}, ledger.Withheld: {Withheld: true},
		} {
			u.Cents, u.Game = 700, record.Game{Series: 1, Day: today - days}
			table := Age(state.New(), []counter.Unfetched{u}, today)
			for _, row := range table.Rows {
				for i, c := range table.Columns[2:] {
					due := int64(0)
					named := row[1].Text == account.String()
					switch {
					case named && (c.Name == want && !u.Withheld || c.Name == "No day" && u.Withheld || c.Name == "Of tickets"):
						due = 700
					case named && c.Name == "Rest":
						due = -700 // The accounts are empty.
					}
					if got := row[i+2].Number; got != due {
						t.Errorf("%d days, %v: %s of %s is %v, want %v", days, account, c.Name, row[1].Text, money.Amount(got),
							money.Amount(due))
					}
				}
			}
		}
	}
}
