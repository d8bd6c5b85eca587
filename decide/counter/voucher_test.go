package counter

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestPaperLives counts the lives of papers over month ends and leap days.
func TestPaperLives(t *testing.T) {
	for _, c := range []struct {
		book, id, issued string
		days             int
		last, kept       string
	}{
		{"vic-keno-2015", "change_receipt", "2026-11-15", 0, "2027-11-15", "2027-11-15"},
		{"vic-keno-2015", "change_receipt", "2028-02-29", 0, "2029-02-28", "2029-02-28"},
		{"vic-keno-2015", "change_receipt", "2027-02-28", 0, "2028-02-28", "2028-02-28"},
		{"vic-keno-2015", "gift_voucher", "2026-12-31", 0, "2027-12-31", "2027-12-31"},
		{"vic-keno-2015", "gift_voucher", "2026-12-31", 1, "2027-01-01", "2027-12-31"},
		{"vic-keno-2015", "gift_voucher", "2026-12-31", 365, "2027-12-31", "2027-12-31"},
		{"vic-keno-2015", "gift_voucher", "2026-12-31", 366, "", ""},
		{"vic-keno-2015", "gift_voucher", "2026-12-31", -1, "", ""},
		{"vic-keno-2015", "gift_voucher", "2026-12-31", 1 << 40, "", ""},
		{"vic-keno-2015", "gift_voucher", "9999-12-31", 0, "", ""},
		{"vic-keno-2015", "prepaid_voucher", "2026-11-15", 0, "2026-12-15", "2026-12-15"},
		{"vic-keno-2015", "prepaid_voucher", "2028-01-31", 0, "2028-03-01", "2028-03-01"},
		{"vic-keno-2015", "prepaid_voucher", "2027-01-31", 0, "2027-03-02", "2027-03-02"},
		{"vic-keno-2015", "prepaid_voucher", "2026-11-15", 30, "2026-12-15", "2026-12-15"},
		{"vic-keno-2015", "prepaid_voucher", "2026-11-15", 31, "", ""},
		{"vic-keno-2015", "change_receipt", "2026-11-15", 10, "", ""},
		{"tas-keno-2023", "sst_receipt", "2026-08-31", 0, "2027-08-31", "2033-08-31"},
		{"tas-keno-2023", "central_voucher", "2028-02-29", 0, "2029-02-28", "2035-02-28"},
	} {
		book, err := rules.Book(c.book)
		if err != nil {
			t.Fatal(err)
		}
		paper, ok := book.Instrument(c.id)
		if !ok {
			t.Fatalf("no %s", c.id)
		}
		last, kept, err := PaperLife(&paper, day.MustParse(c.issued), c.days)
		if c.last == "" {
			if err == nil {
				t.Errorf("%s of %s for %d days is good to %v", c.id, c.issued, c.days, last)
			}
			continue
		}
		if err != nil || last.String() != c.last || kept.String() != c.kept {
			t.Errorf("%s of %s for %d days is good to %v and kept to %v, %v; want %s and %s", c.id, c.issued, c.days, last, kept,
				err, c.last, c.kept)
		}
	}
}

