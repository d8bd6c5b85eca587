package verify

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// claimChecked grades a claim anew, from the master table, the numbers that count and
// what the supervisor confirmed, and compares everything that the record says of it
// (nsw-bingo-2019 7.1, 8.1 to 8.3).
func (c *checker) claimChecked(r *hallRoom, s *hallSession, g *hallGame, b *record.ClaimChecked) error {
	if g.stage != bingoCalling || int(b.Claim) > len(g.claims) || g.claims[b.Claim-1].checked != nil ||
		b.By.Rank < record.RankSupervisor {
		return hallFault("claim %d is checked out of turn, or by a %v", b.Claim, b.By.Rank)
	}
	claim := g.claims[b.Claim-1]
	want := c.grade(r, s, g, claim, b)
	if want.Accepted != b.Accepted || want.Code != b.Code || want.Clause != b.Clause || want.Player != b.Player ||
		want.Number != b.Number || want.Level != b.Level {
		return hallFault("claim %d for %s is accepted %v, %s by %s, player %d, number %d, level %d; right is %v, %s by %s, player %d, number %d, level %d",
			b.Claim, claim.Pattern, b.Accepted, b.Code, b.Clause, b.Player, b.Number, b.Level,
			want.Accepted, want.Code, want.Clause, want.Player, want.Number, want.Level)
	}
	if b.Level > 0 && b.Number != g.drawn[len(g.drawn)-1] && g.corrector[b.Number] == b.By.Person {
		if err := c.guard(hallFault("person %d corrected number %d, and checks the jackpot that it makes", b.By.Person,
			b.Number)); err != nil {
			return err
		}
	}
	claim.checked = b
	c.report.BingoClaims++
	if b.Accepted {
		c.report.BingoGood++
	}
	return nil
}

// grade works out what the check of a claim comes to.
func (c *checker) grade(r *hallRoom, s *hallSession, g *hallGame, claim *hallClaim,
	b *record.ClaimChecked) (v record.ClaimChecked) {
	fails := func(code, clause string) record.ClaimChecked {
		v.Code, v.Clause = code, r.ownClause(clause)
		return v
	}
	if !b.InHand {
		return fails("card_not_in_hand", "7.1.1")
	}
	holder := s.holder(claim.Series, claim.Book)
	if !s.inPlay(claim.Series, claim.Book) || holder == nil || int(claim.Box) > r.tables[claim.Series].up {
		return fails("card_not_in_play", "7.1.2")
	}
	v.Player = holder.Player
	switch {
	case holder.barred:
		return fails("player_barred", "9.3.2")
	case claim.Card < g.number:
		return fails("card_dead", "7.7")
	case claim.Card > g.number:
		return fails("card_other_game", "7.1.3")
	}
	if code, clause := c.gradeNumbers(r, g, claim, holder, &v); code != "" {
		return fails(code, clause)
	}
	if !b.Marked {
		return fails("not_marked", "7.4")
	}
	v.Accepted = true
	if claim.Pattern != record.PatternBingo || !slices.Contains(g.jackpot, v.Number) {
		return v
	}
	if c.level < record.LevelGuarded {
		v.Level = r.bestLevel(len(g.calls))
	} else if g.heard[v.Number] == len(g.drawn) {
		// No number came since it was announced rightly. It counts at the place of its draw.
		v.Level = r.bestLevel(1 + slices.Index(g.drawn, v.Number))
	}
	return v
}

// ownClause returns what the room's rules have for a clause of nsw-bingo-2019: nothing, if
// they say which of their clauses stand for which and have none for it.
func (r *hallRoom) ownClause(clause string) string {
	own := ""
	for _, line := range r.rules.Concordance {
		for _, other := range line.For {
			if other == clause {
				own = line.Clause
			}
		}
	}
	if len(r.rules.Concordance) == 0 {
		return clause
	}
	return own
}

// bestLevel returns the highest level of the jackpot for a bingo on so many numbers.
func (r *hallRoom) bestLevel(calls int) uint8 {
	for i, level := range r.opened.Levels {
		if level.Within == 0 || calls <= int(level.Within) {
			return uint8(i + 1)
		}
	}
	return 0
}

