package hall

import (
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestSessionInForce announces sessions on the days around the first one of the rules.
func TestSessionInForce(t *testing.T) {
	book, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	bingo, _ := book.Bingo()
	r := room{rules: bingo, book: book}
	for shift, want := range map[int]string{-1: "day order", 0: "games 4.1", 1: "games 4.1"} {
		on := book.From() + day.Day(shift)
		// Nothing but the day and the games is wrong: there are none.
		_, err := r.planSession(record.SessionSet{Day: on, Begins: noonOf(on), FeeCents: 10_00, BooksMax: 1,
			Series: []string{"A"}})
		refused, ok := err.(*refusal.Refusal) //nolint:errorlint // planSession wraps nothing.
		if !ok || refused.Code != SessionPlan || refused.Path+" "+refused.Clause != want {
			t.Errorf("%d days from the first: %v, want %s", shift, err, want)
		}
	}
}

// noonOf is noon in Greenwich on a day.
func noonOf(d day.Day) record.Time {
	noon, err := time.Parse("2006-01-02 15", d.String()+" 12")
	if err != nil {
		panic(err)
	}
	return record.Of(noon)
}
