package counter_test

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestCommission: each part is rounded down by itself, and together they are at least the least commission.
func TestCommission(t *testing.T) {
	for _, x := range []struct {
		sales, prizes money.Amount
		ofSales, of   uint16
		least, want   money.Amount
	}{
		{9_999, 9_999, 1, 1, 0, 0}, {10_000, 9_999, 1, 1, 0, 1}, {10_000, 10_000, 1, 1, 0, 2},
		{10_000, 0, 700, 0, 699, 700}, {10_000, 0, 700, 0, 700, 700}, {10_000, 0, 700, 0, 701, 701},
		{-1, 0, 1, 0, -100, -1}, {-1, 0, 1, 0, 0, 0}, {5, 7, 10_000, 10_000, 0, 12},
	} {
		got, err := counter.Commission(record.VenueAgreed{SalesRate: x.ofSales, PrizesRate: x.of, LeastCents: x.least},
			x.sales, x.prizes)
		if err != nil || got != x.want {
			t.Errorf("%+v: %v, %v", x, got, err)
		}
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