// gradeNumbers holds the box against the numbers that count.
func (c *checker) gradeNumbers(r *hallRoom, g *hallGame, claim *hallClaim, holder *hallPlayer,
	v *record.ClaimChecked) (code, clause string) {
	pattern, perLine := r.wonWith(g, claim.Pattern), r.rules.Card.PerLine
	if claim.Pattern == record.PatternBingo && len(g.calls) < r.rules.Calls.Least {
		return "before_least", "4.6"
	}
	box := r.tables[claim.Series].card(claim.Book, claim.Card)[claim.Box-1]
	by := box.completedBy(perLine, pattern, g.calls)
	if by == 0 {
		if box.completedBy(perLine, pattern, slices.Concat(g.calls, g.wrong)) > 0 {
			return "number_corrected", "8.3"
		}
		return "not_complete", "7.1.4"
	}
	if v.Number = g.calls[by-1]; c.level >= record.LevelGuarded {
		// The draw says which number was the last of the box. Corrections do not (6.5.2, 8.3).
		v.Number = g.drawn[box.completedBy(perLine, pattern, g.drawn)-1]
	}
	if c.completedAt(g, by) < len(g.calls) {
		return "called_late", "8.1"
	}
	// Every other box of the player that was complete before must have been called then.
	for _, list := range holder.Books {
		for book := list.First; book <= list.Last; book++ {
			for i, other := range r.tables[list.Series].card(book, g.number) {
				by := c.completedAt(g, other.completedBy(perLine, pattern, g.calls))
				called := slices.ContainsFunc(g.claims, func(c *hallClaim) bool {
					return c.Pattern == claim.Pattern && c.Series == list.Series && c.Book == book &&
						int(c.Box) == i+1 && int(c.Called) == by
				})
				if by > 0 && by < len(g.calls) && !called {
					return "forfeited", "8.1"
				}
			}
		}
	}
	return "", ""
}

// completedAt returns how many numbers were drawn when the one at a place among those that
// count was announced rightly. A correction takes nobody's time to call (nsw-bingo-2019 8.3);
// before record.LevelGuarded it counted as a further number.
func (c *checker) completedAt(g *hallGame, place int) int {
	if place == 0 || c.level < record.LevelGuarded {
		return place
	}
	return g.heard[g.calls[place-1]]
}

// bingoSettled works out anew who shares what (nsw-bingo-2019 7.2, 7.3).
func (c *checker) bingoSettled(r *hallRoom, g *hallGame, b *record.BingoSettled) (postings, error) {
	if b.Final && g.stage != bingoSigned || !b.Final && g.stage != bingoCalling {
		return nil, hallFault("game %d is settled out of turn", g.number)
	}
	want := record.BingoSettled{Game: b.Game, Final: b.Final}
	var operator money.Amount
	for _, prize := range g.announced.Prizes {
		winners := g.winners(prize.Pattern)
		if len(winners) == 0 {
			if b.Final && !g.won[prize.Pattern] {
				if prize.Pattern == record.PatternBingo {
					want.Rolled = append(want.Rolled, prize)
				} else {
					want.Lapsed = append(want.Lapsed, prize)
				}
			}
			continue
		}
		cards := c.distinct(winners)
		shared := record.PrizeShared{Pattern: prize.Pattern, Cents: prize.Cents, Cards: uint16(len(cards)),
			ShareCents: prize.Cents / money.Amount(len(cards))}
		want.Prizes = append(want.Prizes, shared)
		operator += shared.ShareCents * money.Amount(len(cards))
		for _, winner := range winners {
			share := record.ClaimShare{Claim: winner.Claim}
			if cards[c.sharer(winner)] == winner {
				share.Cents = shared.ShareCents
			}
			want.Shares = append(want.Shares, share)
		}
		g.won[prize.Pattern] = true
	}
	due := postings{ledger.Debit(ledger.Operator, 0, operator), ledger.Credit(ledger.HallPrizes, 0, operator)}
	// Before a game is void, a bingo that was found good is settled with its jackpot.
	if b.Final || len(g.winners(record.PatternBingo)) > 0 && c.level >= record.LevelGuarded {
		due = append(due, c.gradeJackpot(r, g, &want)...)
	}
	if b.Final {
		g.stage = bingoOver
	}
	if err := sameSettlement(b, &want); err != nil {
		return nil, err
	}
	if b.Final {
		c.report.BingoGames++
	}
	at := c.ended()
	for i := range b.Shares {
		c.report.BingoPrizesCents += b.Shares[i].Cents
		c.report.BingoJackpotCents += b.Shares[i].JackpotCents
		claim := g.claims[b.Shares[i].Claim-1]
		claim.share, claim.endedAt = &b.Shares[i], at
	}
	r.rolled = joinPrizes(r.rolled, b.Rolled)
	return due, nil
}

