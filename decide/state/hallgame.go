package state

import (
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// BingoPhase is how far a game of bingo has come.
type BingoPhase uint8

// The phases, in their order.
const (
	BingoWaiting   BingoPhase = iota // nothing has happened
	BingoJackpot                     // jackpot numbers are drawn
	BingoReady                       // they are drawn and signed
	BingoAnnounced                   // colour, prizes and jackpot are announced
	BingoCalling                     // the seal is public; numbers are called
	BingoSigned                      // the device has signed the calls
	BingoOver                        // there is a winner, or all numbers are called
	BingoVoid                        // there is no result, and will be none
)

var bingoPhases = [...]string{"waiting",
	"drawing jackpot numbers", "ready", "announced", "calling", "signed", "over", "void"}

// String returns the phase's name.
func (p BingoPhase) String() string { return bingoPhases[min(p, BingoVoid)] }

// IsOver reports whether the game is over or void.
func (p BingoPhase) IsOver() bool { return p >= BingoOver }

// BingoGame is one game of bingo as it stands.
type BingoGame struct {
	Number    uint8
	Phase     BingoPhase
	Announced record.BingoAnnounced
	// JackpotNumbers and Drawn are what the device drew, and Calls those of Drawn that
	// count, in the order in which they do. Wrong are numbers that were announced by
	// mistake.
	JackpotNumbers, Drawn, Calls, Wrong []uint8
	// Seal is that of the draw under way, with the signatures of witnesses.
	Seal        []byte
	SealPlace   record.Place
	WitnessedBy []string // who cosigned it
	Claims      []Claim  // by number - 1
	Won         []string // patterns whose prizes were won
	Void        record.BingoVoided

	// heard is, for each number that counts, how many numbers were drawn when it was
	// announced rightly: its own place, or that of the last number before its correction.
	heard    [91]uint8
	mended   [91]uint32 // who has corrected the announcement of a number last
	misread  []uint8    // what was announced by mistake for jackpot numbers
	invalid  string     // why fraud was found to have affected the outcome
	returned bool       // the wagers of the game went back, but for those forfeited
}

// WagersBack reports whether the wagers of the game went back. That happens once.
//
//rule:nsw-bingo-2019 9.5
func (g *BingoGame) WagersBack() bool { return g.returned }

// Invalid returns why the outcome was invalidated after the game; empty if it was not.
func (g *BingoGame) Invalid() string { return g.invalid }

// Claim is a call and what became of it.
type Claim struct {
	Opened  record.ClaimOpened
	Checked record.ClaimChecked
	Decided bool
	Settled bool
	// SettledPlace is the place of the record that settled it, to which witnesses agree.
	SettledPlace record.Place
	Share        record.ClaimShare
	Paid         bool

	withdrawn bool
	had       record.ClaimShare // what was paid of the share, before fraud of others made it more
}

// Withdrawn reports whether fraud took from the claim what it won.
func (c *Claim) Withdrawn() bool { return c.withdrawn }

// Accepted reports whether the claim was found good.
func (c *Claim) Accepted() bool { return c.Decided && c.Checked.Accepted }

// Stands reports whether the claim has won in a game, or will when the game is settled.
func (c *Claim) Stands(in *BingoGame) bool {
	return c.Accepted() && !c.Withdrawn() && (c.Settled || !in.Phase.IsOver())
}

// Due returns what the claim won and was not paid, of its prize and of the jackpot.
func (c *Claim) Due() record.ClaimShare {
	due := record.ClaimShare{Claim: c.Share.Claim}
	if !c.Paid && !c.withdrawn {
		due.Cents, due.JackpotCents = c.Share.Cents-c.had.Cents, c.Share.JackpotCents-c.had.JackpotCents
	}
	return due
}

// Unpaid returns what the claim won and was not paid.
func (c *Claim) Unpaid() money.Amount {
	due := c.Due()
	return due.Cents + due.JackpotCents
}

// Heard returns how many numbers were drawn when a number that counts was announced rightly.
// A person who is completed by it calls until one more is drawn.
//
//rule:nsw-bingo-2019 8.1 8.3
func (g *BingoGame) Heard(number int) int { return int(g.heard[number]) }

// CorrectedBy returns who has corrected the announcement of a number last, or 0.
//
//rule:nsw-bingo-2019 8.3
func (g *BingoGame) CorrectedBy(number uint8) uint32 { return g.mended[number] }

// Mistaken returns the numbers that were announced by mistake and do not count. One that was
// drawn before or since counts like any other.
//
//rule:nsw-bingo-2019 8.3
func (g *BingoGame) Mistaken() []uint8 { return mistaken(g.Wrong, g.Drawn) }

// Misread returns the numbers that were announced by mistake for jackpot numbers, and are
// none.
//
//rule:nsw-bingo-2019 8.3 6.3.5
func (g *BingoGame) Misread() []uint8 { return mistaken(g.misread, g.JackpotNumbers) }

func mistaken(wrong, drawn []uint8) (numbers []uint8) {
	for _, n := range wrong {
		if !slices.Contains(drawn, n) && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// Claim returns a claim by its number.
func (g *BingoGame) Claim(number uint16) (*Claim, bool) {
	if number == 0 || int(number) > len(g.Claims) {
		return nil, false
	}
	return &g.Claims[number-1], true
}

// OpenClaim returns a claim that is not checked.
func (g *BingoGame) OpenClaim() (*Claim, bool) {
	for i := range g.Claims {
		if !g.Claims[i].Decided {
			return &g.Claims[i], true
		}
	}
	return nil, false
}

// Unsettled returns the accepted claims for a pattern, or for all, that have no share
// yet.
func (g *BingoGame) Unsettled(pattern string) []*Claim {
	var found []*Claim
	for i := range g.Claims {
		if c := &g.Claims[i]; c.Accepted() && !c.Settled && !c.withdrawn &&
			(pattern == "" || c.Opened.Pattern == pattern) {
			found = append(found, c)
		}
	}
	return found
}

// IsWon reports whether the prize of a pattern was won before.
func (g *BingoGame) IsWon(pattern string) bool { return slices.Contains(g.Won, pattern) }

// Prize returns the announced prize of a pattern.
func (g *BingoGame) Prize(pattern string) (money.Amount, bool) {
	for _, p := range g.Announced.Prizes {
		if p.Pattern == pattern {
			return p.Cents, true
		}
	}
	return 0, false
}

// bingoFolds are about games of bingo.
var bingoFolds = []folding{
	inGame(func(_ *State, h *Hall, g *BingoGame, b *record.BingoAnnounced) error { return g.announce(h, b) }),
	inGame(func(s *State, _ *Hall, g *BingoGame, b *record.BingoSealed) error { return g.seal(b, s.next) }),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.BingoWitnessed) error { return g.witness(b) }),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.NumberCalled) error { return g.call(b) }),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.BingoDrawn) error { return g.sign(b) }),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.CallCorrected) error { return g.correct(b) }),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.ClaimOpened) error { return g.claim(b) }),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.ClaimChecked) error { return g.check(b) }),
	inGame(func(s *State, h *Hall, g *BingoGame, b *record.BingoSettled) error {
		s.result = s.next
		return g.settle(h, b, s.next)
	}),
	inGame(func(_ *State, _ *Hall, g *BingoGame, b *record.BingoPaid) error { return g.pay(b) }),
	on(func(s *State, b *record.OutcomeInvalidated) error {
		return s.changeSession(b.Game.In(), true, func(h *Hall, session *Session) error {
			return session.invalidate(h, b, s.level)
		})
	}),
	during(func(s *State, h *Hall, session *Session, b *record.BingoVoided) error {
		return session.void(h, b, s.level)
	}),
}

