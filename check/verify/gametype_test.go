package verify_test

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// typeStory has vouchers for types of game: one that is bought, one that two persons give, and
// one that replaces what a voucher has paid.
const typeStory = `
house 2026-11-15
issue Gift at T1 gift_voucher 4.00 for heads_or_tails
issue Prepaid at T1 prepaid_voucher 2.00 for heads_or_tails by the operator
next T1
sell A at T1 heads_or_tails heads @ 4.00
settle T1 with Gift -> paper $4.00
next T1
cancel A at T1 -> refund $4.00 carried $0.00
settle T1 = Again -> gift_voucher -$4.00
`

// TestTypeOfGame lets a house lie about the type of game that a voucher is for. Who replays the
// journal finds it with the voucher itself, or with the end of the session that it pays for or
// that it is given in.
func TestTypeOfGame(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", typeStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	at := func(nth int) int { return story.find(record.KindInstrumentIssued, nth) }
	end := func(nth int) int { return story.find(record.KindSessionEnded, nth) }
	for _, lie := range []struct {
		name   string
		issued int // the number of the voucher
		to     string
		found  int
		reason string
	}{
		{"a bought voucher for no game", 1, "", at(1), `is for the type of game ""`},
		{"a bought voucher for a game that there is not", 1, "lucky_last", at(1), `is for the type of game "lucky_last"`},
		{"a given voucher for another game than agreed", 2, "classic", at(2), "something else than this"},
		{"a voucher that pays for another game", 1, "classic", end(1), "a gift_voucher for classic pays for ticket"},
		{"a replacement for another game", 3, "classic", end(2), "gives back no such voucher"},
		{"a replacement for any game", 3, "", end(2), "gives back no such voucher"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			seq := at(lie.issued)
			r, err := record.Decode(story.Records[seq])
			require(t, err)
			r.Body.(*record.InstrumentIssued).GameType = lie.to
			told, err := record.Encode(r)
			require(t, err)
			f := story.verified(seq, append([][]byte{told}, story.Records[seq+1:lie.found+1]...)...)
			if f == nil || f.Place.Seq != uint64(lie.found) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, lie.found, lie.reason)
			}
		})
	}
}
