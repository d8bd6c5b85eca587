package hall

import (
	"errors"
	"fmt"
	"iter"

	"drawhouse/core/figure"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a bingo room refuses.
const (
	HallUnknown    refusal.Code = "hall_unknown"    // there is no such bingo room
	HallExists     refusal.Code = "hall_exists"     // there is a bingo room of this number
	RulebookOther  refusal.Code = "rulebook_other"  // it is not adopted, or not of bingo
	LevelsWrong    refusal.Code = "levels_wrong"    // they are not those of a jackpot
	TableUnknown   refusal.Code = "table_unknown"   // no such series of cards in the hall
	TableExists    refusal.Code = "table_exists"    // the series is there already
	SessionUnknown refusal.Code = "session_unknown" // there is no such session in the room
	SessionPlan    refusal.Code = "session_plan"    // the plan of a session is not one
	SessionPhase   refusal.Code = "session_phase"   // the session has not come so far, or has come further
	NotAMember     refusal.Code = "not_a_member"    // the number is of no member of the loyalty programme
	EnteredBefore  refusal.Code = "entered_before"  // the member plays in the session already
	FeeOther       refusal.Code = "fee_other"       // another amount than the fee
	BooksOther     refusal.Code = "books_other"     // books that there are not, too many, or issued before
	IssueOther     refusal.Code = "issue_other"     // the serials entered are not those issued
	DeviceUnknown  refusal.Code = "device_unknown"  // the electronic card is not out
	DeviceOut      refusal.Code = "device_out"      // an electronic card was not returned
	RankTooLow     refusal.Code = "rank_too_low"    // somebody of a higher rank must do it

	GameUnknown       refusal.Code = "game_unknown"        // there is no such game in the session
	GameNotReady      refusal.Code = "game_not_ready"      // it has not come so far, or has come further
	PlayHalted        refusal.Code = "play_halted"         // an electronic card is being replaced
	ClaimPending      refusal.Code = "claim_pending"       // a call is being checked
	BingoCalled       refusal.Code = "bingo_called"        // no number follows a bingo that was found good
	NoBingo           refusal.Code = "no_bingo"            // the game has no winner yet
	TooFewNumbers     refusal.Code = "too_few_numbers"     // too few numbers were called for it
	NumberNotPossible refusal.Code = "number_not_possible" // out of range, drawn already, or not what the bytes give
	NumberNotCalled   refusal.Code = "number_not_called"   // the number was not called, and cannot be corrected or marked
	DrawNotAttested   refusal.Code = "draw_not_attested"   // the device's note is not of these numbers under this seal
	NotWitnessed      refusal.Code = "not_witnessed"       // a witness has not cosigned the seal
	PrizeUnknown      refusal.Code = "prize_unknown"       // the game has no such prize
	PrizeWon          refusal.Code = "prize_won"           // it was won on an earlier number, or with the fee that would be void
	SerialUnreadable  refusal.Code = "serial_unreadable"   // its check digits do not fit
	ClaimUnknown      refusal.Code = "claim_unknown"       // there is no such claim in the game
	ClaimDecided      refusal.Code = "claim_decided"       // the claim was decided before
	CorrectedOwn      refusal.Code = "corrected_own"       // who corrected a number does not check the jackpot on it
	NotAgreed         refusal.Code = "not_agreed"          // a witness that must agree to the result has not
	Disputed          refusal.Code = "disputed"            // a witness that must agree says that the journal does not hold
	NothingDue        refusal.Code = "nothing_due"         // nothing is due to the claim or the player
	AmountOther       refusal.Code = "amount_other"        // the amount is another than what is due
	MediumOther       refusal.Code = "medium_other"        // the prize is not paid in this
	PlayerUnknown     refusal.Code = "player_unknown"      // there is no such player in the session
	PlayerOut         refusal.Code = "player_out"          // the player's cards are out of play already
	ReasonMissing     refusal.Code = "reason_missing"      // no reason is given
	NotForfeited      refusal.Code = "not_forfeited"       // a wager is forfeited for fraud and nothing else
	SignTooLate       refusal.Code = "sign_too_late"       // it must be up longer
	NotSigned         refusal.Code = "not_signed"          // no sign with the time of closure has been up long enough
	DisputeUnknown    refusal.Code = "dispute_unknown"     // there is no such dispute
	DisputeTurn       refusal.Code = "dispute_turn"        // the steps of a dispute have their order
)

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}

