package hall

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Announce announces a game: its colour, its minor games, its prizes with those that
// rolled into it, the jackpot numbers and what each level pays out. No number is
// called before it. Where the rules let a game be won with another pattern than the full
// card, the pattern is announced, too.
//
//rule:nsw-bingo-2019 5.1 6.1 6.4 6.5.1 8.4.2
//rule:sc-bingo-1996 4000.7
func Announce(s *state.State, ref record.BingoGame, wins string, by record.By) (*record.BingoAnnounced, error) {
	r, session, game, err := gameOf(s, ref)
	if err != nil {
		return nil, err
	}
	if err := checkTurn(session, game); err != nil {
		return nil, err
	}
	plan := &session.Set.Games[ref.Game-1]
	need := state.BingoWaiting
	if plan.JackpotNumbers > 0 {
		need = state.BingoReady
	}
	if game.Phase != need {
		return nil, refuse(GameNotReady, "6.5.1", "game", "Game %d is %v; it must be %v.", ref.Game, game.Phase, need)
	}
	if wins == record.PatternBingo {
		wins = "" // The full card has one form in the journal.
	}
	b := &record.BingoAnnounced{Game: ref, Wins: wins, Colour: plan.Colour, JackpotNumbers: game.JackpotNumbers, By: by}
	if b.Prizes, err = join(plan.Prizes, r.Rolled); err != nil {
		return nil, err
	}
	if err := r.checkWins(b, plan); err != nil {
		return nil, err
	}
	for i := range r.Pools {
		if plan.JackpotNumbers == 0 {
			break
		}
		cents, err := r.pays(plan, i+1)
		if err != nil {
			return nil, err
		}
		b.JackpotCents = append(b.JackpotCents, cents)
	}
	return b, nil
}

// checkWins refuses a pattern with which the game cannot be won. A jackpot is for the full
// card, and a minor prize is for another pattern than that which ends the game.
//
//rule:nsw-bingo-2019 4.4
//rule:sc-bingo-1996 4000.7
func (r room) checkWins(b *record.BingoAnnounced, plan *record.BingoPlan) error {
	switch wins := b.Wins; {
	case wins == "":
		return nil
	case !r.rules.Calls().AnyPattern:
		return refuse(PrizeUnknown, "4.4", "wins", "Every game is won with the full card here.")
	case !r.offers(wins):
		return refuse(PrizeUnknown, "5.3", "wins", "There is no pattern %q.", wins)
	case plan.JackpotNumbers > 0:
		return refuse(PrizeUnknown, "6.5.1", "wins", "A game with jackpot numbers is won with the full card.")
	case slices.ContainsFunc(b.Prizes, func(p record.PatternPrize) bool { return p.Pattern == wins }):
		return refuse(PrizeUnknown, "5.2", "wins", "Pattern %q has a minor prize in this game.", wins)
	}
	return nil
}

// pays returns what a game pays out of a level of the jackpot.
//
//rule:nsw-bingo-2019 6.3.2 6.3.amount
func (r room) pays(plan *record.BingoPlan, level int) (money.Amount, error) {
	if plan.JackpotNumbers == 0 {
		return 0, nil
	}
	return money.MulDiv(r.PoolCents(level), int64(plan.JackpotShare), whole, money.Floor)
}

// join adds prizes to others: to that of the same pattern, or as a further one.
func join(prizes, more []record.PatternPrize) ([]record.PatternPrize, error) {
	joined := slices.Clone(prizes)
	for _, p := range more {
		i := slices.IndexFunc(joined, func(j record.PatternPrize) bool { return j.Pattern == p.Pattern })
		if i < 0 {
			joined = append(joined, p)
			continue
		}
		var err error
		if joined[i].Cents, err = joined[i].Cents.Add(p.Cents); err != nil {
			return nil, err
		}
	}
	return joined, nil
}

