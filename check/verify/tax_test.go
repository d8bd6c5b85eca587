package verify_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// taxedBook returns a rulebook of the program with a tax, as an operator's edition could have it.
func taxedBook(t *testing.T, id, tax string) *rulebook.Book {
	t.Helper()
	text, err := rules.Text(id)
	require(t, err)
	whole := strings.Replace(string(text), "\nkeno:\n", "\nkeno:\n  tax: "+tax+"\n", 1)
	book, err := rulebook.Load("taxed", []byte(whole))
	require(t, err)
	return book
}

// tradeOn plays a Keno Day of some games, on its date, and of those that must be played besides.
func (m *market) tradeOn(date day.Day, games int) {
	m.t.Helper()
	m.now = max(m.now, opening+record.Time(date-today)*24*3600*1000)
	require(m.t, m.engine.OpenDay(m.tick(), series, date, zone))
	m.take()
	for current, _ := m.engine.State().Series(series); games > 0 || current.GoesOn(); games-- {
		require(m.t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
		if games > 0 {
			m.trade()
		}
		if games > 1 { // Players lose for once.
			m.fatten(current.Newest().Ordinal)
		}
		require(m.t, m.engine.CloseGame(m.tick(), series))
		m.take()
		m.play(current.Newest().Ordinal)
	}
	require(m.t, m.engine.CloseDay(m.tick(), series))
	m.take()
}

// returns lists the returns of tax in the journal, with their places.
func (m *market) returns(of uint8) (all []*record.TaxStated, at []int) {
	m.t.Helper()
	for seq, data := range m.records {
		if kind, _ := record.KindOf(data); kind != record.KindTaxStated {
			continue
		}
		r, err := record.Decode(data)
		require(m.t, err)
		if b, _ := r.Body.(*record.TaxStated); b.Series == of {
			all, at = append(all, b), append(at, seq)
		}
	}
	return all, at
}

// taxByHand adds up the takings of each month of a series from its records alone: those of a trading day belong to the
// month of the Keno Day that closes it.
func (m *market) taxByHand(of uint8) map[string][3]money.Amount {
	m.t.Helper()
	months, day := map[string][3]money.Amount{}, [3]money.Amount{}
	settled := map[record.Game]money.Amount{}
	for _, data := range m.records {
		r, err := record.Decode(data)
		require(m.t, err)
		switch b := r.Body.(type) {
		case *record.GameClosed:
			if b.Game.Series == of {
				day[0] += b.StakesCents
			}
		case *record.GameVoided:
			if b.Game.Series == of {
				day[1] += b.RefundCents + b.PrizesCents + b.CarriedCents
			}
		case *record.GameSettled:
			if b.Game.Series == of {
				day[2] += b.PrizesCents + b.CarriedCents - settled[b.Game]
				settled[b.Game] = b.PrizesCents + b.CarriedCents
			}
		case *record.DayClosed:
			if b.Series == of {
				name := b.Day.String()[:7]
				sum := months[name]
				for i := range sum {
					sum[i] += day[i]
				}
				months[name], day = sum, [3]money.Amount{}
			}
		}
	}
	return months
}

// TestTaxOfMonths runs a house of two series that was founded in the middle of November: over the end of the year, a
// month without games, a month without any Keno Day, and the end of the first series. Every month that ends is returned
// once, by figures that the test adds up itself, and verify agrees. Then the tax is remitted.
func TestTaxOfMonths(t *testing.T) {
	book := taxedBook(t, "tas-keno-2023",
		`{clause: "16.3", base: net_revenue, rate: 24.24, rounding: half-even, losses: carried, due_day: 7, payee: State Revenue}`)
	m := newMarketBy(t, book, 7)
	const other = 2
	require(t, m.approved(command.BeginSeries{Name: "evening", Rulebook: book.Hash().String(),
		Schedule: book.Schedules()[0].ID(), Interval: 180, Reference: "decision 5"}))
	date := func(text string) day.Day { return day.MustParse(text) }
	m.tradeOn(date("2026-11-15"), 1)
	m.tradeOn(date("2026-11-30"), 1)
	// The other series has two days, on both sides of a month's end, and no games.
	for _, d := range []string{"2026-11-30", "2026-12-01"} {
		m.now = max(m.now, opening+record.Time(date(d)-today)*24*3600*1000)
		require(t, m.engine.OpenDay(m.tick(), other, date(d), zone))
		require(t, m.engine.CloseDay(m.tick(), other))
		m.take()
	}
	m.tradeOn(date("2026-12-01"), 2)
	m.tradeOn(date("2026-12-31"), 2)
	m.tradeOn(date("2027-01-01"), 0)
	m.tradeOn(date("2027-01-31"), 0)
	require(t, m.approved(command.EndSeries{LastDay: "2027-03-02", Games: 12, Reference: "decision 8"}))
	m.tradeOn(date("2027-03-01"), 1)
	if got, _ := m.returns(series); len(got) != 4 {
		t.Errorf("%d months are returned as March begins, want 4", len(got))
	}
	m.tradeOn(date("2027-03-02"), 1)

	stated, at := m.returns(series)
	byHand := m.taxByHand(series)
	var names []string
	var lost, tax money.Amount
	for _, b := range stated {
		name := b.Month.String()[:7]
		t.Logf("%+v", b)
		names = append(names, fmt.Sprintf("%s: %d days, due %v", name, b.Days, b.Due))
		sums := byHand[name]
		if sums != [3]money.Amount{b.StakedCents, b.ReturnedCents, b.WonCents} {
			t.Errorf("%s is returned as %+v, and came to %v", name, b, sums)
		}
		left := sums[0] - sums[1] - sums[2] - lost
		if b.BroughtCents != lost {
			t.Errorf("%s brings %v forward, and %v was lost before", name, b.BroughtCents, lost)
		}
		lost = max(0, -left)
		if whole := int64(max(left, 0)) * 2424; b.TaxCents < money.Amount(whole/10000) ||
			b.TaxCents > money.Amount((whole+9999)/10000) || b.CarriedCents != lost {
			t.Errorf("%s: tax of %v on %v, and %v carried on", name, b.TaxCents, left, b.CarriedCents)
		}
		tax += b.TaxCents
	}
	if want := []string{"2026-11: 2 days, due 2026-12-07", "2026-12: 2 days, due 2027-01-07",
		"2027-01: 2 days, due 2027-02-07", "2027-02: 0 days, due 2027-03-07",
		"2027-03: 2 days, due 2027-04-07"}; !slices.Equal(names, want) {
		t.Errorf("these months are returned: %q", names)
	}
	if owed := -m.engine.State().Balances().Of(ledger.Tax); owed != tax || tax == 0 {
		t.Errorf("tax of %v is stated, and %v owed", tax, owed)
	}
	if empty, _ := m.returns(other); len(empty) != 1 || empty[0].Days != 1 || empty[0].StakedCents != 0 ||
		empty[0].TaxCents != 0 {
		t.Errorf("the other series is returned as %+v", empty)
	}

	first := stated[slices.IndexFunc(stated, func(b *record.TaxStated) bool { return b.TaxCents > 2 })]
	month, owed := first.Month.String()[:7], first.TaxCents.Cents()
	treasury := -m.engine.State().Balances().Of(ledger.Treasurer).Cents()
	tries := 0
	pay := func(account, month string, cents int64, paid string) error {
		tries++
		return m.approved(command.MakeRemittance{Account: account, Month: month, Cents: cents, Paid: paid,
			Reference: fmt.Sprint("0004", tries)})
	}
	for _, c := range []struct {
		account, month string
		cents          int64
		paid, code     string
	}{
		{"tax", month, owed + 1, "2027-03-02", "remittance_too_much"},
		{"tax", month, 1, "2027-03-04", "remittance_day"},
		{"tax", month, 1, "soon", "remittance_day"},
		{"tax", "2027-04", 1, "2027-03-02", "remittance_month"},
		{"tax", "", 1, "2027-03-02", "remittance_month"},
		{"treasurer", month, 1, "2027-03-02", "remittance_month"},
		{"unclaimed", "", 1, "2027-03-02", "remittance_account"},
		{"treasurer", "", treasury + 1, "2027-03-02", "remittance_too_much"},
		{"tax", month, owed - 1, "2027-03-02", ""},
		{"tax", month, 2, "2027-03-02", "remittance_too_much"},
		{"tax", month, 1, "2027-03-01", ""},
		{"tax", month, 1, "2027-03-02", "remittance_month"},
	} {
		err := pay(c.account, c.month, c.cents, c.paid)
		if got := fmt.Sprint(err); (c.code == "") != (err == nil) || !strings.Contains(codeOf(err), c.code) {
			t.Errorf("%d cents of %s for %q, paid %s: %v, want %q", c.cents, c.account, c.month, c.paid, got, c.code)
		}
	}
	m.take()
	if left := -m.engine.State().Balances().Of(ledger.Tax); left != tax-money.Amount(owed) {
		t.Errorf("%v of the tax is left, and %v of %v was paid", left, owed, tax)
	}
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}

	// No figure of a return or of a remittance can be another one, and no return can be missing or come again.
	told := 0
	for seq, data := range m.records {
		switch kind, _ := record.KindOf(data); kind {
		case record.KindTaxStated, record.KindRemittanceMade:
			if told < 100 || kind == record.KindRemittanceMade {
				told += m.lieAbout(seq, kind, data)
			}
		}
	}
	t.Logf("%d lies about %d returns and two remittances", told, len(at))
	for i, seq := range at[:4] {
		if f := m.upTo(seq, m.records[seq+1]).Failure; f == nil || f.Place.Seq != uint64(seq) {
			t.Errorf("return %d is left out: %v", i, f)
		}
		if f := m.upTo(seq+1, m.records[seq]).Failure; f == nil || f.Place.Seq != uint64(seq+1) {
			t.Errorf("return %d comes twice: %v", i, f)
		}
	}
}

