package verify

import (
	"fmt"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// checkerOfVenue is one in whose house venue 1 has an agreement and owes two statements.
func checkerOfVenue(t *testing.T, today day.Day, owes, safe money.Amount) *checker {
	t.Helper()
	c := &checker{level: record.Level, log: theLog{volumes: []*volume{{number: 1}}}, venues: map[uint32]venue{1: {name: "The Anchor"}}}
	c.money.today = today
	c.money.of = map[uint32]*venueBook{1: {
		agreed: []*record.VenueAgreed{{Venue: 1, From: today - 30, Stops: true}},
		debts:  []*venueDebt{{number: 1, due: today - 1, cents: 100}, {number: 2, due: today, cents: 50}},
	}}
	for _, p := range []ledger.Posting{ledger.Debit(ledger.VenueAccount, 1, owes), ledger.Debit(ledger.Safe, 1, safe)} {
		if err := c.books.account(p.Account, p.Unit).move(record.KindCashCarried, p.Cents); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestVenueStops: a venue that owes a cent of a statement whose last day is over sells nothing. One that owes only a
// statement of which it is the last day sells.
func TestVenueStops(t *testing.T) {
	today := day.MustParse("2026-11-20")
	for _, x := range []struct {
		owes  money.Amount
		stops bool
	}{{151, true}, {150, true}, {51, true}, {50, false}, {49, false}, {0, false}, {-1, false}} {
		c := checkerOfVenue(t, today, x.owes, 0)
		if err := c.checkVenuePays(1); (err != nil) != x.stops {
			t.Errorf("a venue that owes %v: %v", x.owes, err)
		}
		c.money.of[1].debts[0].file = 7
		if err := c.checkVenuePays(1); err != nil {
			t.Errorf("a venue that owes %v, of which a debit is under way: %v", x.owes, err)
		}
		c.money.of[1].debts[1].returned = true
		if err := c.checkVenuePays(1); (err != nil) != (x.owes > 0) {
			t.Errorf("a venue that owes %v, with a payment returned: %v", x.owes, err)
		}
		c.money.of[1].agreed[0].Stops = false
		if err := c.checkVenuePays(1); err != nil {
			t.Errorf("a venue whose agreement does not stop it: %v", err)
		}
		if err := c.checkVenuePays(2); err != nil {
			t.Errorf("a venue without an agreement: %v", err)
		}
	}
}

// TestVenueGuards asks the guards of agreements and of cash below, at and above their bounds.
func TestVenueGuards(t *testing.T) {
	today := day.MustParse("2026-11-20")
	c := checkerOfVenue(t, today, 0, 100)
	for from, fine := range map[day.Day]bool{today - 1: false, today: false, today + 1: true} {
		if err := c.venueAgreed(&record.VenueAgreed{Venue: 1, From: from}); (err == nil) != fine {
			t.Errorf("an agreement from %v: %v", from, err)
		}
	}
	if err := c.venueAgreed(&record.VenueAgreed{Venue: 2, From: today + 1}); err == nil {
		t.Error("an agreement with a venue that there is not")
	}
	for cents, fine := range map[money.Amount]bool{99: true, 100: true, 101: false} {
		for _, move := range []record.CashMove{record.CashTaken, record.CashBanked} {
			c.money.of[1].payments = nil
			if _, err := c.cashCarried(&record.CashCarried{Venue: 1, Move: move, Cents: cents}); (err == nil) != fine {
				t.Errorf("%v %s of a safe with $1.00: %v", cents, move, err)
			}
		}
		c.money.of[1].payments = nil
		if _, err := c.cashCarried(&record.CashCarried{Venue: 1, Move: record.CashBrought, Cents: cents}); err != nil {
			t.Error(err)
		}
	}
	for account, fine := range map[string]bool{
		"DE89370400440532013000": true, "DE89370400440532013001": false, "123": false, "1234": true, "12 34": false,
		"GB82WEST12345698765432": true, "gb82west12345698765432": false, "": false,
		"1234567890123456789012345678901234": true, "12345678901234567890123456789012345": false,
	} {
		if isAccount(account) != fine {
			t.Errorf("account %q", account)
		}
	}
	for _, x := range []struct {
		cents money.Amount
		rate  uint16
		want  money.Amount
	}{{9_999, 1, 0}, {10_000, 1, 1}, {10_001, 1, 1}, {-1, 1, -1}, {-10_000, 1, -1}, {12_345, 733, 904}, {1, 10_000, 1}} {
		if got := floorPart(x.cents, x.rate); got != x.want {
			t.Errorf("%d basis points of %v are %v", x.rate, x.cents, got)
		}
	}
	for _, x := range []struct {
		commission money.Amount
		rate       uint16
		rounding   string
		want       money.Amount
	}{
		{104, 1000, "floor", 10}, {104, 1000, "half-up", 10}, {104, 1000, "ceil", 11}, {105, 1000, "floor", 10},
		{105, 1000, "half-up", 11}, {105, 1000, "half-even", 10}, {115, 1000, "half-even", 12}, {106, 1000, "half-even", 11},
		{110, 1000, "ceil", 11}, {123_456_789, 1, "half-up", 12_346}, {7, 0, "", 0},
	} {
		if got := taxOn(x.commission, x.rate, x.rounding); got != x.want {
			t.Errorf("%d basis points of %v by %q are %v", x.rate, x.commission, x.rounding, got)
		}
	}
	for rounding, fine := range map[string]bool{"floor": true, "ceil": true, "half-up": true, "half-even": true, "down": false} {
		err := c.venueAgreed(&record.VenueAgreed{Venue: 1, From: today + 1, TaxRate: 1, TaxRounding: rounding})
		if (err == nil) != fine {
			t.Errorf("a tax that is rounded by %q: %v", rounding, err)
		}
	}
	sunday := day.MustParse("2026-11-22")
	for _, x := range []struct{ first, before, want day.Day }{
		{sunday - 6, sunday, 0}, {sunday - 6, sunday + 1, sunday}, {sunday, sunday + 1, sunday},
		{sunday + 1, sunday + 7, 0}, {sunday - 6, sunday + 8, sunday + 7},
	} {
		if got := weekEnd(x.first, x.before, 0); got != x.want {
			t.Errorf("from %v before %v a week ends on %v", x.first, x.before, got)
		}
	}
	if got := fmt.Sprint(c.money.of[1].lefts(120)); got != "[$0.70 $0.50]" {
		t.Errorf("of 1.20 are left %s", got)
	}
}

// TestPaymentsOfVenueAgain asks the guards of payments at their bounds: what the operator owes a venue, how many
// references count, and which statements are owed again.
func TestPaymentsOfVenueAgain(t *testing.T) {
	today := day.MustParse("2026-11-20")
	for cents, fine := range map[money.Amount]bool{0: false, 1: true, 99: true, 100: true, 101: false} {
		c := checkerOfVenue(t, today, -100, 0)
		if _, err := c.venuePaid(&record.VenuePaid{Venue: 1, Cents: cents, Reference: "a"}); (err == nil) != fine {
			t.Errorf("%v to a venue that is owed $1.00: %v", cents, err)
		}
		if _, err := c.venuePaid(&record.VenuePaid{Venue: 2, Cents: cents, Reference: "a"}); err == nil {
			t.Error("a payment to a venue without an agreement")
		}
	}
	for more, fine := range map[int]bool{mostPayments - 2: false, mostPayments - 1: false, mostPayments: true} {
		c := checkerOfVenue(t, today, 0, 0)
		take := func(reference string) error {
			_, err := c.remittanceReceived(&record.RemittanceReceived{Venue: 1, Cents: 1, Reference: reference})
			return err
		}
		for i := range more + 1 {
			if err := take(fmt.Sprint("transfer ", i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := take("Transfer 0"); (err == nil) != fine {
			t.Errorf("a reference again after %d others: %v", more, err)
		}
	}
	c := checkerOfVenue(t, today, 0, 0)
	c.level, c.report = record.LevelGuarded, new(Report)
	for range 2 {
		if _, err := c.remittanceReceived(&record.RemittanceReceived{Venue: 1, Cents: 1, Reference: "a"}); err != nil {
			t.Error(err)
		}
	}
	if c.report.FindingCount != 1 {
		t.Errorf("a reference twice in an earlier journal makes %d findings", c.report.FindingCount)
	}
	for owes, want := range map[money.Amount]string{-1: "[]", 0: "[]", 1: "[2]", 50: "[2]", 51: "[1 2]", 150: "[1 2]", 151: "[1 2]"} {
		c := checkerOfVenue(t, today, 0, 0)
		v := c.money.of[1]
		v.forget(0)
		v.unsettle(owes)
		numbers := []uint32{}
		for _, d := range v.debts {
			numbers = append(numbers, d.number)
		}
		if fmt.Sprint(numbers) != want {
			t.Errorf("statements %v are owed again for %v, and %s is right", numbers, owes, want)
		}
	}
}

// TestSameReferenceAgain: house and verify take the same texts for one reference.
func TestSameReferenceAgain(t *testing.T) {
	texts := []string{"", " ", "a", "A", " a", "a ", "ab", "a b", "AB ", "ba", "`", "@", "{", "[", "ä", "Ä", "a\u0308", "0418", "418",
		"\u00a0", "\u3000a", "\uff21", "a\u200b", "\ufeff", "\t", "\x00", "ß", "ẞ", "ss", "ı", "İ", "i", "I", "ς", "Σ", "ſ", "S",
		"\u212a", "k", "ﬁ", "FI", "\xff", "\ufffd", "ǆ", "ǅ", "ͅ", "ι"}
	for _, a := range texts {
		for _, b := range texts {
			if sameReference(a, b) != record.SameReference(a, b) {
				t.Errorf("%q and %q", a, b)
			}
		}
	}
}

// TestRemittedOf asks the guard of remittances below, at and above what records of the series brought to the account.
func TestRemittedOf(t *testing.T) {
	c := new(checker)
	c.apart.now.moved = map[movedBy]*sides{
		moverOf(ledger.Treasurer, 0, 1, record.KindPrizesSwept):    {credits: 70},
		moverOf(ledger.Treasurer, 0, 1, record.KindRemittanceMade): {debits: 20},
		moverOf(ledger.Treasurer, 0, 2, record.KindPrizesSwept):    {credits: 40},
		moverOf(ledger.Crown, 0, 1, record.KindPrizeForfeited):     {credits: 5},
	}
	for _, x := range []struct {
		account ledger.Account
		series  uint8
		cents   money.Amount
		fine    bool
	}{
		{ledger.Treasurer, 1, 49, true}, {ledger.Treasurer, 1, 50, true}, {ledger.Treasurer, 1, 51, false},
		{ledger.Treasurer, 2, 40, true}, {ledger.Treasurer, 2, 41, false}, {ledger.Treasurer, 3, 1, false},
		{ledger.Crown, 1, 5, true}, {ledger.Crown, 1, 6, false}, {ledger.Crown, 2, 1, false},
	} {
		b := &record.RemittanceMade{Series: x.series, From: x.account.String(), Cents: x.cents}
		if err := c.checkRemittedOf(b, x.account); (err == nil) != x.fine {
			t.Errorf("%v of %v by series %d: %v", x.cents, x.account, x.series, err)
		}
	}
}
