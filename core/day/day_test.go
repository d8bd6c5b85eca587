package day

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// twin is the standard library's calendar, which the package does not use.
func twin(d Day) time.Time {
	return time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(d)-1)
}

func TestAgreesWithStandardCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Day(rapid.Int32Range(1, int32(lastDay)).Draw(t, "day"))
		want := twin(d)
		if got := d.String(); got != want.Format("2006-01-02") {
			t.Fatalf("day %d prints %s, the standard library says %s", d, got, want.Format("2006-01-02"))
		}
		back, err := Parse(d.String())
		if err != nil || back != d {
			t.Fatalf("Parse(%s) = %d, %v; want %d", d, back, err, d)
		}
	})
}

func TestEveryDayOfFourCenturiesIsConsecutive(t *testing.T) {
	d := MustParse("1900-01-01")
	for range 146097 {
		y, m, dd := d.Date()
		same, err := Of(y, m, dd)
		if err != nil || same != d {
			t.Fatalf("Of(Date(%d)) = %d, %v", d, same, err)
		}
		d++
	}
	if got := d.String(); got != "2300-01-01" {
		t.Fatalf("400 years after 1900-01-01 is %s", got)
	}
}

func TestAddMonths(t *testing.T) {
	for _, c := range []struct {
		from   string
		months int
		want   string
	}{
		{"2026-01-31", 1, "2026-02-28"},
		{"2028-01-31", 1, "2028-02-29"},
		{"2026-08-31", 6, "2027-02-28"},
		{"2027-08-31", 6, "2028-02-29"},
		{"2026-11-15", 6, "2027-05-15"},
		{"2028-02-29", 12, "2029-02-28"},
		{"2026-12-31", 12, "2027-12-31"},
		{"2026-03-31", -1, "2026-02-28"},
		{"2026-01-15", -1, "2025-12-15"},
		{"2023-02-14", 84, "2030-02-14"},
	} {
		got, err := MustParse(c.from).AddMonths(c.months)
		if err != nil || got.String() != c.want {
			t.Errorf("%s plus %d months = %v, %v; want %s", c.from, c.months, got, err, c.want)
		}
	}
}

func TestAddMonthsNeverLeavesTheMonth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Day(rapid.Int32Range(400, int32(lastDay)-4000).Draw(t, "day"))
		n := rapid.IntRange(0, 120).Draw(t, "months")
		got, err := d.AddMonths(n)
		if err != nil {
			t.Fatal(err)
		}
		y, m, dom := d.Date()
		gy, gm, gdom := got.Date()
		if gy*12+gm != y*12+m+n {
			t.Fatalf("%v plus %d months is %v", d, n, got)
		}
		if gdom != dom && (gdom != DaysIn(gy, gm) || gdom > dom) {
			t.Fatalf("%v plus %d months is %v: neither the same day nor the month's end", d, n, got)
		}
	})
}

func TestRefusals(t *testing.T) {
	for _, s := range []string{"", "2026-11-5", "2026/11/15", "2026-13-01", "2026-00-10", "2026-02-29", "0000-01-01",
		"+026-01-01", "2026-1 -01"} {
		if d, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", s, d)
		}
	}
	if _, err := MustParse("9999-12-31").AddDays(1); err == nil {
		t.Error("the day after 9999-12-31 was accepted")
	}
	if _, err := MustParse("0001-01-01").AddDays(-1); err == nil {
		t.Error("the day before 0001-01-01 was accepted")
	}
	if _, err := MustParse("9999-12-31").AddMonths(1); err == nil {
		t.Error("the month after 9999-12 was accepted")
	}
	if None.IsValid() {
		t.Error("the zero value is valid")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("2026-11-15")
	f.Add("2028-02-29")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err == nil && d.String() != s {
			t.Fatalf("Parse(%q) prints %q", s, d)
		}
	})
}
