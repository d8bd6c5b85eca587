package api

import (
	"context"
	"strings"
	"time"

	"drawhouse/engine"
	"drawhouse/hall"
	"drawhouse/keno"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
)

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
	Conditions        string   `json:"conditions,omitempty"`
	Alternative       bool     `json:"cash_alternative,omitempty" doc:"The winner may take the value in cash instead."`
	Contains          []string `json:"contains,omitempty" doc:"What of the prohibited things it has, such as tobacco."`
	LiquorMillilitres uint32   `json:"liquor_millilitres,omitempty"`
	Details           []Detail `json:"details,omitempty" doc:"What its kind asks for: make, model and so on."`
}

// PromotionRequest is the body of a notice to the Authority.
type PromotionRequest struct {
	Promotion   uint32           `json:"promotion,omitempty" doc:"Whose terms change; absent for a new one."`
	Approval    string           `json:"approval,omitempty" doc:"Reference of the Authority's decision, for a change after the start."`
	Name        string           `json:"name"`
	Particulars []Detail         `json:"particulars"`
	Available   string           `json:"available" doc:"Where the terms can be had."`
	Marketing   string           `json:"marketing" doc:"Which material refers to them."`
	Starts      time.Time        `json:"starts"`
	Closes      time.Time        `json:"closes"`
	Draws       time.Time        `json:"draws"`
	Present     bool             `json:"present,omitempty" doc:"A winner must be present."`
	Prizes      []PromotionPrize `json:"prizes"`
	Confirms    []string         `json:"confirms,omitempty" doc:"The prohibited things of the rulebook, such as tobacco, of which whoever sends this says that no prize has any: all of them where a prize is not money. The record names the person."`
}

func (b *PromotionRequest) terms() record.OfferTerms {
	t := record.OfferTerms{
		Name: b.Name, Particulars: detailsOf(b.Particulars), Available: b.Available, Marketing: b.Marketing,
		Starts: record.Of(b.Starts), Closes: record.Of(b.Closes), Draws: record.Of(b.Draws), Present: b.Present,
	}
	for _, p := range b.Prizes {
		t.Prizes = append(t.Prizes, record.OfferPrize{
			Kind: p.Kind, Name: p.Name, ValueCents: money.Amount(p.ValueCents), Conditions: p.Conditions, Alternative: p.Alternative,
			Contains: p.Contains, LiquorMillilitres: p.LiquorMillilitres, Details: detailsOf(p.Details),
		})
	}
	return t
}

func (r roomServer) notify(ctx context.Context, at place, b PromotionRequest) (record.Body, error) {
	n := record.OfferNotified{Offer: record.Offer{Hall: at.hall, Offer: b.Promotion}, Terms: b.terms(), Approval: b.Approval, By: byIn(ctx), Confirms: b.Confirms}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.NotifyOffer(now, n) })
}

func (r roomServer) start(ctx context.Context, at place, b ByRequest) (record.Body, error) {
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.StartOffer(now, at.offer(), byIn(ctx))
	})
}

// PromotionEntryRequest is the body of an entry.
type PromotionEntryRequest struct {
	Member string `json:"member"`
}

func (r roomServer) enterOffer(ctx context.Context, at place, b PromotionEntryRequest) (record.Body, error) {
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.EnterOffer(now, at.offer(), b.Member)
	})
}

// PromotionStopRequest is the body of a promotion that is postponed, cleared or
// cancelled.
type PromotionStopRequest struct {
	Act    string `json:"act" enum:"postponed,cleared,cancelled"`
	Reason string `json:"reason"`
	Told   string `json:"told,omitempty" doc:"How the inspectorate was notified."`
}

func (r roomServer) stop(ctx context.Context, at place, b PromotionStopRequest) (record.Body, error) {
	c := record.OfferStopped{Offer: at.offer(), Act: record.OfferAct(b.Act), Reason: b.Reason, Told: b.Told, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.StopOffer(now, c) })
}

