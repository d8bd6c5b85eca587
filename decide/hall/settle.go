package hall

import (
	"slices"
	"strings"

	"drawhouse/core/figure"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Settle shares what was won on the last number. Within a game that are minor prizes,
// and there is nothing to settle if none was. The final settlement ends the game,
// once the device has signed its calls.
//
//rule:nsw-bingo-2019 4.8 5.4.1 7.2 7.4
func Settle(s *state.State, ref record.BingoGame, final bool) (*record.BingoSettled, []ledger.Posting, error) {
	need := state.BingoCalling
	if final {
		need = state.BingoSigned
	}
	r, _, game, err := gameIn(s, ref, need)
	if err != nil {
		return nil, nil, err
	}
	when := within
	if final {
		when = atEnd
	}
	settled, postings := r.settle(game, ref, when, nil)
	return settled, postings, nil
}

// occasion is when prizes are shared.
type occasion int

const (
	within occasion = iota // before the next number: minor prizes
	atEnd                  // of the game: all prizes, and what becomes of the others
	onVoid                 // of the game: all prizes that were won
)

// settle shares what was won by claims that are found good and do not fall. It returns
// nothing where nothing is to be said.
//
//rule:nsw-bingo-2019 7.2 7.4
func (r room) settle(game *state.BingoGame, ref record.BingoGame, when occasion,
	fallen []uint16) (*record.BingoSettled, []ledger.Posting) {
	b := &record.BingoSettled{Game: ref, Final: when == atEnd}
	var owed money.Amount
	for _, prize := range game.Announced.Prizes {
		claims := standing(game, prize.Pattern, fallen)
		if len(claims) == 0 || when == within && prize.Pattern == record.PatternBingo {
			continue
		}
		shared := share(b, prize, claims)
		owed += shared.ShareCents * money.Amount(shared.Cards)
		b.Prizes = append(b.Prizes, shared)
	}
	if when != atEnd && len(b.Prizes) == 0 {
		return nil, nil
	}
	postings := []ledger.Posting{ledger.Debit(ledger.Operator, 0, owed)}
	if when != within {
		jackpot := r.shareJackpot(b, game, standing(game, record.PatternBingo, fallen))
		postings = append(postings, jackpot...)
		for _, p := range jackpot {
			owed += p.Cents
		}
	}
	if when == atEnd {
		leave(b, game)
	}
	return b, ledger.Merge(append(postings, ledger.Credit(ledger.HallPrizes, 0, owed))...)
}

// standing returns the claims for a pattern that have no share yet and do not fall.
func standing(game *state.BingoGame, pattern string, fallen []uint16) []*state.Claim {
	return slices.DeleteFunc(game.Unsettled(pattern),
		func(c *state.Claim) bool { return slices.Contains(fallen, c.Opened.Claim) })
}

// share divides a prize equally among the winners, who are players: anybody who has it on
// several boxes or cards has one share, which goes with the first of them that was claimed.
// What is left by rounding stays with the operator.
//
//rule:nsw-bingo-2019 7.2
func share(b *record.BingoSettled, prize record.PatternPrize, claims []*state.Claim) record.PrizeShared {
	var winners []uint32
	for _, c := range claims {
		part := record.ClaimShare{Claim: c.Opened.Claim}
		if !slices.Contains(winners, c.Checked.Player) {
			winners = append(winners, c.Checked.Player)
			part.Cents = 1 // The share, once it is known among how many.
		}
		b.Shares = append(b.Shares, part)
	}
	shared := record.PrizeShared{Pattern: prize.Pattern, Cents: prize.Cents, Cards: uint16(len(winners))}
	shared.ShareCents = prize.Cents / money.Amount(len(winners))
	for i := len(b.Shares) - len(claims); i < len(b.Shares); i++ {
		b.Shares[i].Cents *= shared.ShareCents
	}
	return shared
}

// card names a card of the game.
type card struct {
	series string
	book   uint32
}

func cardOf(c *state.Claim) card { return card{c.Opened.Series, c.Opened.Book} }

// shareJackpot gives each winning card the highest level that it qualifies for and divides
// each level equally among the players who have such a card. What is left by rounding, and
// a level that nobody won, stays in the jackpot.
//
//rule:nsw-bingo-2019 6.4 6.5.2 7.2 7.3
func (r room) shareJackpot(b *record.BingoSettled, game *state.BingoGame,
	claims []*state.Claim) (postings []ledger.Posting) {
	best := map[card]uint8{}
	for _, c := range claims {
		if level := c.Checked.Level; level > 0 && (best[cardOf(c)] == 0 || level < best[cardOf(c)]) {
			best[cardOf(c)] = level
		}
	}
	for i, cents := range game.Announced.JackpotCents {
		level := uint8(i + 1)
		first := map[uint32]uint16{} // by player, the first claim that has the level
		for _, c := range claims {
			if _, has := first[c.Checked.Player]; !has && best[cardOf(c)] == level {
				first[c.Checked.Player] = c.Opened.Claim
			}
		}
		if len(first) == 0 {
			continue
		}
		shared := record.LevelShared{Level: level, Cents: cents, Cards: uint16(len(first)),
			ShareCents: cents / money.Amount(len(first))}
		b.Levels = append(b.Levels, shared)
		postings = append(postings, ledger.Debit(ledger.HallJackpot, r.Unit(i+1),
			shared.ShareCents*money.Amount(len(first))))
		for _, claim := range first {
			k := slices.IndexFunc(b.Shares, func(s record.ClaimShare) bool { return s.Claim == claim })
			b.Shares[k].JackpotCents = shared.ShareCents
		}
	}
	return postings
}

// leave says what becomes of prizes that nobody won: a minor one lapses to the
// operator, and that of a bingo which nobody called rolls into the next game.
//
//rule:nsw-bingo-2019 4.8
func leave(b *record.BingoSettled, game *state.BingoGame) {
	for _, prize := range game.Announced.Prizes {
		won := slices.ContainsFunc(b.Prizes, func(p record.PrizeShared) bool { return p.Pattern == prize.Pattern })
		switch {
		case won || game.IsWon(prize.Pattern):
		case prize.Pattern == record.PatternBingo:
			b.Rolled = append(b.Rolled, prize)
		default:
			b.Lapsed = append(b.Lapsed, prize)
		}
	}
}

// Payment pays a claim: its prize in parts, and its part of the jackpot.
type Payment struct {
	Game           record.BingoGame
	Claim          uint16
	Prize, Jackpot []record.MediumPart
	By             record.By
	// Disputed says who disputes the journal, and nothing is paid; empty for nobody.
	Disputed string
}

// Pay pays what a claim won, after all calls on the same number were checked. A prize
// may be any mix of cash and dollars of the house; the jackpot is cash or a cheque.
//
//rule:nsw-bingo-2019 7.4 7.5 7.6
func Pay(s *state.State, p Payment) (*record.BingoPaid, []ledger.Posting, error) {
	r, session, err := sessionOf(s, p.Game.In())
	if err != nil {
		return nil, nil, err
	}
	game, ok := session.Game(p.Game.Game)
	if !ok {
		return nil, nil, refuse(GameUnknown, "4.1", "game",
			"Session %d has %s.", p.Game.Session, figure.Count(len(session.Games), "game"))
	}
	claim, ok := game.Claim(p.Claim)
	if !ok {
		return nil, nil, refuse(ClaimUnknown, "7.4", "claim", "Game %d has no claim %d.", p.Game.Game, p.Claim)
	}
	if claim.Unpaid() == 0 {
		return nil, nil, refuse(NothingDue, "7.4", "claim",
			"Nothing is due on claim %d: it was refused, is not settled, or was paid.", p.Claim)
	}
	if p.Disputed != "" {
		return nil, nil, refuse(Disputed, "", "", "Nothing is paid while %s.", p.Disputed)
	}
	if witness, waits := s.Unagreed(claim.SettledPlace); waits {
		return nil, nil, refuse(NotAgreed, "", "claim",
			"Claim %d waits for %s, who has not agreed to the result yet.", p.Claim, witness.Name)
	}
	due := claim.Due()
	prize, err := r.payPart(p.Prize, due.Cents, r.rules.Prizes().Media, "7.5", "prize")
	if err != nil {
		return nil, nil, err
	}
	jackpot, err := r.payPart(p.Jackpot, due.JackpotCents, r.rules.Jackpot().PaidBy, "7.6", "jackpot")
	if err != nil {
		return nil, nil, err
	}
	postings := append(append(prize, jackpot...), ledger.Debit(ledger.HallPrizes, 0, claim.Unpaid()))
	return &record.BingoPaid{Game: p.Game, Claim: p.Claim, Prize: p.Prize, Jackpot: p.Jackpot,
		By: p.By}, ledger.Merge(postings...), nil
}

// payPart checks one side of a payment: in which media it is made, and how much it is.
//
//rule:nsw-bingo-2019 7.5 7.6
func (r room) payPart(parts []record.MediumPart, due money.Amount, media []string, clause,
	path string) ([]ledger.Posting, error) {
	for _, p := range parts {
		if !slices.Contains(media, string(p.Medium)) {
			return nil, refuse(MediumOther, clause, path,
				"This is paid in %s and not in %s.", strings.Join(media, " or "), p.Medium)
		}
	}
	postings, sum, err := r.paid(parts)
	if err == nil && sum != due {
		err = refuse(AmountOther, clause, path, "%v is due and not %v.", due, sum)
	}
	return postings, err
}
