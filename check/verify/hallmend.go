package verify

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// sessionCancelled checks that a session that nobody has entered is cancelled.
func (s *hallSession) sessionCancelled() error {
	if !s.untouched() {
		return hallFault("session %d is cancelled, and players have entered it", s.set.Session)
	}
	if len(s.devices) > 0 {
		return hallFault("session %d is cancelled with %d electronic cards out", s.set.Session, len(s.devices))
	}
	s.over = true
	return nil
}

// untouched reports whether nobody is in a session whose issue is open.
func (s *hallSession) untouched() bool { return !s.over && s.ranges == nil && s.paying() == 0 }

// sessionChanged takes another plan for a session that nobody is in (nsw-bingo-2019 4.1).
func (c *checker) sessionChanged(r *hallRoom, s *hallSession, b *record.SessionSet) error {
	if !s.untouched() {
		return hallFault("session %d is set anew, and players have entered it", b.Session)
	}
	games, err := c.planned(r, b)
	s.set, s.games = b, games
	return err
}

// entryUndone checks that an entry is undone while the issue is open, by a supervisor, and
// that the whole fee is handed back (nsw-bingo-2019 3.3, 4.3).
func (r *hallRoom) entryUndone(s *hallSession, b *record.EntryUndone) (postings, error) {
	if int(b.Player) > len(s.players) || s.over || s.ranges != nil || b.By.Rank < record.RankSupervisor {
		return nil, hallFault("the entry of player %d is undone by a %v, or after the issue", b.Player, b.By.Rank)
	}
	p := s.players[b.Player-1]
	if p.barred || p.feeVoid {
		return nil, hallFault("the entry of player %d is undone, who is out already", b.Player)
	}
	for _, list := range p.Books {
		for book := list.First; book <= list.Last; book++ {
			delete(r.tables[list.Series].issued, book)
		}
	}
	if p.holds != 0 {
		delete(s.devices, p.holds)
	}
	without := *p.PlayerEntered
	without.Books, without.Member = nil, "" // The member may enter again.
	p.PlayerEntered, p.barred, p.feeVoid, p.returned = &without, true, true, p.FeeCents
	return postings{ledger.Credit(ledger.Cash, r.opened.Venue, p.FeeCents),
		ledger.Debit(ledger.EntryFees, 0, p.FeeCents)}, nil
}

// outcomeInvalidated checks that fraud takes from claims what they won and nothing else: by
// a casino supervisor; who else won divides the prize, or it rolls on and the jackpot has
// its part again, and the operator bears what was paid (nsw-bingo-2019 7.2, 9.4.2, 9.5).
func (c *checker) outcomeInvalidated(r *hallRoom, s *hallSession, g *hallGame,
	b *record.OutcomeInvalidated) (postings, error) {
	if b.By.Rank < record.RankCasino || b.Clause != "9.4.2" || g.stage != bingoOver && g.stage != bingoVoid &&
		g.stage != bingoCalling {
		return nil, hallFault("the outcome of game %d is invalidated by %s, by a %v, or out of turn", g.number,
			b.Clause, b.By.Rank)
	}
	var (
		rolled   []record.PatternPrize
		restored = make([]money.Amount, len(r.levels))
		lost     = map[string]money.Amount{} // by pattern
		due      postings
	)
	for _, number := range b.Claims {
		if int(number) > len(g.claims) || g.claims[number-1].checked == nil || !g.claims[number-1].checked.Accepted ||
			g.claims[number-1].fell {
			return nil, hallFault("claim %d falls, and has won nothing", number)
		}
		claim := g.claims[number-1]
		if g.stage == bingoCalling {
			if claim.share != nil {
				return nil, hallFault("claim %d falls with the game, and was settled before", number)
			}
			claim.fell = true
			continue
		}
		if claim.share == nil {
			return nil, hallFault("claim %d falls after the game, and has no share", number)
		}
		prize, pool := claim.owes()
		claim.fell = true
		due = append(due, ledger.Debit(ledger.HallPrizes, 0, prize+pool), ledger.Debit(ledger.Operator, 0, -prize-pool))
		lost[claim.Pattern] += claim.share.Cents
		if claim.share.JackpotCents > 0 {
			restored[claim.checked.Level-1] += claim.share.JackpotCents
		}
	}
	if claim := g.survivor(); claim != nil {
		return nil, hallFault("claim %d stays, and is on a box that fraud took the prize from", claim.Claim)
	}
	more := map[uint16]record.ClaimShare{}
	if g.stage != bingoCalling {
		rolled, more = g.divideAnew(lost, restored)
		for i, cents := range restored {
			due = append(due, ledger.Debit(ledger.Operator, 0, cents),
				ledger.Credit(ledger.HallJackpot, r.unit(i), r.change(i, int64(cents)*exactPart)))
		}
	}
	if err := g.takeMore(b.More, more); err != nil {
		return nil, err
	}
	for _, m := range b.More {
		due = append(due, ledger.Debit(ledger.Operator, 0, m.Cents+m.JackpotCents),
			ledger.Credit(ledger.HallPrizes, 0, m.Cents+m.JackpotCents))
	}
	if g.stage == bingoCalling {
		restored = nil
		if b.RefundCents != 0 {
			return nil, hallFault("wagers go back with the claims, and the game is void only then")
		}
	}
	if !slices.Equal(rolled, b.Rolled) || !slices.Equal(restored, b.Restored) {
		return nil, hallFault("%v roll on and %v return to the jackpot, and %v and %v are right", b.Rolled, b.Restored,
			rolled, restored)
	}
	r.rolled = joinPrizes(r.rolled, rolled)
	back, err := c.wagersBack(s, g, b.Clause, b.RefundCents, b.Forfeited)
	return append(due, back...), err
}

