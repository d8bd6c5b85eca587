package api

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
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
	AtBank    []VenueDebit    `json:"at_bank" doc:"Direct debits that the bank has not answered, by statement."`
	Payments  []VenuePayment  `json:"payments" doc:"The newest 128 payments that people have recorded, the newest first."`
}

// VenueAgreement is an agreement with a venue about its money.
type VenueAgreement struct {
	From       string `json:"from"`
	SalesRate  uint16 `json:"sales_rate" doc:"Basis points of tickets sold less tickets given back."`
	PrizesRate uint16 `json:"prizes_rate" doc:"Basis points of prizes paid."`
	FeesRate   uint16 `json:"fees_rate,omitempty" doc:"Basis points of fees of bingo."`
	LeastCents int64  `json:"least_cents" doc:"The least commission of a statement."`
	TaxRate    uint16 `json:"tax_rate,omitempty" doc:"Of the tax on the commission, in basis points."`
	FloorCents int64  `json:"floor_cents,omitempty" doc:"What the venue pays at least for a statement."`
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
	FeesCents       int64  `json:"fees_cents" doc:"Fees of bingo."`
	FeesBackCents   int64  `json:"fees_back_cents"`
	TakingsCents    int64  `json:"takings_cents"`
	CommissionCents int64  `json:"commission_cents"`
	TaxCents        int64  `json:"tax_cents" doc:"On the commission, on top of it."`
	FloorCents      int64  `json:"floor_cents" doc:"What the venue makes up to the least payment."`
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
	Missed    bool   `json:"missed" doc:"The bank has returned its payment, or its time is over and no direct debit for it is under way."`
}

// VenueDebit is a direct debit that the bank has not answered.
type VenueDebit struct {
	Statement uint32 `json:"statement"`
	File      uint32 `json:"file"`
	Cents     int64  `json:"cents" doc:"What the bank is to collect."`
	OverCents int64  `json:"over_cents" doc:"What of it is no longer owed, because the venue has paid otherwise. If the bank collects it, the operator owes it to the venue."`
}

// VenuePayment is a payment of a venue, or to it, as people have recorded it.
type VenuePayment struct {
	Record    string `json:"record" doc:"The place of its record."`
	Way       string `json:"way" enum:"cash,received,paid" doc:"Cash of the safe, a transfer of the venue, or a payment of the operator to the venue."`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference"`
	Reversed  bool   `json:"reversed,omitempty" doc:"Two persons have taken it back."`
}

// ways are the words for the kinds of payments.
var ways = map[record.Kind]string{
	record.KindCashCarried: "cash", record.KindRemittanceReceived: "received", record.KindVenuePaid: "paid",
}

// DebitFiles are the newest files of direct debits.
type DebitFiles struct {
	Files []DebitFile `json:"files" doc:"Newest first."`
	Page
}

// DebitFile is a file of direct debits.
type DebitFile struct {
	File    uint32    `json:"file" doc:"Number of the file."`
	ID      string    `json:"id" doc:"Of its message, by which the bank names the file."`
	Ordered time.Time `json:"ordered"`
	Collect string    `json:"collect" doc:"The date on which the bank collects."`
	Debits  int       `json:"debits" doc:"How many direct debits the file has."`
	Cents   int64     `json:"cents" doc:"What they come to."`
}

// venueMoneyRoutes registers the questions about the money of venues.
func (s *server) venueMoneyRoutes() {
	s.serve(route{
		name: "get-venue-account", path: "/v1/venues/{venue}/account",
		says: "How a venue stands with the operator: agreement, last statement, what it owes", tag: "places",
		who: offices, out: VenueAccount{},
	}, s.venueAccount)
	s.serve(route{
		name: "list-debit-files", path: "/v1/operator/debits", says: "Files of direct debits", tag: "operator", who: offices,
		query: paged("files", mostDebitFiles, mostDebitFiles), out: DebitFiles{},
	}, s.listDebitFiles)
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
	view := VenueAccount{Venue: number, Unpaid: []VenueUnpaid{}, AtBank: []VenueDebit{}, Payments: []VenuePayment{}}
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
		FeesRate: a.FeesRate, TaxRate: a.TaxRate, FloorCents: a.FloorCents.Cents(),
		LeastCents: a.LeastCents.Cents(), WeekEnds: a.WeekEnds, DaysToPay: a.DaysToPay, Stops: a.Stops, Mandate: a.Mandate}
	if l.Number != 0 {
		v.Statement = &VenueStatement{Number: l.Number, From: l.From.String(), To: l.To.String(), Due: l.Due.String(),
			SoldCents: l.SoldCents.Cents(), BackCents: l.BackCents.Cents(), PapersCents: l.PapersCents.Cents(),
			PrizesCents: l.PrizesCents.Cents(), RefundsCents: l.RefundsCents.Cents(), FeesCents: l.FeesCents.Cents(),
			FeesBackCents: l.FeesBackCents.Cents(), TakingsCents: l.TakingsCents.Cents(),
			CommissionCents: l.CommissionCents.Cents(), TaxCents: l.TaxCents.Cents(), FloorCents: l.FloorCents.Cents(),
			OpeningCents:  l.OpeningCents.Cents(),
			ReceivedCents: l.ReceivedCents.Cents(), ClosingCents: l.ClosingCents.Cents()}
	}
	for _, u := range standing.Unpaid {
		if u.Left > 0 {
			v.Unpaid = append(v.Unpaid, VenueUnpaid{Statement: u.Number, Due: u.Due.String(), LeftCents: u.Left.Cents(),
				File: u.File, Missed: u.Missed})
		}
		if u.File != 0 {
			v.AtBank = append(v.AtBank, VenueDebit{Statement: u.Number, File: u.File, Cents: u.Asked.Cents(),
				OverCents: u.Over().Cents()})
		}
	}
	for _, p := range slices.Backward(standing.Payments) {
		v.Payments = append(v.Payments, VenuePayment{Record: p.At.String(), Way: ways[p.Kind],
			Cents: max(p.Cents, -p.Cents).Cents(), Reference: p.Reference, Reversed: p.Reversed})
	}
}

// mostDebitFiles is how many files a page has at most: each is read from the journal.
const mostDebitFiles = 100

func (s *server) listDebitFiles(w http.ResponseWriter, r *http.Request) error {
	after, limit, err := pageAsked(r, mostDebitFiles, mostDebitFiles)
	if err != nil {
		return err
	}
	orders, times, err := s.house.DebitOrders(r.Context(), after, limit+1)
	if err != nil {
		return err
	}
	view := DebitFiles{Files: []DebitFile{}}
	orders, view.Page = cut(orders, limit)
	for i, order := range orders {
		var sum money.Amount
		for _, d := range order.Debits {
			sum += d.Cents
		}
		view.Files = append(view.Files, DebitFile{File: order.File,
			ID: record.DebitFileID(order.House, order.File), Ordered: s.time(times[i]),
			Collect: order.Collect.String(), Debits: len(order.Debits), Cents: sum.Cents()})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
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
	answers, err := s.house.AnswerOfBank(r.Context(), string(body.Text), lineOf(r).Book().Currency())
	if err != nil {
		return nil, err
	}
	act := command.TakeInAnswer{Others: answers.Others, File: answers.Rejected, Reason: answers.Reason}
	for _, a := range answers.List {
		act.Answers = append(act.Answers, command.DebitAnswer{File: a.File, Venue: a.Venue, Statement: a.Statement,
			Paid: a.Paid, Cents: a.Cents.Cents(), Code: a.Code, Bank: a.Bank})
	}
	return act, nil
}
