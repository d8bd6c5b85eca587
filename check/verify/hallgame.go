package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// The stages of a game of bingo, in their order.
const (
	bingoWaiting = iota
	bingoJackpot
	bingoReady
	bingoAnnounced
	bingoCalling
	bingoSigned
	bingoOver
	bingoVoid
)

type hallGame struct {
	number    uint8
	plan      *record.BingoPlan
	stage     int
	announced *record.BingoAnnounced
	seal      hash
	sealedBy  journal.Verifier // the house key of the seal's volume
	witnessed [2][]string      // by the draw, who has cosigned its seal
	jackpot   []uint8
	drawn     []uint8 // by the device
	calls     []uint8 // that count, in the order in which they do
	wrong     []uint8
	heard     map[uint8]int    // how many were drawn when a number was announced rightly
	corrector map[uint8]uint32 // who has announced a number rightly last that was announced wrongly
	claims    []*hallClaim
	won       map[string]bool
	returned  bool // its wagers went back
}

type hallClaim struct {
	*record.ClaimOpened
	checked *record.ClaimChecked
	share   *record.ClaimShare
	endedAt uint64       // the place of its settlement
	fell    bool         // fraud took from it what it won
	had     money.Amount // what was paid of its prize
	hadPool money.Amount // and of the jackpot
}

// owes returns what is due on a claim: of its prize, and of the jackpot.
func (h *hallClaim) owes() (prize, pool money.Amount) {
	if h.share == nil || h.fell {
		return 0, 0
	}
	return h.share.Cents - h.had, h.share.JackpotCents - h.hadPool
}

// current returns the first game that is not over.
func (s *hallSession) current() *hallGame {
	for _, g := range s.games {
		if g.stage < bingoOver {
			return g
		}
	}
	return nil
}

// bingoAnnounced checks what was announced: the plan, what rolled into the game, the
// jackpot numbers that were drawn, and what the levels pay out (nsw-bingo-2019 4.4,
// 6.3, 8.4.2).
func (r *hallRoom) bingoAnnounced(s *hallSession, g *hallGame, b *record.BingoAnnounced) error {
	need := bingoWaiting
	if g.plan.JackpotNumbers > 0 {
		need = bingoReady
	}
	if s.current() != g || g.stage != need || s.failed != 0 {
		return hallFault("game %d is announced out of turn", g.number)
	}
	var jackpot []money.Amount
	for _, level := range r.levels {
		if g.plan.JackpotNumbers > 0 {
			cents := level / exactPart
			jackpot = append(jackpot, money.Amount(cents/allShares*int64(g.plan.JackpotShare)+
				cents%allShares*int64(g.plan.JackpotShare)/allShares))
		}
	}
	if want := joinPrizes(g.plan.Prizes, r.rolled); b.Colour != g.plan.Colour || !slices.Equal(b.Prizes, want) {
		return hallFault("%s and %v are announced, and %s and %v are right", b.Colour, b.Prizes, g.plan.Colour, want)
	}
	if !slices.Equal(b.JackpotNumbers, g.jackpot) || !slices.Equal(b.JackpotCents, jackpot) {
		return hallFault("a jackpot of %v on %v is announced, and %v on %v is right", b.JackpotCents, b.JackpotNumbers,
			jackpot, g.jackpot)
	}
	if w := b.Wins; w != "" {
		minor := slices.ContainsFunc(b.Prizes, func(p record.PatternPrize) bool { return p.Pattern == w })
		if !r.rules.Calls.AnyPattern || r.pattern(w) == nil || minor || g.plan.JackpotNumbers > 0 {
			return hallFault("game %d is announced to be won with %s, with which it cannot be", g.number, w)
		}
	}
	g.stage, g.announced, g.won, r.rolled = bingoAnnounced, b, map[string]bool{}, nil
	return nil
}

// sealedAs returns the name of a draw of a game in seals and statements.
func (r *hallRoom) sealedAs(s *hallSession, g *hallGame, draw record.BingoDraw) journal.Game {
	name := r.opened.Name
	if draw == record.DrawJackpot {
		name += "-jackpot"
	}
	return journal.Game{Series: name, Day: s.set.Day.String(), Number: s.set.Session*100 + uint32(g.number)}
}

