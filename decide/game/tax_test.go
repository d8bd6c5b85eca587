package game

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/rulebook"
)

// TestStatementOfTax works out the return of a month: what is taxed, how the tax is rounded below, at and above half a
// cent, and what becomes of losses that are smaller than, equal to and larger than the month after them.
func TestStatementOfTax(t *testing.T) {
	revenue := rulebook.Tax{Base: "net_revenue", Rate: 24_24, Rounding: "half-even", Losses: "carried", DueDay: 7,
		Payee: "State Revenue"}
	with := func(change func(*rulebook.Tax)) rulebook.Tax {
		other := revenue
		change(&other)
		return other
	}
	rounded := func(mode string) rulebook.Tax {
		return with(func(x *rulebook.Tax) { x.Rounding, x.Rate = mode, 50_00 })
	}
	turnover := with(func(x *rulebook.Tax) { x.Base, x.Rate = "turnover", 10_00 })
	forgotten := with(func(x *rulebook.Tax) { x.Losses = "not_carried" })
	whole := with(func(x *rulebook.Tax) { x.Rate = 100_00 })
	least := with(func(x *rulebook.Tax) { x.Rate, x.Rounding = 1, "floor" })
	for _, c := range []struct {
		name                       string
		tax                        rulebook.Tax
		staked, returned, won      money.Amount
		brought                    money.Amount
		base, taken, paid, carried money.Amount
	}{
		{"revenue", revenue, 1_000_000, 4_000, 740_010, 0, 255_990, 0, 62_052, 0}, // 62,051.976
		{"turnover", turnover, 1_000_000, 4_000, 740_010, 0, 996_000, 0, 99_600, 0},
		{"a month without games", revenue, 0, 0, 0, 0, 0, 0, 0, 0},
		{"a month without games keeps the loss", revenue, 0, 0, 0, 500, 0, 500, 0, 500},
		{"a loss", revenue, 1_000, 0, 1_500, 0, -500, 0, 0, 500},
		{"a loss after a loss", revenue, 1_000, 0, 1_500, 500, -500, 500, 0, 1_000},
		{"less than the loss before", revenue, 1_000, 0, 501, 500, 499, 500, 0, 1},
		{"as much as the loss before", revenue, 1_000, 0, 500, 500, 500, 500, 0, 0},
		{"a cent more than the loss before", whole, 1_000, 0, 499, 500, 501, 500, 1, 0},
		{"a loss that is not carried", forgotten, 1_000, 0, 1_500, 0, -500, 0, 0, 0},
		{"a loss of an earlier book that is not carried on", forgotten, 10_000, 0, 0, 500, 10_000, 0, 2_424, 0},
		{"more goes back than is staked", turnover, 100, 300, 0, 0, -200, 0, 0, 200},
		{"half a cent down to the even one", rounded("half-even"), 5, 0, 0, 0, 5, 0, 2, 0},
		{"half a cent up to the even one", rounded("half-even"), 7, 0, 0, 0, 7, 0, 4, 0},
		{"half a cent up", rounded("half-up"), 5, 0, 0, 0, 5, 0, 3, 0},
		{"half a cent down", rounded("floor"), 5, 0, 0, 0, 5, 0, 2, 0},
		{"half a cent to the ceiling", rounded("ceil"), 5, 0, 0, 0, 5, 0, 3, 0},
		{"no half cent", rounded("ceil"), 4, 0, 0, 0, 4, 0, 2, 0},
		{"below a cent", least, 9_999, 0, 0, 0, 9_999, 0, 0, 0},
		{"at a cent", least, 10_000, 0, 0, 0, 10_000, 0, 1, 0},
		{"above a cent", least, 10_001, 0, 0, 0, 10_001, 0, 1, 0},
	} {
		month := state.TaxMonth{Month: day.MustParse("2026-12-01"), Days: 31,
			Takings: state.Takings{Staked: c.staked, Returned: c.returned, Won: c.won}}
		got, err := statement(&c.tax, month, c.brought, day.MustParse("2027-01-01"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		b := got.Record
		if b.BaseCents != c.base || b.BroughtCents != c.taken || b.TaxCents != c.paid || b.CarriedCents != c.carried {
			t.Errorf("%s: base %v less %v, tax %v, %v carried on; want %v less %v, %v, %v", c.name, b.BaseCents,
				b.BroughtCents, b.TaxCents, b.CarriedCents, c.base, c.taken, c.paid, c.carried)
		}
		if b.Due != day.MustParse("2027-01-07") || b.Month != month.Month || b.Days != 31 {
			t.Errorf("%s: it is of %v, %d days, and due on %v", c.name, b.Month, b.Days, b.Due)
		}
		var owed money.Amount
		for _, p := range got.Postings {
			if p.Account == ledger.Tax {
				owed -= p.Cents
			}
		}
		if err := ledger.Check(got.Postings); err != nil || owed != c.paid {
			t.Errorf("%s: %v is owed (%v)", c.name, owed, err)
		}
	}
	if _, err := statement(&revenue, state.TaxMonth{Month: day.MustParse("2026-12-01"),
		Takings: state.Takings{Staked: 1<<63 - 1, Won: -1}}, 0, day.MustParse("2027-01-01")); err == nil {
		t.Error("a base that no amount can say is stated")
	}
}