// Plan returns what the device is to draw.
func Plan(of ball.Universe, h *state.Hall, session *state.Session, game *state.BingoGame,
	which record.BingoDraw) draw.Plan {
	name := SealName(h, session, game.Number, which)
	if which == record.DrawCalls {
		return draw.BingoPlan(name, 1, of)
	}
	count := int(session.Set.Games[game.Number-1].JackpotNumbers)
	return draw.Plan{Game: name, Revision: 1, Universe: of, Least: count, Most: count}
}

// UnderWay returns the draw of a game that is under way, and what it has drawn.
func UnderWay(game *state.BingoGame) (which record.BingoDraw, drawn []uint8, ok bool) {
	switch game.Phase {
	case state.BingoJackpot:
		return record.DrawJackpot, game.JackpotNumbers, true
	case state.BingoCalling:
		return record.DrawCalls, game.Drawn, true
	}
	return 0, nil, false
}

// MayCall reports why no further number may be drawn in a game now, if so. It is
// asked before the device is: a number that was drawn cannot be put back.
//
//rule:nsw-bingo-2019 4.8 6.5.1 8.2 8.5
func MayCall(s *state.State, ref record.BingoGame) error { return Cite(s, ref.Hall, mayCall(s, ref)) }

func mayCall(s *state.State, ref record.BingoGame) error {
	r, session, game, err := gameOf(s, ref)
	if err != nil {
		return err
	}
	which, drawn, ok := UnderWay(game)
	if !ok {
		return refuse(GameNotReady, "", "game", "Game %d is %v; nothing is drawn in it.", ref.Game, game.Phase)
	}
	if session.Halted != 0 {
		return refuse(PlayHalted, "8.5", "game", "Electronic card %d is being replaced.", session.Halted)
	}
	if err := checkWitnessed(s, game, drawn); err != nil {
		return err
	}
	if which == record.DrawJackpot {
		if len(drawn) >= int(session.Set.Games[ref.Game-1].JackpotNumbers) {
			return refuse(NumberNotPossible, "6.5.1", "number", "All %d jackpot numbers are drawn.", len(drawn))
		}
		return nil
	}
	if claim, open := game.OpenClaim(); open {
		return refuse(ClaimPending, "8.2", "game", "Claim %d is being checked.", claim.Opened.Claim)
	}
	if len(game.Unsettled(record.PatternBingo)) > 0 {
		return refuse(BingoCalled, "4.8", "game", "There is a bingo.")
	}
	if of := r.rules.Universe(); len(drawn) >= int(of) {
		return refuse(NumberNotPossible, "4.8", "number", "All %d numbers are called.", of)
	}
	return nil
}

// checkWitnessed refuses the first number of a draw that somebody must still cosign.
func checkWitnessed(s *state.State, game *state.BingoGame, drawn []uint8) error {
	for _, w := range s.Witnesses() {
		if w.Required && len(drawn) == 0 && !slices.Contains(game.WitnessedBy, w.Name) {
			return refuse(NotWitnessed, "", "game", "%s has not cosigned the seal of game %d.", w.Name, game.Number)
		}
	}
	return nil
}

// Witness takes the signatures of witnesses on the seal of the draw under way, before
// its first number.
func Witness(s *state.State, ref record.BingoGame, seal []byte, by []string) (*record.BingoWitnessed, error) {
	_, _, game, err := gameOf(s, ref)
	if err != nil {
		return nil, err
	}
	which, drawn, ok := UnderWay(game)
	if !ok || len(drawn) > 0 || len(by) == 0 {
		return nil, refuse(GameNotReady, "", "game",
			"Game %d is witnessed before its first number or not at all.", ref.Game)
	}
	return &record.BingoWitnessed{Game: ref, Draw: which, Seal: seal, By: by}, nil
}

