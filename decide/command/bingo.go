package command

import (
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[SealJackpot](roomRow("seal-jackpot", inGame+"/jackpot", "Seal a game for its jackpot numbers",
		"game_not_ready game_unknown play_halted session_phase session_unknown"))
	register[AnnounceBingo](roomRow("announce-bingo", inGame+"/announcement", "Announce and seal a game",
		"game_not_ready game_unknown play_halted prize_unknown session_phase session_unknown"))
	call := roomRow("call-bingo", inGame+"/calls", "Draw the number at a place",
		"bingo_called claim_pending game_not_ready game_unknown not_witnessed number_not_possible play_halted session_phase session_unknown")
	call.Procedure = true
	register[CallBingo](call)
	register[CorrectCall](roomRow("correct-call", inGame+"/corrections", "Correct a number that was announced wrongly",
		"game_not_ready game_unknown number_not_called number_not_possible rank_too_low session_phase session_unknown"))
	register[OpenClaim](roomRow("open-claim", inGame+"/claims", "Take down a call",
		"claim_decided claim_pending game_not_ready game_unknown prize_unknown prize_won serial_unreadable session_phase session_unknown"))
	register[CheckClaim](roomRow("check-claim", ofClaim+"/check", "Check a claim",
		"claim_decided claim_unknown corrected_own game_not_ready game_unknown rank_too_low session_phase session_unknown"))
	register[PayBingo](roomRow("pay-bingo", ofClaim+"/payment", "Pay what a claim won",
		"amount_other claim_unknown disputed game_unknown medium_other not_agreed nothing_due session_unknown"))
	finish := roomRow("finish-bingo", inGame+"/finish", "End the draw under way, and with the calls the game",
		"claim_pending draw_not_attested game_not_ready game_unknown no_bingo session_phase session_unknown too_few_numbers")
	finish.Procedure = true
	register[FinishBingo](finish)
	register[VoidBingo](roomRow("void-bingo", inGame+"/void", "Declare a game void, or invalidate it",
		"claim_pending claim_unknown game_not_ready game_unknown not_forfeited nothing_due player_unknown rank_too_low reason_missing session_phase session_unknown"))
	register[InvalidateBingo](roomRow("invalidate-bingo", inGame+"/invalidation",
		"Take from claims of a game that is over what they won by fraud",
		"claim_unknown game_not_ready game_unknown not_forfeited nothing_due player_unknown rank_too_low reason_missing session_unknown"))
}

// SealJackpot seals a game for the draw of its jackpot numbers.
type SealJackpot struct {
	InGame `json:"-"`
}

// Decide implements Command.
func (c SealJackpot) Decide(s *state.State, e *Env) (Decision, error) {
	return sealBingo(s, e, c.Ref(), record.DrawJackpot)
}

// AnnounceBingo announces a game and seals it: numbers may be called.
type AnnounceBingo struct {
	InGame `json:"-"`
	Wins   string `json:"wins,omitempty" doc:"Pattern with which the game is won, where the rules let it be another than the full card."`
}

// Decide implements Command.
func (c AnnounceBingo) Decide(s *state.State, e *Env) (Decision, error) {
	if e.Signer == nil {
		return Decision{}, ErrNoKey
	}
	announced, err := hall.Announce(s, c.Ref(), c.Wins, e.By)
	d, err := plain(announced, err)
	d.Answer = announced
	d.Then = func(s *state.State, e *Env) (Decision, error) { return sealBingo(s, e, c.Ref(), record.DrawCalls) }
	return d, err
}

func sealBingo(s *state.State, e *Env, ref record.BingoGame, draw record.BingoDraw) (Decision, error) {
	if e.Signer == nil {
		return Decision{}, ErrNoKey
	}
	sealed, seal, err := hall.Seal(s, ref, draw, e.Head(), e.Signer)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Facts: []Fact{{Body: sealed}}}
	for volume, bitmap := range seal.Bitmaps {
		d.Objects = append(d.Objects, Object{BingoBitmapName(ref, draw, volume), bitmap.Bytes()})
	}
	return d, nil
}

