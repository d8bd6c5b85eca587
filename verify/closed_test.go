package verify_test

import (
	"strings"
	"testing"

	"drawhouse/record"
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

// TestClosedVenue has acts at the counter of a venue just after it was closed. Each was
// honest just before, and is after the venue has hours again.
func TestClosedVenue(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015", closedStory)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	closed := s.find(record.KindHoursSet, 1)
	for name, c := range map[string]struct {
		kind record.Kind
		nth  int
	}{
		"sold": {record.KindTicketSold, 3}, "a voucher": {record.KindInstrumentIssued, 2}, "paid": {record.KindTicketPaid, 1},
	} {
		t.Run(name, func(t *testing.T) {
			seq := s.find(c.kind, c.nth)
			hours, err := record.Decode(s.Records[closed])
			require(t, err)
			r, err := record.Decode(s.Records[seq])
			require(t, err)
			hours.Time = r.Time
			told, err := record.Encode(hours)
			require(t, err)
			// Before it, the act is honest.
			if f := s.verified(seq, s.Records[seq], told); f != nil {
				t.Errorf("closed after it: %v", f)
			}
			f := s.verified(seq, told, s.Records[seq])
			if f == nil || f.Kind != c.kind || !strings.Contains(f.Reason, "closed: it has no hours") && !strings.Contains(f.Reason, "outside its hours") {
				t.Errorf("closed just before it: %v", f)
			}
		})
	}
	t.Run("paid while it is closed", func(t *testing.T) {
		again := s.find(record.KindHoursSet, 2)
		f := s.verified(again, s.Records[again+1:]...)
		if f == nil || f.Kind != record.KindTicketPaid || !strings.Contains(f.Reason, "closed: it has no hours") {
			t.Errorf("without the hours that open it again: %v", f)
		}
	})
}
