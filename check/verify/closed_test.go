package verify_test

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// closedStory is of a venue that is closed while a customer is at its counter. The house
// refuses every further act there but the end of that session; another venue pays.
const closedStory = `
house
issue G at T1 gift_voucher 10.00
sell A at T1 classic 1 @ 5.00
sell B at T1 classic 2 @ 5.00
sell L at T1 classic 3 @ 5.00 for 3 games
play 1-20
issue H at T1 gift_voucher 10.00
next T1
pay A at T1 -> $15.00
hours V1 never
sell X at T1 classic 1 @ 1.00 -> refused not_trading -
issue I at T1 gift_voucher 10.00 -> refused venue_closed -
pay B at T1 -> refused venue_closed -
settle T1 -> cash -$15.00
next T1
pay B at T1 -> refused venue_closed -
bank T1 drop 5.00
hours V1 00:00-24:00
pay B at T1 -> $15.00
cancel L at T1
`

// closedWays are the other ways on which money or a paper leaves at a counter: each is
// refused between the closing of the venue and its opening, and done after it.
var closedWays = map[string]struct {
	rulebook, story string
	kind            record.Kind
}{
	"cancelled": {"casino-keno-div2", `
house
sell A at T1 standard 1 @ 5.00 for 3 games
hours V1 never
cancel A at T1 -> refused venue_closed -
hours V1 00:00-24:00
cancel A at T1
`, record.KindTicketCancelled},
	"forfeited": {"tas-keno-2023", `
house
sell A at T1 standard 1 @ 5.00
play 1-20
hours V1 never
forfeit A at T1 -> refused venue_closed -
hours V1 00:00-24:00
forfeit A at T1 -> $15.00
`, record.KindPrizeForfeited},
	"printed again": {"vic-keno-2015", `
house
sell A at T1 classic 1 @ 1.00
undelivered A at T1 -> undelivered
hours V1 never
reprint A at T1 -> refused venue_closed -
hours V1 00:00-24:00
reprint A at T1 -> printed
`, record.KindPaperReissued},
	"a claim paid in cash": {"casino-keno-div2", `
house
sell A at T1 standard 1 @ 1.00
play 1-20
claim A lost -> claim 1 of $3.00
sign 1 as casino_operator
decide 1 allowed -> allowed
hours V1 never
settle-claim 1 by cash at venue 1 -> refused venue_closed -
hours V1 00:00-24:00
settle-claim 1 by cash at venue 1 -> $3.00
`, record.KindClaimPaid},
}

// TestClosedVenue has acts at the counter of a venue just after it was closed. Each was
// honest just before, and is after the venue has hours again.
func TestClosedVenue(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015", closedStory)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	for name, c := range map[string]struct {
		kind record.Kind
		nth  int
	}{
		"sold": {record.KindTicketSold, 3}, "a voucher": {record.KindInstrumentIssued, 2}, "paid": {record.KindTicketPaid, 1},
	} {
		t.Run(name, func(t *testing.T) { s.closedAround(t, s.find(c.kind, c.nth)) })
	}
	t.Run("paid while it is closed", func(t *testing.T) {
		s.stayedClosed(t, record.KindTicketPaid)
	})
	for name, c := range closedWays {
		t.Run(name, func(t *testing.T) {
			s := tellMoney(t, c.rulebook, c.story)
			if f := s.verified(len(s.Records)); f != nil {
				t.Fatal(f)
			}
			s.closedAround(t, s.find(c.kind, 1))
			s.stayedClosed(t, c.kind)
		})
	}
}

// closedAround has the venue closed just after an act, which is honest then; just before it;
// and just before it but open again.
func (s *teller) closedAround(t *testing.T, seq int) {
	t.Helper()
	act, err := record.Decode(s.Records[seq])
	require(t, err)
	var at [2][]byte // The venue is closed, and opened again, when the act is done.
	for i := range at {
		hours, err := record.Decode(s.Records[s.find(record.KindHoursSet, i+1)])
		require(t, err)
		hours.Time = act.Time
		at[i], err = record.Encode(hours)
		require(t, err)
	}
	if f := s.verified(seq, s.Records[seq], at[0]); f != nil {
		t.Errorf("closed after it: %v", f)
	}
	if f := s.verified(seq, at[0], at[1], s.Records[seq]); f != nil {
		t.Errorf("closed and opened before it: %v", f)
	}
	f := s.verified(seq, at[0], s.Records[seq])
	if f == nil || f.Kind != act.Kind() || !strings.Contains(f.Reason, "closed: it has no hours") &&
		!strings.Contains(f.Reason, "outside its hours") {
		t.Errorf("closed just before it: %v", f)
	}
}

// stayedClosed leaves out the hours that open the venue again, so that the next act of a
// kind is done while it is closed.
func (s *teller) stayedClosed(t *testing.T, kind record.Kind) {
	t.Helper()
	again := s.find(record.KindHoursSet, 2)
	f := s.verified(again, s.Records[again+1:]...)
	if f == nil || f.Kind != kind || !strings.Contains(f.Reason, "closed: it has no hours") {
		t.Errorf("without the hours that open it again: %v", f)
	}
}