// WitnessBingo takes down who has cosigned the seal of the draw under way.
type WitnessBingo struct {
	InGame `json:"-"`
	Seal   []byte   `json:"-"`
	Names  []string `json:"-"`
}

// Decide implements Command.
func (c WitnessBingo) Decide(s *state.State, _ *Env) (Decision, error) {
	return plain(hall.Witness(s, c.Ref(), c.Seal, c.Names))
}

// CallBingo asks for the number at a place of the draw under way, and takes down which one the
// device has drawn.
type CallBingo struct {
	InGame `json:"-"`
	Place  int `json:"place" doc:"Which number of the draw, from 1. Asked again for one that was drawn, the answer is that one."`

	Number int    `json:"-"` // that the device has drawn
	Bytes  []byte `json:"-"` // from which it came
}

// Decide implements Command. What was won on the number before is shared first: nobody else
// can call on that one any more.
func (c CallBingo) Decide(s *state.State, _ *Env) (Decision, error) {
	called, err := hall.Number(s, c.Ref(), c.Number, c.Bytes)
	if err != nil {
		return Decision{}, err
	}
	var d Decision
	if called.Draw == record.DrawCalls {
		settled, postings, err := hall.Settle(s, c.Ref(), false)
		if err != nil {
			return Decision{}, err
		}
		if settled != nil {
			d.Facts = append(d.Facts, Fact{settled, postings})
		}
	}
	d.Facts = append(d.Facts, Fact{Body: called})
	return d, nil
}

// FinishBingo takes the device's signed statement of the draw under way. That of the calls
// ends the game, and what is left of its prizes is settled.
type FinishBingo struct {
	InGame `json:"-"`

	Note []byte `json:"-"` // that the device has signed
}

// Decide implements Command.
func (c FinishBingo) Decide(s *state.State, _ *Env) (Decision, error) {
	signed, err := hall.Sign(s, c.Ref(), c.Note)
	d, err := plain(signed, err)
	if err == nil && signed.Draw != record.DrawJackpot {
		d.Then = func(s *state.State, _ *Env) (Decision, error) {
			settled, postings, err := hall.Settle(s, c.Ref(), true)
			return one(settled, postings, err)
		}
	}
	return d, err
}

// CorrectCall corrects a number that was announced wrongly.
type CorrectCall struct {
	InGame `json:"-"`
	Number uint8  `json:"number" doc:"That was drawn."`
	Wrong  uint8  `json:"wrong" doc:"That was announced or shown."`
	Draw   string `json:"draw,omitempty" enum:"jackpot,calls" doc:"What the number is of. Without it a number that is called, and before the calls a jackpot number."`
}

var draws = map[string]record.BingoDraw{"jackpot": record.DrawJackpot, "calls": record.DrawCalls}

// Decide implements Command.
func (c CorrectCall) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Correct(s, record.CallCorrected{Game: c.Ref(), Number: c.Number, Wrong: c.Wrong,
		Draw: draws[c.Draw], By: e.By}))
}

// OpenClaim takes down a call.
type OpenClaim struct {
	InGame  `json:"-"`
	Pattern string `json:"pattern"`
	Serial  string `json:"serial" doc:"Of the card, as printed."`
	Box     uint8  `json:"box" doc:"From 1."`
	Behalf  bool   `json:"behalf,omitempty" doc:"Somebody called for the player."`
}

// Decide implements Command.
func (c OpenClaim) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Open(s, hall.Call{Game: c.Ref(), Pattern: c.Pattern, Serial: c.Serial, Box: c.Box,
		Behalf: c.Behalf, By: e.By}))
}

// OfClaim is a claim of a game.
type OfClaim struct {
	InGame
	Claim uint16 `json:"-" path:"claim"`
}

// CheckClaim checks a claim against the master table.
type CheckClaim struct {
	OfClaim    `json:"-"`
	CardInHand bool `json:"card_in_hand" doc:"The card was collected from the player."`
	Marked     bool `json:"marked" doc:"The numbers of the pattern are marked on the card."`
}

// Decide implements Command.
func (c CheckClaim) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Check(s, e.Kit,
		hall.Inspection{Game: c.Ref(), Claim: c.Claim, InHand: c.CardInHand, Marked: c.Marked, By: e.By}))
}

