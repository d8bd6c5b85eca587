package ledger

import (
	"strings"
	"testing"
)

// TestClasses: every account has a class and a default code of four digits, which begins with the number of the class
// and which no other account has.
func TestClasses(t *testing.T) {
	owner := map[string]Account{}
	for _, a := range Accounts() {
		class, code := a.Class(), a.Code()
		if !class.IsValid() {
			t.Errorf("%v has no class: give it one in the chart", a)
		}
		if len(code) != 4 || strings.Trim(code, "0123456789") != "" || code[0] != '0'+byte(class) {
			t.Errorf("%v is of class %v and has the code %q, which is not in %d000 to %d999", a, class, code, class, class)
		}
		if other, twice := owner[code]; twice {
			t.Errorf("%v and %v have the code %s", a, other, code)
		}
		owner[code] = a
		if again, err := ParseAccount(a.String()); err != nil || again != a {
			t.Errorf("%v reads as %v, %v", a, again, err)
		}
		if (a.KeptFor() == "") == a.HasUnits() {
			t.Errorf("%v has units: %v, and is kept for %q", a, a.HasUnits(), a.KeptFor())
		}
	}
	for _, c := range Classes() {
		if again, err := ParseClass(c.String()); err != nil || again != c {
			t.Errorf("%v reads as %v, %v", c, again, err)
		}
	}
	for _, out := range []Account{0, Account(len(chart) + 1)} {
		if out.Class() != 0 || out.Code() != "" {
			t.Errorf("%v has the class %v and the code %q", out, out.Class(), out.Code())
		}
	}
	for _, out := range []Class{0, Expense + 1} {
		if out.IsValid() || !strings.HasPrefix(out.String(), "class ") {
			t.Errorf("class %d is %v", uint8(out), out)
		}
	}
}

// TestWhatIsOwedIsALiability holds classes of accounts whose balance has a known side against what a sale, a prize and
// a lapse post to them.
func TestWhatIsOwedIsALiability(t *testing.T) {
	for a, want := range map[Account]Class{
		Cash: Asset, Bank: Asset, VenueLosses: Asset, Unplayed: Liability, Prizes: Liability, PrizeFund: Liability,
		Instruments: Liability, Treasurer: Liability, JackpotPrimary: Liability, Retained: Income, Forfeited: Income,
		OverShort: Expense, Overpaid: Expense, Operator: Expense,
	} {
		if a.Class() != want {
			t.Errorf("%v is of class %v, want %v", a, a.Class(), want)
		}
	}
}

// TestParseUnit reads the words of units back, and refuses every other spelling.
func TestParseUnit(t *testing.T) {
	for _, a := range Accounts() {
		if !a.HasUnits() {
			if _, err := a.ParseUnit("venue 1"); err == nil {
				t.Errorf("%v has a unit", a)
			}
			continue
		}
		for _, unit := range []uint32{1, 7, 8, 0x101, 0x109, 0xffff} {
			if got, err := a.ParseUnit(a.UnitName(unit)); err != nil || got != unit {
				t.Errorf("%v: %q reads as %d, %v; want %d", a, a.UnitName(unit), got, err, unit)
			}
		}
		if _, err := a.ParseUnit("nowhere"); err == nil || strings.Contains(err.Error(), "written as \"\"") {
			t.Errorf("%v: the fault of a unit gives no example: %v", a, err)
		}
		for _, words := range []string{"", "venue", "venue 0", "venue 07", "venue 7 ", " venue 7", "venue 7, 2 spots", "safe 7",
			"series 256, 1 spots", "series 1, 256 spots", "kind 2", "terminal 4294967296", "gift voucher"} {
			if got, err := a.ParseUnit(words); err == nil {
				t.Errorf("%v: %q reads as %d", a, words, got)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, words := range []string{"venue 7", "series 1, 9 spots", "gift_voucher", "kind 9", "asset", "cash"} {
		f.Add(words)
	}
	f.Fuzz(func(t *testing.T, words string) {
		for _, a := range Accounts() {
			if unit, err := a.ParseUnit(words); err == nil && (unit == 0 || a.UnitName(unit) != words) {
				t.Errorf("%v: %q reads as %d, which is %q", a, words, unit, a.UnitName(unit))
			}
		}
		if class, err := ParseClass(words); err == nil && class.String() != words {
			t.Errorf("%q reads as %v", words, class)
		}
		if account, err := ParseAccount(words); err == nil && account.String() != words {
			t.Errorf("%q reads as %v", words, account)
		}
	})
}
