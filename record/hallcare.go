package record

import (
	"errors"
	"fmt"

	"drawhouse/money"
)

// HallSession names a session of a hall.
type HallSession struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Session uint32
}

func (s HallSession) check() error {
	if s.Hall == 0 || s.Session == 0 {
		return fmt.Errorf("session %d of hall %d", s.Session, s.Hall)
	}
	return nil
}

// FeesRefunded gives all entry fees of an unfinished session back, each but for what of it
// went back before or is forfeited. What the fees brought is taken out of the jackpot
// again, as far as it is still there.
type FeesRefunded struct {
	_        struct{} `cbor:",toarray"`
	Session  HallSession
	Players  uint32
	FeeCents money.Amount // of each of them
	Taken    []Exact      // from the levels
}

func (f *FeesRefunded) check() error {
	if f.Players == 0 || f.FeeCents <= 0 {
		return fmt.Errorf("fees of %v are refunded to %d players", f.FeeCents, f.Players)
	}
	if err := checkExacts(f.Taken); err != nil {
		return err
	}
	return f.Session.check()
}

// RefundPaid hands a player what goes back to the player.
type RefundPaid struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32
	Cents   money.Amount
	By      By
}

func (r *RefundPaid) check() error {
	if r.Player == 0 || r.Cents <= 0 {
		return fmt.Errorf("%v is refunded to player %d", r.Cents, r.Player)
	}
	if err := r.Session.check(); err != nil {
		return err
	}
	return r.By.check()
}

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
	_      struct{} `cbor:",toarray"`
	Medium Medium
	Cents  money.Amount
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
	Claim   uint16
	Prize   []MediumPart
	Jackpot []MediumPart
	By      By
}

func (b *BingoPaid) check() error {
	if b.Claim == 0 || len(b.Prize)+len(b.Jackpot) == 0 {
		return fmt.Errorf("claim %d is paid nothing", b.Claim)
	}
	if err := checkParts(b.Prize); err != nil {
		return err
	}
	if err := checkParts(b.Jackpot); err != nil {
		return err
	}
	if err := b.Game.check(); err != nil {
		return err
	}
	return b.By.check()
}

// DeviceFailed says that an electronic card does not work. Play stops.
type DeviceFailed struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Device  uint32
	By      By
}

func (d *DeviceFailed) check() error {
	if d.Device == 0 {
		return errors.New("no device")
	}
	if err := d.Session.check(); err != nil {
		return err
	}
	return d.By.check()
}

// DeviceReplaced puts another electronic card in the place of one, with all numbers
// marked that count. Play goes on.
type DeviceReplaced struct {
	_      struct{} `cbor:",toarray"`
	Old    DeviceFailed
	Device uint32
	Marked []uint8
}

func (d *DeviceReplaced) check() error {
	if d.Device == 0 || d.Device == d.Old.Device {
		return fmt.Errorf("device %d replaces device %d", d.Device, d.Old.Device)
	}
	return d.Old.check()
}

// DeviceReturned says that an electronic card came back, or is missing.
type DeviceReturned struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Device  uint32
	Missing bool
	By      By
}

func (d *DeviceReturned) check() error {
	return (&DeviceFailed{Session: d.Session, Device: d.Device, By: d.By}).check()
}

// PlayerBarred takes the cards of a player out of play. With FeeVoid the fee goes
// back as if it had not been paid.
type PlayerBarred struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32
	FeeVoid bool
	Taken   []Exact // from the levels of the jackpot, if the fee is in it
	Reason  string
	By      By
}

func (p *PlayerBarred) check() error {
	if p.Player == 0 || p.Reason == "" {
		return errors.New("a player is barred for a reason")
	}
	if err := checkExacts(p.Taken); err != nil {
		return err
	}
	if err := p.Session.check(); err != nil {
		return err
	}
	return p.By.check()
}

// SessionClosing is the sign with the time at which a session will close.
type SessionClosing struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	At      Time
	By      By
}

func (s *SessionClosing) check() error {
	if s.At <= 0 {
		return errors.New("no time")
	}
	if err := s.Session.check(); err != nil {
		return err
	}
	return s.By.check()
}

// SessionClosed ends a session. Prizes of games that were not played roll into the
// next one.
type SessionClosed struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Early   bool
	Rolled  []PatternPrize
	By      By
}

func (s *SessionClosed) check() error {
	if err := checkPrizes(s.Rolled); err != nil {
		return err
	}
	if err := s.Session.check(); err != nil {
		return err
	}
	return s.By.check()
}

// DisputeRaised is a dispute or a complaint. It names a member and no person.
type DisputeRaised struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Dispute uint32 // counts those of the hall from 1
	Session uint32 // 0 where no session is concerned
	Game    uint8  // 0 where no game is
	Offer   uint32 // promotion; 0 where none is
	Member  string
	Subject string
	By      By
}

func (d *DisputeRaised) check() error {
	if d.Hall == 0 || d.Dispute == 0 || d.Subject == "" || d.Game != 0 && d.Session == 0 {
		return errors.New("a dispute needs a hall, a number and a subject")
	}
	return d.By.check()
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
	Step    DisputeStep
	Text    string // the decision
	By      By
}

func (d *DisputeMoved) check() error {
	if d.Hall == 0 || d.Dispute == 0 || d.Step < StepDecided || d.Step > StepAdvised {
		return fmt.Errorf("step %d of dispute %d", d.Step, d.Dispute)
	}
	if decides := d.Step == StepDecided || d.Step == StepReviewed; decides != (d.Text != "") {
		return fmt.Errorf("step %d of a dispute with the text %q", d.Step, d.Text)
	}
	return d.By.check()
}

// IncidentNoted keeps what a supervisor saw or ordered in a session.
type IncidentNoted struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32 // 0 where no player is concerned
	Text    string
	By      By
}

func (i *IncidentNoted) check() error {
	if i.Text == "" {
		return errors.New("an incident needs a text")
	}
	if err := i.Session.check(); err != nil {
		return err
	}
	return i.By.check()
}
