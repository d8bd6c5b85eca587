package verify

import (
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	library "drawhouse/rulebook/rules"
)

// stakedBefore is a house in which 9,000 dollars have left in cash with a prize of ticket 1, of
// which a part was staked on ticket 2.
func stakedBefore(t *testing.T, id string) (*checker, *rules) {
	t.Helper()
	book, err := library.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{level: record.LevelGuarded, report: &Report{}, tills: newTills()}
	c.tills.counted[1] = 9_000_00
	return c, &rules{book: book, payout: book.Payout()}
}

// TestStakedPrizeTogether: a prize that was staked and comes back in cash counts together with
// what left before.
func TestStakedPrizeTogether(t *testing.T) {
	hotel := &terminal{venue: 7, kind: rulebook.VenueHotel, channel: rulebook.ChannelWriter}
	for _, x := range []struct {
		name  string
		cents money.Amount
		limit money.Amount // of the venue
		ok    bool
	}{
		{"below", 999_99, 0, true}, {"at", 1_000_00, 0, true}, {"above", 1_000_01, 0, false},
		{"below a venue's limit", 499_99, 9_500_00, true}, {"at a venue's limit", 500_00, 9_500_00, true},
		{"above a venue's limit", 500_01, 9_500_00, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, r := stakedBefore(t, "vic-keno-2015")
			c.tills.limits[7] = x.limit
			back := []part{{id: originPrize, of: 1, cents: x.cents, back: true}}
			if err := c.backInCash(back, 800_00, hotel, r); (err == nil) != x.ok {
				t.Errorf("by itself: %v", err)
			}
			c, r = stakedBefore(t, "vic-keno-2015")
			c.level, c.tills.limits[7] = record.LevelSeries, x.limit
			end := func(counted money.Amount) error {
				e := &ending{SessionEnded: &record.SessionEnded{CountedCents: counted}, term: hotel, rules: r,
					out: map[string]money.Amount{originCash: x.cents}}
				e.visit.brought = map[uint64]brought{2: {cents: x.cents, parts: back}}
				e.purse.fill(e)
				return c.checkPay(e, 0, 0)
			}
			if err := end(x.cents); (err == nil) != x.ok {
				t.Errorf("in a session: %v", err)
			}
			if x.ok && c.tills.counted[1] != 9_000_00+x.cents {
				t.Errorf("%v count since then", c.tills.counted[1])
			}
			c.tills.counted[1] = 9_000_00
			if err := end(x.cents - 1); err == nil {
				t.Error("a session that says less than counts is taken")
			}
		})
	}
	// What was not staked is a prize of the session in which it is paid.
	c, r := stakedBefore(t, "vic-keno-2015")
	if err := c.backInCash([]part{{id: originPrize, of: 1, cents: 9_999_00}}, 9_999_00, hotel, r); err != nil {
		t.Error(err)
	}
	// Another rulebook bounds each settlement by itself.
	c, r = stakedBefore(t, "tas-keno-2023")
	c.tills.limits[7] = 500_00
	if err := c.backInCash([]part{{id: originPrize, of: 1, cents: 500_00, back: true}}, 500_00, hotel, r); err != nil {
		t.Error(err)
	}
}

// TestPrizesOfOneSessionTogether: prizes that one session has paid, and that were staked in it, share what
// left in it when they come back.
func TestPrizesOfOneSessionTogether(t *testing.T) {
	hotel := &terminal{venue: 7, kind: rulebook.VenueHotel, channel: rulebook.ChannelWriter}
	for _, together := range []bool{true, false} {
		c, r := stakedBefore(t, "vic-keno-2015")
		c.tills.counted = map[uint64]money.Amount{}
		visit := func(tickets ...uint64) {
			e := &ending{SessionEnded: &record.SessionEnded{CountedCents: 9_500_00}, term: hotel, rules: r}
			e.visit.brought = map[uint64]brought{}
			for _, of := range tickets {
				e.visit.brought[of] = brought{cents: 400_00, parts: won(of, 400_00)}
				e.Spent = append(e.Spent, record.Spent{Ticket: placeOf(9), ID: originPrize, Of: placeOf(of), Cents: 400_00})
			}
			if err := c.countAll(e, 9_500_00); err != nil {
				t.Fatal(err)
			}
		}
		if together {
			visit(1, 2)
		} else {
			visit(1)
			visit(2)
		}
		back := []part{{id: originPrize, of: 1, cents: 400_00, back: true},
			{id: originPrize, of: 2, cents: 400_00, back: true}}
		if err := c.backInCash(back, 800_00, hotel, r); (err == nil) == together {
			t.Errorf("paid in one session %v: %v", together, err)
		}
	}
}

