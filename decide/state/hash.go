package state

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"math/bits"
	"slices"

	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// Hash returns the SHA-256 of everything that the state holds, in one fixed
// order and in the form HashForm. It is journaled at the end of every Keno Day and compared whenever that
// record is applied again, so that a state built by another build, from a snapshot
// or on another machine is known to be the same.
//
// Sales wait while it is computed. What only grows, games and payments, is
// therefore hashed as it comes and not gone through here.
func (s *State) Hash() record.Hash {
	h := digest{sha256.New()}
	h.text("drawhouse/state")
	h.numbers(uint64(s.HashForm()), uint64(s.next.Volume), s.next.Seq, uint64(s.now))
	h.volume(&s.volume)
	h.numbers(uint64(len(s.earlier)))
	for i := range s.earlier {
		h.volume(&s.earlier[i])
	}
	h.numbers(uint64(len(s.books)))
	for _, hash := range slices.SortedFunc(maps.Keys(s.books), compareHashes) {
		h.Write(hash[:])
		if reference, ok := s.filed[hash]; ok {
			h.text("filed")
			h.text(reference)
		}
	}
	h.numbers(uint64(len(s.venues)))
	for _, id := range slices.Sorted(maps.Keys(s.venues)) {
		v := s.venues[id]
		h.numbers(uint64(id))
		h.text(string(v.Kind))
		h.text(v.Name)
		h.text(v.Listed)
		h.numbers(uint64(v.CashLimit))
	}
	h.numbers(uint64(len(s.terminals)))
	for _, id := range slices.Sorted(maps.Keys(s.terminals)) {
		h.terminal(s.terminals[id])
	}
	h.numbers(uint64(len(s.series)))
	for _, id := range slices.Sorted(maps.Keys(s.series)) {
		h.series(s.series[id])
	}
	h.numbers(uint64(len(s.witnesses)))
	for _, w := range s.witnesses {
		h.text(w.Name)
		h.text(w.Key)
		h.flag(w.Required)
		agreed := s.agreed[w.Name]
		h.numbers(uint64(agreed.Volume), agreed.Seq)
	}
	h.numbers(uint64(s.result.Volume), s.result.Seq)
	lines := s.balances.Lines()
	h.numbers(uint64(len(lines)))
	for _, line := range lines {
		h.numbers(uint64(line.Account), uint64(line.Unit), uint64(line.Cents))
	}
	h.payments(&s.payments)
	h.people(s.people)
	h.numbers(uint64(len(s.tills.papers)), uint64(len(s.tills.cards)), uint64(len(s.tills.stops)))
	h.numbers(s.tills.sum[:]...)
	h.halls(s.halls)
	if s.Guarded() {
		h.guarded(s)
	}
	return record.Hash(h.Sum(nil))
}

// digest writes values so that no two different lists of values look the same:
// numbers are eight bytes, and texts and lists carry their length.
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

func (h digest) flag(set bool) {
	if set {
		h.numbers(1)
	} else {
		h.numbers(0)
	}
}

func (h digest) volume(v *record.VolumeBegun) {
	h.numbers(uint64(v.Volume), uint64(v.Level), uint64(v.StateForm), uint64(len(v.Abandoned)))
	for _, text := range []string{v.House, v.Build, v.HouseKey, v.DeviceKey, string(v.SerialKey[:]), string(v.Reason),
		string(v.Previous), string(v.State), string(v.Handover)} {
		h.text(text)
	}
	for _, signed := range v.Abandoned {
		h.text(string(signed))
	}
}

func (h digest) terminal(t *Terminal) {
	h.numbers(uint64(t.ID), uint64(t.Venue), uint64(t.Last.Terminal), t.Last.Number, uint64(t.Answer.Volume),
		t.Answer.Seq, uint64(t.Session))
	h.numbers(uint64(t.Drawer))
	h.open(t.Open)
	h.flag(t.Burned)
	h.text(string(t.Channel))
	h.Write(t.Last.Body[:])
}

func (h digest) series(s *Series) {
	book := s.Book.Hash()
	h.numbers(uint64(s.ID), uint64(s.Day), uint64(s.DayGames), uint64(s.OffsetSeconds), uint64(s.Games()))
	h.flag(s.DayOpen)
	h.flag(s.Paused)
	if s.Notice != "" { // A state without one has the hash that it had before there were any.
		h.text("notice")
		h.text(s.Notice)
	}
	h.numbers(uint64(s.ClosesAt), uint64(len(s.Open.Deferred())))
	for _, ordinal := range s.Open.Deferred() {
		h.numbers(uint64(ordinal))
	}
	h.text(s.Name)
	h.Write(book[:])
	h.text(s.Schedule)
	h.Write(s.settled[:])
	games := s.games.fresh // An old game is over.
	for i := len(games) - 1; i >= 0 && games[i].Phase < PhaseSettled; i-- {
		h.game(&games[i])
	}
	// The ways of a ticket follow from its record, so its place and games say it all.
	for play := range s.Open.Plays() {
		h.numbers(uint64(play.Ticket.Volume), play.Ticket.Seq, uint64(play.First), uint64(play.Last))
	}
	for run := range s.Open.Runs() {
		h.numbers(uint64(run.Ticket.Volume), run.Ticket.Seq, uint64(run.Run), uint64(run.Ordinal), uint64(run.Amount))
	}
	h.devices(&s.devices)
	h.ahead(s)
}

