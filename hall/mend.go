package hall

import (
	"slices"

	"drawhouse/figure"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/state"
)

// untouched finds a session that nobody has entered, and whose plan binds nobody yet.
func untouched(s Reading, ref record.HallSession) (room, *state.Session, error) {
	r, session, err := inPhase(s, ref, state.SessionEntering)
	if err == nil && session.Paying() > 0 {
		err = refuse(SessionPhase, "4.1", "session", "%s entered session %d by what is displayed; undo the entries first.",
			figure.Count(session.Paying(), "player"), ref.Session)
	}
	return r, session, err
}

// ChangeSession sets a session anew that nobody has entered.
//
//rule:nsw-bingo-2019 4.1
func ChangeSession(s *state.State, b record.SessionSet) (*record.SessionChanged, error) {
	r, _, err := untouched(s, record.HallSession{Hall: b.Hall, Session: b.Session})
	if err != nil {
		return nil, err
	}
	set, err := r.planSession(b)
	if err != nil {
		return nil, err
	}
	return &record.SessionChanged{Hall: b.Hall, Set: *set, By: b.By}, nil
}

// CancelSession ends a session that nobody has entered. What rolled on to it waits for the
// next one; its own prizes were promised to nobody.
//
//rule:nsw-bingo-2019 4.1
func CancelSession(s *state.State, c record.SessionCancelled) (*record.SessionCancelled, error) {
	if _, _, err := untouched(s, c.Session); err != nil {
		return nil, err
	}
	if c.Reason == "" {
		return nil, refuse(ReasonMissing, "4.1", "reason", "A session is cancelled for a reason.")
	}
	return &c, nil
}

// Undo takes a player's entry back: the fee is handed back whole, and the books, which
// whoever undoes it has in hand, are in the stock again. That ends with the serials: then
// the fees are in the jackpot and the cards in play.
//
//rule:nsw-bingo-2019 3.3 4.3
func Undo(s *state.State, u record.EntryUndone) (*record.EntryUndone, []ledger.Posting, error) {
	r, session, err := inPhase(s, u.Session, state.SessionEntering)
	if err != nil {
		return nil, nil, err
	}
	if err := needRank(u.By, record.RankSupervisor, "4.3"); err != nil {
		return nil, nil, err
	}
	player, ok := session.Player(u.Player)
	switch {
	case !ok:
		return nil, nil, refuse(PlayerUnknown, "4.3", "player", "Session %d has no player %d.", u.Session.Session, u.Player)
	case player.Barred || player.Undone():
		return nil, nil, refuse(PlayerOut, "4.3", "player", "Player %d is out of play already.", u.Player)
	case session.Halted != 0 && slices.ContainsFunc(session.Devices, func(d state.HallDevice) bool { return d.ID == session.Halted && d.Player == u.Player }):
		return nil, nil, refuse(PlayHalted, "8.5", "player", "The electronic card of player %d has failed; replace it first.", u.Player)
	case u.Reason == "":
		return nil, nil, refuse(ReasonMissing, "4.3", "reason", "An entry is undone for a reason.")
	}
	fee := player.Back(player.Entered.FeeCents)
	return &u, []ledger.Posting{ledger.Credit(ledger.Cash, r.Opened.Venue, fee), ledger.Debit(ledger.EntryFees, 0, fee)}, nil
}

// AwardDispute says what a decision awards, altogether: at most what the game could have paid that
// the dispute is about, what the promotion could, or the fee of the session. It is tried
// against the state before the step, and comes with it.
//
//rule:nsw-bingo-2019 9.10 9.11
func AwardDispute(s *state.State, m *record.DisputeMoved, cents money.Amount) (*record.DisputeAwarded, []ledger.Posting, error) {
	r, err := roomOf(s, m.Hall)
	if err != nil {
		return nil, nil, err
	}
	d, ok := r.Dispute(m.Dispute)
	if !ok {
		return nil, nil, refuse(DisputeUnknown, "9.10", "dispute", "There is no dispute %d.", m.Dispute)
	}
	if m.Step != record.StepDecided && m.Step != record.StepReviewed {
		return nil, nil, refuse(DisputeTurn, "9.10", "award_cents", "A decision awards something, and no other step.")
	}
	if most := r.mostAward(d); cents < 0 || cents > most {
		return nil, nil, refuse(AmountOther, "9.10", "award_cents", "What the dispute is about is worth at most %v.", most)
	}
	if cents < d.Paid() {
		return nil, nil, refuse(AmountOther, "9.10", "award_cents", "%v were paid already.", d.Paid())
	}
	before, _ := d.Awarded()
	more := cents - before
	return &record.DisputeAwarded{Hall: m.Hall, Dispute: m.Dispute, Cents: cents, By: m.By},
		ledger.Merge(ledger.Debit(ledger.Operator, 0, more), ledger.Credit(ledger.HallPrizes, 0, more)), nil
}

// mostAward returns what a dispute can award at most: what it is about.
func (r room) mostAward(d *state.Dispute) (most money.Amount) {
	if offer, ok := r.Offer(d.Raised.Offer); ok {
		for i := range offer.Terms.Prizes {
			most = max(most, offer.Terms.Prizes[i].ValueCents)
		}
		return most
	}
	session, ok := r.Session(d.Raised.Session)
	if !ok {
		return 0
	}
	game, ok := session.Game(d.Raised.Game)
	if !ok {
		return session.Set.FeeCents
	}
	for _, p := range game.Announced.Prizes {
		most += p.Cents
	}
	for _, cents := range game.Announced.JackpotCents {
		most += cents
	}
	return max(most, session.Set.FeeCents)
}

