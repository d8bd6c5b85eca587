package report

import (
	"cmp"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// Unclaimed is the report of prizes that nobody has fetched. It is not of the books, which
// know no tickets, and so is made by [ByTicket] alone.
const Unclaimed Name = "unclaimed"

// places say where the money of prizes is, for people.
var places = map[string]string{
	"": "venues", counter.ByForm: "claim forms", counter.Treasurer: "the Treasurer",
	counter.Lapsed: "approved purposes",
}

// How the reports of what nobody has fetched name stakes of void games, and what ends of sessions have withheld.
const stakeBack, withheld = "stake that goes back", "withheld"

var unclaimedColumns = []Column{colSeries, colKenoDay, colGame, colTicket, colAmount, colWith, colSince, colClause,
	colNext, colMoves, colNextBy, colClaim}

// ByTicket makes the report of prizes that nobody has fetched: which ticket, which game,
// how much, where the money went, and what moves next and when.
//
//rule:casino-keno-div2 9.3
func ByTicket(period string, list []counter.Unfetched, name func(record.Place) string) *Table {
	t := &Table{
		Title: "Unclaimed prizes by ticket", Period: period,
		Notes: []string{
			"A prize moves with the first Keno Day that opens on the day named or later, unless somebody fetches it before or a claim form keeps it.",
			"A stake of a void game is no prize: it goes back to the holder of the ticket, and nowhere else.",
			"What the end of a session has withheld is of no game and of no day: it waits for the holder of the ticket.",
		},
		Columns: unclaimedColumns,
	}
	sums := map[string]money.Amount{}
	for _, u := range list {
		at := u.At
		if u.Stake {
			at = record.ClaimReturned
		}
		if u.Withheld {
			at = record.ClaimWithheld
		}
		sums[at] += u.Cents
		t.Rows = append(t.Rows, ticketRow(&u, name(u.Ticket)))
	}
	for _, at := range []string{"", counter.ByForm, counter.Treasurer, counter.Lapsed} {
		if sums[at] != 0 {
			t.Figures = append(t.Figures, Figure{"With " + places[at], dollars(sums[at])})
		}
	}
	if back := sums[record.ClaimReturned]; back != 0 {
		t.Figures = append(t.Figures, Figure{"Stakes that go back", dollars(back)})
	}
	if kept := sums[record.ClaimWithheld]; kept != 0 {
		t.Figures = append(t.Figures, Figure{"Withheld at the end of sessions", dollars(kept)})
	}
	t.addTotal()
	return t
}

// Searched says of which games a list is.
func Searched(q counter.UnfetchedSearch) string {
	said := "Games of all Keno Days"
	switch {
	case q.From != day.None && q.To != day.None:
		said = fmt.Sprintf("Games of %v to %v", q.From, q.To)
	case q.From != day.None:
		said = fmt.Sprintf("Games from %v on", q.From)
	case q.To != day.None:
		said = fmt.Sprintf("Games up to %v", q.To)
	}
	if q.Due != day.None {
		said += fmt.Sprintf(", prizes that move by %v", q.Due)
	}
	return said
}

func ticketRow(u *counter.Unfetched, name string) []Cell {
	since, next, from, form := "", "", "", ""
	if u.Since.IsValid() {
		since = u.Since.String()
	}
	if u.Next != "" {
		next, from = places[u.Next], u.From.String()
	}
	if u.Claim != 0 {
		form = fmt.Sprint(u.Claim)
	}
	with := cmp.Or(places[u.At], u.At)
	if u.Stake {
		with = stakeBack
	}
	in, on, game := text(fmt.Sprint(u.Game.Series)), text(u.Game.Day.String()), text(fmt.Sprint(u.Game.Number))
	if u.Withheld {
		with, in, on, game = withheld, text("-"), text("-"), text("-")
	}
	return []Cell{
		in, on, game, text(name), amount(u.Cents), text(with), text(since), text(u.Clause),
		text(next), text(from), text(u.NextClause), text(form),
	}
}