// ahead writes the jackpots and what is announced for games to come. What tickets
// have put on outcomes follows from the tickets.
func (h digest) ahead(s *Series) {
	h.pools(s.pools)
	h.numbers(uint64(s.bonusPool), uint64(len(s.promotions)))
	for i := range s.promotions {
		h.promotion(&s.promotions[i])
	}
	h.numbers(uint64(len(s.participants)), uint64(len(s.pending)), uint64(len(s.changes)), uint64(len(s.designated)))
	for i := range s.participants {
		h.numbers(uint64(s.participants[i].From))
		h.texts(s.participants[i].Names)
	}
	for i := range s.pending {
		p := &s.pending[i]
		h.numbers(uint64(p.Ordinal), uint64(len(p.Reports)))
		h.pools(p.Pools)
		for _, r := range p.Reports {
			h.numbers(uint64(r.Spots), uint64(r.GrowthCents), uint64(r.StakesCents))
			h.text(r.Jurisdiction)
		}
	}
	for _, c := range s.changes {
		h.numbers(uint64(c.From))
		h.Write(c.Rulebook[:])
		h.text(c.Schedule)
	}
	for _, d := range s.designated {
		h.numbers(uint64(d.Ordinal))
		h.ref(d.Game)
	}
}

func (h digest) pools(pools []jackpot.Pool) {
	h.numbers(uint64(len(pools)))
	for _, p := range pools {
		h.numbers(uint64(p.Spots), uint64(p.Primary), uint64(p.Secondary), uint64(p.Owed), uint64(p.Seeded),
			uint64(p.Waiting), uint64(p.Aside))
		h.flag(p.Won)
	}
}

// promotion writes how a promotion stands; what it began as is its record's.
func (h digest) promotion(p *Promotion) {
	h.numbers(uint64(p.Number), uint64(p.AmountCents), uint64(p.From), uint64(p.Last))
	h.flag(p.Paused)
	h.flag(p.Over)
	for _, left := range p.Left {
		h.numbers(uint64(left))
	}
}

func (h digest) texts(list []string) {
	h.numbers(uint64(len(list)))
	for _, text := range list {
		h.text(text)
	}
}

// hashGame returns the hash of a game after those before it.
func hashGame(before record.Hash, g *Game) record.Hash {
	h := digest{sha256.New()}
	h.Write(before[:])
	h.game(g)
	return record.Hash(h.Sum(nil))
}

func (h digest) game(g *Game) {
	h.ref(g.Ref)
	h.numbers(uint64(g.Ordinal), uint64(g.Phase), uint64(g.Closes),
		uint64(g.ClosedAt), uint64(g.SealedAt), uint64(g.SettledAt), uint64(g.SealPlace.Volume), g.SealPlace.Seq,
		uint64(g.SettledPlace.Volume), g.SettledPlace.Seq)
	h.text(string(g.Seal))
	h.text(g.Numbers.String())
	h.ref(g.Closed.Game)
	h.numbers(g.Closed.Plays, g.Closed.Ways, uint64(g.Closed.StakesCents),
		uint64(g.Closed.MultiplierCents), uint64(g.Closed.LuckyLastCents), uint64(g.Closed.CarriedCents), uint64(
			len(g.Closed.Contributions)))
	for _, c := range g.Closed.Contributions {
		h.numbers(uint64(c.Spots), uint64(c.StakesCents), uint64(c.Primary), uint64(c.Secondary), uint64(c.Repaid),
			uint64(c.Unseeded))
	}
	h.numbers(uint64(g.Draw), uint64(g.PlayedWith), uint64(g.Closed.BonusPool),
		g.Closed.DeferredPlays, g.Closed.DeferredWays, uint64(g.Closed.DeferredStakesCents), uint64(
			len(g.Closed.Deferred)))
	for _, ordinal := range g.Closed.Deferred {
		h.numbers(uint64(ordinal))
	}
	h.flag(g.Delayed)
	h.void(&g.Void)
	h.corrected(g)
	h.settled(&g.Settled)
	h.Write(g.Rulebook[:])
	h.text(g.Schedule)
	h.numbers(uint64(len(g.Rates)), uint64(len(g.Winners)), uint64(len(g.Carried)))
	for _, r := range g.Rates {
		h.numbers(uint64(r.Spots), uint64(r.Primary), uint64(r.Secondary), uint64(r.Seed))
	}
	h.texts(g.Participants)
	h.texts(g.WitnessedBy)
	h.drawnBy(g)
	for _, w := range g.Winners {
		h.Write(w[:])
	}
	for _, c := range g.Carried {
		h.numbers(uint64(c.Ticket.Volume), c.Ticket.Seq, uint64(c.Run), uint64(c.Cents))
	}
}

