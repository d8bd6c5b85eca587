package hall

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Cause is why a game has no result.
type Cause string

// The causes.
const (
	CauseTerminal   Cause = "terminal"   // the dealer terminal cannot complete it
	CauseDisruption Cause = "disruption" // unrest, fire, riot, brawl, robbery, act of God
	CauseFraud      Cause = "fraud"      // that affected the outcome
)

// causeClauses are the clauses by which a game is void, with the least rank that may
// declare it.
var causeClauses = map[Cause]struct {
	clause string
	rank   record.Rank
}{
	CauseTerminal:   {"8.4.2", record.RankSupervisor},
	CauseDisruption: {"9.4.1", record.RankSupervisor},
	CauseFraud:      {"9.4.2", record.RankCasino},
}

// Void is a game that is to end without a result.
type Void struct {
	Game   record.BingoGame
	Cause  Cause
	Reason string
	// NoneFollows says that no further game of the session can be played.
	NoneFollows bool
	// Refund gives every player the wager of the game back, but for those of Forfeited.
	Refund    bool
	Forfeited []uint32
	// Claims were found good because of fraud and win nothing. All others that were found
	// good keep what they won, whatever the cause.
	Claims []uint16
	By     record.By
}

// Voiding is what ends a game without a result, in this order: claims that fall with it,
// what the others won, the void, and claims that were settled before and fall with it. All but
// the void may be absent. Nobody can be paid in between.
type Voiding struct {
	Fallen   *record.OutcomeInvalidated
	Settled  *record.BingoSettled
	Shares   []ledger.Posting // of Settled
	Voided   *record.BingoVoided
	Postings []ledger.Posting // of Voided
	Late     []uint16         // settled claims, whose outcome is invalidated once the game is void
}

// Declare declares a game void, or invalidates it. The results of earlier games stand, and
// so do prizes of this one whose claims were found good: they are won, and are shared now.
// The others roll into the next game, and if none follows into the next session. While a
// claim is being checked nothing is declared, for nobody knows then what was won.
//
//rule:nsw-bingo-2019 7.2 8.4.1 8.4.2 8.4.3 9.4.1 9.4.2 9.5
func Declare(s *state.State, v Void) (Voiding, error) {
	r, session, game, err := gameOf(s, v.Game)
	if err != nil {
		return Voiding{}, err
	}
	cause, ok := causeClauses[v.Cause]
	if !ok || v.Reason == "" {
		return Voiding{}, refuse(ReasonMissing, "8.4.2", "reason", "A void game needs a cause and a reason.")
	}
	if game.Phase.IsOver() {
		return Voiding{}, refuse(GameNotReady, "8.4.1", "game",
			"Game %d is %v, and the results of earlier games stand.", v.Game.Game, game.Phase)
	}
	if current, _ := session.Current(); current.Number != game.Number {
		return Voiding{}, refuse(GameNotReady, "8.4.2", "game", "Game %d has not begun.", v.Game.Game)
	}
	if err := needRank(v.By, cause.rank, cause.clause); err != nil {
		return Voiding{}, err
	}
	if claim, open := game.OpenClaim(); open {
		return Voiding{}, refuse(ClaimPending, "7.2", "game",
			"Claim %d is being checked; decide it first.", claim.Opened.Claim)
	}
	b := &record.BingoVoided{Game: v.Game, Reason: v.Reason, Clause: cause.clause, By: v.By}
	b.Last = v.NoneFollows || int(v.Game.Game) == len(session.Games)
	all := Voiding{Voided: b}
	var falling []uint16
	if len(v.Claims) > 0 {
		if v.Cause != CauseFraud {
			return Voiding{}, refuse(NotForfeited, "9.4.2", "claims", "Claims fall for fraud and nothing else.")
		}
		if falling, err = fallen(game, v.Claims); err != nil {
			return Voiding{}, err
		}
		var early []uint16
		for _, number := range falling {
			if game.Claims[number-1].Settled {
				all.Late = append(all.Late, number)
			} else {
				early = append(early, number)
			}
		}
		if len(early) > 0 {
			all.Fallen = &record.OutcomeInvalidated{Game: v.Game, Reason: v.Reason, Clause: cause.clause, Claims: early,
				By: v.By}
		}
	}
	all.Settled, all.Shares = r.settle(game, v.Game, onVoid, falling)
	if b.Rolled, err = r.unwon(session, game, all.Settled, b.Last); err != nil {
		return Voiding{}, err
	}
	all.Postings, err = refundWagers(session, game, b, v)
	return all, err
}