// bingoSealed checks that a seal is of the log just before it, and covers exactly the
// players who are not shut out.
func (c *checker) bingoSealed(r *hallRoom, s *hallSession, g *hallGame, b *record.BingoSealed) error {
	switch {
	case b.Draw == record.DrawJackpot && g.stage == bingoWaiting && s.current() == g && g.plan.JackpotNumbers > 0:
		g.stage = bingoJackpot
	case b.Draw == record.DrawCalls && g.stage == bingoAnnounced:
		g.stage = bingoCalling
	default:
		return fault(CheckSeal, "the %v of game %d are sealed out of turn", b.Draw, g.number)
	}
	var in []uint64
	var fees money.Amount
	for _, p := range s.players {
		if !p.barred {
			in = append(in, p.seq)
			fees += p.FeeCents
		}
	}
	seal, err := c.roomSeal(b.Seal, r.sealedAs(s, g, b.Draw), in, fees,
		func(volume uint16) string { return PlayersFile(b.Game, b.Draw, volume) })
	g.seal, g.sealedBy = seal, c.volume().house
	return err
}

// bingoWitnessed checks that those who are said to have cosigned the seal have, before
// the first number.
func (c *checker) bingoWitnessed(g *hallGame, b *record.BingoWitnessed) error {
	drawn, need := g.drawn, bingoCalling
	if b.Draw == record.DrawJackpot {
		drawn, need = g.jackpot, bingoJackpot
	}
	if g.sealedBy == nil {
		return fault(CheckSeal, "what was cosigned has not been sealed")
	}
	if g.stage != need || len(drawn) > 0 {
		return fault(CheckSeal, "it is witnessed out of turn, or after the first number")
	}
	if err := c.cosigned(b.Seal, g.sealedBy, g.seal, b.By); err != nil {
		return fault(CheckSeal, "%v", err)
	}
	g.witnessed[b.Draw-1] = append(g.witnessed[b.Draw-1], b.By...)
	c.report.Witnessed++
	return nil
}

// roomSeal checks a seal of a room over some records and returns its hash.
func (c *checker) roomSeal(signed []byte, name journal.Game, in []uint64, fees money.Amount,
	file func(volume uint16) string) (hash, error) {
	opened, err := journal.OpenSeal(signed, c.volume().house)
	if err != nil {
		return hash{}, fault(CheckSeal, "the seal does not hold: %v", err)
	}
	seal := opened.Body()
	switch {
	case seal.Game != name:
		return hash{}, fault(CheckSeal, "the seal is of %v, and this is %v", seal.Game, name)
	case seal.Checkpoint.Origin != c.volume().end.Origin || seal.Checkpoint.Size != c.seq ||
		seal.Checkpoint.Root != c.halls.root:
		return hash{}, fault(CheckSeal, "the seal is not of the log of the %d records before it", c.seq)
	case seal.Plays != uint64(len(in)) || seal.StakesCents != fees.Cents():
		return hash{}, fault(CheckSeal, "the seal has %d plays for %d cents, and there are %d for %d", seal.Plays,
			seal.StakesCents, len(in), fees.Cents())
	}
	c.log.sealedAt(c.seq)
	c.report.Seals++
	if len(in) == 0 {
		return hash(seal.Hash()), nil
	}
	if err := c.checkBitmaps(seal, slices.Values(in), file); err != nil {
		return hash{}, fault(CheckSeal, "the bitmap of the seal: %v", err)
	}
	return hash(seal.Hash()), nil
}

// numberCalled checks a number: its bytes, and that nothing stands against drawing it
// (nsw-bingo-2019 4.5, 4.8, 8.5).
func (c *checker) numberCalled(r *hallRoom, s *hallSession, g *hallGame, b *record.NumberCalled) error {
	drawn, most := &g.drawn, r.rules.Numbers.Of
	need := bingoCalling
	if b.Draw == record.DrawJackpot {
		drawn, need, most = &g.jackpot, bingoJackpot, int(g.plan.JackpotNumbers)
	}
	if g.stage != need || len(*drawn) >= most || s.failed != 0 {
		return fault(CheckDraw, "a number is drawn out of turn, or while an electronic card is replaced")
	}
	if w := c.missing(g.witnessed[b.Draw-1]); len(*drawn) == 0 && w != nil {
		return fault(CheckDraw, "game %d is drawn, and witness %s has not cosigned its seal", g.number, w.name)
	}
	if b.Draw == record.DrawCalls && g.won[record.PatternBingo] {
		return hallFault("a number is called after a bingo")
	}
	for _, claim := range g.claims {
		if b.Draw == record.DrawCalls && (claim.checked == nil || claim.checked.Accepted && claim.share == nil) {
			return hallFault("a number is called, and claim %d is not checked or not settled", claim.Claim)
		}
	}
	var before drawnNumbers
	for _, n := range *drawn {
		before[n] = true
	}
	number, err := numberOf(b.Bytes, &before, r.rules.Numbers.Of)
	if err != nil || number != b.Number {
		return fault(CheckDraw, "its bytes %x give %d, and it says %d (%v)", b.Bytes, number, b.Number, err)
	}
	*drawn = append(*drawn, number)
	if b.Draw == record.DrawCalls {
		g.calls = append(g.calls, number)
		g.hear(number)
	}
	c.report.Numbers++
	return nil
}

