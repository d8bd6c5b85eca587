package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[NotifyPromotion](roomRow("notify-promotion", inRoom+"/promotions",
		"Say that the Authority was given the terms of a promotion, or of a change",
		"approval_missing no_alternative offer_phase offer_unknown prize_kind prize_prohibited prize_unconfirmed rank_too_low terms_missing"))
	register[StartPromotion](roomRow("start-promotion", ofOffer+"/start", "Open a promotion for entries",
		"notice_too_late offer_phase offer_unknown"))
	register[EnterPromotion](roomRow("enter-promotion", ofOffer+"/entries", "Take an entry",
		"not_a_member offer_phase offer_unknown"))
	register[StopPromotion](roomRow("stop-promotion", ofOffer+"/stop", "Postpone, clear or cancel a promotion",
		"not_told offer_phase offer_unknown rank_too_low reason_missing"))
	draw := roomRow("draw-promotion", ofPrize+"/draw", "Seal and draw a prize",
		"offer_phase offer_unknown scrutineer_needed")
	draw.Procedure = true
	register[SealPromotion](draw)
	register[TellWinner](roomRow("tell-winner", ofPrize+"/notices", "Note an attempt to tell the winner",
		"method_other offer_phase offer_unknown"))
	register[ClaimPromotion](roomRow("claim-promotion", ofPrize+"/claims", "Grant or deny a claim",
		"amount_other details_missing medium_other no_alternative not_the_winner offer_phase offer_unknown reason_missing details_wrong no_register"))
}

// Detail is a particular of terms or of a prize.
type Detail struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func detailsOf(list []Detail) (details []record.OfferDetail) {
	for _, d := range list {
		details = append(details, record.OfferDetail{Name: d.Name, Text: d.Text})
	}
	return details
}

// PromotionPrize is a promotional prize.
type PromotionPrize struct {
	Kind              string   `json:"kind" enum:"cash,casino_dollars,slot_dollars,goods,appliance,vehicle,travel,real_estate"`
	Name              string   `json:"name"`
	ValueCents        int64    `json:"value_cents"`
	Conditions        string   `json:"conditions,omitempty" doc:"What is to be known of the prize."`
	Alternative       bool     `json:"cash_alternative,omitempty" doc:"The winner may take the value in cash instead."`
	Contains          []string `json:"contains,omitempty" doc:"What of the prohibited things it has, such as tobacco."`
	LiquorMillilitres uint32   `json:"liquor_millilitres,omitempty" doc:"How much liquor is part of the prize."`
	Details           []Detail `json:"details,omitempty" doc:"What its kind asks for: make, model and so on."`
}

// NotifyPromotion says that the Authority was given the terms of a promotion.
type NotifyPromotion struct {
	InRoom      `json:"-"`
	Promotion   uint32           `json:"promotion,omitempty" doc:"Whose terms change; absent for a new one."`
	Approval    string           `json:"approval,omitempty" doc:"Reference of the Authority's decision, for a change after the start."`
	Name        string           `json:"name"`
	Particulars []Detail         `json:"particulars" doc:"What the terms say, one text for each particular that they must have."`
	Available   string           `json:"available" doc:"Where the terms can be had."`
	Marketing   string           `json:"marketing" doc:"Which material refers to them."`
	Starts      time.Time        `json:"starts"`
	Closes      time.Time        `json:"closes"`
	Draws       time.Time        `json:"draws" doc:"When the prizes are drawn."`
	Present     bool             `json:"present,omitempty" doc:"A winner must be present."`
	Prizes      []PromotionPrize `json:"prizes" doc:"The prizes, in the order in which they are drawn."`
	Confirms    []string         `json:"confirms,omitempty" doc:"The prohibited things of the rulebook, such as tobacco, of which the sender says that no prize has any: all of them where a prize is not money. The record names the person."`
}