// PromotionDrawRequest is the body of a draw.
type PromotionDrawRequest struct {
	Scrutineer string `json:"scrutineer,omitempty"`
	Sealed     bool   `json:"sealed,omitempty" doc:"The prize was sealed by an earlier request whose answer was lost."`
}

func (r roomServer) drawOffer(ctx context.Context, at place, b PromotionDrawRequest) (record.Body, error) {
	if !b.Sealed {
		sealed := record.OfferSealed{Offer: at.offer(), Prize: at.prize, Scrutineer: b.Scrutineer, By: byIn(ctx)}
		if _, err := r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.SealOffer(now, sealed) }); err != nil {
			return nil, err
		}
	}
	return r.rooms.DrawOffer(ctx, at.offer(), at.prize)
}

// NoticeRequest is the body of an attempt to tell a winner.
type NoticeRequest struct {
	Method  string `json:"method" enum:"face-to-face,mail,telephone,email"`
	Reached bool   `json:"reached,omitempty"`
}

func (r roomServer) tell(ctx context.Context, at place, b NoticeRequest) (record.Body, error) {
	t := record.OfferTold{Offer: at.offer(), Prize: at.prize, Method: b.Method, Reached: b.Reached, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.TellWinner(now, t) })
}

// PromotionClaimRequest is the body of a claim to a prize.
type PromotionClaimRequest struct {
	Member      string       `json:"member"`
	Granted     bool         `json:"granted"`
	Alternative bool         `json:"cash_alternative,omitempty"`
	Parts       []MediumPart `json:"parts,omitempty"`
	Reason      string       `json:"reason,omitempty" doc:"That the patron was told, of a denied claim."`
	DetailsHash string       `json:"details_hash,omitempty" doc:"Of a denied claimant whom the register has already, 64 hexadecimal digits."`
	Claimant    *Customer    `json:"claimant,omitempty" doc:"Name and address of a denied claimant. The register keeps them, and the journal their hash."`
}

// claimant returns the hash of a denied claimant, whom the register has or keeps now.
//
//rule:nsw-bingo-2019 10.10.1
func (r roomServer) claimant(ctx context.Context, b *PromotionClaimRequest) (hash record.Hash, err error) {
	if b.DetailsHash != "" {
		all, err := claimHashes([]string{b.DetailsHash})
		if err != nil {
			return hash, &refusal.Refusal{Code: keno.FieldValue, Path: "details_hash", Sentence: "The value must be 64 hexadecimal digits."}
		}
		who, err := r.shownBy(ctx, all[0])
		if err == nil && who == nil && r.register != nil {
			err = &refusal.Refusal{Code: hall.DetailsMissing, Clause: "10.10.1", Path: "details_hash", Sentence: "The register has nobody of this hash."}
		}
		return all[0], err
	}
	if b.Claimant == nil || b.Granted {
		return hash, nil
	}
	if strings.TrimSpace(b.Claimant.Name) == "" || strings.TrimSpace(b.Claimant.Address) == "" {
		return hash, &refusal.Refusal{Code: hall.DetailsMissing, Clause: "10.10.1", Path: "claimant", Sentence: "Of whoever is denied a prize name and address are kept."}
	}
	return r.keepCustomer(ctx, customerOf(*b.Claimant), "claimant.")
}

func (r roomServer) claimOffer(ctx context.Context, at place, b PromotionClaimRequest) (record.Body, error) {
	hash, err := r.claimant(ctx, &b)
	if err != nil {
		return nil, err
	}
	var details []byte
	if hash != (record.Hash{}) {
		details = hash[:]
	}
	c := record.OfferClaimed{
		Offer: at.offer(), Prize: at.prize, Member: b.Member, Granted: b.Granted, Alternative: b.Alternative,
		Parts: partsOf(b.Parts), Reason: b.Reason, Details: details, By: byIn(ctx),
	}
	claimed, err := r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.ClaimOffer(now, c) })
	if err != nil && details != nil && b.DetailsHash == "" {
		err = r.unkept(ctx, err, hash)
	}
	return claimed, err
}
