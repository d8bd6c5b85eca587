package verify

import (
	"encoding/binary"
	"iter"
	"slices"

	"drawhouse/core/money"
)

// paidWinners are plays of a game whose prizes were paid in full, by place and one behind the other: about 7 bytes a
// play, where a winner takes 80. Their claims are not among them. Nothing is owed on such a play, so that no opening
// is held against its claim any more.
type paidWinners string

// appendPaid appends a play behind the one before it.
func appendPaid(b []byte, before uint64, w *winner) []byte {
	usual := uint64(1)
	if w.paid != w.cents || w.major != 0 {
		usual = 0
	}
	b = binary.AppendUvarint(b, w.seq-before)
	b = binary.AppendUvarint(b, w.ways<<1|usual)
	b = binary.AppendUvarint(b, uint64(w.cents))
	b = binary.AppendUvarint(b, w.by-w.seq)
	if usual == 0 {
		b = binary.AppendUvarint(b, uint64(w.paid))
		b = binary.AppendUvarint(b, uint64(w.major))
	}
	return b
}

// all goes through the plays.
func (p paidWinners) all() iter.Seq[winner] {
	return func(yield func(winner) bool) {
		var seq uint64
		for rest := []byte(p); len(rest) > 0; {
			next := func() uint64 {
				v, n := binary.Uvarint(rest)
				rest = rest[n:]
				return v
			}
			seq += next()
			ways := next()
			w := winner{seq: seq, ways: ways >> 1, cents: money.Amount(next()), by: seq + next()}
			if w.paid = w.cents; ways&1 == 0 {
				w.paid, w.major = money.Amount(next()), money.Amount(next())
			}
			if !yield(w) {
				return
			}
		}
	}
}

// allWinners returns the plays of the game that won, by place. Those that were packed have no claim.
func (g *game) allWinners() []winner {
	if g.paid == "" {
		return g.winners
	}
	var all []winner
	open := g.winners
	for w := range g.paid.all() {
		for len(open) > 0 && open[0].seq < w.seq {
			all = append(all, open[0])
			open = open[1:]
		}
		all = append(all, w)
	}
	return append(all, open...)
}

// setWinners says who has won the game.
func (g *game) setWinners(list []winner) { g.winners, g.paid = list, "" }

// takePaid notes of winners, by place, what the game has paid them so far.
func (g *game) takePaid(list []winner) {
	before := g.allWinners()
	for i := range list {
		now := &list[i]
		for len(before) > 0 && before[0].seq < now.seq {
			before = before[1:]
		}
		if len(before) > 0 && before[0].seq == now.seq {
			now.paid, now.by = before[0].paid, before[0].by
		}
	}
}

// pay notes that a prize of a game is paid in full.
func (c *checker) pay(g *game, won *winner) {
	won.paid, won.by = won.cents, c.here()+1
	if !g.paying {
		g.paying = true
		c.tickets.paying = append(c.tickets.paying, g)
	}
}

// packPaid packs what was paid since the last time. It is done at the end of a Keno Day.
func (c *checker) packPaid() {
	for _, g := range c.tickets.paying {
		g.pack()
	}
	c.tickets.paying = nil
}

// pack packs the winners that were paid in full.
func (g *game) pack() {
	g.paying = false
	if !slices.ContainsFunc(g.winners, isPaid) {
		return
	}
	var open []winner
	var paid []byte
	var before uint64
	for _, w := range g.allWinners() {
		if !isPaid(w) {
			open = append(open, w)
			continue
		}
		paid = appendPaid(paid, before, &w)
		before = w.seq
	}
	g.winners, g.paid = slices.Clip(open), paidWinners(paid)
}

func isPaid(w winner) bool { return w.by != 0 && w.left() == 0 }