// Terms returns the terms as the journal has them.
func (c *NotifyPromotion) Terms() record.OfferTerms {
	t := record.OfferTerms{
		Name: c.Name, Particulars: detailsOf(c.Particulars), Available: c.Available, Marketing: c.Marketing,
		Starts: record.Of(c.Starts), Closes: record.Of(c.Closes), Draws: record.Of(c.Draws), Present: c.Present,
	}
	for _, p := range c.Prizes {
		t.Prizes = append(t.Prizes, record.OfferPrize{
			Kind: p.Kind, Name: p.Name, ValueCents: money.Amount(p.ValueCents), Conditions: p.Conditions,
			Alternative: p.Alternative,
			Contains:    p.Contains, LiquorMillilitres: p.LiquorMillilitres, Details: detailsOf(p.Details),
		})
	}
	return t
}

// PromotionOf returns the notice of terms that the journal has.
func PromotionOf(t record.OfferTerms) NotifyPromotion {
	details := func(of []record.OfferDetail) (list []Detail) {
		for _, d := range of {
			list = append(list, Detail{Name: d.Name, Text: d.Text})
		}
		return list
	}
	c := NotifyPromotion{
		Name: t.Name, Particulars: details(t.Particulars), Available: t.Available, Marketing: t.Marketing,
		Starts: t.Starts.Time(), Closes: t.Closes.Time(), Draws: t.Draws.Time(), Present: t.Present,
	}
	for _, p := range t.Prizes {
		c.Prizes = append(c.Prizes, PromotionPrize{
			Kind: p.Kind, Name: p.Name, ValueCents: p.ValueCents.Cents(), Conditions: p.Conditions,
			Alternative: p.Alternative,
			Contains:    p.Contains, LiquorMillilitres: p.LiquorMillilitres, Details: details(p.Details),
		})
	}
	return c
}

// Decide implements Command.
func (c NotifyPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	notice := c.Notice()
	notice.By = e.By
	return plain(hall.Notify(s, notice))
}

// Notice returns the notice as the journal has it, without the person who sends it.
func (c *NotifyPromotion) Notice() record.OfferNotified {
	return record.OfferNotified{
		Offer: record.Offer{Hall: c.Hall, Offer: c.Promotion}, Terms: c.Terms(), Approval: c.Approval, Confirms: c.Confirms,
	}
}

// OfPromotion is a promotion of a bingo room.
type OfPromotion struct {
	InRoom
	Promotion uint32 `json:"-" path:"promotion"`
}

// Offer names the promotion as the journal does.
func (c OfPromotion) Offer() record.Offer { return record.Offer{Hall: c.Hall, Offer: c.Promotion} }

// StartPromotion opens a promotion for entries.
type StartPromotion struct {
	OfPromotion `json:"-"`
}

// Decide implements Command.
func (c StartPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Start(s, c.Offer(), e.Now, e.By))
}

// EnterPromotion takes an entry in a promotion.
type EnterPromotion struct {
	OfPromotion `json:"-"`
	Member      string `json:"member"`
}

// Decide implements Command.
func (c EnterPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.EnterOffer(s, c.Offer(), c.Member, e.Now))
}

// StopPromotion postpones, clears or cancels a promotion.
type StopPromotion struct {
	OfPromotion `json:"-"`
	Act         string `json:"act" enum:"postponed,cleared,cancelled" doc:"What becomes of it: postponed, cleared or cancelled."`
	Reason      string `json:"reason"`
	Told        string `json:"told,omitempty" doc:"How the inspectorate was notified."`
}

// Decide implements Command.
func (c StopPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Stop(s, record.OfferStopped{Offer: c.Offer(), Act: record.OfferAct(c.Act), Reason: c.Reason,
		Told: c.Told, By: e.By}))
}

// OfPrize is a prize of a promotion.
type OfPrize struct {
	OfPromotion
	Prize uint8 `json:"-" path:"prize"`
}

// PrizeOf names a prize of a promotion.
func PrizeOf(ref record.Offer, prize uint8) OfPrize {
	return OfPrize{OfPromotion{InRoom{ref.Hall}, ref.Offer}, prize}
}

// SealPromotion seals who is in the draw of a prize, which the device draws then.
type SealPromotion struct {
	OfPrize    `json:"-"`
	Scrutineer string `json:"scrutineer,omitempty" doc:"Number of the person who watches the draw."`
	Sealed     bool   `json:"sealed,omitempty" doc:"The prize was sealed by an earlier request whose answer was lost."`
}

