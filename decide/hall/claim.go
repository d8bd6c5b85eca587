package hall

import (
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
)

// The codes with which a claim is found bad. They stand in the record of the check.
const (
	CardNotInHand   refusal.Code = "card_not_in_hand" // it was not collected
	CardNotInPlay   refusal.Code = "card_not_in_play" // its serial is not among those issued
	PlayerBarred    refusal.Code = "player_barred"    // its holder is shut out
	CardDead        refusal.Code = "card_dead"        // it was for a game that is over
	CardOtherGame   refusal.Code = "card_other_game"  // it is for another game
	BeforeLeast     refusal.Code = "before_least"     // no bingo comes before the 15th number
	NotComplete     refusal.Code = "not_complete"     // numbers of the pattern were not called
	NumberCorrected refusal.Code = "number_corrected" // it counts on a number that was announced wrongly
	CalledLate      refusal.Code = "called_late"      // the box was complete before the last number
	Forfeited       refusal.Code = "forfeited"        // so was another box of the player
	NotMarked       refusal.Code = "not_marked"       // the numbers are not marked on the card
)

// Call is a player's claim to a pattern of a box.
type Call struct {
	Game    record.BingoGame
	Pattern string
	Serial  string // of the card, as printed
	Box     uint8
	Behalf  bool
	By      record.By
}

// Open takes down a call. From then on no number is drawn until it is checked. Which
// word was called does not matter, nor whether somebody else called for the player.
//
//rule:nsw-bingo-2019 4.7 5.4.1 5.4.2 7.2
func Open(s *state.State, c Call) (*record.ClaimOpened, error) {
	_, _, game, err := gameIn(s, c.Game, state.BingoCalling)
	if err != nil {
		return nil, err
	}
	serial, err := bingo.ParseSerial(c.Serial)
	if err != nil || c.Box == 0 {
		return nil, refuse(SerialUnreadable, "7.1.2", "serial",
			"%q, box %d, is not a box of a card; a character is wrong.", c.Serial, c.Box)
	}
	if _, offered := game.Prize(c.Pattern); !offered {
		return nil, refuse(PrizeUnknown, "5.4.1", "pattern", "Game %d has no prize for %q.", c.Game.Game, c.Pattern)
	}
	if game.IsWon(c.Pattern) {
		return nil, refuse(PrizeWon, "5.4.1", "pattern", "The prize for %q was won on an earlier number.", c.Pattern)
	}
	if err := checkOnce(game, c.Pattern, serial, c.Box); err != nil {
		return nil, err
	}
	return &record.ClaimOpened{
		Game: c.Game, Claim: uint16(len(game.Claims) + 1), Pattern: c.Pattern,
		Series: serial.Series, Book: uint32(serial.Book), Card: uint8(serial.Game), Box: c.Box,
		Behalf: c.Behalf, Called: uint8(len(game.Calls)), By: c.By,
	}, nil
}

// checkOnce refuses a call on a box that has one for the pattern, which is being checked or
// was found good. A box wins a prize once, so what fraud takes from its claim it takes from
// the box. A person who called wrongly calls again.
//
//rule:nsw-bingo-2019 7.2 8.2 9.4.2
func checkOnce(game *state.BingoGame, pattern string, serial bingo.Serial, box uint8) error {
	for i := range game.Claims {
		o := &game.Claims[i].Opened
		if !sameBox(o, &record.ClaimOpened{Pattern: pattern, Series: serial.Series, Book: uint32(serial.Book),
			Card: uint8(serial.Game), Box: box}) {
			continue
		}
		if !game.Claims[i].Decided {
			return refuse(ClaimPending, "8.2", "box", "Claim %d on that box is being checked.", o.Claim)
		}
		if game.Claims[i].Accepted() {
			return refuse(ClaimDecided, "7.2", "box", "Claim %d on that box was found good.", o.Claim)
		}
	}
	return nil
}

// sameBox reports whether two calls are on one box for one pattern.
func sameBox(a, b *record.ClaimOpened) bool {
	return a.Pattern == b.Pattern && a.Series == b.Series && a.Book == b.Book && a.Card == b.Card && a.Box == b.Box
}

