package figure

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGrouped(t *testing.T) {
	for number, want := range map[string]string{
		"": "", "-": "-", "0": "0", "999": "999", "1000": "1,000", "-999": "-999", "-1000": "-1,000",
		"1234567": "1,234,567", "123456.7890": "123,456.7890", "-1234567.25": "-1,234,567.25", ".5000": ".5000",
	} {
		if got := Grouped(number); got != want {
			t.Errorf("%q is written %q, want %q", number, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 tickets", 1: "1 ticket", 2: "2 tickets", 1000: "1,000 tickets",
		1<<64 - 1: "18,446,744,073,709,551,615 tickets"} {
		if got := Count(n, "ticket"); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
	if one, two := CountOf(1, "entry", "entries"), CountOf(2, "entry", "entries"); one != "1 entry" || two != "2 entries" {
		t.Errorf("%s and %s", one, two)
	}
}

// TestGroupedForm: commas are all there and nothing else is added, whatever the number.
func TestGroupedForm(t *testing.T) {
	form := regexp.MustCompile(`^-?\d{1,3}(,\d{3})*(\.\d+)?$`)
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`-?\d{1,40}(\.\d{1,10})?`).Draw(t, "number")
		got := Grouped(number)
		if !form.MatchString(got) || strings.ReplaceAll(got, ",", "") != number {
			t.Fatalf("%q is written %q", number, got)
		}
	})
}

func TestList(t *testing.T) {
	for want, things := range map[string][]int{"": nil, "1": {1}, "1 and 2": {1, 2}, "1, 2 and 3": {1, 2, 3}} {
		if got := List(things); got != want {
			t.Errorf("%v is written %q, want %q", things, got, want)
		}
	}
}
