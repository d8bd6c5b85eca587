package hall

import (
	"slices"

	"drawhouse/core/figure"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// untouched finds a session that nobody has entered, and whose plan binds nobody yet.
func untouched(s Reading, ref record.HallSession) (room, *state.Session, error) {
	r, session, err := inPhase(s, ref, state.SessionEntering)
	if err == nil && session.Paying() > 0 {
		err = refuse(SessionPhase, "4.1", "session",
			"%s entered session %d by what is displayed; undo the entries first.",
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
	_, session, err := untouched(s, c.Session)
	if err != nil {
		return nil, err
	}
	if c.Reason == "" {
		return nil, refuse(ReasonMissing, "4.1", "reason", "A session is cancelled for a reason.")
	}
	return &c, checkReturned(session)
}

// Undo takes a player's entry back: the fee is handed back whole, and the books, which
// anybody who undoes it has in hand, are in the stock again. That ends with the serials: then
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
		return nil, nil, refuse(PlayerUnknown, "4.3", "player",
			"Session %d has no player %d.", u.Session.Session, u.Player)
	case player.Barred || player.Undone():
		return nil, nil, refuse(PlayerOut, "4.3", "player", "Player %d is out of play already.", u.Player)
	case session.Halted != 0 && slices.ContainsFunc(session.Devices,
		func(d state.HallDevice) bool { return d.ID == session.Halted && d.Player == u.Player }):
		return nil, nil, refuse(PlayHalted, "8.5", "player",
			"The electronic card of player %d has failed; replace it first.", u.Player)
	case u.Reason == "":
		return nil, nil, refuse(ReasonMissing, "4.3", "reason", "An entry is undone for a reason.")
	}
	fee := player.Back(player.Entered.FeeCents)
	return &u, []ledger.Posting{ledger.Credit(ledger.Cash, r.Opened.Venue, fee),
		ledger.Debit(ledger.EntryFees, 0, fee)}, nil
}

// AwardDispute says what a decision awards, altogether: at most what the game could have paid that
// the dispute is about, what the promotion could, or the fee of the session. It is tried
// against the state before the step, and comes with it.
//
//rule:nsw-bingo-2019 9.10 9.11
func AwardDispute(s *state.State, m *record.DisputeMoved,
	cents money.Amount) (*record.DisputeAwarded, []ledger.Posting, error) {
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
	if cents > 0 {
		if err := r.checkAwarded(d); err != nil {
			return nil, nil, err
		}
	}
	before, _ := d.Awarded() // A review may leave it, whatever others were awarded since.
	if most := max(before, r.mostAward(d)); cents < 0 || cents > most {
		return nil, nil, refuse(AmountOther, "9.10", "award_cents",
			"What the dispute is about is worth at most %v, with all that other disputes were awarded for it.", most)
	}
	if cents < d.Paid() {
		return nil, nil, refuse(AmountOther, "9.10", "award_cents", "%v were paid already.", d.Paid())
	}
	more := cents - before
	return &record.DisputeAwarded{Hall: m.Hall, Dispute: m.Dispute, Cents: cents, By: m.By},
		ledger.Merge(ledger.Debit(ledger.Operator, 0, more), ledger.Credit(ledger.HallPrizes, 0, more)), nil
}

// mostAward returns what a dispute can award at most: what it is about, less what other
// disputes were awarded for the same. All awards about a game are together at most what it
// could pay. Beyond that each player has the fee of the session, once.
//
//rule:nsw-bingo-2019 9.10
func (r room) mostAward(d *state.Dispute) (most money.Amount) {
	about := &d.Raised
	if offer, ok := r.Offer(about.Offer); ok {
		var all money.Amount
		for i := range offer.Terms.Prizes {
			most = max(most, offer.Terms.Prizes[i].ValueCents)
			all += offer.Terms.Prizes[i].ValueCents
		}
		same := func(e *record.DisputeRaised) bool { return e.Offer == about.Offer }
		mine := func(e *record.DisputeRaised) bool { return same(e) && e.Member == about.Member }
		return max(0, min(most-r.awarded(d, mine), all-r.awarded(d, same)))
	}
	session, ok := r.Session(about.Session)
	if !ok {
		return 0
	}
	same := func(e *record.DisputeRaised) bool { return e.Offer == 0 && e.Session == about.Session }
	fee := session.Set.FeeCents - r.awarded(d,
		func(e *record.DisputeRaised) bool { return same(e) && e.Member == about.Member })
	game, ok := session.Game(about.Game)
	if !ok {
		return max(0, fee)
	}
	for _, p := range game.Announced.Prizes {
		most += p.Cents
	}
	for _, cents := range game.Announced.JackpotCents {
		most += cents
	}
	most -= r.awarded(d, func(e *record.DisputeRaised) bool { return same(e) && e.Game == about.Game })
	return max(0, most, fee)
}

// awarded adds up what other disputes than one were awarded, of those about something.
func (r room) awarded(but *state.Dispute, about func(*record.DisputeRaised) bool) (sum money.Amount) {
	for i := range r.Disputes {
		if d := &r.Disputes[i]; d.Raised.Dispute != but.Raised.Dispute && about(&d.Raised) {
			cents, _ := d.Awarded()
			sum += cents
		}
	}
	return sum
}

// checkAwarded refuses an award about a session to somebody who did not play in it.
//
//rule:nsw-bingo-2019 9.10
func (r room) checkAwarded(d *state.Dispute) error {
	session, ok := r.Session(d.Raised.Session)
	if !ok || d.Raised.Offer != 0 {
		return nil // It is about a promotion, or there is nothing to award.
	}
	if !slices.ContainsFunc(session.Players,
		func(p state.Player) bool { return p.Entered.Member == d.Raised.Member && !p.Undone() }) {
		return refuse(PlayerUnknown, "9.10", "award_cents",
			"Dispute %d is not of a player of session %d, and awards nothing.", d.Raised.Dispute, d.Raised.Session)
	}
	return nil
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
	postings, err := r.payPart(p.Parts, d.Unpaid(), r.rules.Prizes().Media, "7.5", "parts")
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

// Invalidate takes from claims what they won by fraud in a game that is over, or that was
// declared void when they were settled. The others who won the same prize or level divide it
// then; where nobody else did, the prize rolls on to the next game and the part of the jackpot
// returns to it. The operator bears what was paid out.
//
//rule:nsw-bingo-2019 7.2 9.4.2 9.5
func Invalidate(s *state.State, f Fraud) (*record.OutcomeInvalidated, []ledger.Posting, error) {
	r, session, err := sessionOf(s, f.Game.In())
	if err != nil {
		return nil, nil, err
	}
	game, ok := session.Game(f.Game.Game)
	if !ok {
		return nil, nil, refuse(GameUnknown, "4.1", "game",
			"Session %d has %s.", f.Game.Session, figure.Count(len(session.Games), "game"))
	}
	if !game.Phase.IsOver() {
		return nil, nil, refuse(GameNotReady, "9.4.2", "game",
			"Game %d is %v; a game that is not over is declared void.", f.Game.Game, game.Phase)
	}
	cause := causeClauses[CauseFraud]
	if err := needRank(f.By, cause.rank, cause.clause); err != nil {
		return nil, nil, err
	}
	if f.Reason == "" {
		return nil, nil, refuse(ReasonMissing, cause.clause, "reason", "An outcome is invalidated for a reason.")
	}
	b := &record.OutcomeInvalidated{Game: f.Game, Reason: f.Reason, Clause: cause.clause, By: f.By,
		Restored: make([]money.Amount, len(r.Pools))}
	if b.Claims, err = fallen(game, f.Claims); err != nil {
		return nil, nil, err
	}
	var postings []ledger.Posting
	for _, number := range b.Claims {
		claim, _ := game.Claim(number)
		owed := claim.Unpaid()
		postings = append(postings, ledger.Debit(ledger.HallPrizes, 0, owed), ledger.Credit(ledger.Operator, 0, owed))
	}
	for _, prize := range game.Announced.Prizes {
		if err := passOn(b, game, prize); err != nil {
			return nil, nil, err
		}
	}
	for i := range b.Restored {
		passOnLevel(b, game, i)
		back := b.Restored[i]
		postings = append(postings, ledger.Debit(ledger.Operator, 0, back),
			ledger.Credit(ledger.HallJackpot, r.Unit(i+1), back))
	}
	for _, more := range b.More {
		cents := more.Cents + more.JackpotCents
		postings = append(postings, ledger.Debit(ledger.Operator, 0, cents), ledger.Credit(ledger.HallPrizes, 0, cents))
	}
	wagers, err := wagersBack(session, game, f.Refund, f.Forfeited)
	if err != nil {
		return nil, nil, err
	}
	b.RefundCents, b.Forfeited = wagers.cents, wagers.forfeited
	return b, ledger.Merge(append(postings, wagers.postings...)...), nil
}

// passOn gives what fell of a prize to the others who won it: they divide the whole prize, as if
// the claims that fall had not been made. With nobody else it rolls on.
//
//rule:nsw-bingo-2019 7.2 9.4.2
func passOn(b *record.OutcomeInvalidated, game *state.BingoGame, prize record.PatternPrize) (err error) {
	fell, rest := apart(b, game, prize.Pattern)
	var lost money.Amount
	for _, c := range fell {
		lost += c.Share.Cents
	}
	if lost == 0 {
		return nil
	}
	winners := byPlayer(rest)
	if len(winners) == 0 {
		b.Rolled, err = join(b.Rolled, []record.PatternPrize{{Pattern: prize.Pattern, Cents: lost}})
		return err
	}
	// Shares of games before players divided were those of cards; together they are never
	// more than the prize.
	left := prize.Cents
	for _, c := range rest {
		left -= c.Share.Cents
	}
	for _, claims := range winners {
		var has money.Amount
		for _, c := range claims {
			has += c.Share.Cents
		}
		more := max(0, min(left, prize.Cents/money.Amount(len(winners))-has))
		left -= more
		b.More = gets(b.More, record.ClaimShare{Claim: claims[0].Opened.Claim, Cents: more})
	}
	return nil
}

// passOnLevel divides what fell of a level of the jackpot among the others who won it. What
// rounding leaves, and all of it with nobody else, returns to the jackpot.
//
//rule:nsw-bingo-2019 7.2 9.4.2
func passOnLevel(b *record.OutcomeInvalidated, game *state.BingoGame, i int) {
	fell, rest := apart(b, game, record.PatternBingo)
	other := func(c *state.Claim) bool { return int(c.Checked.Level) != i+1 }
	var lost money.Amount
	for _, c := range slices.DeleteFunc(fell, other) {
		lost += c.Share.JackpotCents
	}
	winners := byPlayer(slices.DeleteFunc(rest, other))
	b.Restored[i] = lost
	for _, claims := range winners {
		part := lost / money.Amount(len(winners))
		b.Restored[i] -= part
		b.More = gets(b.More, record.ClaimShare{Claim: claims[0].Opened.Claim, JackpotCents: part})
	}
}

// apart returns the settled claims for a pattern that fall, and those that stay.
func apart(b *record.OutcomeInvalidated, game *state.BingoGame, pattern string) (fell, rest []*state.Claim) {
	for i := range game.Claims {
		switch c := &game.Claims[i]; {
		case c.Opened.Pattern != pattern || !c.Settled || c.Withdrawn():
		case slices.Contains(b.Claims, c.Opened.Claim):
			fell = append(fell, c)
		default:
			rest = append(rest, c)
		}
	}
	return fell, rest
}

// byPlayer puts the claims of each player together, in the order of their first; whichever
// has the player's share is the first of them.
func byPlayer(claims []*state.Claim) (players [][]*state.Claim) {
	for _, c := range claims {
		i := slices.IndexFunc(players, func(p []*state.Claim) bool { return p[0].Checked.Player == c.Checked.Player })
		switch {
		case i < 0:
			players = append(players, []*state.Claim{c})
		case players[i][0].Share.Cents == 0 && c.Share.Cents > 0:
			players[i] = slices.Insert(players[i], 0, c)
		default:
			players[i] = append(players[i], c)
		}
	}
	return players
}

// gets adds to what a claim gets; nothing is no entry.
func gets(list []record.ClaimShare, more record.ClaimShare) []record.ClaimShare {
	if more.Cents+more.JackpotCents == 0 {
		return list
	}
	if i := slices.IndexFunc(list, func(m record.ClaimShare) bool { return m.Claim == more.Claim }); i >= 0 {
		list[i].Cents += more.Cents
		list[i].JackpotCents += more.JackpotCents
		return list
	}
	return append(list, more)
}

// fallen returns the claims that lose what they won, in their order. Of a game that began
// before a box had one claim, others on the same box fall with it.
//
//rule:nsw-bingo-2019 9.4.2
func fallen(game *state.BingoGame, claims []uint16) ([]uint16, error) {
	has := func(c *state.Claim) bool { return c.Stands(game) }
	list := slices.Clone(claims)
	if len(list) == 0 {
		return nil, refuse(ClaimUnknown, "9.4.2", "claims", "It names the claims that lose what they won.")
	}
	for _, number := range claims {
		claim, ok := game.Claim(number)
		if !ok || !has(claim) {
			return nil, refuse(ClaimUnknown, "9.4.2", "claims",
				"Claim %d has won nothing in game %d.", number, game.Number)
		}
		for i := range game.Claims {
			if other := &game.Claims[i]; has(other) && sameBox(&other.Opened, &claim.Opened) {
				list = append(list, other.Opened.Claim)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(list))), nil
}