// Inspection is what a supervisor confirms of a claim with the card in hand.
type Inspection struct {
	Game   record.BingoGame
	Claim  uint16
	InHand bool // the card was collected
	Marked bool // all numbers that the pattern needs are marked on it
	By     record.By
}

// Check checks a claim: the card, its serial, its game, its numbers against those
// called, and the conditions of the jackpot. The first check that fails is named.
//
//rule:nsw-bingo-2019 7.1 7.4 8.2
func Check(s *state.State, kit *Kit, i Inspection) (*record.ClaimChecked, error) {
	r, session, game, err := gameIn(s, i.Game, state.BingoCalling)
	if err != nil {
		return nil, err
	}
	if err := needRank(i.By, record.RankSupervisor, "7.1"); err != nil {
		return nil, err
	}
	claim, ok := game.Claim(i.Claim)
	if !ok {
		return nil, refuse(ClaimUnknown, "7.1", "claim", "Game %d has no claim %d.", i.Game.Game, i.Claim)
	}
	if claim.Decided {
		return nil, refuse(ClaimDecided, "7.1", "claim", "Claim %d was checked.", i.Claim)
	}
	checked := &record.ClaimChecked{Game: i.Game, Claim: i.Claim, InHand: i.InHand, Marked: i.Marked, By: i.By}
	e := examination{room: r, kit: kit, session: session, game: game, claim: claim, checked: checked}
	failed, err := e.run()
	if err != nil {
		return nil, err
	}
	if failed.code != "" {
		checked.Code, checked.Clause, checked.Level = string(failed.code), r.rules.Cites(failed.clause), 0
		return checked, nil
	}
	if checked.Level > 0 && checked.Number != game.Drawn[len(game.Drawn)-1] &&
		game.CorrectedBy(checked.Number) == i.By.Person {
		return nil, refuse(CorrectedOwn, "8.3", "claim",
			"You have corrected number %d, which makes this a jackpot: another person checks the claim.",
			checked.Number)
	}
	checked.Accepted = true
	return checked, nil
}

// examination is the check of one claim.
type examination struct {
	room
	kit     *Kit
	session *state.Session
	game    *state.BingoGame
	claim   *state.Claim
	checked *record.ClaimChecked
	holder  *state.Player
}

// failure is why a claim does not hold; the zero value means that it does.
type failure struct {
	code   refusal.Code
	clause string
}

func (e *examination) run() (failure, error) {
	if !e.checked.InHand {
		return failure{CardNotInHand, "7.1.1"}, nil
	}
	if f := e.checkCard(); f.code != "" {
		return f, nil
	}
	if f := e.checkGame(); f.code != "" {
		return f, nil
	}
	if f, err := e.checkNumbers(); f.code != "" || err != nil {
		return f, err
	}
	if !e.checked.Marked {
		return failure{NotMarked, "7.4"}, nil
	}
	e.checked.Level = e.level()
	return failure{}, nil
}

// checkCard confirms the serial and the book: only what was issued is in play.
//
//rule:nsw-bingo-2019 4.3 7.1.2 9.3.2
//rule:sc-bingo-1996 4000.4
func (e *examination) checkCard() failure {
	c := &e.claim.Opened
	table, known := e.Table(c.Series)
	if !known || !e.session.InPlay(c.Series, c.Book) || c.Box > table.Added.Up {
		return failure{CardNotInPlay, "7.1.2"}
	}
	holder, held := e.session.Holder(c.Series, c.Book)
	if !held {
		return failure{CardNotInPlay, "7.1.2"}
	}
	e.holder, e.checked.Player = holder, holder.Entered.Player
	if holder.Barred {
		return failure{PlayerBarred, "9.3.2"}
	}
	return failure{}
}

// checkGame confirms that the card is for this game.
//
//rule:nsw-bingo-2019 7.1.3 7.7
//rule:sc-bingo-1996 4000.6
func (e *examination) checkGame() failure {
	switch card := e.claim.Opened.Card; {
	case card < e.game.Number:
		return failure{CardDead, "7.7"}
	case card > e.game.Number:
		return failure{CardOtherGame, "7.1.3"}
	}
	return failure{}
}

