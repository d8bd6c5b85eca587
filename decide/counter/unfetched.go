package counter

import (
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Unfetched is a prize of a ticket in a game that nobody has fetched, or its stake in a void
// game.
type Unfetched struct {
	Ticket  record.Place
	Game    record.Game
	Ordinal uint32
	Cents   money.Amount
	// At is where the money is, as the rulebook names it; empty while venues pay it.
	// Since and Clause say from which Keno Day on and why.
	At     string
	Since  day.Day
	Clause string
	// Next is where it goes if nobody fetches it, NextClause why, and From the first Keno
	// Day with whose opening it does. Empty where it stays.
	Next       string
	NextClause string
	From       day.Day
	// Claim is the number of the open claim form that keeps it; 0 for none.
	Claim uint32
	// Stake says that it is no prize: it goes back to the holder of the ticket, and nowhere
	// else.
	Stake bool
	// Withheld says that the end of a session has kept it of what the ticket brought, prizes and
	// stakes. It is of no game, and no time ends it.
	Withheld bool
}

// UnfetchedWithheld returns what the ends of sessions have kept and nobody has fetched, by
// ticket.
//
//rule:vic-keno-2015 21(k) 22(b)
//rule:tas-keno-2023 1.25 14.1
func UnfetchedWithheld(s *state.State) []Unfetched {
	var all []Unfetched
	for _, w := range s.AllWithheld() {
		all = append(all, Unfetched{Ticket: w.Ticket, Cents: w.Cents, Claim: s.UnderClaim(w.Ticket), Withheld: true})
	}
	return all
}

// UnfetchedStakes returns the stakes of a void game that were not paid back, by ticket.
//
//rule:casino-keno-div2 11.6
func UnfetchedStakes(s *state.State, series *state.Series, g *state.Game) []Unfetched {
	var all []Unfetched
	for _, b := range series.Back(g.Ordinal) {
		if !b.Paid {
			all = append(all, Unfetched{Ticket: b.Ticket, Game: g.Ref, Ordinal: g.Ordinal, Cents: b.Cents,
				Claim: s.UnderClaim(b.Ticket), Stake: true})
		}
	}
	return all
}

// FindUnfetched says what is left of a prize that a ticket has won in a game, or that ran on
// into a void one, and where it is and goes: for each sweep which ticket, game and amount, and where the money
// went. It reports false if nothing is left.
//
//rule:casino-keno-div2 9.3
//rule:tas-keno-2023 14.1
//rule:vic-keno-2015 22(b)
func FindUnfetched(s *state.State, series *state.Series, g *state.Game, ticket record.Place,
	won money.Amount) (Unfetched, bool, error) {
	left := won - s.PaidPrize(series, ticket, g.Ordinal)
	if !g.Phase.IsOver() || left <= 0 {
		return Unfetched{}, false, nil
	}
	u := Unfetched{Ticket: ticket, Game: g.Ref, Ordinal: g.Ordinal, Cents: left,
		At: s.PrizeAt(series, ticket, g.Ordinal), Claim: s.UnderClaim(ticket)}
	if form, ok := s.ClaimForm(u.Claim); ok {
		for _, p := range form.Parts {
			if p.Of == ticket && p.Ordinal == g.Ordinal && !form.Returns(series, p) {
				u.At = p.At // The form has kept it there, whatever became of the others.
			}
		}
	}
	if u.At != "" && u.At == series.Swept(g.Ordinal) {
		u.Since = series.SweptOn(g.Ordinal)
	}
	next := 0
	list := s.BookOf(g).Unclaimed()
	for i := range list {
		if list[i].Then == u.At {
			u.Clause, next = list[i].Quoted(), i+1
		}
	}
	if next == len(list) {
		return u, true, nil
	}
	last, err := lastUnclaimedDay(list[next].After, g.WonOn())
	u.Next, u.NextClause, u.From = list[next].Then, list[next].Quoted(), last+1
	return u, true, err
}

// UnfetchedSearch says which unclaimed prizes to list. The zero value is all of them.
type UnfetchedSearch struct {
	From, To day.Day // Keno Days of the games; none for no bound
	Due      day.Day // only what moves by this day; none for all
}

// Games returns the games that are over in which a search may find something, in their order.
func (q UnfetchedSearch) Games(s *state.State, series *state.Series) ([]uint32, error) {
	var found []uint32
	for ordinal := uint32(1); ; ordinal++ {
		g, ok := series.Brief(ordinal)
		if !ok || q.To != day.None && g.Ref.Day > q.To {
			return found, nil
		}
		if !g.Phase.IsOver() || g.Ref.Day < q.From {
			continue
		}
		if q.Due != day.None {
			prizes, form := series.Unclaimed(g)
			book, _ := s.Book(g.Rulebook)
			first, err := lastUnclaimedDay(book.Unclaimed()[0].After, g.WonOn)
			if err != nil {
				return nil, err
			}
			if prizes == 0 && form == 0 || first >= q.Due {
				continue
			}
		}
		found = append(found, ordinal)
	}
}

// Wants reports whether a prize is one that is searched for: of those that move, one that
// no claim form keeps.
func (q UnfetchedSearch) Wants(u *Unfetched) bool {
	return q.Due == day.None || u.Next != "" && u.From <= q.Due && u.Claim == 0
}
