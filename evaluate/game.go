package evaluate

import (
	"fmt"
	"iter"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/settle"
)

// Game is a settled game. It is good until the next call of [Run.Line].
type Game struct {
	Number   int
	Numbers  ball.Sequence
	Schedule string
	Outcome  *settle.Outcome
	PlaysOn  int // tickets of this game that are in the next one too

	run    *Run
	prizes []money.Amount // of the run's tickets
}

// Ticket is what a game was for one ticket.
type Ticket struct {
	ID    string
	Ways  int
	Prize money.Amount
	Lines []Line // how the prize came about, if the run explains
}

// Line is one step on the way to a prize: of which way, in words, and the clauses
// that demand it, separated by spaces.
type Line struct {
	Spots ball.Set
	settle.Line
}

// result joins the tickets of the game that was drawn with their prizes. Every
// ticket that still plays is in it: none was taken for a later game.
func (r *Run) result(d draw, outcome *settle.Outcome) *Game {
	g := &Game{Number: d.game, Numbers: d.numbers, Schedule: r.schedule.ID(), Outcome: outcome, run: r}
	r.prizes = append(r.prizes[:0], make([]money.Amount, len(r.tickets))...)
	i := 0
	for place, prize := range outcome.All() {
		// Winners and tickets are both in the order of their places.
		for r.tickets[i].seq != place.Seq {
			i++
		}
		r.prizes[i] = prize
	}
	g.prizes = r.prizes
	for i := range r.tickets {
		if r.tickets[i].last > r.drawn {
			g.PlaysOn++
		}
	}
	return g
}

// Tickets yields the tickets of the game, in the order of the file.
func (g *Game) Tickets() iter.Seq[Ticket] {
	return func(yield func(Ticket) bool) {
		for i := range g.run.tickets {
			t := &g.run.tickets[i]
			result := Ticket{ID: t.id, Ways: t.ways, Prize: g.prizes[i]}
			if g.run.explain {
				result.Lines = g.explain(t)
			}
			if !yield(result) {
				return
			}
		}
	}
}

// explain says how a ticket came by its prize.
func (g *Game) explain(t *ticket) []Line {
	steps, err := settle.Explain(t.play, g.Numbers.Set(), g.run.terms, g.Outcome.Reductions)
	if err != nil {
		panic(fmt.Sprintf("evaluate: ways that were settled cannot be explained: %v", err))
	}
	lines := make([]Line, len(steps))
	for i, step := range steps {
		lines[i] = Line{t.play[step.Way].Spots, step}
	}
	return lines
}