// survivor returns a claim that was found good on a box whose claim for the same pattern fell.
func (g *hallGame) survivor() *hallClaim {
	type box struct {
		pattern, series string
		book            uint32
		card, box       uint8
	}
	fell := map[box]bool{}
	for _, c := range g.claims {
		if c.fell {
			fell[box{c.Pattern, c.Series, c.Book, c.Card, c.Box}] = true
		}
	}
	for _, c := range g.claims {
		if c.checked != nil && c.checked.Accepted && !c.fell && fell[box{c.Pattern, c.Series, c.Book, c.Card, c.Box}] {
			return c
		}
	}
	return nil
}

// divideAnew returns what of lost prizes rolls on, and what other claims get more. Who won
// beside the claims that fell has an equal part of the whole prize, and of what a level of the
// jackpot lost; restored is left with what nobody gets.
func (g *hallGame) divideAnew(lost map[string]money.Amount,
	restored []money.Amount) (rolled []record.PatternPrize, more map[uint16]record.ClaimShare) {
	more = map[uint16]record.ClaimShare{}
	for _, prize := range g.announced.Prizes {
		players, first, has, all := g.stay(prize.Pattern, 0)
		switch {
		case lost[prize.Pattern] == 0:
		case len(players) == 0:
			rolled = joinPrizes(rolled, []record.PatternPrize{{Pattern: prize.Pattern, Cents: lost[prize.Pattern]}})
		default:
			for _, p := range players {
				part := min(prize.Cents-all, prize.Cents/money.Amount(len(players))-has[p])
				if part > 0 {
					m := more[first[p]]
					m.Cents += part
					more[first[p]], all = m, all+part
				}
			}
		}
	}
	for i, fell := range restored {
		players, first, _, _ := g.stay(record.PatternBingo, uint8(i+1))
		for _, p := range players {
			m := more[first[p]]
			m.JackpotCents += fell / money.Amount(len(players))
			more[first[p]], restored[i] = m, restored[i]-fell/money.Amount(len(players))
		}
	}
	return rolled, more
}

// stay returns who still has a share of a pattern, or of a level of the jackpot: the players in
// order, which of their claims has the share, how much each has of the prize, and all.
func (g *hallGame) stay(pattern string,
	level uint8) (players []uint32, first map[uint32]uint16, has map[uint32]money.Amount, all money.Amount) {
	first, has = map[uint32]uint16{}, map[uint32]money.Amount{}
	for _, claim := range g.claims {
		if claim.share == nil || claim.fell || claim.Pattern != pattern || level > 0 && claim.checked.Level != level {
			continue
		}
		p := claim.checked.Player
		if !slices.Contains(players, p) {
			players = append(players, p)
		}
		if first[p] == 0 || has[p] == 0 && claim.share.Cents > 0 {
			first[p] = claim.Claim
		}
		has[p] += claim.share.Cents
		all += claim.share.Cents
	}
	return players, first, has, all
}

// takeMore checks what claims get of what fell, and gives it to them.
func (g *hallGame) takeMore(got []record.ClaimShare, want map[uint16]record.ClaimShare) error {
	for claim, m := range want {
		if m.Cents+m.JackpotCents == 0 {
			delete(want, claim)
		}
	}
	for _, m := range got {
		right := want[m.Claim]
		if right.Claim = m.Claim; right != m || m.Cents+m.JackpotCents == 0 {
			return hallFault("claim %d gets %v and %v of the jackpot of what fell, and %v and %v is right", m.Claim,
				m.Cents, m.JackpotCents, right.Cents, right.JackpotCents)
		}
		delete(want, m.Claim)
		share := *g.claims[m.Claim-1].share
		share.Cents, share.JackpotCents = share.Cents+m.Cents, share.JackpotCents+m.JackpotCents
		g.claims[m.Claim-1].share = &share
	}
	if len(want) > 0 {
		return hallFault("who else won gets nothing of what fell, and %v is right", want)
	}
	return nil
}