func sameSettlement(got, want *record.BingoSettled) error {
	if slices.Equal(got.Prizes, want.Prizes) && slices.Equal(got.Levels, want.Levels) &&
		slices.Equal(got.Shares, want.Shares) &&
		slices.Equal(got.Lapsed, want.Lapsed) && slices.Equal(got.Rolled, want.Rolled) {
		return nil
	}
	return fault(CheckSettlement, "the settlement is %v, and right is %v", *got, *want)
}

// winners returns the claims for a pattern that were found good and have no share.
func (g *hallGame) winners(pattern string) []*hallClaim {
	var found []*hallClaim
	for _, c := range g.claims {
		if c.Pattern == pattern && c.checked != nil && c.checked.Accepted && c.share == nil && !c.fell {
			found = append(found, c)
		}
	}
	return found
}

type cardKey struct {
	series string
	book   uint32
}

// sharer is who has one share: the player, and before record.LevelGuarded the card.
type sharer struct {
	cardKey
	player uint32
}

func (c *checker) sharer(claim *hallClaim) sharer {
	if c.level >= record.LevelGuarded {
		return sharer{player: claim.checked.Player}
	}
	return sharer{cardKey: cardKey{claim.Series, claim.Book}}
}

// distinct returns who shares by claims, each with the first claim for it.
func (c *checker) distinct(claims []*hallClaim) map[sharer]*hallClaim {
	all := map[sharer]*hallClaim{}
	for _, claim := range claims {
		if key := c.sharer(claim); all[key] == nil {
			all[key] = claim
		}
	}
	return all
}

// gradeJackpot gives each card the highest level of its claims, divides the levels,
// and takes the shares out of them.
func (c *checker) gradeJackpot(r *hallRoom, g *hallGame, want *record.BingoSettled) (due postings) {
	winners := g.winners(record.PatternBingo)
	highest := map[cardKey]uint8{}
	for _, claim := range winners {
		key := cardKey{claim.Series, claim.Book}
		if level := claim.checked.Level; level > 0 && (highest[key] == 0 || highest[key] > level) {
			highest[key] = level
		}
	}
	for i, cents := range g.announced.JackpotCents {
		var at []*hallClaim
		for _, claim := range winners {
			if int(highest[cardKey{claim.Series, claim.Book}]) == i+1 {
				at = append(at, claim)
			}
		}
		if len(at) == 0 {
			continue
		}
		sharing := c.distinct(at)
		shared := record.LevelShared{Level: uint8(i + 1), Cents: cents, Cards: uint16(len(sharing)),
			ShareCents: cents / money.Amount(len(sharing))}
		want.Levels = append(want.Levels, shared)
		for _, claim := range sharing {
			for k := range want.Shares {
				if want.Shares[k].Claim == claim.Claim {
					want.Shares[k].JackpotCents = shared.ShareCents
				}
			}
		}
		paid := shared.ShareCents * money.Amount(len(sharing))
		r.levels[i] -= int64(paid) * exactPart
		due = append(due, ledger.Debit(ledger.HallJackpot, r.unit(i), paid), ledger.Credit(ledger.HallPrizes, 0, paid))
	}
	return due
}

