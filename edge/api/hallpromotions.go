package api

import (
	"context"
	"net/http"
	"time"

	"drawhouse/decide/command"

	"drawhouse/core/day"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// HallPromotions are the promotions of a bingo room, the newest first.
type HallPromotions struct {
	Promotions []HallPromotion `json:"promotions"`
}

// HallPromotion is a promotion as it stands.
type HallPromotion struct {
	Promotion uint32               `json:"promotion"`
	Name      string               `json:"name"`
	Starts    time.Time            `json:"starts"`
	Closes    time.Time            `json:"closes"`
	Draws     time.Time            `json:"draws"`
	Present   bool                 `json:"present,omitempty" doc:"A winner must be present."`
	Started   bool                 `json:"started"`
	Postponed bool                 `json:"postponed,omitempty"`
	Cancelled bool                 `json:"cancelled,omitempty"`
	Entries   int                  `json:"entries"`
	Prizes    []HallPromotionPrize `json:"prizes"`
}

// HallPromotionPrize is what has become of a promotional prize.
type HallPromotionPrize struct {
	Prize      uint8      `json:"prize"`
	Kind       string     `json:"kind"`
	Name       string     `json:"name"`
	ValueCents int64      `json:"value_cents"`
	Drawn      *time.Time `json:"drawn,omitempty"`
	Winner     string     `json:"winner,omitempty" doc:"Member's number."`
	Told       []HallTold `json:"told" doc:"Attempts to tell the winner."`
	TellUntil  string     `json:"tell_until,omitempty" doc:"The last day on which the winner is told in time; absent once reached, or where nobody has to be."`
	Overdue    bool       `json:"overdue,omitempty" doc:"That day is over."`
	Granted    bool       `json:"granted,omitempty"`
}

// HallTold is an attempt to tell a winner.
type HallTold struct {
	Method  string `json:"method" enum:"face-to-face,mail,telephone,email"`
	Reached bool   `json:"reached,omitempty"`
}

// offerReadings registers what is read of promotions.
func (r roomServer) offerReadings(room string) {
	r.get(route{
		path: room + "/promotions", name: "list-bingo-promotions",
		says: "The promotions of a room, and which winners are to be told", who: command.Floor,
		refuses: "hall_unknown venue_other", out: HallPromotions{},
	}, r.promotions)
}

func (r roomServer) promotions(ctx context.Context, at place, _ *http.Request) (any, error) {
	view := HallPromotions{Promotions: []HallPromotion{}}
	err := r.inRoom(ctx, at.hall, func(s *state.View, h *state.Hall, _ *hall.Kit) error {
		untold, err := hall.ToTell(s, at.hall, record.Of(r.now()), r.dateOf)
		if err != nil {
			return err
		}
		for i := len(h.Offers) - 1; i >= 0; i-- {
			view.Promotions = append(view.Promotions, r.viewOffer(h.Offers[i], untold))
		}
		return nil
	})
	return view, err
}

// dateOf returns the date of a time on the clocks of the house.
func (r roomServer) dateOf(t record.Time) day.Day {
	year, month, dom := r.time(t).Date()
	d, err := day.Of(year, int(month), dom)
	if err != nil {
		return day.None // No record is of such a year.
	}
	return d
}

func (r roomServer) viewOffer(o *state.Offer, untold []hall.Untold) HallPromotion {
	view := HallPromotion{
		Promotion: o.Number, Name: o.Terms.Name, Starts: r.time(o.Terms.Starts), Closes: r.time(o.Terms.Closes),
		Draws:   r.time(o.Terms.Draws),
		Present: o.Terms.Present, Started: o.Started, Postponed: o.Postponed, Cancelled: o.Cancelled,
		Entries: len(o.Entries), Prizes: []HallPromotionPrize{},
	}
	for i := range o.Terms.Prizes {
		p := &o.Terms.Prizes[i]
		prize := HallPromotionPrize{Prize: uint8(i + 1), Kind: p.Kind, Name: p.Name, ValueCents: p.ValueCents.Cents(),
			Told: []HallTold{}}
		if award, ok := o.Award(prize.Prize); ok {
			prize.award(o, award, r.time)
		}
		for _, u := range untold {
			if u.Offer == o.Number && u.Prize == prize.Prize {
				prize.TellUntil, prize.Overdue = u.Until.String(), u.Late
			}
		}
		view.Prizes = append(view.Prizes, prize)
	}
	return view
}

// award adds what has become of the prize.
func (p *HallPromotionPrize) award(o *state.Offer, a *state.OfferAward, local func(record.Time) time.Time) {
	p.Granted = a.Granted
	for _, t := range a.Told {
		p.Told = append(p.Told, HallTold{Method: t.Method, Reached: t.Reached})
	}
	if a.Entry != 0 {
		drawn := local(a.DrawnAt)
		p.Drawn, p.Winner = &drawn, o.Entries[a.Entry-1].Member
	}
}
