package cases

import (
	"fmt"
	"net/http"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/edge/api"
)

// paper has the house make a paper.
func (s *Served) paper(terminal uint32, order api.PaperOrder) (string, error) {
	order.Format = "svg"
	var made api.PaperMade
	err := s.send(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/papers", terminal), order, &made)
	return made.SVG, err
}

// Receipt implements Desk: what the house answered to the sale goes back to it.
func (s *Served) Receipt(t Ticket) (string, error) {
	sold := s.sold[t.Place]
	return s.paper(sold.terminal, api.PaperOrder{Paper: "ticket", Answer: sold.answer, ClaimCode: t.Code.String()})
}

// List implements Desk.
func (s *Served) List(terminal uint32) (string, error) {
	var open api.Session
	if err := s.send(http.MethodGet, fmt.Sprintf("/v1/terminals/%d/session", terminal), nil, &open); err != nil {
		return "", err
	}
	return s.paper(terminal, api.PaperOrder{Paper: "session", Answer: open})
}

// ChequeFor implements Desk.
func (s *Served) ChequeFor(terminal uint32, t Ticket, payee string, cents money.Amount) (string, error) {
	return s.paper(terminal, api.PaperOrder{Paper: "cheque",
		Answer: api.ChequeParticulars{Payee: payee, Serial: t.Serial, Cents: cents.Cents()}})
}

// Results implements Desk.
func (s *Served) Results(terminal uint32, date day.Day, games []int) (string, error) {
	var asked api.GamesAsked
	for _, n := range games {
		asked.Games = append(asked.Games, api.FirstGame{Day: date.String(), Game: n})
	}
	return s.paper(terminal, api.PaperOrder{Paper: "results", Answer: asked})
}