// room is a hall with the rules it is played by.
type room struct {
	*state.Hall
	rules *rulebook.Bingo
	book  *rulebook.Book
}

// Cite gives a refusal of a room the clause of the room's own rules. Code of this package
// names those of nsw-bingo-2019.
func Cite(s Reading, hall uint8, err error) error {
	refused, ok := errors.AsType[*refusal.Refusal](err)
	if !ok || refused.Clause == "" {
		return err
	}
	r, unknown := roomOf(s, hall)
	if unknown != nil {
		return err
	}
	own := *refused
	if own.Clause = r.rules.Cites(refused.Clause); own.Clause == refused.Clause {
		return err
	}
	return &own
}

// Reading is what a reading of a room asks. The state has it, and so has a view of the
// state, from which readers are answered.
type Reading interface {
	Hall(id uint8) (*state.Hall, bool)
	Book(hash record.Hash) (*rulebook.Book, bool)
}

// All goes through the halls of a house, by their numbers.
func All(s Reading) iter.Seq2[uint8, *state.Hall] {
	return func(yield func(uint8, *state.Hall) bool) {
		for id := range 256 {
			if h, ok := s.Hall(uint8(id)); ok && !yield(uint8(id), h) {
				return
			}
		}
	}
}

// roomOf finds a hall.
func roomOf(s Reading, id uint8) (room, error) {
	hall, ok := s.Hall(id)
	if !ok {
		return room{}, refuse(HallUnknown, "", "hall", "There is no hall %d.", id)
	}
	book, ok := s.Book(hall.Opened.Rulebook)
	if !ok {
		return room{}, fmt.Errorf("hall: hall %d has no rulebook", id)
	}
	rules, ok := book.Bingo()
	if !ok {
		return room{}, fmt.Errorf("hall: the rulebook of hall %d is not of bingo", id)
	}
	return room{Hall: hall, rules: rules, book: book}, nil
}

// sessionOf finds a session.
func sessionOf(s Reading, ref record.HallSession) (room, *state.Session, error) {
	r, err := roomOf(s, ref.Hall)
	if err != nil {
		return r, nil, err
	}
	session, ok := r.Session(ref.Session)
	if !ok {
		return r, nil, refuse(SessionUnknown, "", "session", "There is no session %d.", ref.Session)
	}
	return r, session, nil
}

// inPhase finds a session that has come exactly as far as the next step needs.
func inPhase(s Reading, ref record.HallSession, need state.SessionPhase) (room, *state.Session, error) {
	r, session, err := sessionOf(s, ref)
	if err == nil && session.Phase != need {
		err = refuse(SessionPhase, "", "session", "Session %d is %v; it must be %v.", ref.Session, session.Phase, need)
	}
	return r, session, err
}

// gameOf finds a game that is not over.
func gameOf(s Reading, ref record.BingoGame) (room, *state.Session, *state.BingoGame, error) {
	r, session, err := inPhase(s, ref.In(), state.SessionPlaying)
	if err != nil {
		return r, nil, nil, err
	}
	game, ok := session.Game(ref.Game)
	if !ok {
		return r, nil, nil, refuse(GameUnknown, "4.1", "game",
			"Session %d has %s.", ref.Session, figure.Count(len(session.Games), "game"))
	}
	return r, session, game, nil
}

// gameIn finds a game that has come exactly as far as the next step needs.
func gameIn(s *state.State, ref record.BingoGame,
	need state.BingoPhase) (room, *state.Session, *state.BingoGame, error) {
	r, session, game, err := gameOf(s, ref)
	if err == nil && game.Phase != need {
		err = refuse(GameNotReady, "", "game", "Game %d is %v; it must be %v.", ref.Game, game.Phase, need)
	}
	return r, session, game, err
}

// needRank refuses somebody who stands too low.
func needRank(by record.By, rank record.Rank, clause string) error {
	if by.Rank < rank {
		return refuse(RankTooLow, clause, "by", "This is for a %v; person %d is %v.", rank, by.Person, by.Rank)
	}
	return nil
}
