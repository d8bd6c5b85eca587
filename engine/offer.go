package engine

import (
	"fmt"

	"drawhouse/hall"
	"drawhouse/record"
)

// NotifyOffer says that the Authority was given the terms of a promotion.
func (e *Engine) NotifyOffer(now record.Time, n record.OfferNotified) (*record.OfferNotified, error) {
	notified, err := hall.Notify(e.state, n)
	return keep(e, now, notified, nil, err)
}

// StartOffer opens a promotion for entries.
func (e *Engine) StartOffer(now record.Time, ref record.Offer, by record.By) (*record.OfferStarted, error) {
	started, err := hall.Start(e.state, ref, max(now, e.state.Now()), by)
	return keep(e, now, started, nil, err)
}

// EnterOffer takes an entry in a promotion.
func (e *Engine) EnterOffer(now record.Time, ref record.Offer, member string) (*record.OfferEntered, error) {
	entered, err := hall.EnterOffer(e.state, ref, member, max(now, e.state.Now()))
	return keep(e, now, entered, nil, err)
}

// SealOffer seals who is in the draw of a prize.
func (e *Engine) SealOffer(now record.Time, b record.OfferSealed) (*record.OfferSealed, error) {
	if e.house == nil {
		return nil, ErrNoKey
	}
	sealed, seal, err := hall.SealOffer(e.state, b, max(now, e.state.Now()), e.checkpoint(), e.house)
	if sealed, err = keep(e, now, sealed, nil, err); err != nil {
		return nil, err
	}
	for volume, bitmap := range seal.Bitmaps {
		e.objects = append(e.objects, Object{OfferBitmapName(b.Offer, b.Prize, volume), bitmap.Bytes()})
	}
	return sealed, nil
}

// DrawOffer takes a draw of the device for a prize.
func (e *Engine) DrawOffer(now record.Time, b record.OfferDrawn) (*record.OfferDrawn, error) {
	drawn, err := hall.DrawOffer(e.state, b)
	return keep(e, now, drawn, nil, err)
}

// TellWinner notes an attempt to tell a winner.
func (e *Engine) TellWinner(now record.Time, t record.OfferTold) (*record.OfferTold, error) {
	told, err := hall.Tell(e.state, t)
	return keep(e, now, told, nil, err)
}

// ClaimOffer grants or denies a claim to a promotional prize.
func (e *Engine) ClaimOffer(now record.Time, c record.OfferClaimed) (*record.OfferClaimed, error) {
	claimed, postings, err := hall.ClaimOffer(e.state, c)
	return keep(e, now, claimed, postings, err)
}

// StopOffer postpones, clears or cancels a promotion.
func (e *Engine) StopOffer(now record.Time, c record.OfferStopped) (*record.OfferStopped, error) {
	stopped, err := hall.Stop(e.state, c)
	return keep(e, now, stopped, nil, err)
}

// OfferBitmapName returns the name of the object that holds the bitmap of the entries
// in the draw of a prize.
func OfferBitmapName(ref record.Offer, prize uint8, volume uint16) string {
	return fmt.Sprintf("entries/%d/%d/%d/%d", ref.Hall, ref.Offer, prize, volume)
}
