package web

import (
	"testing"
	"time"

	"drawhouse/decide/command"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
)

// promote has a promotion drawn whose winner need not be present, by a clock that runs ahead.
func (r *bingoRoom) promote() {
	r.t.Helper()
	promotion := record.Offer{Hall: 1, Offer: 1}
	now := record.Of(time.Now())
	hours := func(n int) record.Time { return now + record.Time(n)*record.Time(time.Hour.Milliseconds()) }
	terms := record.OfferTerms{Name: "Cup day", Available: "at the desk", Marketing: "poster 3", Starts: hours(25),
		Closes: hours(48), Draws: hours(49),
		Prizes: []record.OfferPrize{{Kind: "cash", Name: "A purse", ValueCents: 500_00}}}
	for _, name := range []string{
		"manner", "award_time_and_place", "eligibility", "minimum_wager", "nature_and_qualifications", "closing_time",
		"promotion_place_and_time", "claim_method", "winner_notification", "publication", "prize_details_and_value",
	} {
		terms.Particulars = append(terms.Particulars, record.OfferDetail{Name: name, Text: "as displayed"})
	}
	notice := command.PromotionOf(terms)
	notice.InRoom = room
	r.do(notice)
	r.behind.Store(-int64(26 * time.Hour))
	prize := command.PrizeOf(promotion, 1)
	r.do(command.StartPromotion{OfPromotion: prize.OfPromotion})
	r.do(command.EnterPromotion{OfPromotion: prize.OfPromotion, Member: "200"})
	r.behind.Store(-int64(50 * time.Hour))
	r.do(command.SealPromotion{OfPrize: prize})
	_, err := r.house.DrawOffer(r.t.Context(), promotion, 1)
	r.must(err)
}

// TestDeskTellsWinners lists a winner who is to be told, at the desk of the room, notes that
// the telephone was not answered, and takes the winner off the list who was reached. A person who
// should have been told before is marked.
func TestDeskTellsWinners(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.promote()
	station := machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/desk")
	shows(t, station, "winners-title", "Winners to be told: 1")
	shows(t, station, "winners", "Member 200: A purse (Cup day)")
	shows(t, station, "winners", "To be told by the end of")
	touch(t, station, "#winners [data-do=not-reached]")
	shows(t, station, "said", "Noted: member 200 was not reached.")
	shows(t, station, "winners", "Tried: by telephone")

	late := api.HallPromotions{Promotions: []api.HallPromotion{{Promotion: 1, Name: "Cup day", Started: true,
		Prizes: []api.HallPromotionPrize{
			{Prize: 1, Name: "A purse", Winner: "200", TellUntil: "2026-11-18", Overdue: true,
				Told: []api.HallTold{{Method: "mail"}}},
		}}}}
	r.stage("/v1/hall/1/promotions", late)
	shows(t, station, "winners", "Should have been told by Wednesday 18 November")
	judge(t, station, "desk-winners")
	r.staged.Delete("/v1/hall/1/promotions")
	shows(t, station, "winners", "To be told by the end of")
	touch(t, station, "#winners [data-do=reached]")
	shows(t, station, "said", "Member 200 knows of the prize.")
	awaitPage(t, station, "nobody to tell", `() => document.getElementById("winners-panel").hidden`)
	quiet(t, r.shop, said(), asked())
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}
