package rulebook

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
)

func TestDollars(t *testing.T) {
	for text, want := range map[string]Dollars{"0": 0, "5000": 500000, "60.00": 6000, "8.50": 850, "0.10": 10,
		"1,234.50": 123450} {
		var got Dollars
		if err := got.parseText(text); err != nil || got != want {
			t.Errorf("%q = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "8.5", "8.505", "-1", "1e3", "one", ".50", "007"} {
		var got Dollars
		if err := got.parseText(text); err == nil {
			t.Errorf("%q = %d, want an error", text, got)
		}
	}
}

func TestPercent(t *testing.T) {
	for text, want := range map[string]Percent{"0": 0, "10": 1000, "0.8": 80, "74.20": 7420, "0.29": 29, "99.99": 9999,
		"100": Whole, "100.00": Whole} {
		var got Percent
		if err := got.parseText(text); err != nil || got != want {
			t.Errorf("%q = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "100.01", "101", "-1", "1.234", "1.", ".5", "1e1", "10%", "1000"} {
		var got Percent
		if err := got.parseText(text); err == nil {
			t.Errorf("%q = %d, want an error", text, got)
		}
	}
	if got := Percent(7405).String(); got != "74.05%" {
		t.Errorf("7405 prints as %s", got)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]string{"1-10 15 20 40": "1-10 15 20 40", "3 1 2": "1-3", "1 2": "1 2", "80": "80",
		"1,3": "1 3", "5-6 8-10": "5 6 8-10"} {
		var got Sizes
		if err := got.parseText(text); err != nil || got.String() != want {
			t.Errorf("%q = %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", "0", "81", "1-10 5", "1 to 10", "10-1"} {
		var got Sizes
		if err := got.parseText(text); err == nil || got.Set().IsValid() {
			t.Errorf("%q = %q, want an error", text, got)
		}
	}
}

// TestSizesRoundTrip proves that the printed form reads back.
func TestSizesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nums := rapid.SliceOfNDistinct(rapid.IntRange(1, 80), 1, 80, rapid.ID).Draw(t, "sizes")
		want := Sizes(ball.MustOf(ball.Keno, nums...))
		var got Sizes
		if err := got.parseText(want.String()); err != nil || got != want {
			t.Fatalf("%v prints as %q, which reads as %v, %v", nums, want, got, err)
		}
	})
}

func TestRange(t *testing.T) {
	for text, want := range map[string]Range{"4-19": {4, 19}, "50-": {50, 0}, "1": {1, 1}, "7-7": {7, 7}} {
		var got Range
		if err := got.parseText(text); err != nil || got != want {
			t.Errorf("%q = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", "-5", "0", "0-", "5-4", "a", "1-b", "1000000"} {
		var got Range
		if err := got.parseText(text); err == nil {
			t.Errorf("%q = %v, want an error", text, got)
		}
	}
	for _, c := range []struct {
		r             Range
		n             int
		has           bool
		s             Range
		overlaps      bool
		print, second string
	}{
		{Range{4, 19}, 3, false, Range{1, 3}, false, "4-19", "1-3"},
		{Range{4, 19}, 4, true, Range{19, 30}, true, "4-19", "19-30"},
		{Range{4, 19}, 20, false, Range{20, 0}, false, "4-19", "20-"},
		{Range{50, 0}, 50, true, Range{}, true, "50-", "any"},
		{Range{}, 1, true, Range{7, 7}, true, "any", "7"},
	} {
		if c.r.Has(c.n) != c.has || c.r.overlaps(c.s) != c.overlaps || c.s.overlaps(c.r) != c.overlaps {
			t.Errorf("%v has %d: %v; overlaps %v: %v", c.r, c.n, c.r.Has(c.n), c.s, c.r.overlaps(c.s))
		}
		if c.r.String() != c.print || c.s.String() != c.second {
			t.Errorf("%v and %v print as %s and %s", c.r, c.s, c.r, c.s)
		}
	}
}

// TestRoundingWords ties the words of the schema to the rounding that prizes are settled with.
func TestRoundingWords(t *testing.T) {
	for _, f := range fieldsOf(reflect.TypeFor[Rounding]()) {
		if f.name != "mode" {
			continue
		}
		for _, word := range f.words {
			if mode, err := money.ParseRounding(word); err != nil || mode != money.Floor {
				t.Errorf("%s: %v, and prizes are rounded down alone", word, err)
			}
		}
	}
}

// TestTaxRoundingWords ties the words of the schema to the roundings of package money, all of them.
func TestTaxRoundingWords(t *testing.T) {
	words := 0
	for _, f := range fieldsOf(reflect.TypeFor[Tax]()) {
		if f.name != "rounding" {
			continue
		}
		for _, word := range f.words {
			if mode := (&Tax{Rounding: word}).Mode(); !mode.IsValid() || mode.String() != word {
				t.Errorf("%s is rounded by %v", word, mode)
			}
			words++
		}
	}
	if want := int(money.HalfEven-money.Floor) + 1; words != want {
		t.Errorf("%d words, and %d roundings", words, want)
	}
}