// Decide implements Command.
func (c SealPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	if e.Signer == nil {
		return Decision{}, ErrNoKey
	}
	sealed, seal, err := hall.SealOffer(s,
		record.OfferSealed{Offer: c.Offer(), Prize: c.Prize, Scrutineer: c.Scrutineer, By: e.By}, e.Now, e.Head(),
		e.Signer)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Facts: []Fact{{Body: sealed}}}
	for volume, bitmap := range seal.Bitmaps {
		d.Objects = append(d.Objects, Object{fmt.Sprintf("entries/%d/%d/%d/%d", c.Hall, c.Promotion, c.Prize, volume),
			bitmap.Bytes()})
	}
	return d, nil
}

// DrawPromotion takes a draw of the device for a prize.
type DrawPromotion struct {
	InRoom `json:"-"`
	Drawn  record.OfferDrawn `json:"-"`
}

// Decide implements Command.
func (c DrawPromotion) Decide(s *state.State, _ *Env) (Decision, error) {
	return plain(hall.DrawOffer(s, c.Drawn))
}

// TellWinner notes an attempt to tell a winner.
type TellWinner struct {
	OfPrize `json:"-"`
	Method  string `json:"method" enum:"face-to-face,mail,telephone,email"`
	Reached bool   `json:"reached,omitempty" doc:"The winner was reached."`
}

// Decide implements Command.
func (c TellWinner) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Tell(s, record.OfferTold{Offer: c.Offer(), Prize: c.Prize, Method: c.Method, Reached: c.Reached,
		By: e.By}))
}

// ClaimPromotion grants or denies a claim to a promotional prize.
type ClaimPromotion struct {
	OfPrize     `json:"-"`
	Member      string       `json:"member"`
	Granted     bool         `json:"granted"`
	Alternative bool         `json:"cash_alternative,omitempty" doc:"The prize is paid in cash instead."`
	Parts       []MediumPart `json:"parts,omitempty" doc:"How the prize is paid."`
	Reason      string       `json:"reason,omitempty" doc:"That the patron was told, of a denied claim."`
	DetailsHash string       `json:"details_hash,omitempty" doc:"Of a denied claimant whom the register has already, 64 hexadecimal digits."`
	Claimant    *Customer    `json:"claimant,omitempty" doc:"Name and address of a denied claimant. The register keeps them, and the journal their hash."`

	Details record.Hash `json:"-"` // of the denied claimant in the register; zero for none
}

// Keep implements Keeper: the register keeps who was denied a prize.
//
//rule:nsw-bingo-2019 10.10.1
func (c ClaimPromotion) Keep(ctx context.Context, r Register, _ Sources) (Command, []record.Hash, error) {
	missing := func(path, says string) error {
		return &refusal.Refusal{Code: hall.DetailsMissing, Clause: "10.10.1", Path: path, Sentence: says}
	}
	switch {
	case c.DetailsHash != "":
		var hash Payee
		if err := hash.UnmarshalText([]byte(c.DetailsHash)); err != nil {
			return nil, nil, wrong("details_hash", fmt.Sprintf("be %v", err))
		}
		c.Details = record.Hash(hash)
		if r == nil {
			return c, nil, nil
		}
		_, known, err := r.Known(ctx, c.Details)
		if err == nil && !known {
			err = missing("details_hash", "The register has nobody of this hash.")
		}
		return c, nil, err
	case c.Claimant == nil || c.Granted:
		return c, nil, nil
	case strings.TrimSpace(c.Claimant.Name) == "" || strings.TrimSpace(c.Claimant.Address) == "":
		return nil, nil, missing("claimant", "The name and the address of a person who is denied a prize are kept.")
	case r == nil:
		return nil, nil, WithoutRegister()
	}
	var err error
	c.Details, err = r.Keep(ctx, *c.Claimant, "claimant.")
	return c, []record.Hash{c.Details}, err
}

// Decide implements Command.
func (c ClaimPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	var details []byte
	if c.Details != (record.Hash{}) {
		details = c.Details[:]
	}
	claimed, postings, err := hall.ClaimOffer(s, record.OfferClaimed{
		Offer: c.Offer(), Prize: c.Prize, Member: c.Member, Granted: c.Granted, Alternative: c.Alternative,
		Parts: partsOf(c.Parts), Reason: c.Reason, Details: details, By: e.By,
	})
	return one(claimed, postings, err)
}