// bingoDrawn checks the device's statement, and that a game does not end before its
// time (nsw-bingo-2019 4.6, 4.8).
func (c *checker) bingoDrawn(r *hallRoom, s *hallSession, g *hallGame, b *record.BingoDrawn) error {
	drawn := g.drawn
	switch {
	case b.Draw == record.DrawJackpot && g.stage == bingoJackpot:
		drawn = g.jackpot
		if len(drawn) != int(g.plan.JackpotNumbers) {
			return fault(CheckDraw, "%d jackpot numbers of %d are drawn", len(drawn), g.plan.JackpotNumbers)
		}
		g.stage = bingoReady
	case b.Draw == record.DrawCalls && g.stage == bingoCalling:
		bingo := false
		for _, claim := range g.claims {
			if claim.checked == nil {
				return hallFault("the game ends, and claim %d is not checked", claim.Claim)
			}
			bingo = bingo || claim.checked.Accepted && claim.Pattern == record.PatternBingo
		}
		if len(drawn) < r.rules.Calls.Least || !bingo && len(drawn) < r.rules.Numbers.Of {
			return hallFault("the game ends with %d numbers and without a bingo", len(drawn))
		}
		g.stage = bingoSigned
	default:
		return fault(CheckDraw, "the %v are signed out of turn", b.Draw)
	}
	if err := c.roomStatement(b.Note, r.sealedAs(s, g, b.Draw), 1, g.seal, drawn, r.rules.Numbers.Of); err != nil {
		return fault(CheckDraw, "the device's statement: %v", err)
	}
	return nil
}

// roomStatement checks what the device signed for a room.
func (c *checker) roomStatement(note []byte, name journal.Game, revision uint64, seal hash, drawn []uint8,
	universe int) error {
	text, _, err := journal.OpenNote(note, c.volume().device)
	if err != nil {
		return err
	}
	r := journal.ReadBody(text, resultForm)
	r.Text("device")
	signed := journal.Game{Series: r.Text("series"), Day: r.Text("day"), Number: uint32(r.Uint("game", 1<<32-1))}
	again := r.Uint("revision", 1<<32-1)
	under := r.Hash("seal")
	of := r.Uint("of", 255)
	numbers := r.Text("numbers")
	if err := r.Close(); err != nil {
		return err
	}
	words := make([]string, len(drawn))
	for i, n := range drawn {
		words[i] = strconv.Itoa(int(n))
	}
	if signed != name || again != revision || hash(under) != seal || of != uint64(universe) ||
		numbers != strings.Join(words, " ") {
		return fmt.Errorf("it is of %v, draw %d, numbers %s of %d; this is %v, draw %d, numbers %v", signed, again,
			numbers, of, name, revision, drawn)
	}
	return nil
}

// callCorrected moves a number to where it counts from. While a claim that was found good
// has no share, that is for a supervisor (nsw-bingo-2019 8.3).
func (c *checker) callCorrected(g *hallGame, b *record.CallCorrected) error {
	for _, claim := range g.claims {
		if waits := claim.checked != nil && claim.checked.Accepted && claim.share == nil && !claim.fell; waits &&
			b.By.Rank < record.RankSupervisor {
			if err := c.guard(hallFault("%d is corrected by a %v, and claim %d was found good", b.Number, b.By.Rank,
				claim.Claim)); err != nil {
				return err
			}
		}
	}
	if b.Draw == record.DrawJackpot {
		// What was drawn qualifies, so nothing changes but what the room was told.
		if g.stage < bingoJackpot || g.stage > bingoCalling || !slices.Contains(g.jackpot, b.Number) {
			return hallFault("jackpot number %d is corrected out of turn, or was not drawn", b.Number)
		}
		return nil
	}
	i := slices.Index(g.calls, b.Number)
	if g.stage != bingoCalling || i < 0 {
		return hallFault("%d is corrected and was not drawn", b.Number)
	}
	g.calls = append(slices.Delete(slices.Clone(g.calls), i, i+1), b.Number)
	g.wrong = append(g.wrong, b.Wrong)
	g.hear(b.Number)
	if g.corrector == nil {
		g.corrector = map[uint8]uint32{}
	}
	g.corrector[b.Number] = b.By.Person
	return nil
}

// hear notes when a number was announced rightly.
func (g *hallGame) hear(number uint8) {
	if g.heard == nil {
		g.heard = map[uint8]int{}
	}
	g.heard[number] = len(g.drawn)
}

