package api

import (
	"errors"
	"net/http"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/rulebook"
)

// Counter is a terminal as the person who works there needs to know it.
type Counter struct {
	Terminal    uint32   `json:"terminal"`
	Channel     string   `json:"channel"`
	Venue       uint32   `json:"venue"`
	VenueName   string   `json:"venue_name"`
	Area        uint16   `json:"area,omitempty"`
	Person      uint32   `json:"person,omitempty" doc:"Who is on shift there."`
	NeedsWriter bool     `json:"needs_writer,omitempty" doc:"Nothing is sold before a writer has signed on."`
	LastRequest uint64   `json:"last_request" doc:"Number of the newest request that was decided; 0 for none."`
	Sessions    uint32   `json:"sessions" doc:"Customer sessions so far."`
	DrawerCents int64    `json:"drawer_cents" doc:"Cash that the terminal's bank should have."`
	Printer     bool     `json:"printer" doc:"The house has a printer for this terminal."`
	Accepts     []string `json:"accepts" doc:"What pays for tickets here: cash, chips, player_card, winnings, and papers by their ids."`
	// Series are more than one where the house plays several, and the venue sells them.
	Series []CounterSeries `json:"series" doc:"The series of games that are sold here."`
	// Receipt is for terminals that players work alone, which hand out no cash.
	Receipt *CounterReceipt `json:"receipt,omitempty" doc:"The paper by which this terminal can pay; absent where it has none."`
}

// CounterSeries is a series of games that a terminal sells.
type CounterSeries struct {
	Series uint8  `json:"series"`
	Name   string `json:"name"`
}

// CounterReceipt is a paper in place of cash.
type CounterReceipt struct {
	Means     string `json:"means"`
	MostCents int64  `json:"most_cents,omitempty" doc:"That it pays at a time; absent where there is no bound."`
}

// Presented is what a serial stands for at a counter.
type Presented struct {
	Paper  *PaperHeld `json:"paper,omitempty" doc:"It is a paper that stands for money."`
	Ticket *Ticket    `json:"ticket,omitempty" doc:"It is a ticket."`
}

// PaperHeld is a paper that can be used.
type PaperHeld struct {
	Serial   string `json:"serial"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Cents    int64  `json:"cents"`
	LastDay  string `json:"last_day,omitempty"`
	GameType string `json:"game_type,omitempty" doc:"Type of game that it pays for, by the id of the bet. Without it, it pays for any."`
	GameName string `json:"game_name,omitempty" doc:"What players call it."`
}

// Displays are the venues that a display may be put up in.
type Displays struct {
	Venues []DisplayVenue `json:"venues"`
}

// DisplayVenue is a venue by its name.
type DisplayVenue struct {
	Number uint32 `json:"number"`
	Name   string `json:"name"`
}

func (s *server) counterRoutes() {
	s.serve(route{
		line: true, name: "get-counter", path: "/v1/terminals/{terminal}",
		says: "The terminal itself: where it is, who works there, how far it has come", tag: "terminal",
		who: terminals, out: Counter{},
	}, s.getCounter)
	s.serve(route{
		name: "look-up", path: "/v1/terminals/{terminal}/presented/{serial}", says: "What a serial stands for",
		tag: "terminal", who: terminals, refuses: "other_system serial_unreadable ticket_lost ticket_unknown",
		out: Presented{},
	}, s.lookUp)
	s.serve(route{
		name: "list-displays", path: "/v1/displays", says: "The venues that a display may be put up in", tag: "live",
		who: everybody, out: Displays{},
		internal: "It is the choice on the page that puts up a display; list-venues has the venues and their areas.",
	}, s.listDisplays)
}

func (s *server) getCounter(w http.ResponseWriter, r *http.Request) error {
	id := callerOf(r).terminal
	found, err := s.house.Counter(r.Context(), id)
	if err != nil {
		return err
	}
	line := lineOf(r)
	book := line.Book()
	view := Counter{Terminal: id, NeedsWriter: book.NamesWriter(), LastRequest: found.Last,
		Sessions: found.Session, Accepts: []string{}, DrawerCents: found.Drawer.Cents(),
		Series: []CounterSeries{}}
	for _, id := range found.Sells {
		if sold, err := s.house.Line(id); err == nil {
			view.Series = append(view.Series, CounterSeries{id, sold.Name()})
		}
	}
	p := s.house.People()
	post, _ := p.Post(id)
	venue, _ := p.Premises(post.Venue)
	view.Channel, view.Venue, view.VenueName, view.Area, view.Person = string(
		post.Channel), post.Venue, venue.Name, post.Area, post.Person
	if tender, ok := counter.AcceptedAt(book, found.Kind, rulebook.Channel(view.Channel)); ok {
		view.Accepts = tender.Accept
	}
	_, view.Printer = s.papers.Printers[id]
	if means, most, ok := counter.ReceiptAt(book, found.Kind, rulebook.Channel(view.Channel),
		found.Limit); ok {
		view.Receipt = &CounterReceipt{Means: means, MostCents: most.Cents()}
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// lookUp tells a ticket from a paper that stands for money. A paper that was used, or
// that is past its last day, is refused as one that is not known: it is worth nothing.
func (s *server) lookUp(w http.ResponseWriter, r *http.Request) error {
	place, err := s.house.Find(r.PathValue("serial"))
	if err != nil {
		return err
	}
	paper, held, err := s.house.Held(r.Context(), place)
	if err != nil {
		return err
	}
	if held {
		line, err := s.house.Line(paper.Series)
		if err != nil {
			return err
		}
		view := PaperHeld{Serial: r.PathValue("serial"), Kind: paper.ID, Name: paper.ID, Cents: paper.Cents.Cents()}
		if instrument, ok := line.Book().Instrument(paper.ID); ok {
			view.Name = instrument.Name
		}
		if paper.LastDay != day.Day(0) {
			view.LastDay = paper.LastDay.String()
		}
		if bet, ok := line.Book().Bet(paper.GameType); ok {
			view.GameType, view.GameName = paper.GameType, bet.Name()
		}
		s.writeJSON(w, r, http.StatusOK, Presented{Paper: &view})
		return nil
	}
	place, err = s.house.Resolve(r.Context(), place)
	if err != nil {
		return err
	}
	ticket, err := s.ticketAt(r.Context(), place)
	if refused, ok := errors.AsType[*refusal.Refusal](err); ok && refused.Code == counter.TicketUnknown {
		return &refusal.Refusal{Code: refused.Code, Path: "serial",
			Sentence: "There is no such ticket, or the paper was used."}
	}
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Presented{Ticket: ticket})
	return nil
}

func (s *server) listDisplays(w http.ResponseWriter, r *http.Request) error {
	view := Displays{Venues: []DisplayVenue{}}
	for _, v := range s.house.People().Venues() {
		view.Venues = append(view.Venues, DisplayVenue{v.ID, v.Name})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}
