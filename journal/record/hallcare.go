package record

import (
	"errors"
	"fmt"

	"drawhouse/core/money"
)

// HallSession names a session of a hall.
type HallSession struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8    `is:"hall"`
	Session uint32   `is:"session"`
}

// FeesRefunded gives all entry fees of an unfinished session back, each but for what of it
// went back before or is forfeited. What the fees brought is taken out of the jackpot
// again, as far as it is still there.
type FeesRefunded struct {
	_        struct{} `cbor:",toarray"`
	Session  HallSession
	Players  uint32       `is:"players"`        // to how many players fees go back
	FeeCents money.Amount `is:"fee" most:"fee"` // what goes back to each of the players
	// What is taken out of each level of the jackpot again, in the order of the levels.
	Taken []Exact
}

func (f *FeesRefunded) check() error {
	return checkExacts(f.Taken)
}

// RefundPaid hands a player what goes back to the player.
type RefundPaid struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32       `is:"player"`
	Cents   money.Amount `is:"amount"` // what the player got back
	By      By
}

func (*RefundPaid) check() error { return nil }

// Medium is a way to pay a prize.
type Medium string

// The media.
const (
	MediumCash          Medium = "cash"
	MediumCheque        Medium = "cheque"
	MediumTransfer      Medium = "transfer"
	MediumCasinoDollars Medium = "casino_dollars"
	MediumSlotDollars   Medium = "slot_dollars"
)

// MediumPart is a part of a payment.
type MediumPart struct {
	_      struct{}     `cbor:",toarray"`
	Medium Medium       // how the part is paid
	Cents  money.Amount `most:"amount"` // amount of the part
}

// checkParts finds parts of a payment that are none, or that are too much together.
func checkParts(parts []MediumPart) error {
	var sum money.Amount
	for i, p := range parts {
		if p.Medium == "" || p.Cents <= 0 {
			return fmt.Errorf("part %d is %v in %q", i+1, p.Cents, p.Medium)
		}
		var err error
		if sum, err = sum.Add(p.Cents); err != nil {
			return err
		}
	}
	return nil
}

// BingoPaid hands the holder of a winning card its prize and its part of the jackpot.
type BingoPaid struct {
	_       struct{} `cbor:",toarray"`
	Game    BingoGame
	Claim   uint16       // number of the claim in the game
	Prize   []MediumPart // how the prize is paid, in parts
	Jackpot []MediumPart // how the share of the jackpot is paid, in parts
	By      By
}

func (b *BingoPaid) check() error {
	if b.Claim == 0 || len(b.Prize)+len(b.Jackpot) == 0 {
		return fmt.Errorf("claim %d is paid nothing", b.Claim)
	}
	if err := checkParts(b.Prize); err != nil {
		return err
	}
	return checkParts(b.Jackpot)
}

// DeviceFailed says that an electronic card does not work. Play stops.
type DeviceFailed struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Device  uint32 `is:"device"` // number of the electronic card
	By      By
}

func (*DeviceFailed) check() error { return nil }

// DeviceReplaced puts another electronic card in the place of one, with all numbers
// marked that count. Play goes on.
type DeviceReplaced struct {
	_      struct{}     `cbor:",toarray"`
	Old    DeviceFailed // the failure of the electronic card that is replaced
	Device uint32       // number of the electronic card that takes its place
	Marked []uint8      // numbers that are marked on it, because they count
}

func (d *DeviceReplaced) check() error {
	if d.Device == 0 || d.Device == d.Old.Device {
		return fmt.Errorf("device %d replaces device %d", d.Device, d.Old.Device)
	}
	return nil
}

// DeviceReturned says that an electronic card came back, or is missing.
type DeviceReturned struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Device  uint32 `is:"device"` // number of the electronic card
	Missing bool   // whether the electronic card is missing
	By      By
}

func (*DeviceReturned) check() error { return nil }

// PlayerBarred takes the cards of a player out of play. With FeeVoid the fee goes
// back as if it had not been paid.
type PlayerBarred struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32 `is:"player"`
	FeeVoid bool   // whether the fee goes back as if it had not been paid
	// What is taken out of each level of the jackpot again, in the order of the levels, if the fee is in it.
	Taken  []Exact
	Reason string `is:"reason"`
	By     By
}

func (p *PlayerBarred) check() error {
	return checkExacts(p.Taken)
}

// SessionClosing is the sign with the time at which a session will close.
type SessionClosing struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	At      Time `is:"time"` // when the session will close
	By      By
}

func (*SessionClosing) check() error { return nil }

// SessionClosed ends a session. Prizes of games that were not played roll into the
// next one.
type SessionClosed struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Early   bool           // whether the session ended before all its games were played
	Rolled  []PatternPrize // prizes of games that were not played, which roll into the next session
	By      By
}

func (s *SessionClosed) check() error {
	return checkPrizes(s.Rolled)
}

// DisputeRaised is a dispute or a complaint. It names a member and no person.
type DisputeRaised struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Dispute uint32 // number of the dispute; the disputes of a room are numbered from 1
	Session uint32 // number of the session; none where no session is concerned
	Game    uint8  // number of the game in the session; none where no game is concerned
	Offer   uint32 // number of the promotion; none where no promotion is concerned
	Member  string
	Subject string // what the dispute is about
	By      By
}

func (d *DisputeRaised) check() error {
	if d.Hall == 0 || d.Dispute == 0 || d.Subject == "" || d.Game != 0 && d.Session == 0 {
		return errors.New("a dispute needs a hall, a number and a subject")
	}
	return nil
}

// DisputeStep is how far a dispute has come.
type DisputeStep uint8

// The steps, in their order.
const (
	StepDecided  DisputeStep = 1 // by a supervisor
	StepReview   DisputeStep = 2 // was asked for
	StepReviewed DisputeStep = 3 // by a casino supervisor
	StepAdvised  DisputeStep = 4 // the person was told of the right to complain to an inspector
)

// DisputeMoved is a step of a dispute.
type DisputeMoved struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Dispute uint32
	Step    DisputeStep // how far the dispute has come
	Text    string      // the decision
	By      By
}

func (d *DisputeMoved) check() error {
	if d.Hall == 0 || d.Dispute == 0 || d.Step < StepDecided || d.Step > StepAdvised {
		return fmt.Errorf("step %d of dispute %d", d.Step, d.Dispute)
	}
	if decides := d.Step == StepDecided || d.Step == StepReviewed; decides != (d.Text != "") {
		return fmt.Errorf("step %d of a dispute with the text %q", d.Step, d.Text)
	}
	return nil
}

// IncidentNoted keeps what a supervisor saw or ordered in a session.
type IncidentNoted struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32 // number of the player in the session; none where no player is concerned
	Text    string `is:"text"` // what a supervisor saw or ordered
	By      By
}

func (*IncidentNoted) check() error { return nil }