// claimOpened checks that a call is for a prize that can be won, on a box that has not won
// it and whose call is not being checked (nsw-bingo-2019 5.4, 7.2).
func (c *checker) claimOpened(g *hallGame, b *record.ClaimOpened) error {
	offered := g.stage == bingoCalling && slices.ContainsFunc(g.announced.Prizes,
		func(p record.PatternPrize) bool { return p.Pattern == b.Pattern })
	if !offered || g.won[b.Pattern] || int(b.Claim) != len(g.claims)+1 || int(b.Called) != len(g.calls) {
		return hallFault("claim %d for %s comes after %d claims and %d calls, or there is no such prize any more",
			b.Claim, b.Pattern, len(g.claims), len(g.calls))
	}
	for _, e := range g.claims {
		same := e.Pattern == b.Pattern && e.Series == b.Series && e.Book == b.Book && e.Card == b.Card && e.Box == b.Box
		if same && (e.checked == nil || e.checked.Accepted) {
			if err := c.guard(hallFault("claim %d is on the box of claim %d, which is not checked or was found good",
				b.Claim, e.Claim)); err != nil {
				return err
			}
		}
	}
	g.claims = append(g.claims, &hallClaim{ClaimOpened: b})
	return nil
}

// bingoVoided checks a game without a result: by whom, what rolls on and what goes
// back (nsw-bingo-2019 8.4, 9.4, 9.5).
func (c *checker) bingoVoided(r *hallRoom, s *hallSession, g *hallGame, b *record.BingoVoided) (postings, error) {
	least, ok := map[string]record.Rank{"8.4.2": record.RankSupervisor, "9.4.1": record.RankSupervisor,
		"9.4.2": record.RankCasino}[b.Clause]
	if !ok || b.By.Rank < least || s.current() != g || !b.Last && int(g.number) == len(s.games) {
		return nil, hallFault("game %d is void by %s, which a %v cannot declare now", g.number, b.Clause, b.By.Rank)
	}
	for _, claim := range g.claims {
		if claim.checked == nil || claim.checked.Accepted && claim.share == nil && !claim.fell {
			if err := c.guard(hallFault("game %d is void, and claim %d is not checked or was found good and has no share",
				g.number, claim.Claim)); err != nil {
				return nil, err
			}
		}
	}
	var want []record.PatternPrize
	prizes := joinPrizes(g.plan.Prizes, r.rolled)
	var since []record.PatternPrize // what rolls on from an earlier game that was invalidated after this was announced
	if g.announced != nil {
		prizes, since = g.announced.Prizes, r.rolled
	}
	for _, p := range prizes {
		if !g.won[p.Pattern] {
			want = append(want, p)
		}
	}
	g.stage = bingoVoid
	for _, later := range s.games[g.number:] {
		if b.Last {
			want = joinPrizes(want, later.plan.Prizes)
			later.stage = bingoVoid
		}
	}
	if !slices.Equal(want, b.Rolled) {
		return nil, hallFault("%v roll on, and %v is right", b.Rolled, want)
	}
	r.rolled = joinPrizes(since, want)
	s.broken = s.broken || b.Last &&
		(b.Clause == "8.4.2" || c.level >= record.LevelGuarded && int(g.number) < len(s.games))
	return c.wagersBack(s, g, b.Clause, b.RefundCents, b.Forfeited)
}

// wagersBack lets the wager of an invalidated game go back to the players in play, but for
// those whose wager is forfeited, once (nsw-bingo-2019 9.5).
func (c *checker) wagersBack(s *hallSession, g *hallGame, clause string, cents money.Amount,
	forfeited []uint32) (postings, error) {
	if cents == 0 {
		return nil, nil
	}
	if cents != s.set.FeeCents/money.Amount(len(s.games)) || clause == "8.4.2" || len(forfeited) > 0 &&
		clause != "9.4.2" {
		return nil, hallFault("%v go back for a game void by %s", cents, clause)
	}
	if g.returned {
		again := hallFault("the wagers of game %d go back a second time", g.number)
		if err := c.newer(again); err != nil {
			return nil, err
		}
	}
	g.returned = true
	var sum money.Amount
	for _, p := range s.players {
		if slices.Contains(forfeited, p.Player) {
			p.forfeited += min(cents, max(0, p.FeeCents-p.returned-p.forfeited))
		} else if !p.barred {
			sum += c.back(p, cents)
		}
	}
	return postings{ledger.Debit(ledger.Operator, 0, sum), ledger.Credit(ledger.HallRefunds, 0, sum)}, nil
}
