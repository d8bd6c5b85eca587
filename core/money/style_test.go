package money

import "testing"

func TestStyle(t *testing.T) {
	euro := Style{Symbol: "€", After: true, Group: ".", Decimal: ","}
	rupee := Style{Symbol: "Rs ", Group: ",", Decimal: "."}
	for _, c := range []struct {
		style      Style
		text, want string
	}{
		{Style{}, "$1,234.50 is $5", "$1,234.50 is $5"},
		{euro, "", ""},
		{euro, "3 of 4 on $2.00: 2 x $4.00 = $8.00", "3 of 4 on 2,00\u00a0€: 2 x 4,00\u00a0€ = 8,00\u00a0€"},
		{euro, "-$1,234,567.89", "-1.234.567,89\u00a0€"},
		{euro, "at most $1,000,000.00, and more", "at most 1.000.000,00\u00a0€, and more"},
		{euro, "$ 5, $5, $5.1, $x and $", "$ 5, $5, $5.1, $x and $"},
		{euro, "$0.50$0.10", "0,50\u00a0€0,10\u00a0€"},
		{rupee, "$12,345.00.", "Rs 12,345.00."},
	} {
		if got := c.style.In(c.text); got != c.want {
			t.Errorf("%q is written %q, want %q", c.text, got, c.want)
		}
	}
	if got := euro.Write(-1_000_05); got != "-1.000,05\u00a0€" {
		t.Errorf("got %q", got)
	}
}

// FuzzStyle: what is not an amount stays, and the style of Amount.String changes nothing.
func FuzzStyle(f *testing.F) {
	f.Add("3 of 4 on $2,000.00: -$0.10")
	same := Style{Symbol: "$", Group: ",", Decimal: "."}
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := Parse(text); err == nil && same.Write(a) != a.String() {
			t.Errorf("%v is written %q", a, same.Write(a))
		}
		if got := (Style{}).In(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// TestShort writes amounts without cents, and the formats of spreadsheets.
func TestShort(t *testing.T) {
	euro := Style{Symbol: "€", After: true, Group: ".", Decimal: ","}
	for _, c := range []struct {
		style        Style
		short, cells string
	}{
		{Style{}, "$1,234", `"$"#,##0;-"$"#,##0`},
		{euro, "1.234\u00a0€", `#,##0 "€";-#,##0 "€"`},
		{Style{Symbol: "kr", Group: " ", Decimal: ","}, "kr1 234", `"kr"#,##0;-"kr"#,##0`},
	} {
		if got := c.style.Short(123_450, true); got != c.short {
			t.Errorf("%+v: %q, want %q", c.style, got, c.short)
		}
		if got := c.style.Short(123_450, false); got != c.style.Write(123_450) {
			t.Errorf("%+v: %q with cents", c.style, got)
		}
		if got := c.style.Cells("#,##0"); got != c.cells {
			t.Errorf("%+v: %q, want %q", c.style, got, c.cells)
		}
	}
}
