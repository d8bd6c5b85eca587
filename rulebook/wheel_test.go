package rulebook

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// wheelBook returns the sound book with another multiplier.
func wheelBook(t *testing.T, multiplier string) string {
	t.Helper()
	before, rest, _ := strings.Cut(readFile(t, "testdata/sound.yaml"), "  multiplier:\n")
	_, after, found := strings.Cut(rest, "  schedules:\n")
	if !found {
		t.Fatal("the sound book has no multiplier before its schedules")
	}
	return before + "  multiplier:\n    clause: \"11\"\n" + multiplier + "  schedules:\n" + after
}

// TestWheel reads a wheel: of three numbers there are six orders.
func TestWheel(t *testing.T) {
	book, err := Load("f", []byte(wheelBook(t, "    wheel: {5: 1, 1: 3, 2: 2}\n")))
	if err != nil {
		t.Fatal(err)
	}
	if got := book.Wheel(); !slices.Equal(got, []int{1, 1, 1, 2, 2, 5}) {
		t.Errorf("the wheel is %v", got)
	}
	if least, most := book.MultiplierBounds(); book.Multiplier(100) != 0 || least != 0 || most != 0 ||
		book.MultiplierClause() != "11" {
		t.Errorf("a sum has the factor %d, from %d to %d (%s)", book.Multiplier(100), least, most, book.MultiplierClause())
	}
	again, err := FromCanonical(book.Canonical())
	if err != nil || !slices.Equal(again.Wheel(), book.Wheel()) {
		t.Errorf("the canonical form reads back as %v, %v", again, err)
	}
	sound, err := Load("f", []byte(readFile(t, "testdata/sound.yaml")))
	if err != nil || sound.Wheel() != nil {
		t.Errorf("a book with rows has the wheel %v, %v", sound.Wheel(), err)
	}
}

func TestWheelFaults(t *testing.T) {
	for _, c := range []struct {
		multiplier string
		want       []string
	}{
		{"    wheel: {1: 1}\n", nil},
		{"    wheel: {100: 6}\n", nil},
		{"    wheel: {101: 6}\n", []string{`keno.multiplier.wheel.101: the factor is not a whole number from 1 to 100`}},
		{"    wheel: {0: 6}\n", []string{`keno.multiplier.wheel.0: the factor is not a whole number from 1 to 100`}},
		{"    wheel: {1: 0}\n", []string{`keno.multiplier.wheel.1: has 0 slots; it must have 1 to 10000`}},
		{"    wheel: {1: 10001}\n", []string{`keno.multiplier.wheel.1: has 10001 slots; it must have 1 to 10000`}},
		{"    wheel: {1: 3, 2: 1}\n",
			[]string{`keno.multiplier.wheel: has 4 slots, which the orders of 3 numbers cannot divide evenly: the number must divide 3!`}},
		{"    wheel: {1: 6000, 2: 6000}\n", []string{`keno.multiplier.wheel: has 12000 slots, more than 10000`}},
		{"    wheel: {1: 6}\n    rows: {6: 1 1}\n",
			[]string{`keno.multiplier: needs either rows, by the sum of the numbers, or a wheel`}},
		{"    reading: none\n", []string{`keno.multiplier: needs either rows, by the sum of the numbers, or a wheel`}},
	} {
		checkFaultList(t, c.multiplier, wheelBook(t, c.multiplier), c.want)
	}
	race := strings.Replace(wheelBook(t, "    wheel: {1: 6}\n"), "name: Bonus, bets: [plain, halves]",
		"name: Bonus, bets: [plain, halves, race]", 1)
	checkFaultList(t, "race", race,
		[]string{`keno.multiplier.wheel: the order of the numbers turns it and decides the bet "race": it cannot multiply that`})
}

// TestLastByMatches reads prizes of the last number that go by the spots matched.
func TestLastByMatches(t *testing.T) {
	sound := readFile(t, "testdata/sound.yaml")
	for _, c := range []struct {
		rows string
		want []string
	}{
		{"catch: {1: {1: 60.00}, 2: {1: 8.50, 2: 20}}", nil},
		{"catch: {1: {1: 60.00}, 2: {2: 20}}", nil},
		{"catch: {1: {1: 60.00}, 2: {0: 1, 2: 20}}", []string{
			`keno.schedules[0].uses.lucky_last: the table "last-1" pays for no match of 2 spots; the last number among them is one`,
			`keno.schedules[1].uses.lucky_last: the table "last-1" pays for no match of 2 spots; the last number among them is one`}},
		{"catch: {1: {1: 60.00}}", []string{
			`keno.schedules[0].uses.lucky_last: the table "last-1" has no prizes for 2 spots, which are sold`,
			`keno.schedules[1].uses.lucky_last: the table "last-1" has no prizes for 2 spots, which are sold`}},
		{"outcome: {win: 6}", []string{
			`keno.schedules[0].uses.lucky_last: the table "last-1" must pay by spots alone (size) or by spots and matches (catch)`,
			`keno.schedules[1].uses.lucky_last: the table "last-1" must pay by spots alone (size) or by spots and matches (catch)`}},
	} {
		checkFaultList(t, c.rows, with(sound, "size: {1: 60.00, 2: 8.50}", c.rows), c.want)
	}
}

// checkFaultList compares the faults of a book, in any order.
func checkFaultList(t *testing.T, name, text string, want []string) {
	t.Helper()
	_, err := Load("f", []byte(text))
	var faults Faults
	errors.As(err, &faults)
	var got []string
	for _, f := range faults {
		got = append(got, f.Path+": "+f.Message)
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