// checkNumbers confirms the numbers of the box against those called: they complete the
// pattern, and no number was drawn since the one that completed it was announced rightly.
// A correction is no further number: it takes nobody's time to call. A person who was complete
// before and did not call has forfeited the prize, with all cards of the player.
//
//rule:nsw-bingo-2019 4.6 4.7 5.4.1 7.1.4 8.1 8.3
//rule:sc-bingo-1996 4000.8
func (e *examination) checkNumbers() (failure, error) {
	of := e.rules.Universe()
	c, calls := &e.claim.Opened, Drawn(of, e.game.Calls)
	pattern, ok := e.kit.of(e.game, c.Pattern)
	if !ok {
		return failure{PrizeUnknown, "5.3"}, nil
	}
	if c.Pattern == record.PatternBingo && calls.Len() < e.rules.Calls().Least {
		return failure{BeforeLeast, "4.6"}, nil
	}
	boxes, err := e.kit.card(e.Hall, c.Series, c.Book, c.Card)
	if err != nil {
		return failure{}, err
	}
	box := boxes[c.Box-1]
	standing := e.kit.patterns.Standing(pattern, box, calls)
	if !standing.Complete {
		if e.completeWith(pattern, box, calls) {
			return failure{NumberCorrected, "8.3"}, nil
		}
		return failure{NotComplete, "7.1.4"}, nil
	}
	e.checked.Number = uint8(e.kit.patterns.Standing(pattern, box, Drawn(of, e.game.Drawn)).Number)
	if e.game.Heard(standing.Number) < len(e.game.Drawn) {
		return failure{CalledLate, "8.1"}, nil
	}
	missed, err := e.missed(pattern, calls)
	if err != nil || !missed {
		return failure{}, err
	}
	return failure{Forfeited, "8.1"}, nil
}

// completeWith reports whether numbers that were announced wrongly would complete the
// box.
//
//rule:nsw-bingo-2019 8.3
func (e *examination) completeWith(pattern int, box bingo.Box, calls ball.Sequence) bool {
	heard := calls.Set()
	for _, n := range e.game.Wrong {
		heard = heard.With(int(n))
	}
	return e.kit.patterns.Completed(box.Mask(heard)).Has(pattern)
}

// missed reports whether a box of the holder was complete on an earlier number and
// was not called then.
//
//rule:nsw-bingo-2019 8.1
func (e *examination) missed(pattern int, calls ball.Sequence) (bool, error) {
	for _, books := range e.holder.Entered.Books {
		for book := books.First; book <= books.Last; book++ {
			boxes, err := e.kit.card(e.Hall, books.Series, book, e.game.Number)
			if err != nil {
				return false, err
			}
			for i, box := range boxes {
				s := e.kit.patterns.Standing(pattern, box, calls)
				if !s.Complete {
					continue
				}
				if heard := e.game.Heard(s.Number); heard < len(e.game.Drawn) &&
					!e.called(books.Series, book, uint8(i+1), uint8(heard)) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// called reports whether a box was claimed on the number that completed it.
func (e *examination) called(series string, book uint32, box, place uint8) bool {
	return slices.ContainsFunc(e.game.Claims, func(c state.Claim) bool {
		o := &c.Opened
		return o.Pattern == e.claim.Opened.Pattern && o.Series == series && o.Book == book && o.Box == box &&
			o.Called == place
	})
}

// level returns the highest level of the jackpot for which the claim qualifies: a bingo
// that a jackpot number has completed, if no number was drawn since that was announced
// rightly. The order of the draw says which number completed the box, and which it was of
// the game: nobody makes a jackpot by the correction of another number, and no mistake in
// an announcement takes one. 0 is none.
//
//rule:nsw-bingo-2019 6.5.2 7.1.5 7.3 8.3
func (e *examination) level() uint8 {
	number := e.checked.Number
	if e.claim.Opened.Pattern != record.PatternBingo || e.game.Heard(int(number)) < len(e.game.Drawn) ||
		!slices.Contains(e.game.Announced.JackpotNumbers, number) {
		return 0
	}
	return e.levelAt(slices.Index(e.game.Drawn, number) + 1)
}

// levelAt returns the highest level of the jackpot for a bingo on the number at a place.
//
//rule:nsw-bingo-2019 7.3
func (r room) levelAt(place int) uint8 {
	for i, level := range r.Opened.Levels {
		if level.Within == 0 || place <= int(level.Within) {
			return uint8(i + 1)
		}
	}
	return 0
}
