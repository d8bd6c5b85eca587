package verify

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	adopted "drawhouse/rulebook/rules"
)

// TestPayTwin splits amounts at random and asks both who decides how a customer is
// paid and who checks it: what one refuses the other finds, and what one pays the
// other accepts.
func TestPayTwin(t *testing.T) {
	amounts := []money.Amount{1, 299_99, 300_00, 300_01, 999_99, 1_000_00, 1_000_01, 2_998_99, 2_999_00, 2_999_01,
		9_999_99, 10_000_00, 10_000_01, 14_000_00}
	books := map[string]*graded{}
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		book, err := adopted.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRules(book)
		if err != nil {
			t.Fatal(err)
		}
		books[id] = &graded{book, r}
	}
	agreed := map[bool]int{}
	rapid.Check(t, func(rt *rapid.T) {
		of := books[rapid.SampledFrom([]string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"}).Draw(rt, "book")]
		total := rapid.SampledFrom(amounts).Draw(rt, "total")
		limit := rapid.SampledFrom([]money.Amount{0, 300_00, 1_000_00, 5_000_00, 20_000_00}).Draw(rt, "limit")
		channel := rapid.SampledFrom([]rulebook.Channel{rulebook.ChannelWriter, rulebook.ChannelSST}).Draw(rt, "channel")
		kind := rapid.SampledFrom([]rulebook.VenueKind{rulebook.VenueLicensed, rulebook.VenueCasino,
			rulebook.VenueCentral}).Draw(rt, "kind")
		exchanged := min(total, rapid.SampledFrom([]money.Amount{0, total, total / 2}).Draw(rt, "exchanged"))
		var tickets []money.Amount
		var paid []inVisit
		if exchanged < total {
			tickets, paid = []money.Amount{total - exchanged}, []inVisit{{seq: 1, cents: total - exchanged}}
		}
		// The rest is of another origin, one that may leave.
		origin := rapid.SampledFrom(slices.DeleteFunc(of.book.Origins(),
			func(o rulebook.Origin) bool { return of.rules.bound(o.ID) })).Draw(rt, "origin").ID
		var lots []state.Lot
		var hand purse
		for _, l := range []state.Lot{{ID: originPrize, Of: record.Place{Volume: 1, Seq: 1}, Cents: total - exchanged},
			{ID: origin, Cents: exchanged}} {
			if l.Cents > 0 {
				lots = append(lots, l)
				hand.put(part{id: l.ID, cents: l.Cents}, 1, false)
			}
		}
		if !of.rules.exchanges(origin) {
			exchanged = 0
		}
		majors := min(total, rapid.SampledFrom([]money.Amount{0, 200_00, 14_000_00}).Draw(rt, "majors"))
		var shares []counter.Share
		left := total
		for _, means := range rapid.Permutation([]string{counter.Cash, counter.ChangeReceipt, counter.SSTReceipt,
			counter.CentralVoucher, counter.SiteCheque, counter.Cheque, counter.Transfer}).Draw(rt, "means")[:3] {
			part := min(left, rapid.SampledFrom(append([]money.Amount{0, total}, amounts...)).Draw(rt, "part"))
			if part > 0 {
				shares = append(shares, counter.Share{Means: means, Cents: part})
			}
			left -= part
		}
		if left > 0 {
			return
		}
		_, refused := counter.Route(of.book, counter.Dues{Total: total, Tickets: tickets, Majors: majors, Channel: channel,
			Venue: kind, Exchanged: exchanged, Limit: limit, Lots: lots}, shares)
		c := &checker{tills: newTills()}
		c.tills.limits[1] = limit
		e := &ending{
			SessionEnded: &record.SessionEnded{Checked: true}, rules: of.rules,
			term:  &terminal{venue: 1, channel: channel, kind: kind},
			visit: visit{paid: paid, majors: majors}, exchanged: exchanged, out: map[string]money.Amount{}, purse: hand,
		}
		for _, s := range shares {
			e.out[s.Means] += s.Cents
		}
		found := c.checkOut(e)
		for _, s := range shares {
			if found == nil && !of.rules.gives(e.term, s.Means) {
				found = fmt.Errorf("a %s hands out no %s", channel, s.Means)
			}
		}
		if (found == nil) != (refused == nil) {
			rt.Fatalf("%s, %v, %v of them exchanged, at %s of a %s with a limit of %v as %v: decided %v, checked %v",
				of.book.ID(), total, exchanged, channel, kind, limit, shares, refused, found)
		}
		agreed[refused == nil]++
	})
	if agreed[true] == 0 || agreed[false] == 0 {
		t.Errorf("agreed on %v", agreed)
	}
}

// graded is a rulebook, as read and as the checks take it.
type graded struct {
	book  *rulebook.Book
	rules *rules
}