// inGame applies the records of a kind to the game of bingo that they name.
func inGame[B record.Body](apply func(*State, *Hall, *BingoGame, B) error) folding {
	return on(func(s *State, b B) error {
		ref, _ := record.Record{Body: b}.Bingo()
		return s.inBingo(ref, func(h *Hall, g *BingoGame) error { return apply(s, h, g, b) })
	})
}

// inBingo changes a game.
func (s *State) inBingo(ref record.BingoGame, change func(*Hall, *BingoGame) error) error {
	return s.inSession(ref.In(), func(h *Hall, session *Session) error {
		game, ok := session.Game(ref.Game)
		if !ok {
			return cannot("%v does not exist", ref)
		}
		return change(h, game)
	})
}

func (g *BingoGame) announce(h *Hall, b *record.BingoAnnounced) error {
	if g.Phase != BingoWaiting && g.Phase != BingoReady {
		return cannot("game %d is announced and is %v", g.Number, g.Phase)
	}
	g.Phase, g.Announced, h.Rolled = BingoAnnounced, *b, nil
	return nil
}

func (g *BingoGame) seal(b *record.BingoSealed, place record.Place) error {
	switch {
	case b.Draw == record.DrawJackpot && g.Phase == BingoWaiting:
		g.Phase = BingoJackpot
	case b.Draw == record.DrawCalls && g.Phase == BingoAnnounced:
		g.Phase = BingoCalling
	default:
		return cannot("the %v of game %d are sealed, which is %v", b.Draw, g.Number, g.Phase)
	}
	g.Seal, g.SealPlace, g.WitnessedBy = b.Seal, place, nil
	return nil
}

