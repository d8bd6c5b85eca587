package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/decide/command"
)

// TestRemittanceOfItsSeries lets prizes of one of two series go to the Treasurer: they are remitted by that series, to
// the cent, and not by the other.
func TestRemittanceOfItsSeries(t *testing.T) {
	const other = 2
	m := newMarket(t, "vic-keno-2015", 7)
	require(t, m.approved(command.BeginSeries{Name: "evening", Rulebook: m.book.Hash().String(),
		Schedule: m.book.Schedules()[0].ID(), Interval: 180, Reference: "decision 5"}))
	m.tradeOn(day.MustParse("2026-11-15"), 3)
	m.tradeOn(day.MustParse("2027-11-15"), 0)
	owed := -m.engine.State().Balances().Of(ledger.Treasurer).Cents()
	if owed < 2 {
		t.Fatalf("the Treasurer is owed %d cents", owed)
	}
	for i, c := range []struct {
		series uint8
		cents  int64
		code   string
	}{
		{other, owed, "remittance_too_much"}, {other, 1, "remittance_too_much"}, {series, owed + 1, "remittance_too_much"},
		{series, owed - 1, ""}, {other, 1, "remittance_too_much"}, {series, 2, "remittance_too_much"}, {series, 1, ""},
		{series, 1, "remittance_too_much"},
	} {
		err := m.approvedIn(c.series, command.MakeRemittance{Account: "treasurer", Cents: c.cents, Paid: "2027-11-14",
			Reference: fmt.Sprint("00041", i)})
		if (c.code == "") != (err == nil) || !strings.Contains(codeOf(err), c.code) {
			t.Errorf("%d cents of series %d: %v, want %q", c.cents, c.series, err, c.code)
		}
	}
	m.take()
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
}