// disputeAwarded checks that a decision awards no more than what the dispute is about is
// worth, and no less than was paid (nsw-bingo-2019 9.10).
func (c *checker) disputeAwarded(r *hallRoom, b *record.DisputeAwarded) (postings, error) {
	if int(b.Dispute) > len(r.disputes) {
		return nil, hallFault("there is no dispute %d", b.Dispute)
	}
	d := r.disputes[b.Dispute-1]
	least := map[record.DisputeStep]record.Rank{record.StepDecided: record.RankSupervisor,
		record.StepReviewed: record.RankCasino}[d.step]
	if least == 0 || b.By.Rank < least {
		return nil, hallFault("dispute %d awards %v at step %d, by a %v", b.Dispute, b.Cents, d.step, b.By.Rank)
	}
	if b.Cents > 0 && !r.played(d.about) {
		if err := c.newer(hallFault("dispute %d awards %v to %q, who did not play in session %d", b.Dispute, b.Cents,
			d.about.Member, d.about.Session)); err != nil {
			return nil, err
		}
	}
	if worth := max(d.awarded, r.worth(b.Dispute)); b.Cents > worth || b.Cents < d.paid {
		if err := c.newer(hallFault("dispute %d awards %v; %v was paid, and what it is about is worth %v", b.Dispute,
			b.Cents, d.paid, worth)); err != nil {
			return nil, err
		}
	}
	more := b.Cents - d.awarded
	d.awarded, d.by = b.Cents, b.By.Person
	return postings{ledger.Debit(ledger.Operator, 0, more), ledger.Credit(ledger.HallPrizes, 0, more)}, nil
}

// worth returns what a dispute can award: the dearest prize of its promotion, all that its
// game could pay, or the fee of its session. Other disputes have taken their part of it: of
// the game all, of the fee those of the same player, of a promotion both.
func (r *hallRoom) worth(number uint32) money.Amount {
	about := r.disputes[number-1].about
	var mine, ofGame, ofOffer money.Amount // what others were awarded
	for i, d := range r.disputes {
		if i == int(number)-1 || d.about.Offer != about.Offer || about.Offer == 0 && d.about.Session != about.Session {
			continue
		}
		ofOffer += d.awarded
		if d.about.Member == about.Member {
			mine += d.awarded
		}
		if d.about.Game == about.Game {
			ofGame += d.awarded
		}
	}
	switch {
	case about.Offer > 0:
		var dearest, sum money.Amount
		for _, p := range r.offers[about.Offer-1].terms.Prizes {
			dearest = max(dearest, p.ValueCents)
			sum += p.ValueCents
		}
		return max(0, min(dearest-mine, sum-ofOffer))
	case about.Session == 0:
		return 0
	}
	s := r.sessions[about.Session-1]
	most := max(0, s.set.FeeCents-mine)
	if about.Game > 0 && int(about.Game) <= len(s.games) && s.games[about.Game-1].announced != nil {
		announced, pays := s.games[about.Game-1].announced, money.Amount(0)
		for _, p := range announced.Prizes {
			pays += p.Cents
		}
		for _, cents := range announced.JackpotCents {
			pays += cents
		}
		most = max(most, pays-ofGame)
	}
	return most
}

// played reports whether a dispute about a session is of somebody who is or was in it.
func (r *hallRoom) played(about *record.DisputeRaised) bool {
	return about.Offer > 0 || about.Session == 0 || about.Member != "" &&
		slices.ContainsFunc(r.sessions[about.Session-1].players, func(p *hallPlayer) bool { return p.Member == about.Member })
}

// disputePaid checks that an award is paid once, by somebody else, and not while a review
// is asked for.
func (c *checker) disputePaid(r *hallRoom, b *record.DisputePaid) (postings, error) {
	if int(b.Dispute) > len(r.disputes) {
		return nil, fault(CheckPayments, "there is no dispute %d", b.Dispute)
	}
	d := r.disputes[b.Dispute-1]
	parts, sum, err := r.parts(b.Parts, r.rules.Prizes.Media)
	if err != nil {
		return nil, err
	}
	if d.step == record.StepReview || d.by == b.By.Person || sum != d.awarded-d.paid {
		return nil, fault(CheckPayments,
			"dispute %d is paid %v by person %d at step %d; %v is due, and person %d awarded it", b.Dispute, sum,
			b.By.Person, d.step, d.awarded-d.paid, d.by)
	}
	d.paid += sum
	c.report.BingoPayments++
	c.report.BingoPaidCents += sum
	return append(parts, ledger.Debit(ledger.HallPrizes, 0, sum)), nil
}