// AwardPayment pays what a dispute awarded.
type AwardPayment struct {
	Hall    uint8
	Dispute uint32
	Parts   []record.MediumPart
	By      record.By
	// Disputed says who disputes the journal, and nothing is paid; empty for nobody.
	Disputed string
}

// PayAward pays what a dispute awarded and was not paid, as a prize is paid. Who awarded it
// does not pay it, and nobody does while a review is asked for.
//
//rule:nsw-bingo-2019 7.5 9.10
func PayAward(s *state.State, p AwardPayment) (*record.DisputePaid, []ledger.Posting, error) {
	r, err := roomOf(s, p.Hall)
	if err != nil {
		return nil, nil, err
	}
	d, ok := r.Dispute(p.Dispute)
	if !ok {
		return nil, nil, refuse(DisputeUnknown, "9.10", "dispute", "There is no dispute %d.", p.Dispute)
	}
	_, by := d.Awarded()
	switch {
	case d.Unpaid() == 0:
		return nil, nil, refuse(NothingDue, "9.10", "dispute", "Dispute %d awards nothing, or it was paid.", p.Dispute)
	case d.Step() == record.StepReview:
		return nil, nil, refuse(DisputeTurn, "9.10", "dispute", "A review of dispute %d is asked for.", p.Dispute)
	case by == p.By.Person:
		return nil, nil, refuse(DisputeTurn, "9.10", "by", "Person %d awarded it; somebody else pays it.", by)
	case p.Disputed != "":
		return nil, nil, refuse(Disputed, "", "", "Nothing is paid while %s.", p.Disputed)
	}
	postings, err := r.payPart(p.Parts, d.Unpaid(), r.rules.Prizes.Media, "7.5", "parts")
	if err != nil {
		return nil, nil, err
	}
	return &record.DisputePaid{Hall: p.Hall, Dispute: p.Dispute, Parts: p.Parts, By: p.By},
		ledger.Merge(append(postings, ledger.Debit(ledger.HallPrizes, 0, d.Unpaid()))...), nil
}

// Fraud is an outcome that fraud affected, found when the game was over.
type Fraud struct {
	Game      record.BingoGame
	Claims    []uint16 // that it made good; they lose what they won
	Reason    string
	Refund    bool // of the wagers of the game, but for those forfeited
	Forfeited []uint32
	By        record.By
}

// Invalidate takes from claims what they won by fraud in a game that is over. What they
// won rolls on to the next game, and their parts of the jackpot return to it; the
// operator bears what was paid out. Whoever else won keeps it.
//
//rule:nsw-bingo-2019 9.4.2 9.5
func Invalidate(s *state.State, f Fraud) (*record.OutcomeInvalidated, []ledger.Posting, error) {
	r, session, err := sessionOf(s, record.HallSession{Hall: f.Game.Hall, Session: f.Game.Session})
	if err != nil {
		return nil, nil, err
	}
	game, ok := session.Game(f.Game.Game)
	if !ok {
		return nil, nil, refuse(GameUnknown, "4.1", "game", "Session %d has %s.", f.Game.Session, figure.Count(len(session.Games), "game"))
	}
	if game.Phase != state.BingoOver {
		return nil, nil, refuse(GameNotReady, "9.4.2", "game", "Game %d is %v; a game that is not over is declared void.", f.Game.Game, game.Phase)
	}
	cause := causeClauses[CauseFraud]
	if err := needRank(f.By, cause.rank, cause.clause); err != nil {
		return nil, nil, err
	}
	if f.Reason == "" {
		return nil, nil, refuse(ReasonMissing, cause.clause, "reason", "An outcome is invalidated for a reason.")
	}
	b := &record.OutcomeInvalidated{Game: f.Game, Reason: f.Reason, Clause: cause.clause, By: f.By, Restored: make([]money.Amount, len(r.Pools))}
	if b.Claims, err = fallen(game, f.Claims); err != nil {
		return nil, nil, err
	}
	var postings []ledger.Posting
	for _, number := range b.Claims {
		claim, _ := game.Claim(number)
		if claim.Share.Cents > 0 {
			if b.Rolled, err = join(b.Rolled, []record.PatternPrize{{Pattern: claim.Opened.Pattern, Cents: claim.Share.Cents}}); err != nil {
				return nil, nil, err
			}
		}
		owed, level := claim.Unpaid(), int(claim.Checked.Level)
		postings = append(postings, ledger.Debit(ledger.HallPrizes, 0, owed), ledger.Credit(ledger.Operator, 0, owed))
		if jackpot := claim.Share.JackpotCents; jackpot > 0 {
			b.Restored[level-1] += jackpot
			postings = append(postings, ledger.Debit(ledger.Operator, 0, jackpot), ledger.Credit(ledger.HallJackpot, r.Unit(level), jackpot))
		}
	}
	wagers, err := wagersBack(session, game, f.Refund, f.Forfeited)
	if err != nil {
		return nil, nil, err
	}
	b.RefundCents, b.Forfeited = wagers.cents, wagers.forfeited
	return b, ledger.Merge(append(postings, wagers.postings...)...), nil
}

// fallen returns the claims that lose what they won, in their order.
func fallen(game *state.BingoGame, claims []uint16) ([]uint16, error) {
	list := slices.Compact(slices.Sorted(slices.Values(claims)))
	if len(list) == 0 {
		return nil, refuse(ClaimUnknown, "9.4.2", "claims", "It names the claims that lose what they won.")
	}
	for _, number := range list {
		claim, ok := game.Claim(number)
		if !ok || !claim.Accepted() || claim.Withdrawn() {
			return nil, refuse(ClaimUnknown, "9.4.2", "claims", "Claim %d has won nothing in game %d.", number, game.Number)
		}
	}
	return list, nil
}
