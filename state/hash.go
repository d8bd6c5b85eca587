package state

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"slices"

	"drawhouse/record"
)

// Hash returns the SHA-256 of everything that the state holds, in one fixed
// order. It is journaled at the end of every Keno Day, so that a state built
// from a snapshot or on another machine can be held against it.
func (s *State) Hash() record.Hash {
	h := digest{sha256.New()}
	h.text("drawhouse/state/v1")
	h.numbers(uint64(s.next.Volume), s.next.Seq, uint64(s.now))
	h.text(s.volume.House)
	for _, hash := range slices.SortedFunc(maps.Keys(s.books), compareHashes) {
		h.Write(hash[:])
	}
	for _, id := range slices.Sorted(maps.Keys(s.venues)) {
		v := s.venues[id]
		h.numbers(uint64(id))
		h.text(string(v.Kind))
		h.text(v.Name)
	}
	for _, id := range slices.Sorted(maps.Keys(s.terminals)) {
		h.terminal(s.terminals[id])
	}
	for _, id := range slices.Sorted(maps.Keys(s.series)) {
		h.series(s.series[id])
	}
	for _, line := range s.balances.Lines() {
		h.numbers(uint64(line.Account), uint64(line.Unit), uint64(line.Cents))
	}
	for _, play := range slices.SortedFunc(maps.Keys(s.paid), comparePlays) {
		h.numbers(uint64(play.ticket.Volume), play.ticket.Seq, uint64(play.ordinal), uint64(s.paid[play]))
	}
	return record.Hash(h.Sum(nil))
}

// digest writes values so that no two different lists of values look the same:
// numbers are eight bytes and texts carry their length.
type digest struct{ hash.Hash }

func (h digest) numbers(values ...uint64) {
	var b [8]byte
	for _, v := range values {
		binary.BigEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
}

func (h digest) text(s string) {
	h.numbers(uint64(len(s)))
	h.Write([]byte(s))
}

func (h digest) terminal(t *Terminal) {
	burned := uint64(0)
	if t.Burned {
		burned = 1
	}
	h.numbers(uint64(t.ID), uint64(t.Venue), t.Last.Number, uint64(t.Answer.Volume), t.Answer.Seq, burned, uint64(t.Session))
	h.text(string(t.Channel))
	h.Write(t.Last.Body[:])
}

func (h digest) series(s *Series) {
	open := uint64(0)
	if s.DayOpen {
		open = 1
	}
	h.numbers(uint64(s.ID), uint64(s.Day), open, uint64(s.DayGames), uint64(len(s.games)))
	h.text(s.Name)
	h.text(s.Schedule)
	for i := range s.games {
		h.game(&s.games[i])
	}
	// The ways of a ticket follow from its record, so its place and games say it all.
	for play := range s.Open.Plays() {
		h.numbers(uint64(play.Ticket.Volume), play.Ticket.Seq, uint64(play.First), uint64(play.Last))
	}
}

func (h digest) game(g *Game) {
	h.numbers(uint64(g.Ref.Day), uint64(g.Ref.Number), uint64(g.Phase), uint64(g.Closes),
		g.Closed.Plays, g.Closed.Ways, uint64(g.Closed.StakesCents),
		g.Settled.Winners, uint64(g.Settled.PrizesCents), uint64(g.Numbers.Len()))
	for _, n := range g.Numbers.Numbers() {
		h.numbers(uint64(n))
	}
	h.Write(g.Settled.WinnersHash[:])
}

func compareHashes(a, b record.Hash) int { return slices.Compare(a[:], b[:]) }

func comparePlays(a, b paidPlay) int {
	return cmp.Or(
		cmp.Compare(a.ticket.Volume, b.ticket.Volume),
		cmp.Compare(a.ticket.Seq, b.ticket.Seq),
		cmp.Compare(a.ordinal, b.ordinal),
	)
}