func (g *BingoGame) witness(b *record.BingoWitnessed) error {
	if g.Phase != phaseOf(b.Draw) {
		return cannot("the %v of game %d are witnessed, which is %v", b.Draw, g.Number, g.Phase)
	}
	g.Seal, g.WitnessedBy = b.Seal, b.By
	return nil
}

func (g *BingoGame) call(b *record.NumberCalled) error {
	drawn := &g.Drawn
	if b.Draw == record.DrawJackpot {
		drawn = &g.JackpotNumbers
	}
	if g.Phase != phaseOf(b.Draw) || slices.Contains(*drawn, b.Number) {
		return cannot("%d is drawn in game %d, which is %v", b.Number, g.Number, g.Phase)
	}
	*drawn = append(*drawn, b.Number)
	if b.Draw == record.DrawCalls {
		g.Calls = append(g.Calls, b.Number)
		g.heard[b.Number] = uint8(len(g.Drawn))
	}
	return nil
}

// phaseOf returns the phase in which a draw is under way.
func phaseOf(d record.BingoDraw) BingoPhase {
	if d == record.DrawJackpot {
		return BingoJackpot
	}
	return BingoCalling
}

func (g *BingoGame) sign(b *record.BingoDrawn) error {
	if g.Phase != phaseOf(b.Draw) {
		return cannot("the %v of game %d are signed, which is %v", b.Draw, g.Number, g.Phase)
	}
	g.Phase++
	g.Seal = nil
	return nil
}

// correct moves a number behind all that were called: it counts from now on. A jackpot
// number qualifies as it was drawn, whatever was announced.
func (g *BingoGame) correct(b *record.CallCorrected) error {
	if b.Of() == record.DrawJackpot {
		if g.Phase < BingoJackpot || g.Phase > BingoCalling || !slices.Contains(g.JackpotNumbers, b.Number) {
			return cannot("jackpot number %d is corrected in game %d and was not drawn", b.Number, g.Number)
		}
		g.misread = append(g.misread, b.Wrong)
		return nil
	}
	i := slices.Index(g.Calls, b.Number)
	if g.Phase != BingoCalling || i < 0 {
		return cannot("%d is corrected in game %d and was not called", b.Number, g.Number)
	}
	g.Calls = append(slices.Delete(g.Calls, i, i+1), b.Number)
	g.Wrong = append(g.Wrong, b.Wrong)
	g.heard[b.Number] = uint8(len(g.Drawn))
	g.mended[b.Number] = b.By.Person
	return nil
}

func (g *BingoGame) claim(b *record.ClaimOpened) error {
	if g.Phase != BingoCalling || int(b.Claim) != len(g.Claims)+1 || int(b.Called) != len(g.Calls) {
		return cannot("claim %d of game %d after %d claims and %d calls", b.Claim, g.Number, len(g.Claims),
			len(g.Calls))
	}
	g.Claims = append(g.Claims, Claim{Opened: *b})
	return nil
}

func (g *BingoGame) check(b *record.ClaimChecked) error {
	claim, ok := g.Claim(b.Claim)
	if !ok || claim.Decided {
		return cannot("claim %d of game %d is checked twice, or was not made", b.Claim, g.Number)
	}
	claim.Checked, claim.Decided = *b, true
	return nil
}

