package state

import (
	"testing"

	"drawhouse/core/digest"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestTillsSum takes everything out of the tills again and finds the sum that was
// there before.
func TestTillsSum(t *testing.T) {
	till := newTills()
	paper := &Paper{Place: record.Place{Volume: 1, Seq: 4}, ID: "gift_voucher", Cents: 300}
	till.papers.put(paper.Place, paper)
	if till.use(paper.Place, 299) == nil {
		t.Error("a paper was used in part")
	}
	if err := till.use(paper.Place, 300); err != nil {
		t.Fatal(err)
	}
	if till.use(paper.Place, 300) == nil {
		t.Error("a paper was used twice")
	}
	if till.papers.sum != (digest.Sum{}) {
		t.Errorf("the sum is %x", till.papers.sum)
	}
	ticket := record.Place{Volume: 1, Seq: 5}
	till.setStop(ticket, Stop{Frozen: true})
	till.setStop(ticket, Stop{})
	if len(till.stops) != 0 {
		t.Errorf("a stop that was taken back leaves %v", till.stops)
	}
}

// TestCardNeverOwes takes from a card what it has and not a cent more.
func TestCardNeverOwes(t *testing.T) {
	till := newTills()
	at := record.Place{Volume: 1, Seq: 7}
	till.cards.put(3, &Card{Number: 3, Place: at})
	till.cardAt[at] = 3
	if err := till.charge(at, -500); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		take int64
		ok   bool
	}{{501, false}, {499, true}, {1, true}, {1, false}} {
		if err := till.charge(at, money.Amount(c.take)); (err == nil) != c.ok {
			t.Errorf("taking %d cents: %v", c.take, err)
		}
	}
}

// TestCameOf follows what was bought with a ticket's winnings and its replays, round
// in a circle too.
func TestCameOf(t *testing.T) {
	s := New()
	at := func(seq uint64) record.Place { return record.Place{Volume: 1, Seq: seq} }
	for _, l := range [][2]uint64{{1, 2}, {2, 3}, {1, 4}, {3, 1}, {9, 10}} {
		s.tills.link(at(l[0]), at(l[1]))
	}
	got := s.CameOf(at(1))
	if len(got) != 3 || got[0] != at(2) || got[1] != at(4) || got[2] != at(3) {
		t.Errorf("came of it: %v", got)
	}
}