// unwon returns the prizes of a game that nobody has won, and if it is the last those
// of the games that are not played.
//
//rule:nsw-bingo-2019 8.4.2 8.4.3
func (r room) unwon(session *state.Session, game *state.BingoGame, now *record.BingoSettled,
	last bool) ([]record.PatternPrize, error) {
	var rolled []record.PatternPrize
	prizes := game.Announced.Prizes
	if game.Phase < state.BingoAnnounced {
		var err error
		if prizes, err = join(session.Set.Games[game.Number-1].Prizes, r.Rolled); err != nil {
			return nil, err
		}
	}
	for _, p := range prizes {
		won := now != nil && slices.ContainsFunc(now.Prizes,
			func(s record.PrizeShared) bool { return s.Pattern == p.Pattern })
		if !won && !game.IsWon(p.Pattern) {
			rolled = append(rolled, p)
		}
	}
	if !last {
		return rolled, nil
	}
	return planned(session, int(game.Number), rolled)
}

// planned adds the prizes of the games from an index on.
func planned(session *state.Session, from int, prizes []record.PatternPrize) (joined []record.PatternPrize, err error) {
	joined = prizes
	for i := from; i < len(session.Games); i++ {
		if joined, err = join(joined, session.Set.Games[i].Prizes); err != nil {
			return nil, err
		}
	}
	return joined, nil
}

// refundWagers gives the wagers of an invalidated game back. The wager in a game is
// the fee divided by the games of the session, rounded down; the operator bears it.
//
//rule:nsw-bingo-2019 9.5
func refundWagers(session *state.Session, game *state.BingoGame, b *record.BingoVoided,
	v Void) ([]ledger.Posting, error) {
	if len(v.Forfeited) > 0 {
		if v.Cause != CauseFraud {
			return nil, refuse(NotForfeited, "9.5", "forfeited", "A wager is forfeited for fraud and nothing else.")
		}
		if err := needRank(v.By, record.RankCasino, "9.5"); err != nil {
			return nil, err
		}
	}
	if v.Refund && v.Cause == CauseTerminal {
		return nil, refuse(NotForfeited, "9.5", "refund",
			"Wagers of single games go back when a game is invalidated; a void game rolls its prizes on.")
	}
	back, err := wagersBack(session, game, v.Refund, v.Forfeited)
	b.RefundCents, b.Forfeited = back.cents, back.forfeited
	return back.postings, err
}

// returned are wagers that go back.
type returned struct {
	cents     money.Amount // of each player
	forfeited []uint32
	postings  []ledger.Posting
}

// wagersBack returns what goes back for a game that was invalidated. The wager of a game goes
// back once, and one that is forfeited does not; so nothing is forfeited without a refund.
//
//rule:nsw-bingo-2019 9.5
func wagersBack(session *state.Session, game *state.BingoGame, refund bool, forfeited []uint32) (returned, error) {
	if !refund && len(forfeited) > 0 {
		return returned{}, refuse(NotForfeited, "9.5", "forfeited",
			"A wager is forfeited where the wagers of the game go back.")
	}
	if refund && game.WagersBack() {
		return returned{}, refuse(NothingDue, "9.5", "refund",
			"The wagers of game %d went back before, and do once.", game.Number)
	}
	cents := session.Set.FeeCents / money.Amount(len(session.Games))
	if !refund || cents == 0 {
		return returned{}, nil
	}
	var sum money.Amount
	for i := range session.Players {
		if p := &session.Players[i]; !p.Barred && !slices.Contains(forfeited, p.Entered.Player) {
			sum += p.Back(cents)
		}
	}
	for _, number := range forfeited {
		if _, ok := session.Player(number); !ok {
			return returned{}, refuse(PlayerUnknown, "9.5", "forfeited", "The session has no player %d.", number)
		}
	}
	return returned{cents, slices.Clone(forfeited),
		ledger.Merge(ledger.Debit(ledger.Operator, 0, sum), ledger.Credit(ledger.HallRefunds, 0, sum))}, nil
}

