package verify

import (
	"slices"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

func (c *checker) inSession(ref record.HallSession,
	check func(*hallRoom, *hallSession) (postings, error)) (postings, error) {
	r := c.halls.rooms[ref.Hall]
	if r == nil || ref.Session == 0 || int(ref.Session) > len(r.sessions) {
		return nil, hallFault("there is no session %d of hall %d", ref.Session, ref.Hall)
	}
	return check(r, r.sessions[ref.Session-1])
}

// playerEntered checks that a member paid the fee and was issued books that nobody
// else has or had (nsw-bingo-2019 3.1, 3.3, 7.7).
func (c *checker) playerEntered(r *hallRoom, s *hallSession, b *record.PlayerEntered) (postings, error) {
	switch {
	case s.over || s.ranges != nil || int(b.Player) != len(s.players)+1:
		return nil, hallFault("player %d enters, and the issue is closed or %d have entered", b.Player, len(s.players))
	case r.rules.Session.MembersOnly && !r.members[b.Member]:
		return nil, hallFault("%s is no member", b.Member)
	case b.FeeCents != s.set.FeeCents:
		return nil, hallFault("the fee is %v, and %v was paid", s.set.FeeCents, b.FeeCents)
	case slices.ContainsFunc(s.players, func(p *hallPlayer) bool { return p.Member == b.Member }):
		return nil, hallFault("%s has entered already", b.Member)
	case b.Device != 0 && s.devices[b.Device]:
		return nil, hallFault("electronic card %d is out already", b.Device)
	}
	if b.Device != 0 {
		if err := c.playersCard(r, b.Device); err != nil {
			return nil, err
		}
	}
	books := uint32(0)
	for _, list := range b.Books {
		t := r.tables[list.Series]
		if !t.has(list) || !slices.Contains(s.set.Series, list.Series) {
			return nil, hallFault("books %d to %d of series %s are not of this session", list.First, list.Last,
				list.Series)
		}
		for book := list.First; book <= list.Last; book++ {
			if t.issued[book] {
				return nil, hallFault("book %d of series %s was issued before", book, list.Series)
			}
			t.issued[book] = true
			books++
		}
	}
	if books > uint32(s.set.BooksMax) {
		return nil, hallFault("%d books for one fee", books)
	}
	if b.Device != 0 {
		s.devices[b.Device] = true
	}
	s.players = append(s.players, &hallPlayer{PlayerEntered: b, seq: c.here(), holds: b.Device})
	return postings{ledger.Debit(ledger.Cash, r.opened.Venue, b.FeeCents),
		ledger.Credit(ledger.EntryFees, 0, b.FeeCents)}, nil
}

// playersCard checks that a device is one for players at the venue of a room, and is out
// nowhere in the house (nsw-bingo-2019 3.2.2).
func (c *checker) playersCard(r *hallRoom, device uint32) error {
	t := c.terminals[device]
	if t == nil || t.venue != r.opened.Venue {
		return hallFault("electronic card %d is no terminal of the venue", device)
	}
	if t.channel != showsOnly {
		if err := c.newer(hallFault("electronic card %d is a %s", device, t.channel)); err != nil {
			return err
		}
	}
	for id, other := range c.halls.rooms {
		for _, s := range other.sessions {
			if s.devices[device] {
				if err := c.newer(hallFault("electronic card %d is out in room %d, session %d", device, id,
					s.set.Session)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// has reports whether there is a table with these books.
func (t *hallTable) has(list record.BookRange) bool {
	return t != nil && list.First <= list.Last && list.First >= t.first && list.Last-t.first < t.books
}

// holder returns who was issued a book.
func (s *hallSession) holder(series string, book uint32) *hallPlayer {
	for _, p := range s.players {
		for _, list := range p.Books {
			if list.Series == series && list.First <= book && book <= list.Last {
				return p
			}
		}
	}
	return nil
}

// inPlay reports whether a book is within the serials entered and not struck out.
func (s *hallSession) inPlay(series string, book uint32) bool {
	for _, r := range s.ranges {
		if r.Books.Series == series && r.Books.First <= book && book <= r.Books.Last {
			return !slices.Contains(r.Struck, book)
		}
	}
	return false
}

// paying returns how many fees stand.
func (s *hallSession) paying() (n int64) {
	for _, p := range s.players {
		if !p.feeVoid {
			n++
		}
	}
	return n
}

// brings works out what fees bring to the levels: what is left of them after the
// administration fee, by the shares, each cut to a part of a cent; the last level has
// the rest (nsw-bingo-2019 3.3.1).
func (r *hallRoom) brings(fees money.Amount) []int64 {
	all := int64(fees) * (allShares - int64(r.rules.Session.Administration))
	parts := make([]int64, len(r.levels))
	rest := all
	for i := range len(parts) - 1 {
		// In two steps, so that the product cannot overflow.
		share := int64(r.opened.Levels[i].Share)
		parts[i] = all/allShares*share + all%allShares*share/allShares
		rest -= parts[i]
	}
	parts[len(parts)-1] = rest
	return parts
}

// issueClosed checks that the serials entered are those issued, and where the fees go
// (nsw-bingo-2019 4.3, 3.3).
func (r *hallRoom) issueClosed(s *hallSession, b *record.IssueClosed) (postings, error) {
	if b.Session > 1 && !r.sessions[b.Session-2].over || s.ranges != nil || s.over {
		return nil, hallFault("session %d begins before the one before it is over, or twice", b.Session)
	}
	s.ranges = b.Ranges
	covered := 0
	for _, list := range b.Ranges {
		if !r.tables[list.Books.Series].has(list.Books) {
			return nil, hallFault("books %d to %d of series %s are entered, and are not there", list.Books.First,
				list.Books.Last, list.Books.Series)
		}
		for book := list.Books.First; book <= list.Books.Last; book++ {
			if (s.holder(list.Books.Series, book) != nil) != s.inPlay(list.Books.Series, book) {
				return nil, hallFault("book %d of series %s is in play without a holder, or has one and is not", book,
					list.Books.Series)
			}
			if s.inPlay(list.Books.Series, book) {
				covered++
			}
		}
	}
	issued := 0
	for _, p := range s.players {
		for _, list := range p.Books {
			issued += int(list.Last - list.First + 1)
		}
	}
	fees := s.set.FeeCents * money.Amount(s.paying())
	if covered != issued || b.FeesCents != fees || int64(b.Players) != s.paying() ||
		len(b.Contributions) != len(r.levels) {
		return nil, hallFault("%d books of %d are in play, and fees are %v of %v", covered, issued, b.FeesCents, fees)
	}
	want := postings{ledger.Debit(ledger.EntryFees, 0, fees)}
	operator := fees
	for i, part := range r.brings(fees) {
		if int64(b.Contributions[i]) != part {
			return nil, hallFault("level %d gets %d parts of a cent, and %d is right", i+1, b.Contributions[i], part)
		}
		cents := r.change(i, part)
		s.brought[i] = part
		operator -= cents
		want = append(want, ledger.Credit(ledger.HallJackpot, r.unit(i), cents))
	}
	return append(want, ledger.Credit(ledger.Retained, 0, operator)), nil
}

// change changes a level and returns by how many whole cents.
func (r *hallRoom) change(level int, by int64) money.Amount {
	before := r.levels[level] / exactPart
	r.levels[level] += by
	return money.Amount(r.levels[level]/exactPart - before)
}

// back lets an amount go back to a player. All that goes back is at most what of the fee
// is not forfeited (nsw-bingo-2019 8.4.3, 9.3.1, 9.5).
func (c *checker) back(p *hallPlayer, cents money.Amount) money.Amount {
	if left := max(0, p.FeeCents-p.returned-p.forfeited); cents > left {
		if c.level >= record.LevelGuarded {
			cents = left
		} else {
			c.find(hallFault("player %d of session %d gets %v back, and %v was left of the fee", p.Player, p.Session,
				cents, left))
		}
	}
	p.returned += cents
	p.due += cents
	return cents
}

// giveBack takes what fees of so many players brought out of the jackpot, but for what
// is gone or announced, and returns the postings: sum goes back now, and the operator bore
// what did before (nsw-bingo-2019 8.4.3, 9.3.1).
func (r *hallRoom) giveBack(s *hallSession, players int64, sum money.Amount, taken []record.Exact) (postings, error) {
	fees := s.set.FeeCents * money.Amount(players)
	want := postings{ledger.Credit(ledger.HallRefunds, 0, sum)}
	if s.ranges == nil {
		if len(taken) != 0 {
			return nil, hallFault("fees are taken out of a jackpot in which they are not")
		}
		return append(want, ledger.Debit(ledger.EntryFees, 0, fees)), nil
	}
	if len(taken) != len(r.levels) {
		return nil, hallFault("it is taken out of %d levels of %d", len(taken), len(r.levels))
	}
	administration := fees * money.Amount(r.rules.Session.Administration) / allShares
	operator := sum - administration
	for i, part := range r.brings(fees) {
		free := r.levels[i]
		if g := s.current(); g != nil && g.announced != nil && len(g.announced.JackpotCents) > 0 {
			free -= int64(g.announced.JackpotCents[i]) * exactPart
		}
		part = max(0, min(part, s.brought[i], free))
		if int64(taken[i]) != part {
			return nil, hallFault("%d parts of a cent are taken out of level %d, and %d is right", taken[i], i+1, part)
		}
		s.brought[i] -= part
		cents := -r.change(i, -part)
		operator -= cents
		want = append(want, ledger.Debit(ledger.HallJackpot, r.unit(i), cents))
	}
	return append(want, ledger.Debit(ledger.Retained, 0, administration),
		ledger.Debit(ledger.Operator, 0, operator)), nil
}

func (c *checker) feesRefunded(r *hallRoom, s *hallSession, b *record.FeesRefunded) (postings, error) {
	if s.back || int64(b.Players) != s.paying() || b.FeeCents != s.set.FeeCents {
		return nil, hallFault("fees of %v go back to %d players, or twice", b.FeeCents, b.Players)
	}
	if early := s.sign != 0 && s.current() != nil; !early && !s.broken {
		return nil, hallFault("fees go back, and the session was neither broken off nor closed early")
	}
	s.back = true
	var sum money.Amount
	for _, p := range s.players {
		if !p.feeVoid {
			sum += c.back(p, b.FeeCents)
		}
	}
	return r.giveBack(s, s.paying(), sum, b.Taken)
}

func (r *hallRoom) refundPaid(s *hallSession, b *record.RefundPaid) (postings, error) {
	if int(b.Player) > len(s.players) || s.players[b.Player-1].due != b.Cents {
		return nil, hallFault("player %d gets %v back, which is not due", b.Player, b.Cents)
	}
	s.players[b.Player-1].due = 0
	return postings{ledger.Debit(ledger.HallRefunds, 0, b.Cents),
		ledger.Credit(ledger.Cash, r.opened.Venue, b.Cents)}, nil
}

func (s *hallSession) deviceFailed(b *record.DeviceFailed) error {
	if !s.devices[b.Device] || s.failed != 0 {
		return hallFault("electronic card %d fails and is not out, or another has failed", b.Device)
	}
	s.failed = b.Device
	return nil
}

// deviceReplaced checks that the new card has everything marked that counts
// (nsw-bingo-2019 8.5).
func (s *hallSession) deviceReplaced(b *record.DeviceReplaced) error {
	if s.failed != b.Old.Device || s.devices[b.Device] {
		return hallFault("electronic card %d replaces card %d, which has not failed", b.Device, b.Old.Device)
	}
	if g := s.current(); g != nil && !slices.Equal(g.calls, b.Marked) {
		return hallFault("%v are marked on the new electronic card, and called are %v", b.Marked, g.calls)
	}
	delete(s.devices, b.Old.Device)
	s.devices[b.Device], s.failed = true, 0
	for _, p := range s.players {
		if p.holds == b.Old.Device {
			p.holds = b.Device
		}
	}
	return nil
}

// deviceReturned checks who takes an electronic card back. One that has failed is replaced while a game is to be
// played (nsw-bingo-2019 8.5), unless its holder plays no more.
func (c *checker) deviceReturned(s *hallSession, b *record.DeviceReturned) error {
	if !s.devices[b.Device] || b.Missing && b.By.Rank < record.RankSupervisor {
		return hallFault("electronic card %d is not out, or nobody may say that it is missing", b.Device)
	}
	if s.failed == b.Device && c.level >= record.LevelGuarded {
		shutOut := slices.ContainsFunc(s.players, func(p *hallPlayer) bool { return p.holds == b.Device && p.barred })
		if !shutOut && s.current() != nil {
			return hallFault("electronic card %d has failed, and comes back without being replaced", b.Device)
		}
		if shutOut {
			s.failed = 0
		}
	}
	delete(s.devices, b.Device)
	return nil
}

// playerBarred checks who is shut out, and what goes back (nsw-bingo-2019 9.3).
func (c *checker) playerBarred(r *hallRoom, s *hallSession, b *record.PlayerBarred) (postings, error) {
	if int(b.Player) > len(s.players) || b.By.Rank < record.RankSupervisor || s.over {
		return nil, hallFault("player %d is shut out by a %v", b.Player, b.By.Rank)
	}
	p := s.players[b.Player-1]
	if p.feeVoid || p.barred && !b.FeeVoid || b.FeeVoid && s.back {
		return nil, hallFault("player %d is shut out twice", b.Player)
	}
	p.barred = true
	if !b.FeeVoid {
		if len(b.Taken) != 0 {
			return nil, hallFault("the fee stands and is taken out of the jackpot")
		}
		return nil, nil
	}
	if g := s.wonBy(b.Player); g != nil {
		if err := c.guard(hallFault("the fee of player %d is void and goes back, and has won in game %d", b.Player,
			g.number)); err != nil {
			return nil, err
		}
	}
	p.feeVoid = true
	return r.giveBack(s, 1, c.back(p, p.FeeCents), b.Taken)
}

// wonBy returns a game in which a player's claim was found good and did not fall. Of a game that
// is over only the claims that were shared have won.
func (s *hallSession) wonBy(player uint32) *hallGame {
	for _, g := range s.games {
		for _, claim := range g.claims {
			good := claim.checked != nil && claim.checked.Accepted && claim.checked.Player == player
			if good && !claim.fell && (claim.share != nil || g.stage < bingoOver) {
				return g
			}
		}
	}
	return nil
}

// sessionClosing checks that a sign is up long enough (nsw-bingo-2019 9.8).
func (c *checker) sessionClosing(r *hallRoom, s *hallSession, b *record.SessionClosing) error {
	up := time.Duration(r.rules.Session.ClosureMinutes) * time.Minute
	if s.over || b.By.Rank < record.RankSupervisor || b.At.Time().Sub(c.now.Time()) < up {
		return hallFault("the sign of the closure is up for less than %v, or not by a supervisor", up)
	}
	s.sign = b.At
	return nil
}

// sessionClosed checks that a session ends with its games or by its sign.
func (c *checker) sessionClosed(r *hallRoom, s *hallSession, b *record.SessionClosed) error {
	g := s.current()
	switch {
	case c.level >= record.LevelGuarded && s.untouched():
		return hallFault("nobody has entered the session, which is cancelled and not closed")
	case s.over || len(s.devices) > 0:
		return hallFault("the session is closed twice, or with %d electronic cards out", len(s.devices))
	case b.Early != (g != nil):
		return hallFault("the session is closed early, and all its games are over, or the other way")
	case g != nil && (g.stage != bingoWaiting || s.sign == 0 || c.now < s.sign || !s.back && s.paying() > 0):
		return hallFault("the session is closed before its sign, within a game, or without giving fees back")
	}
	if s.broken && !s.back && s.paying() > 0 {
		if err := c.guard(hallFault("the session was broken off, and fees have not gone back")); err != nil {
			return err
		}
	}
	s.over = true
	var want []record.PatternPrize
	if g != nil {
		for _, later := range s.games[g.number-1:] {
			want = joinPrizes(want, later.plan.Prizes)
		}
	}
	if !slices.Equal(want, b.Rolled) {
		return hallFault("%v roll on, and %v is right", b.Rolled, want)
	}
	r.rolled = joinPrizes(r.rolled, b.Rolled)
	return nil
}

// joinPrizes adds prizes to those of the same pattern, and the others behind them.
func joinPrizes(list, more []record.PatternPrize) []record.PatternPrize {
	joined := slices.Clone(list)
next:
	for _, p := range more {
		for i := range joined {
			if joined[i].Pattern == p.Pattern {
				joined[i].Cents += p.Cents
				continue next
			}
		}
		joined = append(joined, p)
	}
	return joined
}
