package verify

import (
	"fmt"

	"drawhouse/journal/record"
)

// carrying is what the records before a settlement say is carried into the next
// game.
type carrying struct {
	list []record.Carried
	at   []uint64 // the place of the record of each
	last uint64   // 1 + that of the last record; 0 for none
}

// prizesCarried puts down prizes that run on. They are compared when the settlement
// comes, or the end of a void game, which must follow at once.
func (c *checker) prizesCarried(b *record.PrizesCarried) error {
	s := c.series[b.Game.Series]
	if s == nil || s.byName[b.Game] == nil {
		return fault(CheckSettlement, "game %v was never opened", b.Game)
	}
	g := s.byName[b.Game]
	// A game that is drawn is settled next, and one that is not is made void.
	if g.stage == stageOpen || g.stage.over() {
		return fault(CheckSettlement, "prizes of game %v are carried, and the game is %v", g.name, g.stage)
	}
	if g.carrying.last != 0 && g.carrying.last != c.here() {
		return fault(CheckSettlement, "another record stands between those that carry the prizes of game %v", g.name)
	}
	g.carrying.list = append(g.carrying.list, b.List...)
	for range b.List {
		g.carrying.at = append(g.carrying.at, c.here())
	}
	g.carrying.last = c.here() + 1
	return nil
}

// checkCarried compares the prizes that were carried with those that run on
// (vic-keno-2015 2(a).let-it-run).
func (c *checker) checkCarried(g *game, out *outcome) error {
	list, at := g.carrying.list, g.carrying.at
	if len(list) > 0 && g.carrying.last != c.here() {
		return fault(CheckSettlement, "another record stands between the prizes that it carries and it")
	}
	for i := range out.carried {
		due := out.carried[i].Carried
		switch {
		case len(list) == 0:
			return fault(CheckSettlement, "run %d of ticket %v won %v, which runs on and is not carried", due.Run,
				due.Ticket, due.Cents)
		case list[0] != due:
			return c.carriedWrong(at[0],
				"it carries %v for run %d of ticket %v where %v of run %d of ticket %v is the next to run on",
				list[0].Cents, list[0].Run, list[0].Ticket, due.Cents, due.Run, due.Ticket)
		}
		list, at = list[1:], at[1:]
	}
	if len(list) > 0 {
		return c.carriedWrong(at[0], "it carries %v for run %d of ticket %v, which does not run on", list[0].Cents,
			list[0].Run, list[0].Ticket)
	}
	g.carrying = carrying{}
	return nil
}

// carriedWrong names the record that carries something wrong, which stands before
// the settlement that shows it.
func (c *checker) carriedWrong(at uint64, format string, args ...any) error {
	return &Failure{Check: CheckSettlement, Place: placeOf(at), Kind: record.KindPrizesCarried,
		Reason: fmt.Sprintf(format, args...)}
}

// carryOn lets the prizes that run on be the stakes of the next game, and ends the
// runs that won nothing.
func (s *series) carryOn(g *game, carried []carry) {
	if !s.runs {
		return
	}
	for t := range s.tickets.all() {
		if !t.covers(g.ordinal) {
			continue
		}
		game := g.ordinal - t.first
		for k := range t.bets {
			if b := &t.bets[k]; b.has(fieldRun) && b.plays(game) {
				b.run = run{over: true}
			}
		}
	}
	for _, c := range carried {
		c.bet.run = run{next: c.into, carried: c.Cents}
	}
}