// TestTurnoverIsTaxed lets the same days be taxed on their turnover: no month is below nothing.
func TestTurnoverIsTaxed(t *testing.T) {
	book := taxedBook(t, "vic-keno-2015",
		`{clause: "3(a)", base: turnover, rate: 10, rounding: floor, losses: not_carried, due_day: 28, payee: The Treasurer}`)
	m := newMarketBy(t, book, 8)
	m.tradeOn(day.MustParse("2026-11-15"), 3)
	m.tradeOn(day.MustParse("2026-12-01"), 0)
	stated, _ := m.returns(series)
	if len(stated) != 1 {
		t.Fatalf("%d months are returned", len(stated))
	}
	b := stated[0]
	if base := b.StakedCents - b.ReturnedCents; b.StakedCents == 0 || b.BaseCents != base || b.TaxCents != base/10 {
		t.Errorf("%+v", b)
	}
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
}

// TestUntaxed: where the rulebook says nothing of a tax, no month is returned.
func TestUntaxed(t *testing.T) {
	m := newMarket(t, "vic-keno-2015", 9)
	m.tradeOn(day.MustParse("2026-11-15"), 1)
	m.tradeOn(day.MustParse("2026-12-01"), 0)
	if stated, _ := m.returns(series); len(stated) != 0 {
		t.Errorf("%d months are returned", len(stated))
	}
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
}

// codeOf returns the code of a refusal, and nothing for any other error.
func codeOf(err error) string {
	var r *refusal.Refusal
	if errors.As(err, &r) {
		return string(r.Code)
	}
	return ""
}