func (g *BingoGame) settle(h *Hall, b *record.BingoSettled, place record.Place) error {
	if want := map[bool]BingoPhase{false: BingoCalling, true: BingoSigned}[b.Final]; g.Phase != want {
		return cannot("game %d is settled and is %v", g.Number, g.Phase)
	}
	for _, share := range b.Shares {
		claim, ok := g.Claim(share.Claim)
		if !ok || !claim.Accepted() || claim.Settled {
			return cannot("claim %d of game %d has a share", share.Claim, g.Number)
		}
		claim.Settled, claim.SettledPlace, claim.Share = true, place, share
	}
	for _, p := range b.Prizes {
		g.Won = append(g.Won, p.Pattern)
	}
	taken := make([]record.Exact, len(h.Pools))
	for _, l := range b.Levels {
		if int(l.Level) > len(taken) {
			return cannot("level %d of %d is won", l.Level, len(taken))
		}
		taken[l.Level-1] = record.Exact(l.ShareCents) * record.Exact(l.Cards) * ExactPerCent
	}
	if err := h.add(taken, -1); err != nil {
		return err
	}
	if b.Final {
		g.Phase = BingoOver
	}
	return h.roll(b.Rolled)
}

func (g *BingoGame) pay(b *record.BingoPaid) error {
	claim, ok := g.Claim(b.Claim)
	if !ok || !claim.Settled || claim.Paid {
		return cannot("claim %d of game %d is paid", b.Claim, g.Number)
	}
	claim.Paid, claim.had = true, claim.Share
	return nil
}

// void ends a game without a result, and if it is the last with it all that follow.
func (s *Session) void(h *Hall, b *record.BingoVoided, level uint8) error {
	game, ok := s.Game(b.Game.Game)
	if !ok || game.Phase.IsOver() {
		return cannot("%v is void and over", b.Game)
	}
	if game.Phase < BingoAnnounced {
		h.Rolled = nil // They were this game's, and roll on with its own.
	}
	game.Phase, game.Void, game.Seal = BingoVoid, *b, nil
	for i := int(b.Game.Game); b.Last && i < len(s.Games); i++ {
		s.Games[i].Phase, s.Games[i].Void = BingoVoid, *b
	}
	if err := s.wagers(game, b.RefundCents, b.Forfeited, level >= record.LevelGuarded, level); err != nil {
		return err
	}
	return h.roll(b.Rolled)
}

// wagers lets the wager of a game go back to the players who are in play, but for those
// whose wager is forfeited. It goes back once; before record.LevelSeries each finding of fraud gave it back.
func (s *Session) wagers(game *BingoGame, cents money.Amount, forfeited []uint32, guarded bool, level uint8) error {
	if cents == 0 {
		return nil
	}
	if game.returned && level >= record.LevelSeries {
		return cannot("the wagers of game %d go back twice", game.Number)
	}
	game.returned = true
	for i := range s.Players {
		switch p := &s.Players[i]; {
		case slices.Contains(forfeited, p.Entered.Player):
			p.kept += p.Back(cents)
		case !p.Barred:
			p.giveBack(cents, guarded)
		}
	}
	return nil
}

// invalidate takes from claims what they won.
func (s *Session) invalidate(h *Hall, b *record.OutcomeInvalidated, level uint8) error {
	game, ok := s.Game(b.Game.Game)
	if !ok || game.Phase != BingoCalling && !game.Phase.IsOver() {
		return cannot("the outcome of %v is invalidated", b.Game)
	}
	for _, number := range b.Claims {
		claim, ok := game.Claim(number)
		if !ok || !claim.Accepted() || claim.withdrawn {
			return cannot("claim %d of game %d has won nothing", number, game.Number)
		}
		claim.withdrawn = true
	}
	for _, more := range b.More {
		claim, ok := game.Claim(more.Claim)
		if !ok || !claim.Settled || claim.withdrawn {
			return cannot("claim %d of game %d gets what fell, and has no share", more.Claim, game.Number)
		}
		claim.Share.Cents += more.Cents
		claim.Share.JackpotCents += more.JackpotCents
		claim.Paid = false
	}
	if game.Phase.IsOver() {
		game.invalid = b.Reason
	}
	restored := make([]record.Exact, len(b.Restored))
	for i, cents := range b.Restored {
		restored[i] = record.Exact(cents) * ExactPerCent
	}
	if err := h.add(restored, 1); err != nil {
		return err
	}
	if err := s.wagers(game, b.RefundCents, b.Forfeited, true, level); err != nil {
		return err
	}
	return h.roll(b.Rolled)
}