// PayBingo pays what a claim won.
type PayBingo struct {
	OfClaim `json:"-"`
	Prize   []MediumPart `json:"prize,omitempty" doc:"How the prize is paid."`
	Jackpot []MediumPart `json:"jackpot,omitempty" doc:"How the part of the jackpot is paid."`
}

// Decide implements Command.
func (c PayBingo) Decide(s *state.State, e *Env) (Decision, error) {
	paid, postings, err := hall.Pay(s, hall.Payment{
		Game: c.Ref(), Claim: c.Claim, Prize: partsOf(c.Prize), Jackpot: partsOf(c.Jackpot), By: e.By,
		Disputed: e.Disputed,
	})
	return one(paid, postings, err)
}

// VoidBingo ends a game without a result. Where the terminal failed and no game follows, or
// where games are left that are not played, all fees of the session go back. Claims that were
// settled before fall in the same step, so that nobody is paid in between.
type VoidBingo struct {
	InGame      `json:"-"`
	Cause       string   `json:"cause" enum:"terminal,disruption,fraud" doc:"Why the game is void."`
	Reason      string   `json:"reason"`
	NoneFollows bool     `json:"none_follows,omitempty" doc:"No further game of the session can be played."`
	Refund      bool     `json:"refund,omitempty" doc:"The wager of the game goes back."`
	Forfeited   []uint32 `json:"forfeited,omitempty" doc:"Players whose wager does not."`
	Claims      []uint16 `json:"claims,omitempty" doc:"Claims that were found good because of fraud and win nothing. All others that were found good keep what they won."`
}

// Decide implements Command.
func (c VoidBingo) Decide(s *state.State, e *Env) (Decision, error) {
	all, err := hall.Declare(s, hall.Void{
		Game: c.Ref(), Cause: hall.Cause(c.Cause), Reason: c.Reason, NoneFollows: c.NoneFollows, Refund: c.Refund,
		Forfeited: c.Forfeited, Claims: c.Claims, By: e.By,
	})
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Answer: all.Voided}
	if all.Fallen != nil {
		d.Facts = append(d.Facts, Fact{Body: all.Fallen})
	}
	if all.Settled != nil {
		d.Facts = append(d.Facts, Fact{all.Settled, all.Shares})
	}
	d.Facts = append(d.Facts, Fact{all.Voided, all.Postings})
	d.Then = func(s *state.State, _ *Env) (Decision, error) { return c.then(s, all.Voided, all.Late) }
	return d, nil
}

// then gives back the fees of a session that breaks off, and takes from claims that were settled
// before what they won by fraud.
func (c VoidBingo) then(s *state.State, voided *record.BingoVoided, late []uint16) (d Decision, err error) {
	if hall.BreaksOff(s, voided) {
		d, err = refundFees(s, c.ref())
	}
	if len(late) > 0 {
		d.Then = func(s *state.State, e *Env) (Decision, error) {
			invalidated, postings, err := hall.Invalidate(s,
				hall.Fraud{Game: c.Ref(), Claims: late, Reason: c.Reason, By: e.By})
			return one(invalidated, postings, err)
		}
	}
	return d, err
}

// InvalidateBingo takes from claims of a game that is over what they won by fraud.
type InvalidateBingo struct {
	InGame    `json:"-"`
	Claims    []uint16 `json:"claims" doc:"Claims that lose what they won; what was paid out the operator bears."`
	Reason    string   `json:"reason"`
	Refund    bool     `json:"refund,omitempty" doc:"The wager of the game goes back."`
	Forfeited []uint32 `json:"forfeited,omitempty" doc:"Players whose wager does not."`
}

// Decide implements Command.
func (c InvalidateBingo) Decide(s *state.State, e *Env) (Decision, error) {
	invalidated, postings, err := hall.Invalidate(s,
		hall.Fraud{Game: c.Ref(), Claims: c.Claims, Reason: c.Reason, Refund: c.Refund, Forfeited: c.Forfeited,
			By: e.By})
	return one(invalidated, postings, err)
}