// Number takes the next number from the device. Its bytes must give that number.
//
//rule:nsw-bingo-2019 4.5 4.8
//rule:sc-bingo-1996 4000.9 4000.10
func Number(s *state.State, ref record.BingoGame, number int, bytes []byte) (*record.NumberCalled, error) {
	if err := MayCall(s, ref); err != nil {
		return nil, err
	}
	r, _, game, err := gameOf(s, ref)
	if err != nil {
		return nil, err
	}
	which, drawn, _ := UnderWay(game)
	of := r.rules.Universe()
	remaining := ball.Full(of).Minus(Drawn(of, drawn).Set())
	if !of.Has(number) || !remaining.Has(number) {
		return nil, refuse(NumberNotPossible, "4.5", "number",
			"%d is not among the %d numbers that are left.", number, remaining.Len())
	}
	if given, err := draw.NumberFromBytes(remaining, bytes); err != nil || given != number {
		return nil, refuse(NumberNotPossible, "4.5", "number", "The bytes of %d give %d (%v).", number, given, err)
	}
	return &record.NumberCalled{Game: ref, Draw: which, Number: uint8(number), Bytes: bytes}, nil
}

// Drawn returns numbers of the state, which are sound, as a sequence.
func Drawn(of ball.Universe, numbers []uint8) ball.Sequence {
	list := make([]int, len(numbers))
	for i, n := range numbers {
		list[i] = int(n)
	}
	q, err := ball.NewSequence(of, list...)
	if err != nil {
		panic(fmt.Sprintf("hall: %v", err)) // The state lets no other numbers in.
	}
	return q
}

// Universe returns the numbers that are called in a room.
func Universe(s Reading, hall uint8) (ball.Universe, error) {
	r, err := roomOf(s, hall)
	if err != nil {
		return 0, err
	}
	return r.rules.Universe(), nil
}

// Sign accepts the device's signed statement of a draw. The calls end with a bingo
// that was found good, or with the last number.
//
//rule:nsw-bingo-2019 4.6 4.8
func Sign(s *state.State, ref record.BingoGame, note []byte) (*record.BingoDrawn, error) {
	r, session, game, err := gameOf(s, ref)
	if err != nil {
		return nil, err
	}
	which, drawn, ok := UnderWay(game)
	if !ok {
		return nil, refuse(GameNotReady, "", "game", "Game %d is %v; nothing is drawn in it.", ref.Game, game.Phase)
	}
	if err := r.checkEnd(session, game, which); err != nil {
		return nil, err
	}
	sealed, err := openSeal(s, game.Seal, game.SealPlace)
	if err != nil {
		return nil, err
	}
	result, err := openResult(s, note)
	if err != nil {
		return nil, err
	}
	if result.Game != SealName(r.Hall, session, ref.Game, which) || result.Revision != 1 || result.Seal != sealed ||
		result.Numbers != Drawn(r.rules.Universe(), drawn) {
		return nil, refuse(DrawNotAttested, "2.1.1", "note",
			"The device's note is of another game, seal or other numbers.")
	}
	return &record.BingoDrawn{Game: ref, Draw: which, Note: note}, nil
}

// MayEnd reports why the draw under way in a game cannot end now, if so.
func MayEnd(s *state.State, ref record.BingoGame) error { return Cite(s, ref.Hall, mayEnd(s, ref)) }

func mayEnd(s *state.State, ref record.BingoGame) error {
	r, session, game, err := gameOf(s, ref)
	if err != nil {
		return err
	}
	which, _, ok := UnderWay(game)
	if !ok {
		return refuse(GameNotReady, "", "game", "Game %d is %v; nothing is drawn in it.", ref.Game, game.Phase)
	}
	return r.checkEnd(session, game, which)
}

