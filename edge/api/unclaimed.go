package api

import (
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// UnclaimedPrizes are prizes that nobody has fetched.
type UnclaimedPrizes struct {
	Prizes []UnclaimedPrize `json:"prizes" doc:"By game and ticket."`
	Cents  int64            `json:"cents" doc:"What those listed come to."`
	More   bool             `json:"more,omitempty" doc:"There are more than are listed: ask for fewer days."`
}

// UnclaimedPrize is a prize that nobody has fetched, where its money is and where it goes.
type UnclaimedPrize struct {
	Serial     string     `json:"serial"`
	Series     uint8      `json:"series,omitempty" doc:"The series of the game; absent for what is of no game."`
	Game       *FirstGame `json:"game,omitempty" doc:"Absent for what the end of a session has withheld, which is of no game."`
	Cents      int64      `json:"cents"`
	At         string     `json:"at,omitempty" doc:"Where the money is: absent while venues pay it, claim_form, treasurer, lapsed."`
	Since      string     `json:"since,omitempty" doc:"The Keno Day on which it went there."`
	Clause     string     `json:"clause,omitempty" doc:"By which it went there."`
	Next       string     `json:"next,omitempty" doc:"Where it goes if nobody fetches it."`
	From       string     `json:"from,omitempty" doc:"It goes with the first Keno Day that opens on this day or later."`
	NextClause string     `json:"next_clause,omitempty"`
	Claim      uint32     `json:"claim,omitempty" doc:"The open claim form that keeps it where it is."`
	Stake      bool       `json:"stake,omitempty" doc:"It is no prize but the stake of a void game, which goes back to the holder of the ticket and nowhere else, however late."`
	Withheld   bool       `json:"withheld,omitempty" doc:"The end of a customer session has kept it, because payment on the ticket was stopped. It waits for the holder of the ticket, and no time ends it; it is listed for every day."`
}

// mostUnclaimed bounds a list.
const mostUnclaimed = 10_000

// unclaimedRoutes registers the lists of prizes that nobody has fetched.
func (s *server) unclaimedRoutes(forms Claimants) {
	which := []*huma.Param{
		optional("from", huma.TypeString, "First Keno Day of the games, a date; 30 days before the last if absent."),
		optional("to", huma.TypeString, "Last Keno Day of the games, a date; today if absent."),
		optional("due", huma.TypeString,
			"Only prizes that move by this day, of the games of all days if these are absent."),
	}
	c := &claimDesk{s, forms}
	s.serve(route{
		name: "list-unclaimed", path: "/v1/unclaimed",
		says: "Prizes that nobody has fetched, by ticket, and where their money went", tag: "claims", who: offices,
		query: which, out: UnclaimedPrizes{},
	}, c.listUnclaimed)
	s.serve(route{
		name: "get-unclaimed-file", path: "/v1/unclaimed/{format}", says: "The same as a file", tag: "claims",
		who: offices, query: which, gives: reportFiles(), tells: "The list.",
	}, c.unclaimedFile)
}

// search reads what a request asks for: what moves by a day of all games, and otherwise
// the games of some days.
func (c *claimDesk) search(r *http.Request) (q counter.UnfetchedSearch, err error) {
	if q.Due, err = dayParam(r, "due", day.None); err != nil {
		return q, err
	}
	if q.Due != day.None {
		if q.From, err = dayParam(r, "from", day.None); err == nil {
			q.To, err = dayParam(r, "to", day.None)
		}
		return q, err
	}
	q.From, q.To, err = c.daysOf(r)
	return q, err
}

// unclaimed finds the prizes that a request asks for.
func (c *claimDesk) unclaimed(
	r *http.Request) (q counter.UnfetchedSearch, list []counter.Unfetched, more bool, err error) {
	if q, err = c.search(r); err != nil {
		return q, nil, false, err
	}
	err = c.forms.Unfetched(r.Context(), q, func(u counter.Unfetched) bool {
		if more = len(list) == mostUnclaimed; !more {
			list = append(list, u)
		}
		return !more
	})
	return q, list, more, err
}

// listUnclaimed lists which tickets have prizes that wait, or that have gone elsewhere.
//
//rule:casino-keno-div2 9.3
func (c *claimDesk) listUnclaimed(w http.ResponseWriter, r *http.Request) error {
	_, list, more, err := c.unclaimed(r)
	if err != nil {
		return err
	}
	view := UnclaimedPrizes{Prizes: []UnclaimedPrize{}, More: more}
	for _, u := range list {
		serial, err := c.house.Serial(u.Ticket)
		if err != nil {
			return err
		}
		one := UnclaimedPrize{
			Serial: serial.String(), Withheld: u.Withheld, Cents: u.Cents.Cents(),
			At: u.At, Clause: u.Clause, Next: u.Next, NextClause: u.NextClause, Claim: u.Claim, Stake: u.Stake,
		}
		if !u.Withheld {
			one.Series = u.Game.Series
			one.Game = &FirstGame{Day: u.Game.Day.String(), Game: int(u.Game.Number)}
		}
		if u.Since.IsValid() {
			one.Since = u.Since.String()
		}
		if u.Next != "" {
			one.From = u.From.String()
		}
		view.Prizes, view.Cents = append(view.Prizes, one), view.Cents+one.Cents
	}
	c.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (c *claimDesk) unclaimedFile(w http.ResponseWriter, r *http.Request) error {
	format := report.Format(r.PathValue("format"))
	if err := knownFormat(format); err != nil {
		return err
	}
	stored, err := c.house.Journal()
	if err != nil {
		return err
	}
	head, err := house.HeadOf(r.Context(), stored)
	if err != nil {
		return err
	}
	q, list, more, err := c.unclaimed(r)
	if err != nil {
		return err
	}
	if more {
		return &refusal.Refusal{Code: ParameterValue, Path: "from",
			Sentence: fmt.Sprintf("There are more than %d: ask for fewer days.", mostUnclaimed)}
	}
	var unnamed error
	table := report.ByTicket(report.Searched(q), list, func(place record.Place) string {
		serial, err := c.house.Serial(place)
		if err != nil {
			unnamed = err
		}
		return serial.String()
	})
	if unnamed != nil {
		return unnamed
	}
	table.UpTo = head
	return c.writeReport(w, table, string(report.Unclaimed), format)
}
