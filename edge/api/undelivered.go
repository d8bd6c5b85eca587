package api

import (
	"net/http"

	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
)

// SerialRequest is a body that names a ticket.
type SerialRequest struct {
	Serial string `json:"serial"`
}

// onShift returns who is on shift at the terminal that sent a request.
func (s *server) onShift(r *http.Request) (uint32, error) {
	post, _ := s.terminals.post(callerOf(r).terminal)
	if post.Person == 0 {
		return 0, staff.NobodyAt(post.Terminal, "", "")
	}
	return post.Person, nil
}

// askVoid asks for a ticket to be void that the printer did not print.
func (s *server) askVoid(w http.ResponseWriter, r *http.Request, body SerialRequest) error {
	return s.askAbout(w, r, body.Serial, func(c counter.Sheet) command.Command { return command.AskVoid{Sheet: c} })
}

// askReissue asks for another sheet of a ticket.
func (s *server) askReissue(w http.ResponseWriter, r *http.Request, body SerialRequest) error {
	return s.askAbout(w, r, body.Serial, func(c counter.Sheet) command.Command { return command.AskReissue{Sheet: c} })
}

// askAbout asks for what two persons do with a ticket at a counter. Who is on shift asks,
// and somebody else decides, away from the terminal.
func (s *server) askAbout(w http.ResponseWriter, r *http.Request, serial string,
	asks func(counter.Sheet) command.Command) error {
	by, err := s.onShift(r)
	if err != nil {
		return err
	}
	place, err := s.house.Find(serial)
	if err != nil {
		return err
	}
	number, err := s.house.AskSheet(r.Context(), by, callerOf(r).terminal, place, asks)
	if err != nil {
		return err
	}
	return s.showApproval(w, r, number)
}
