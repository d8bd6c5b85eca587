package counter

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/rulebook/rules"
)

// TestOtherSystemAtTheCounter holds what a counter says of a ticket of another system against how the ticket stands, on
// the last day of its claim and on the day after it.
func TestOtherSystemAtTheCounter(t *testing.T) {
	book, err := rules.Book("tas-keno-2023")
	if err != nil {
		t.Fatal(err)
	}
	last, err := day.Parse("2026-11-20")
	if err != nil {
		t.Fatal(err)
	}
	ticket := state.OtherTicket{OtherFile: &state.OtherFile{System: "Old Keno", Clause: "14.3"}, Cents: 9_999, Until: last}
	const late = "This is a ticket of Old Keno. It could be claimed until 2026-11-20."
	for _, c := range []struct {
		stands       state.Standing
		today        day.Day
		clause, says string
	}{
		{state.OtherOpen, last, "3.2", "This is a ticket of Old Keno. $99.99 is owed on it. Venues do not pay it: hand it in " +
			"with a Ticket Claim Form, for the reason \"retired\", until 2026-11-20."},
		{state.OtherOpen, last + 1, "14.3", late},
		{state.OtherGone, last, "14.3", late},
		{state.OtherClaimed, last + 1, "3.2", "This is a ticket of Old Keno. It is on a Ticket Claim Form that is not paid yet."},
		{state.OtherPaid, last + 1, "3.2", "This is a ticket of Old Keno. It was paid on a Ticket Claim Form."},
	} {
		var r *refusal.Refusal
		if err := RefuseOther(book, ticket, c.stands, c.today); !errors.As(err, &r) || r.Code != OtherSystem ||
			r.Clause != c.clause || r.Sentence != c.says {
			t.Errorf("standing %d on %v: %v", c.stands, c.today, err)
		}
	}
}