// checkEnd reports why a draw cannot end now.
//
//rule:nsw-bingo-2019 4.6 4.8 6.5.1
func (r room) checkEnd(session *state.Session, game *state.BingoGame, which record.BingoDraw) error {
	if which == record.DrawJackpot {
		if count := session.Set.Games[game.Number-1].JackpotNumbers; len(game.JackpotNumbers) < int(count) {
			return refuse(TooFewNumbers, "6.5.1", "game",
				"%d of %d jackpot numbers are drawn.", len(game.JackpotNumbers), count)
		}
		return nil
	}
	if least := r.rules.Calls().Least; len(game.Drawn) < least {
		return refuse(TooFewNumbers, "4.6", "game",
			"The game has %s so far; any game has at least %d.", figure.Count(len(game.Drawn), "number"), least)
	}
	if claim, open := game.OpenClaim(); open {
		return refuse(ClaimPending, "7.2", "game", "Claim %d is being checked.", claim.Opened.Claim)
	}
	if len(game.Unsettled(record.PatternBingo)) == 0 && len(game.Drawn) < int(r.rules.Universe()) {
		return refuse(NoBingo, "4.8", "game", "Nobody has called a bingo that was found good.")
	}
	return nil
}

// openSeal returns the hash of a seal that the house signed.
func openSeal(s *state.State, signed []byte, place record.Place) (journal.Hash, error) {
	volume, ok := s.VolumeOf(place.Volume)
	if !ok {
		return journal.Hash{}, fmt.Errorf("hall: the seal at %v is in no volume", place)
	}
	house, err := journal.ParseVerifier(volume.HouseKey)
	if err != nil {
		return journal.Hash{}, err
	}
	opened, err := journal.OpenSeal(signed, house)
	if err != nil {
		return journal.Hash{}, err
	}
	return opened.Body().Hash(), nil
}

// openResult verifies the note of the device that draws now.
func openResult(s *state.State, note []byte) (draw.Result, error) {
	device, err := journal.ParseVerifier(s.Volume().DeviceKey)
	if err != nil {
		return draw.Result{}, err
	}
	result, _, err := draw.OpenResult(note, device)
	if err != nil {
		return draw.Result{}, refuse(DrawNotAttested, "2.1.1", "note", "The device's note does not verify: %v.", err)
	}
	return result, nil
}

// Correct says that another number was announced or shown than the one drawn. The wrong one
// does not count, unless it is drawn itself, and the right one counts from now on: who has
// waited for it may call until the next number, and so may who was completed by the last.
// Once a claim was found good and waits for its share, somebody who calls after a correction
// would divide the prize: then a supervisor makes it, and not the caller alone.
//
// A jackpot number is corrected from its draw until the calls are signed. It qualifies as it
// was drawn, so that the correction tells the room and changes nothing. Before the calls
// there is nothing else to correct, and the draw need not be named.
//
//rule:nsw-bingo-2019 6.5.1 8.3
func Correct(s *state.State, c record.CallCorrected) (*record.CallCorrected, error) {
	r, _, game, err := gameOf(s, c.Game)
	if err != nil {
		return nil, err
	}
	if c.Draw == 0 && game.Phase < state.BingoCalling {
		c.Draw = record.DrawJackpot
	}
	drawn, from := game.Calls, state.BingoCalling
	if c.Of() == record.DrawJackpot {
		drawn, from = game.JackpotNumbers, state.BingoJackpot
	} else {
		c.Draw = 0 // A call has one form in the journal.
	}
	if game.Phase < from || game.Phase > state.BingoCalling {
		return nil, refuse(GameNotReady, "8.3", "game",
			"Game %d is %v; no number of it is announced now.", c.Game.Game, game.Phase)
	}
	if len(game.Unsettled("")) > 0 {
		if err := needRank(c.By, record.RankSupervisor, "8.3"); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(drawn, c.Number) {
		return nil, refuse(NumberNotCalled, "8.3", "number",
			"%d is not among the %v of game %d.", c.Number, c.Of(), c.Game.Game)
	}
	if !r.rules.Universe().Has(int(c.Wrong)) || c.Wrong == c.Number {
		return nil, refuse(NumberNotPossible, "8.3", "wrong", "%d was not announced instead of %d.", c.Wrong, c.Number)
	}
	return &c, nil
}