// bingoPaid checks a payment: what was won, once, after those have agreed to it who
// must, in what it may be paid in
// (nsw-bingo-2019 7.5, 7.6).
func (c *checker) bingoPaid(r *hallRoom, g *hallGame, b *record.BingoPaid) (postings, error) {
	if int(b.Claim) > len(g.claims) {
		return nil, fault(CheckPayments, "claim %d is paid, and was not made", b.Claim)
	}
	claim := g.claims[b.Claim-1]
	if claim.fell {
		return nil, fault(CheckPayments, "claim %d is paid, and fraud took from it what it won", b.Claim)
	}
	due, duePool := claim.owes()
	if due+duePool == 0 {
		return nil, fault(CheckPayments, "claim %d is paid twice, or won nothing", b.Claim)
	}
	if w := c.unagreed(claim.endedAt); w != nil {
		return nil, fault(CheckPayments, "claim %d is paid, to whose result %s has not agreed", b.Claim, w.name)
	}
	prize, sum, err := r.parts(b.Prize, r.rules.Prizes.Media)
	if err != nil {
		return nil, err
	}
	jackpot, jackpotSum, err := r.parts(b.Jackpot, r.rules.Jackpot.PaidBy)
	if err != nil {
		return nil, err
	}
	if sum != due || jackpotSum != duePool {
		return nil, fault(CheckPayments,
			"claim %d is paid %v and %v of the jackpot, and %v and %v is due", b.Claim, sum, jackpotSum, due, duePool)
	}
	claim.had, claim.hadPool = claim.had+sum, claim.hadPool+jackpotSum
	c.report.BingoPayments++
	c.report.BingoPaidCents += sum + jackpotSum
	return append(append(prize, jackpot...), ledger.Debit(ledger.HallPrizes, 0, sum+jackpotSum)), nil
}

// parts returns the postings of a payment in some media.
func (r *hallRoom) parts(list []record.MediumPart, media []string) (due postings, sum money.Amount, err error) {
	for _, p := range list {
		if !slices.Contains(media, string(p.Medium)) {
			return nil, 0, fault(CheckPayments, "%v is paid in %s, and %v is right", p.Cents, p.Medium, media)
		}
		account, unit := ledger.Bank, uint32(0)
		switch p.Medium {
		case record.MediumCash:
			account, unit = ledger.Cash, r.opened.Venue
		case record.MediumCasinoDollars:
			account = ledger.CasinoDollars
		case record.MediumSlotDollars:
			account = ledger.SlotDollars
		}
		due = append(due, ledger.Credit(account, unit, p.Cents))
		sum += p.Cents
	}
	return due, sum, nil
}

// checkHalls compares what the books owe in bingo rooms with what is unpaid there.
func (c *checker) checkHalls() error {
	var prizes, refunds, fees money.Amount
	for _, r := range c.halls.rooms {
		for _, d := range r.disputes {
			prizes += d.awarded - d.paid
		}
		for i, level := range r.levels {
			if held := -c.books.unit(ledger.HallJackpot, r.unit(i)); held != money.Amount(level/exactPart) {
				return fault(CheckLedger, "the books hold %v for level %d of a jackpot that is %d parts of a cent",
					held, i+1, level)
			}
		}
		for _, s := range r.sessions {
			for _, p := range s.players {
				refunds += p.due
				if s.ranges == nil && !p.feeVoid && !s.back {
					fees += p.FeeCents
				}
			}
			for _, g := range s.games {
				for _, claim := range g.claims {
					prize, pool := claim.owes()
					prizes += prize + pool
				}
			}
		}
	}
	for account, want := range map[ledger.Account]money.Amount{ledger.HallPrizes: prizes, ledger.HallRefunds: refunds,
		ledger.EntryFees: fees} {
		if held := -c.books.of(account); held != want {
			return fault(CheckLedger, "the books hold %v as %v, and %v is right", held, account, want)
		}
	}
	return nil
}
