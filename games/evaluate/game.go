package evaluate

import (
	"fmt"
	"iter"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
)

// Game is a settled game. It is good until the next call of [Run.Line].
type Game struct {
	Number   int
	Numbers  ball.Sequence
	Schedule string
	Outcome  *settle.Outcome
	Pools    []jackpot.Pool // of the next game, as far as the file has said what they hold
	PlaysOn  int            // tickets of this game that are in the next one too

	run    *Run
	prizes []settle.Prize // of the run's tickets
}

// Ticket is what a game was for one ticket.
type Ticket struct {
	ID      string
	Ways    int
	Prize   money.Amount // payable
	Carried money.Amount // into the next game
	Lines   []Line       // how the prizes came about, if the run explains
}

// Line is one step on the way to a prize: of which way, as people say it, in words,
// and the clauses that demand it, separated by spaces.
type Line struct {
	Name string
	settle.Line
}

// result joins the tickets of the game that was drawn with their prizes. Every
// ticket that still plays is in it: none was taken for a later game.
func (r *Run) result(d draw) *Game {
	g := &Game{Number: d.game, Numbers: d.numbers, Schedule: r.schedule.ID(), Outcome: r.outcome,
		Pools: slices.Clone(r.pools.now), run: r}
	r.prizes = append(r.prizes[:0], make([]settle.Prize, len(r.tickets))...)
	i := 0
	for place, prize := range r.outcome.All() {
		// Winners and tickets are both in the order of their places.
		for r.tickets[i].seq != place.Seq {
			i++
		}
		r.prizes[i].Payable = prize
	}
	i = 0
	for c := range r.outcome.Carries() {
		for r.tickets[i].seq != c.Ticket.Seq {
			i++
		}
		r.prizes[i].Carried += c.Amount
	}
	g.prizes = r.prizes
	for i := range r.tickets {
		t := &r.tickets[i]
		if t.last > r.drawn && (t.ways > t.runs || r.prizes[i].Carried > 0) {
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
			result := Ticket{ID: t.id, Ways: t.ways, Prize: g.prizes[i].Payable, Carried: g.prizes[i].Carried}
			if g.run.explain {
				result.Lines = g.explain(t)
			}
			if !yield(result) {
				return
			}
		}
	}
}

// explain says how a ticket came by its prizes.
func (g *Game) explain(t *ticket) []Line {
	games := g.run.history
	last := games[len(games)-1].Ordinal
	play := settle.Play{Ticket: place(t.seq), First: t.first, Last: t.last, Ways: t.play}
	steps, err := settle.ExplainIn(play, games[len(games)-1-int(last-t.first):])
	if err != nil {
		panic(fmt.Sprintf("evaluate: ways that were settled cannot be explained: %v", err))
	}
	lines := make([]Line, len(steps))
	for i, step := range steps {
		lines[i] = Line{t.play[step.Way].In(int(last - t.first)), step}
	}
	return lines
}
