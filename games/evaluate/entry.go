package evaluate

import (
	"errors"

	"drawhouse/core/refusal"
	"drawhouse/games/keno"
)

// readTicket reads the ticket of a line. One that leaves its first game open is
// resolved as at the counter, but for what only a terminal can do: pick numbers,
// and find old tickets.
func (r *Run) readTicket(l *line) (keno.Ticket, *refusal.Refusal) {
	if !l.open {
		t, err := keno.ParseTicket(l.ticket)
		return t, asRefusal(err)
	}
	req, err := keno.ParseRequest(l.ticket)
	if err != nil {
		return keno.Ticket{}, asRefusal(err)
	}
	if req.Replay != "" {
		return keno.Ticket{}, refuse(NotResolved, "", "replay",
			"A replay is settled once it is a ticket with numbers of its own.")
	}
	for i := range req.Bets {
		if pick := req.Bets[i].Pick.Of; pick != keno.ShapeNone {
			return keno.Ticket{}, refuse(NotResolved, "", "bets"+element(i)+"."+shapeFields[pick],
				"The numbers are yet to be picked.")
		}
	}
	// Any day on which the rulebook is in force will do: nothing is said of the
	// game but that it is the next.
	open := keno.GameRef{Day: r.book.From(), Game: r.games.Numbering.First}
	t, err := r.desk.Resolve(req, keno.Setting{Open: open})
	if err != nil && !errors.As(err, new(*refusal.Refusal)) {
		// Without picks of its own, only a ready ticket can need entropy.
		for i := range req.Bets {
			if req.Bets[i].Item.IsValid() {
				return keno.Ticket{}, refuse(NotResolved, "", "bets"+element(i)+".item",
					"The numbers of the ready ticket are yet to be picked.")
			}
		}
	}
	return t, asRefusal(err)
}

// shapeFields are the fields of the ticket form that hold the shapes.
var shapeFields = [...]string{keno.ShapeSpots: "spots", keno.ShapeGroups: "groups", keno.ShapeCalls: "calls",
	keno.ShapeRace: "places"}

// asRefusal returns the refusal that an error of package keno is.
func asRefusal(err error) *refusal.Refusal {
	if err == nil {
		return nil
	}
	var r *refusal.Refusal
	if !errors.As(err, &r) {
		return refuse(NotResolved, "", "", "The ticket cannot be resolved: %v.", err)
	}
	return r
}

// quote checks a ticket by the rulebook.
func (r *Run) quote(t *keno.Ticket, l *line) (keno.Price, *refusal.Refusal) {
	env := keno.Envelope{Channel: l.channel, Method: l.method}
	if l.has&hasMethod == 0 {
		env.Method = r.methods[l.channel]
	}
	price, err := r.desk.Quote(*t, env)
	switch refused := asRefusal(err); {
	case refused == nil:
	case refused.Code == keno.ChannelNotAllowed:
		return price, refused.Below("channel")
	case refused.Path == "" && (refused.Code == keno.MethodNotAllowed || refused.Code == keno.BetNotByMethod):
		return price, refused.Below("method")
	default:
		return price, refused.Below("ticket")
	}
	return price, nil
}
