package odds

import (
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// steppedBook returns the rulebook of Victoria with another step of rounding.
func steppedBook(t *testing.T, step string) *rulebook.Book {
	t.Helper()
	data, err := os.ReadFile("../rules/vic-keno-2015/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "step: 0.10\n    mode", "step: "+step+"\n    mode", 1)
	book, err := rulebook.Load("book", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// TestRoundedReturns works out by hand what a step of $7.00 leaves of prizes, with the multiplier and in a run.
func TestRoundedReturns(t *testing.T) {
	book := steppedBook(t, "7")
	r := mustOf(t, book, Options{Schedule: "1"})
	// Two spots win $12.00 for both, of which $7.00 are paid.
	two := find(t, r, "schedule-1", "classic", 2, "")
	p := kenoDraw.Match(2, 2)
	wantRat(t, "return", two.RTP.Rat, new(big.Rat).Mul(p, ratio(7, 1)))
	multiplied, heads := new(big.Rat), new(big.Rat)
	for _, f := range r.Multiplier.Factors {
		part := new(big.Rat).Mul(f.Probability.Rat, big.NewRat(int64(12*f.Factor/7*7), 2))
		multiplied.Add(multiplied, part.Mul(part, p))
	}
	wantRat(t, "return with the multiplier", two.Multiplied.RTP.Rat, multiplied)
	// Heads win $2.00, which is nothing, and with a factor of 5 or 10 they win $7.00 or $14.00 and run on: half of that
	// is staked.
	call := find(t, r, "schedule-1", "heads_or_tails", 0, Heads)
	wantRat(t, "heads", call.RTP.Rat, new(big.Rat))
	bet, _ := book.Bet("heads_or_tails")
	calls, _ := bet.Calls()
	a, err := newAnalysis(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	won := a.factorsByCall("heads_or_tails", Halves{calls.LowerHalf, calls.Majority})[Heads]
	for _, first := range won {
		for _, second := range won {
			carried := 2 * first.Factor / 7 * 7
			part := new(big.Rat).Mul(first.Probability.Rat, second.Probability.Rat)
			heads.Add(heads, part.Mul(part, big.NewRat(int64(carried*second.Factor/7*7), 2)))
		}
	}
	wantRat(t, "a run of two", call.Runs[1].MultipliedRTP.Rat, heads)
	if heads.Sign() == 0 {
		t.Error("no run of two wins anything")
	}
	// The prize of a ticket at $10.00 is rounded from what the table states, not from what $1.00 is paid.
	tail, err := Liability(book, find(t, r, "schedule-1", "classic", 6, ""), Sold{Tickets: 1, Stake: 10 * money.Dollar})
	if err != nil || len(tail.Majors) != 1 || tail.Majors[0].PrizeCents != 17_997*money.Dollar {
		t.Errorf("majors %+v, %v, want $18,000.00 rounded down to $17,997.00", tail, err)
	}
	note := r.Notes[len(r.Notes)-1]
	for _, want := range []string{"a stake of $1.00", "down to a multiple of $7.00", "rule 21(i)"} {
		if !strings.Contains(note, want) {
			t.Errorf("the note %q does not say %q", note, want)
		}
	}
}

// TestRoundingIsAnEffect: another step is a change, also where no prize for the stake of its table is another.
func TestRoundingIsAnEffect(t *testing.T) {
	before := loadBook(t, "vic-keno-2015")
	for step, want := range map[string][]string{
		"0.50": {"The prize of a way is rounded: down to a multiple of $0.50 instead of down to a multiple of $0.10."},
		"1000": {"The prize of a way is rounded: down to a multiple of $1,000.00 instead of down to a multiple of $0.10.",
			"schedule-1, classic 2: returns 0.0000% instead of 72.1519%, wins never instead of 1 in 16.63, " +
				"pays at most $0.00 for $1.00 instead of $12.00 for $1.00, returns with Keno Bonus 0.0000% instead of 72.3247%."},
	} {
		lines, err := Effect(before, steppedBook(t, step))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !slices.Contains(lines, line) {
				t.Errorf("a step of %s does %q, want %q", step, lines, line)
			}
		}
	}
}
