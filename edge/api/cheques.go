package api

import (
	"context"
	"net/http"
	"time"

	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
)

// ChequePromise is until when a cheque must be there, as the customer is told.
type ChequePromise struct {
	Means string    `json:"means" doc:"As the rulebook names it."`
	Cents int64     `json:"cents"`
	Due   time.Time `json:"due" doc:"The end of that time: midnight is the end of the day before."`
}

// Cheque is one that a customer was promised and does not have yet.
type Cheque struct {
	Cheque    live.ID   `json:"cheque" doc:"By which it is named: where the journal has the promise."`
	Venue     uint32    `json:"venue" doc:"That draws it."`
	VenueName string    `json:"venue_name"`
	Asked     time.Time `json:"asked"`
	ChequePromise
	Payee   string   `json:"payee,omitempty" doc:"Name of the person in whose favour it is drawn."`
	Overdue bool     `json:"overdue,omitempty"`
	Serials []string `json:"serials" doc:"Of the tickets that it pays."`
}

// Cheques are those that are due, the first one first.
type Cheques struct {
	Cheques []Cheque `json:"cheques"`
}

// Holidays are the public holidays, on which no business is done.
type Holidays struct {
	Days []string `json:"days" doc:"Dates, such as 2026-12-25."`
}

// chequeRoutes registers what is done about cheques that customers wait for.
func (m *treasury) chequeRoutes() {
	m.serve(route{
		name: "list-cheques", path: "/v1/cheques", says: "The cheques that customers wait for", tag: "money",
		who: anyRole, out: Cheques{},
	}, m.cheques)
	m.serve(route{
		name: "get-holidays", path: "/v1/holidays", says: "The public holidays", tag: "money", who: anyRole,
		out: Holidays{},
	}, m.holidays)
}

// viewPromises shows the cheques that the end of a session promised.
func (s *server) viewPromises(promised []*record.ChequePromised) []ChequePromise {
	var all []ChequePromise
	for _, p := range promised {
		all = append(all, ChequePromise{Means: p.Means, Cents: p.Cents.Cents(), Due: s.time(p.Due)})
	}
	return all
}

// cheques lists what is due: to the central site and inspectors everywhere, to others at
// the venues where they work.
func (m *treasury) cheques(w http.ResponseWriter, r *http.Request) error {
	person := callerOf(r).person
	from := person.ID
	if person.HasAny(append(staff.Central(), record.RoleInspector)...) {
		from = 0
	}
	due, err := m.till.Cheques(r.Context(), from)
	if err != nil {
		return err
	}
	view := Cheques{Cheques: []Cheque{}}
	for i := range due {
		shown, err := m.viewCheque(r.Context(), &due[i])
		if err != nil {
			return err
		}
		view.Cheques = append(view.Cheques, shown)
	}
	m.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (m *treasury) viewCheque(ctx context.Context, c *house.Cheque) (Cheque, error) {
	view := Cheque{
		Cheque: live.ID(c.Place), Venue: c.Venue, Asked: m.time(c.Asked), Overdue: c.Overdue, Serials: []string{},
		ChequePromise: ChequePromise{Means: c.Means, Cents: c.Cents.Cents(), Due: m.time(c.Due)},
	}
	if venue, ok := m.house.People().Premises(c.Venue); ok {
		view.VenueName = venue.Name
	}
	who, err := m.shownBy(ctx, c.Payee)
	if err != nil {
		return Cheque{}, err
	}
	if who != nil {
		view.Payee = who.Name
	}
	for _, ticket := range c.Tickets {
		serial, err := m.house.Serial(ticket)
		if err != nil {
			return Cheque{}, err
		}
		view.Serials = append(view.Serials, serial.String())
	}
	return view, nil
}

func (m *treasury) holidays(w http.ResponseWriter, r *http.Request) error {
	days, err := m.till.Holidays(r.Context())
	if err != nil {
		return err
	}
	view := Holidays{Days: []string{}}
	for _, d := range days {
		view.Days = append(view.Days, d.String())
	}
	m.writeJSON(w, r, http.StatusOK, view)
	return nil
}