// TestLyingPrize: what lies of a prize in open sessions of terminals that hand out their papers alone counts
// with what leaves elsewhere, under the lowest of their limits.
func TestLyingPrize(t *testing.T) {
	parts := func(cents money.Amount) []part { return []part{{id: originPrize, of: 1, cents: cents, back: true}} }
	holds := func(venue uint32, cents money.Amount) *terminal {
		return &terminal{
			venue: venue, kind: rulebook.VenueHotel, channel: rulebook.ChannelSST,
			visit: &visit{brought: map[uint64]brought{2: {cents: cents, parts: parts(cents)}}},
		}
	}
	hotel := &terminal{venue: 8, kind: rulebook.VenueHotel, channel: rulebook.ChannelWriter}
	ends := func(c *checker, r *rules, cents money.Amount) error {
		e := &ending{SessionEnded: &record.SessionEnded{CountedCents: cents}, term: hotel, rules: r,
			out: map[string]money.Amount{originCash: cents}}
		e.visit.brought = map[uint64]brought{3: {cents: cents, parts: parts(cents)}}
		e.purse.fill(e)
		return c.checkPay(e, 0, 0)
	}
	for name, leaves := range map[string]func(c *checker, r *rules, cents money.Amount) error{
		"to another terminal of its kind": func(c *checker, r *rules, cents money.Amount) error {
			return c.checkMachine(holds(8, cents), r)
		},
		"in cash": func(c *checker, r *rules, cents money.Amount) error {
			return c.backInCash(parts(cents), cents, hotel, r)
		},
		"at the end of a session": ends,
		"at the end of a session that stakes it": func(c *checker, r *rules, cents money.Amount) error {
			e := &ending{SessionEnded: &record.SessionEnded{CountedCents: cents}, term: hotel, rules: r}
			e.Spent = []record.Spent{{ID: originPrize, Of: placeOf(1), Cents: 1}}
			return c.countAll(e, cents)
		},
	} {
		for _, x := range []struct {
			what  string
			limit money.Amount // of the venue of the first terminal
			over  bool         // whether its session has ended
			cents money.Amount
			ok    bool
		}{
			{"at the limit", 0, false, 400_00, true}, {"above", 0, false, 400_01, false},
			{"at the limit of a venue", 9_700_00, false, 100_00, true}, {"above it", 9_700_00, false, 100_01, false},
			{"after that session", 0, true, 1_000_00, true},
		} {
			c, r := stakedBefore(t, "vic-keno-2015")
			c.tills.limits[7] = x.limit
			first := holds(7, 600_00)
			if err := c.checkMachine(first, r); err != nil {
				t.Fatal(err)
			}
			if x.over {
				first.visit = nil
			}
			if err := leaves(c, r, x.cents); (err == nil) != x.ok {
				t.Errorf("%s, %s: %v", name, x.what, err)
			}
		}
	}
}

// TestLyingPrizes: terminals that hand out their papers alone can end in any order. What such a session hands out
// beside its part of a prize counts for the prize too, for the others and not for itself.
func TestLyingPrizes(t *testing.T) {
	holds := func(of uint64, cents, beside money.Amount) *terminal {
		return &terminal{
			venue: 7, kind: rulebook.VenueHotel, channel: rulebook.ChannelSST,
			visit: &visit{brought: map[uint64]brought{2: {cents: cents + beside, parts: []part{
				{id: originPrize, of: of, cents: cents, back: true}, {id: originPrize, of: 5, cents: beside},
			}}}},
		}
	}
	for _, x := range []struct {
		what                  string
		cents, beside, leaves money.Amount
		ok                    bool
	}{
		{"as much as there is room for", 300_00, 300_00, 0, true}, {"more", 300_01, 300_00, 0, false},
		{"what the second hands out leaves the first no room", 100_00, 500_01, 0, false},
		{"a writer's cash beside both", 100_00, 200_00, 200_00, true}, {"too much of it", 100_00, 200_00, 200_01, false},
	} {
		c, r := stakedBefore(t, "vic-keno-2015") // $9,000.00 of the prize have left.
		if err := c.checkMachine(holds(1, 400_00, 300_00), r); err != nil {
			t.Fatal(err)
		}
		err := c.checkMachine(holds(1, x.cents, x.beside), r)
		if err == nil && x.leaves > 0 {
			hotel := &terminal{venue: 8, kind: rulebook.VenueHotel, channel: rulebook.ChannelWriter}
			err = c.leavesRoom(x.leaves, hotel, r, 1)
		}
		if (err == nil) != x.ok {
			t.Errorf("%s: %v", x.what, err)
		}
	}
}

// TestJoinedBesideLying: prizes become one only if what lies of them still has room under what left of all.
func TestJoinedBesideLying(t *testing.T) {
	for _, x := range []struct {
		left money.Amount // of the other prize
		ok   bool
	}{{400_00, true}, {400_01, false}} {
		c, r := stakedBefore(t, "vic-keno-2015")
		c.tills.counted[4] = x.left
		machine := &terminal{venue: 7, kind: rulebook.VenueHotel, channel: rulebook.ChannelSST}
		machine.visit = &visit{brought: map[uint64]brought{
			2: {cents: 600_00, parts: []part{{id: originPrize, of: 1, cents: 600_00, back: true}}},
		}}
		if err := c.checkMachine(machine, r); err != nil {
			t.Fatal(err)
		}
		hotel := &terminal{venue: 8, kind: rulebook.VenueHotel, channel: rulebook.ChannelWriter}
		e := &ending{SessionEnded: &record.SessionEnded{}, term: hotel, rules: r}
		e.visit.brought = map[uint64]brought{
			1: {parts: []part{{id: originPrize, of: 1, cents: 20_00}}},
			4: {parts: []part{{id: originPrize, of: 4, cents: 20_00}}},
		}
		e.Spent = []record.Spent{{ID: originPrize, Of: placeOf(1), Cents: 20_00},
			{ID: originPrize, Of: placeOf(4), Cents: 10_00}}
		if err := c.countAll(e, 0); (err == nil) != x.ok {
			t.Errorf("%v of the other left before: %v", x.left, err)
		}
	}
}
