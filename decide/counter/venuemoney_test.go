package counter_test

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestCommission: each part is rounded down by itself, and together they are at least the least commission.
func TestCommission(t *testing.T) {
	for _, x := range []struct {
		sales, prizes, fees money.Amount
		ofSales, of, ofFees uint16
		least, want         money.Amount
	}{
		{9_999, 9_999, 0, 1, 1, 0, 0, 0}, {10_000, 9_999, 0, 1, 1, 0, 0, 1}, {10_000, 10_000, 0, 1, 1, 0, 0, 2},
		{10_000, 0, 0, 700, 0, 0, 699, 700}, {10_000, 0, 0, 700, 0, 0, 700, 700}, {10_000, 0, 0, 700, 0, 0, 701, 701},
		{-1, 0, 0, 1, 0, 0, -100, -1}, {-1, 0, 0, 1, 0, 0, 0, 0}, {5, 7, 0, 10_000, 10_000, 0, 0, 12},
		{0, 0, 9_999, 0, 0, 1, 0, 0}, {0, 0, 10_000, 0, 0, 1, 0, 1}, {9_999, 0, 10_000, 1, 0, 1, 0, 1},
		{0, 0, 7, 700, 0, 10_000, 0, 7},
	} {
		terms := record.VenueAgreed{SalesRate: x.ofSales, PrizesRate: x.of, FeesRate: x.ofFees, LeastCents: x.least}
		got, err := counter.Earn(terms,
			state.VenueDone{Sold: x.sales + 5, Back: 5, Prizes: x.prizes, Fees: x.fees + 3, FeesBack: 3}, 0)
		if want := (counter.Earned{Commission: x.want}); err != nil || got != want {
			t.Errorf("%+v: %v, %v", x, got, err)
		}
	}
}

// TestTaxAndLeastPayment: the tax on a commission is rounded as the agreement says, and what is left of the takings is
// made up to the least payment, a cent below that payment and no more at that payment and above.
func TestTaxAndLeastPayment(t *testing.T) {
	for _, x := range []struct {
		commission money.Amount
		rate       uint16
		rounding   string
		takings    money.Amount
		floor      money.Amount
		tax, made  money.Amount
	}{
		{104, 1000, "floor", 0, 0, 10, 0}, {104, 1000, "half-up", 0, 0, 10, 0}, {104, 1000, "ceil", 0, 0, 11, 0},
		{105, 1000, "floor", 0, 0, 10, 0}, {105, 1000, "half-up", 0, 0, 11, 0}, {105, 1000, "half-even", 0, 0, 10, 0},
		{115, 1000, "half-even", 0, 0, 12, 0}, {106, 1000, "half-even", 0, 0, 11, 0}, {110, 1000, "ceil", 0, 0, 11, 0},
		{100, 0, "", 599, 500, 0, 1}, {100, 0, "", 600, 500, 0, 0}, {100, 0, "", 601, 500, 0, 0},
		{100, 1000, "floor", 609, 500, 10, 1}, {100, 1000, "floor", 610, 500, 10, 0}, {100, 1000, "floor", -1, 500, 10, 611},
		{100, 0, "", 99, 0, 0, 0}, {100, 0, "", 100, 1, 0, 1}, {100, 0, "", 101, 1, 0, 0},
	} {
		terms := record.VenueAgreed{LeastCents: x.commission, TaxRate: x.rate, TaxRounding: x.rounding, FloorCents: x.floor}
		got, err := counter.Earn(terms, state.VenueDone{}, x.takings)
		if want := (counter.Earned{Commission: x.commission, Tax: x.tax, Floor: x.made}); err != nil || got != want {
			t.Errorf("%+v: %v, %v", x, got, err)
		}
	}
	if _, err := counter.Earn(record.VenueAgreed{TaxRate: 1, TaxRounding: "down"}, state.VenueDone{}, 0); err == nil {
		t.Error("a tax is rounded by a name that there is not")
	}
}

// TestWeekday holds weekdays against dates of which they are known, before and after 1970.
func TestWeekday(t *testing.T) {
	for text, want := range map[string]uint8{"1970-01-01": 4, "1970-01-04": 0, "2026-11-15": 0, "2026-11-21": 6, "2000-02-29": 2} {
		if got := counter.Weekday(day.MustParse(text)); got != want {
			t.Errorf("%s is weekday %d", text, got)
		}
	}
}

// TestAgreementBounds asks for agreements below, at and above the bounds of each field.
func TestAgreementBounds(t *testing.T) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	today := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(today),
		Seed: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	if err := core.OpenDay(today); err != nil {
		t.Fatal(err)
	}
	good := record.VenueAgreed{Venue: 1, From: today + 1, SalesRate: record.Whole, PrizesRate: record.Whole,
		FeesRate: record.Whole, TaxRate: record.Whole, TaxRounding: "half-up", FloorCents: counter.MaxMoved,
		LeastCents: counter.MaxMoved, WeekEnds: 6, DaysToPay: record.MostDaysToPay, Mandate: "M-1/2",
		Account: "GB82WEST12345698765432", Signed: today}
	for _, x := range []struct {
		change func(*record.VenueAgreed)
		code   refusal.Code
	}{
		{func(*record.VenueAgreed) {}, ""},
		{func(b *record.VenueAgreed) { b.Venue = 9 }, "venue_unknown"},
		{func(b *record.VenueAgreed) { b.From = today }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.From = today - 1 }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.SalesRate++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.PrizesRate++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.FeesRate++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.TaxRate++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.TaxRate = 0 }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.TaxRounding = "" }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.TaxRounding = "down" }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.TaxRate, b.TaxRounding = 0, "" }, ""},
		{func(b *record.VenueAgreed) { b.FloorCents++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.FloorCents = -1 }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.LeastCents++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.LeastCents = -1 }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.WeekEnds++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.DaysToPay++ }, counter.AgreementWrong},
		{func(b *record.VenueAgreed) { b.Mandate, b.Account, b.Signed = "", "", day.None }, ""},
		{func(b *record.VenueAgreed) { b.Mandate = "" }, counter.MandateWrong},
		{func(b *record.VenueAgreed) { b.Signed = day.None }, counter.MandateWrong},
		{func(b *record.VenueAgreed) { b.Mandate = "ä" }, counter.MandateWrong},
		{func(b *record.VenueAgreed) { b.Account = "" }, counter.MandateWrong},
		{func(b *record.VenueAgreed) { b.Account = "GB82WEST12345698765433" }, counter.MandateWrong},
		{func(b *record.VenueAgreed) { b.Account = "123" }, counter.MandateWrong},
		{func(b *record.VenueAgreed) { b.Account = "1234" }, ""},
		{func(b *record.VenueAgreed) { b.Account = "1234567890123456789012345678901234" }, ""},
		{func(b *record.VenueAgreed) { b.Account = "12345678901234567890123456789012345" }, counter.MandateWrong},
	} {
		b := good
		x.change(&b)
		if _, err := counter.AgreeVenue(core.Engine.State(), b); codeOf(err) != x.code {
			t.Errorf("%+v: %v", b, err)
		}
	}
}