func (h digest) ref(g record.Game) { h.numbers(uint64(g.Series), uint64(g.Day), uint64(g.Number)) }

func (h digest) settled(s *record.GameSettled) {
	h.ref(s.Game)
	h.numbers(uint64(s.Revision), uint64(s.Draw), s.DeferredPlays, s.DeferredWays, uint64(s.Multiplier),
		uint64(s.CarriedCents), s.CarriedWays, uint64(s.JackpotCents), s.Plays, s.Ways, uint64(s.StakesCents),
		s.Winners, s.WinningWays,
		uint64(s.PrizesCents), uint64(s.BreakageCents), uint64(s.MajorsCents), uint64(s.MajorsPaidCents), uint64(
			len(s.Reductions)))
	for _, r := range s.Reductions {
		h.numbers(uint64(r.Limit), r.Num, r.Den)
	}
	h.Write(s.WinnersHash[:])
	h.numbers(uint64(len(s.Awards)), uint64(len(s.JackpotWins)), uint64(len(s.Pools)), uint64(len(s.Promotions)))
	for _, p := range s.Promotions {
		h.numbers(uint64(p.Number), uint64(p.AmountCents), uint64(p.StakesCents), p.Ways, uint64(p.PaidCents))
	}
	for _, a := range s.Awards {
		h.numbers(uint64(a.Spots), uint64(a.Part), uint64(a.AmountCents), uint64(a.StakesCents))
	}
	for _, w := range s.JackpotWins {
		h.numbers(uint64(w.Ticket.Volume), w.Ticket.Seq, uint64(w.Way), uint64(w.Spots), uint64(w.StakeCents),
			uint64(w.ScheduleCents))
		h.flag(w.Bonus)
	}
	for _, p := range s.Pools {
		h.numbers(uint64(p.Spots), uint64(p.Primary), uint64(p.Secondary), uint64(p.Owed), uint64(p.Seeded),
			uint64(p.Waiting), uint64(p.Aside))
	}
}

func (h digest) void(v *record.GameVoided) {
	h.ref(v.Game)
	h.numbers(uint64(v.Draw), uint64(v.Approval), uint64(v.RefundCents), uint64(v.PrizesCents), v.Winners,
		uint64(v.CarriedCents), v.CarriedWays, uint64(v.BonusPool), uint64(len(v.Pools)))
	h.text(v.Reason)
	h.text(v.Clause)
	h.flag(v.Deferred)
	if v.UnwonCents != 0 { // No record has it before record.LevelGuarded.
		h.numbers(uint64(v.UnwonCents))
	}
	h.Write(v.WinnersHash[:])
	for _, p := range v.Pools {
		h.numbers(uint64(p.Spots), uint64(p.Primary), uint64(p.Secondary), uint64(p.Owed), uint64(p.Seeded),
			uint64(p.Waiting), uint64(p.Aside))
	}
}

func compareHashes(a, b record.Hash) int { return slices.Compare(a[:], b[:]) }

// sum adds up hashes modulo 2^256, the lowest word first. Equal sets have equal
// sums in whatever order they came, so that a set which only grows is hashed as it
// grows. It is there to find mistakes; that nobody changes a record is what the
// journal's root is for.
type sum [4]uint64

func (s *sum) add(h record.Hash) {
	var carry uint64
	for i := range s {
		s[i], carry = bits.Add64(s[i], binary.LittleEndian.Uint64(h[8*i:]), carry)
	}
}

func (s *sum) sub(h record.Hash) {
	var borrow uint64
	for i := range s {
		s[i], borrow = bits.Sub64(s[i], binary.LittleEndian.Uint64(h[8*i:]), borrow)
	}
}

// swap takes one item out of the set and puts another in its place.
func (s *sum) swap(old, with record.Hash) {
	s.sub(old)
	s.add(with)
}

// hashCancelled returns the hash of a cancellation, which is among those of what was
// paid.
func hashCancelled(b *record.TicketCancelled) record.Hash {
	h := digest{sha256.New()}
	h.text("cancelled")
	h.numbers(uint64(b.Ticket.Volume), b.Ticket.Seq, uint64(b.Kept), uint64(b.RefundCents), uint64(b.CarriedCents))
	if b.UnwonCents != 0 {
		h.numbers(uint64(b.UnwonCents))
	}
	return record.Hash(h.Sum(nil))
}

// hashBonus returns the hash of what fell on a ticket, which is among those of what
// was paid.
func hashBonus(b *record.BonusAllocated) record.Hash {
	h := digest{sha256.New()}
	h.text("bonus")
	h.numbers(uint64(b.Number), uint64(b.Ticket.Volume), b.Ticket.Seq, uint64(b.Cents))
	return record.Hash(h.Sum(nil))
}

// hashPaid returns the hash of what was paid for a play.
func hashPaid(play paidPlay, p paid) record.Hash {
	h := digest{sha256.New()}
	h.numbers(uint64(play.ticket.Volume), play.ticket.Seq, uint64(play.ordinal), uint64(p.cents), uint64(p.revision))
	return record.Hash(h.Sum(nil))
}
