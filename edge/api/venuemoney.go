package api

import (
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books/bankfile"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
)

// DebitFileUnknown: there is no file of direct debits of the number.
const DebitFileUnknown refusal.Code = "debit_file_unknown"

// VenueAccount is how a venue stands with the operator.
type VenueAccount struct {
	Venue     uint32          `json:"venue"`
	Agreement *VenueAgreement `json:"agreement,omitempty" doc:"Of the next statement; absent where there is none."`
	Statement *VenueStatement `json:"statement,omitempty" doc:"The last statement; absent before the first."`
	OwesCents int64           `json:"owes_cents" doc:"What the venue owes; below zero, the operator owes it."`
	Unpaid    []VenueUnpaid   `json:"unpaid" doc:"Statements that are not paid, the oldest first."`
}

// VenueAgreement is an agreement with a venue about its money.
type VenueAgreement struct {
	From       string `json:"from"`
	SalesRate  uint16 `json:"sales_rate" doc:"Basis points of tickets sold less tickets given back."`
	PrizesRate uint16 `json:"prizes_rate" doc:"Basis points of prizes paid."`
	LeastCents int64  `json:"least_cents" doc:"The least commission of a statement."`
	WeekEnds   uint8  `json:"week_ends" doc:"Weekday, from Sunday, which is 0."`
	DaysToPay  uint8  `json:"days_to_pay"`
	Stops      bool   `json:"stops" doc:"Nothing is sold while a payment is missed."`
	Mandate    string `json:"mandate,omitempty" doc:"Of the direct debit; absent where the venue pays by itself."`
}

// VenueStatement is a statement of a venue.
type VenueStatement struct {
	Number          uint32 `json:"number"`
	From            string `json:"from"`
	To              string `json:"to"`
	Due             string `json:"due"`
	SoldCents       int64  `json:"sold_cents"`
	BackCents       int64  `json:"back_cents"`
	PapersCents     int64  `json:"papers_cents"`
	PrizesCents     int64  `json:"prizes_cents"`
	RefundsCents    int64  `json:"refunds_cents"`
	TakingsCents    int64  `json:"takings_cents"`
	CommissionCents int64  `json:"commission_cents"`
	OpeningCents    int64  `json:"opening_cents"`
	ReceivedCents   int64  `json:"received_cents"`
	ClosingCents    int64  `json:"closing_cents"`
}

// VenueUnpaid is a statement that is not paid.
type VenueUnpaid struct {
	Statement uint32 `json:"statement"`
	Due       string `json:"due"`
	LeftCents int64  `json:"left_cents"`
	File      uint32 `json:"file,omitempty" doc:"Of direct debits, which the bank has not answered."`
	Missed    bool   `json:"missed" doc:"Its time is over, or the bank has returned its payment."`
}

// venueMoneyRoutes registers the questions about the money of venues.
func (s *server) venueMoneyRoutes() {
	s.serve(route{
		name: "get-venue-account", path: "/v1/venues/{venue}/account",
		says: "How a venue stands with the operator: agreement, last statement, what it owes", tag: "places",
		who: offices, out: VenueAccount{},
	}, s.venueAccount)
	s.serve(route{
		name: "get-debit-file", path: "/v1/operator/debits/{file}", says: "A file of direct debits for the bank, pain.008.001.02",
		tag: "operator", who: offices, refuses: "debit_file_unknown",
		gives: map[string]*huma.MediaType{"application/xml": {}}, tells: "The file, the same to the byte every time.",
	}, s.debitFile)
}

func (s *server) venueAccount(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "venue")
	if err != nil {
		return err
	}
	view := VenueAccount{Venue: number, Unpaid: []VenueUnpaid{}}
	if standing, ok := s.house.VenueStanding(view.Venue); ok {
		view.show(standing)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// show fills in how a venue stands.
func (v *VenueAccount) show(standing state.VenueStanding) {
	a, l := standing.Agreement, standing.Last
	v.OwesCents = standing.Owes.Cents()
	v.Agreement = &VenueAgreement{From: a.From.String(), SalesRate: a.SalesRate, PrizesRate: a.PrizesRate,
		LeastCents: a.LeastCents.Cents(), WeekEnds: a.WeekEnds, DaysToPay: a.DaysToPay, Stops: a.Stops, Mandate: a.Mandate}
	if l.Number != 0 {
		v.Statement = &VenueStatement{Number: l.Number, From: l.From.String(), To: l.To.String(), Due: l.Due.String(),
			SoldCents: l.SoldCents.Cents(), BackCents: l.BackCents.Cents(), PapersCents: l.PapersCents.Cents(),
			PrizesCents: l.PrizesCents.Cents(), RefundsCents: l.RefundsCents.Cents(), TakingsCents: l.TakingsCents.Cents(),
			CommissionCents: l.CommissionCents.Cents(), OpeningCents: l.OpeningCents.Cents(),
			ReceivedCents: l.ReceivedCents.Cents(), ClosingCents: l.ClosingCents.Cents()}
	}
	for _, u := range standing.Unpaid {
		v.Unpaid = append(v.Unpaid, VenueUnpaid{Statement: u.Number, Due: u.Due.String(), LeftCents: u.Left.Cents(),
			File: u.File, Missed: u.Missed})
	}
}

func (s *server) debitFile(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "file")
	if err != nil {
		return err
	}
	data, ok, err := s.house.DebitFile(r.Context(), number)
	if err != nil {
		return err
	}
	if !ok {
		return &refusal.Refusal{Code: DebitFileUnknown, Path: "file",
			Sentence: fmt.Sprintf("There is no file %d of direct debits.", number)}
	}
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="debits-%d.xml"`, number))
	_, err = w.Write(data)
	return err
}

// answering reads the answer of a bank, beside the lane.
func (s *server) answering(r *http.Request, body command.BankAnswer) (command.Act, error) {
	answers, err := bankfile.Read([]byte(body.Text), lineOf(r).Book().Currency())
	if err != nil {
		return nil, &refusal.Refusal{Code: counter.AnswerFaulty, Path: "text", Sentence: "The answer of the bank: " + err.Error() + "."}
	}
	act := command.TakeInAnswer{Others: answers.Others}
	for _, a := range answers.List {
		act.Answers = append(act.Answers, command.DebitAnswer{File: a.File, Venue: a.Venue, Statement: a.Statement,
			Paid: a.Paid, Cents: a.Cents.Cents(), Code: a.Code})
	}
	return act, nil
}