// BreaksOff reports whether a void game leaves the session incomplete, so that all fees go
// back: the terminal failed and no game follows, or games are left that are not played.
//
//rule:nsw-bingo-2019 8.4.3
func BreaksOff(s Reading, b *record.BingoVoided) bool {
	_, session, err := sessionOf(s, b.Game.In())
	if err != nil || !b.Last {
		return false
	}
	return b.Clause == causeClauses[CauseTerminal].clause || int(b.Game.Game) < len(session.Games)
}

// RefundFees gives all entry fees of a session back that cannot be finished, but for what
// of them went back before.
//
//rule:nsw-bingo-2019 8.4.3
func RefundFees(s *state.State, ref record.HallSession) (*record.FeesRefunded, []ledger.Posting, error) {
	r, session, err := sessionOf(s, ref)
	if err != nil {
		return nil, nil, err
	}
	if session.Refunded || session.Paying() == 0 {
		return nil, nil, nil
	}
	var paying []*state.Player
	for i := range session.Players {
		if p := &session.Players[i]; !p.FeeVoid {
			paying = append(paying, p)
		}
	}
	taken, postings, err := r.takeBack(session, paying)
	if err != nil {
		return nil, nil, err
	}
	return &record.FeesRefunded{Session: ref, Players: uint32(session.Paying()), FeeCents: session.Set.FeeCents,
		Taken: taken}, postings, nil
}

// PayRefund hands a player what goes back.
//
//rule:nsw-bingo-2019 8.4.3 9.3.1 9.5
func PayRefund(s *state.State, ref record.HallSession, player uint32,
	by record.By) (*record.RefundPaid, []ledger.Posting, error) {
	r, session, err := sessionOf(s, ref)
	if err != nil {
		return nil, nil, err
	}
	p, ok := session.Player(player)
	if !ok {
		return nil, nil, refuse(PlayerUnknown, "", "player", "Session %d has no player %d.", ref.Session, player)
	}
	if p.DueCents == 0 {
		return nil, nil, refuse(NothingDue, "8.4.3", "player", "Nothing goes back to player %d.", player)
	}
	return &record.RefundPaid{Session: ref, Player: player, Cents: p.DueCents, By: by},
		[]ledger.Posting{ledger.Credit(ledger.Cash, r.Opened.Venue, p.DueCents),
			ledger.Debit(ledger.HallRefunds, 0, p.DueCents)}, nil
}

// Bar takes the cards of a player out of play, and with feeVoid gives the fee back as
// if it had not been paid. A void fee has no result: one that has won stands, until fraud has
// taken from the player what it won.
//
//rule:nsw-bingo-2019 9.3.1 9.3.2
func Bar(s *state.State, b record.PlayerBarred) (*record.PlayerBarred, []ledger.Posting, error) {
	r, session, err := sessionOf(s, b.Session)
	if err != nil {
		return nil, nil, err
	}
	clause := "9.3.2"
	if b.FeeVoid {
		clause = "9.3.1"
	}
	if err := needRank(b.By, record.RankSupervisor, clause); err != nil {
		return nil, nil, err
	}
	player, ok := session.Player(b.Player)
	switch {
	case session.Phase == state.SessionClosed:
		return nil, nil, refuse(SessionPhase, clause, "session", "Session %d is closed.", b.Session.Session)
	case !ok:
		return nil, nil, refuse(PlayerUnknown, clause, "player",
			"Session %d has no player %d.", b.Session.Session, b.Player)
	case b.Reason == "":
		return nil, nil, refuse(ReasonMissing, clause, "reason", "A player is barred for a reason.")
	case player.Barred && (!b.FeeVoid || player.FeeVoid), b.FeeVoid && session.Refunded:
		return nil, nil, refuse(PlayerOut, clause, "player", "Player %d is out of play already.", b.Player)
	}
	if !b.FeeVoid {
		b.Taken = nil
		return &b, nil, nil
	}
	if number, won := session.WonBy(b.Player); won {
		return nil, nil, refuse(PrizeWon, clause, "fee_void",
			"Player %d has won in game %d with this fee. Fraud takes the prize first; without it the player is barred and the fee stands.", b.Player, number)
	}
	taken, postings, err := r.takeBack(session, []*state.Player{player})
	b.Taken = taken
	return &b, postings, err
}