// TestRedemption shows below, at and above the last day, and who takes what.
func TestRedemption(t *testing.T) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	issued := day.MustParse("2026-11-15")
	gift := state.Paper{ID: "gift_voucher", Day: issued, LastDay: issued + 10, Kept: issued + 365, Venue: 1,
		Reason: record.IssuedForMoney}
	accept := []string{"cash", "gift_voucher"}
	for name, c := range map[string]struct {
		use Redemption
		ok  bool
	}{
		"below":            {Redemption{Paper: gift, Accept: accept, Today: issued + 9}, true},
		"at":               {Redemption{Paper: gift, Accept: accept, Today: issued + 10}, true},
		"above":            {Redemption{Paper: gift, Accept: accept, Today: issued + 11}, false},
		"not taken":        {Redemption{Paper: gift, Accept: accept[:1], Today: issued}, false},
		"given back":       {Redemption{Paper: gift, Venue: 1, Today: issued, Refund: true}, true},
		"elsewhere":        {Redemption{Paper: gift, Venue: 2, Today: issued, Refund: true}, false},
		"on another day":   {Redemption{Paper: gift, Venue: 1, Today: issued + 1, Refund: true}, false},
		"no such paper":    {Redemption{Paper: state.Paper{ID: "sst_receipt"}, Today: issued}, false},
		"turned into cash": {Redemption{Paper: state.Paper{ID: "change_receipt", LastDay: issued}, Today: issued}, true},
	} {
		if err := CheckRedemption(book, c.use); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRedemptionInASale: where tickets were sold, a paper that pays for none is not taken, though the venue turns it
// into cash (tas-keno-2023 12.1(b)). A paper of another rulebook is unknown, and not merely refused.
func TestRedemptionInASale(t *testing.T) {
	for name, c := range map[string]struct {
		book string
		use  Redemption
		want string
	}{
		"alone": {"tas-keno-2023", Redemption{Paper: state.Paper{ID: "central_voucher"}, Kind: rulebook.VenueCasino},
			""},
		"in a sale": {"tas-keno-2023", Redemption{Paper: state.Paper{ID: "central_voucher"}, Kind: rulebook.VenueCasino,
			Sale: true, Clause: "12.1(b)"}, "paper_not_taken 12.1(b)"},
		"elsewhere": {"tas-keno-2023", Redemption{Paper: state.Paper{ID: "central_voucher"}, Kind: rulebook.VenueHotel},
			"paper_not_taken 13.7(b)(ii)"},
		"an alien paper": {"vic-keno-2015", Redemption{Paper: state.Paper{ID: "sst_receipt"}}, "paper_kind "},
	} {
		book, err := rules.Book(c.book)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if no, ok := errors.AsType[*refusal.Refusal](CheckRedemption(book, c.use)); ok {
			got = string(no.Code) + " " + no.Clause
		}
		if got != c.want {
			t.Errorf("%s: %q, and %q is right", name, got, c.want)
		}
	}
}

// TestOfAge shows birthdays, one on a leap day too.
func TestOfAge(t *testing.T) {
	for _, c := range []struct {
		born, today string
		want        bool
	}{
		{"2008-11-15", "2026-11-14", false}, {"2008-11-15", "2026-11-15", true}, {"2008-11-15", "2026-11-16", true},
		{"2008-02-29", "2026-02-28", false}, {"2008-02-29", "2026-03-01", true}, {"2008-02-28", "2026-02-28", true},
	} {
		if got := OfAge(day.MustParse(c.born), day.MustParse(c.today), 18); got != c.want {
			t.Errorf("born %s, on %s: %v", c.born, c.today, got)
		}
	}
	if OfAge(day.None, day.MustParse("2026-11-15"), 18) {
		t.Error("somebody without a birthday is of age")
	}
}

// TestCardStatement adds up what happened on one card of two.
func TestCardStatement(t *testing.T) {
	at := func(seq uint64) record.Place { return record.Place{Volume: 1, Seq: seq} }
	move := func(card uint64, cents int64) *record.SessionEnded {
		return &record.SessionEnded{Tenders: []record.Settlement{{Kind: record.TenderCard, Cents: -money.Amount(cents),
			Instrument: at(card)}}}
	}
	bodies := []record.Body{&record.CardRegistered{Card: 1}, &record.CardRegistered{Card: 2}, move(0, 5000), move(1, 100),
		move(0, -1500)}
	got := CardStatement(1, func(yield func(record.Place, record.Record) bool) {
		for i, body := range bodies {
			if !yield(at(uint64(i)), record.Record{Body: body}) {
				return
			}
		}
	})
	if len(got) != 2 || got[0].Funds != 5000 || got[1].Cents != -1500 || got[1].Funds != 3500 {
		t.Errorf("%+v", got)
	}
}
