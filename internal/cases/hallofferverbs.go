package cases

import (
	"fmt"
	"slices"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// offerDraft is the terms that the scenario has written so far, and the promotion
// that they became.
type offerDraft struct {
	terms  record.OfferTerms
	number uint32
}

func (r *hallRun) ref() record.Offer { return record.Offer{Hall: hallID, Offer: r.offer.number} }

// particulars are those that good terms say.
var particulars = []string{
	"manner", "award_time_and_place", "eligibility", "minimum_wager", "nature_and_qualifications", "closing_time",
	"promotion_place_and_time", "claim_method", "winner_notification", "publication", "prize_details_and_value",
}

// kindDetails are what good terms say of a prize.
var kindDetails = map[string][]string{
	"appliance": {"make", "model", "accessories"}, "vehicle": {"make", "model", "accessories", "on_road_costs"},
	"travel":      {"persons", "included", "restrictions", "spending_money"},
	"real_estate": {"dwelling", "plans", "contract", "easements", "address", "included"},
}

// terms writes good terms for one prize, but for what they are to lack: terms KIND
// VALUE [with THING] [liquor LITRES] [without PARTICULAR] [alternative] [present].
// Entries are taken for a day from a day ahead, and the draw is an hour later.
func (r *hallRun) terms(w *words) (string, error) {
	lacks := map[string]bool{}
	for {
		name, ok := w.after("without")
		if !ok {
			break
		}
		lacks[name] = true
	}
	t := record.OfferTerms{
		Name: "Cup day", Available: "at the desk", Marketing: "poster 3", Present: w.flag("present"),
		Starts: record.Of(r.now.Add(24*time.Hour + time.Second)), Closes: record.Of(r.now.Add(48 * time.Hour)),
		Draws: record.Of(r.now.Add(49 * time.Hour)),
	}
	blank, _ := w.after("blank")
	for _, name := range particulars {
		switch {
		case name == blank:
			t.Particulars = append(t.Particulars, record.OfferDetail{Name: name, Text: " "})
		case !lacks[name]:
			t.Particulars = append(t.Particulars, record.OfferDetail{Name: name, Text: "as displayed"})
		}
	}
	if lacks["available"] {
		t.Available = ""
	}
	if lacks["marketing"] {
		t.Marketing = ""
	}
	prize := record.OfferPrize{Name: "prize", Alternative: w.flag("alternative"),
		LiquorMillilitres: uint32(w.amount("liquor", 0) * 10)}
	if thing, ok := w.after("with"); ok {
		prize.Contains = []string{thing}
	}
	prize.Kind = w.next()
	prize.ValueCents = w.cents(w.next())
	for _, name := range kindDetails[prize.Kind] {
		if !lacks[name] {
			prize.Details = append(prize.Details, record.OfferDetail{Name: name, Text: "as displayed"})
		}
	}
	t.Prizes = []record.OfferPrize{prize}
	for lack, spoil := range map[record.OfferLack]func(){
		record.LackName:   func() { t.Name = "" },
		record.LackStart:  func() { t.Starts = 0 },
		record.LackClose:  func() { t.Closes = t.Starts },
		record.LackDraw:   func() { t.Draws = t.Closes - 1 },
		record.LackPrizes: func() { t.Prizes = nil },
	} {
		if lacks[string(lack)] {
			spoil()
		}
	}
	r.offer.terms = t
	faults, err := hall.Checklist(r.Engine.State(),
		&record.OfferNotified{Offer: record.Offer{Hall: hallID}, Terms: t, Confirms: confirmed})
	if err != nil {
		return "", err
	}
	if len(faults) > 0 {
		return fmt.Sprintf("lacks %s %s", faults[0].Code, faults[0].Clause), nil
	}
	return "good", nil
}

// confirmed are the prohibited things of which a supervisor says that no prize has any.
var confirmed = []string{"tobacco", "firearm", "ammunition", "imitation_firearm", "prohibited_weapon",
	"liquor_over_limit", "prescribed_item"}

// notify gives the terms to the Authority: notify [again] [approval REFERENCE]
// [unconfirmed THING] [confirming THING].
func (r *hallRun) notify(w *words) (string, error) {
	n, by := command.PromotionOf(r.offer.terms), w.by(Supervisor)
	n.InRoom = room
	if w.flag("again") {
		n.Promotion = r.offer.number
	}
	n.Approval, _ = w.after("approval")
	open, _ := w.after("unconfirmed")
	n.Confirms = slices.DeleteFunc(slices.Clone(confirmed), func(thing string) bool { return thing == open })
	if more, ok := w.after("confirming"); ok {
		n.Confirms = append(n.Confirms, more)
	}
	notified, err := Done[*record.OfferNotified](r.Room, n, by)
	if err != nil {
		return "", err
	}
	r.offer.number = notified.Offer.Offer
	return fmt.Sprintf("promotion %d, version %d", notified.Offer.Offer, notified.Version), nil
}

// promotion names the promotion of the case, and prize its one prize.
func (r *hallRun) promotion() command.OfPromotion { return r.prize().OfPromotion }
func (r *hallRun) prize() command.OfPrize         { return command.PrizeOf(r.ref(), 1) }

func (r *hallRun) start(*words) (string, error) {
	return "started", r.Do(command.StartPromotion{OfPromotion: r.promotion()}, Supervisor)
}

// entry takes entries of members.
func (r *hallRun) entry(w *words) (string, error) {
	for _, member := range w.list {
		if err := r.Do(command.EnterPromotion{OfPromotion: r.promotion(), Member: member}, Dealer); err != nil {
			return "", err
		}
	}
	w.list = nil
	return "entered", nil
}

// draw draws the first prize: draw [scrutineer NAME].
func (r *hallRun) draw(w *words) (string, error) {
	scrutineer, _ := w.after("scrutineer")
	if err := r.Do(command.SealPromotion{OfPrize: r.prize(), Scrutineer: scrutineer}, Supervisor); err != nil {
		return "", err
	}
	for {
		drawn, err := r.drawOffer()
		if err != nil {
			return "", err
		}
		if drawn.Entry != 0 {
			offer, _ := r.Hall().Offer(r.offer.number)
			return "won by " + offer.Entries[drawn.Entry-1].Member, nil
		}
	}
}

// drawOffer has the device draw once for the first prize.
func (r *hallRun) drawOffer() (*record.OfferDrawn, error) {
	offer, _ := r.Hall().Offer(r.offer.number)
	award, _ := offer.Award(1)
	seal, err := journal.OpenSeal(award.Seal, r.verifier)
	if err != nil {
		return nil, err
	}
	plan := hall.OfferPlan(r.Hall(), offer, 1)
	drawing, err := r.device.Start(plan, seal, hall.Drawn(ball.Bingo, nil), nil)
	if err != nil {
		return nil, err
	}
	b := record.OfferDrawn{Offer: r.ref(), Prize: 1}
	for place := 1; place <= plan.Most; place++ {
		var pick draw.Pick
		if pick, err = drawing.Next(place); err != nil {
			return nil, err
		}
		b.Numbers, b.Bytes = append(b.Numbers, uint8(pick.Number)), append(b.Bytes, pick.Bytes)
	}
	if b.Note, err = drawing.Sign(); err != nil {
		return nil, err
	}
	return Done[*record.OfferDrawn](r.Room, command.DrawPromotion{InRoom: room, Drawn: b}, record.By{})
}

// tell tries to tell the winner: tell METHOD [reached].
func (r *hallRun) tell(w *words) (string, error) {
	t := command.TellWinner{OfPrize: r.prize(), Reached: w.flag("reached")}
	t.Method = w.next()
	return "noted", r.Do(t, Dealer)
}

// overdue says whether the winner should have been told.
func (r *hallRun) overdue(*words) (string, error) {
	untold, err := hall.ToTell(r.Engine.State(), hallID, record.Of(r.now), dateOf)
	late := slices.ContainsFunc(untold, func(u hall.Untold) bool {
		return u.Offer == r.offer.number && u.Prize == 1 &&
			u.Late
	})
	return map[bool]string{true: "overdue", false: "in time"}[late], err
}

// dateOf returns the date of a time where the scenarios are.
func dateOf(t record.Time) day.Day {
	year, month, dom := t.Time().In(zone).Date()
	d, err := day.Of(year, int(month), dom)
	if err != nil {
		panic(err) // Scenarios happen in years that there are.
	}
	return d
}

// grant grants the first prize: grant to M1 [alternative] [cash A cheque A ...]. "to
// winner" is the person who won.
func (r *hallRun) grant(w *words) (string, error) {
	c := command.ClaimPromotion{OfPrize: r.prize(), Granted: true, Alternative: w.flag("alternative")}
	c.Member, _ = w.after("to")
	offer, ok := r.Hall().Offer(r.offer.number)
	if award, _ := offer.Award(1); ok && c.Member == "winner" && award.Entry != 0 {
		c.Member = offer.Entries[award.Entry-1].Member
	}
	c.Parts = w.parts()
	return "granted", r.Do(c, Supervisor)
}

// deny denies a claim to the first prize: deny to M1 [silently] [kept].
func (r *hallRun) deny(w *words) (string, error) {
	c := command.ClaimPromotion{OfPrize: r.prize(), Reason: "not eligible"}
	c.Member, _ = w.after("to")
	if w.flag("silently") {
		c.Reason = ""
	}
	if w.flag("kept") {
		c.Details = record.Hash{1}
	}
	return "denied", r.Do(c, Supervisor)
}

// stop postpones, clears or cancels: stop postponed [untold].
func (r *hallRun) stop(w *words) (string, error) {
	c, by := command.StopPromotion{OfPromotion: r.promotion(), Reason: "a box was open",
		Told: "by telephone"}, w.by(Supervisor)
	if w.flag("untold") {
		c.Told = ""
	}
	c.Act = w.next()
	return c.Act, r.Do(c, by)
}
