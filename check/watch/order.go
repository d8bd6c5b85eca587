package watch

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// order is what a house leaves out: each entry can be right by itself, and a game before it be forgotten. A house
// closes a game once the one before it is settled or void, and a Keno Day once its last game is.
type order struct {
	series map[string]*seriesOrder
	// past are the days of the logs before this one, by series.
	past map[string]pastDay
}

// pastDay is the newest Keno Day of a series of which a log opened or sealed a game, and the games of it that were
// sealed.
type pastDay struct {
	day    string
	sealed map[journal.Game]bool
}

// seriesOrder is the order of one series.
type seriesOrder struct {
	first  *journal.Game // that opened in the log
	newest journal.Game  // that opened
	day    string        // that is under way, or ""
	id     uint64        // of the newest game; 0 before the log has one
	under  map[journal.Game]*gameOrder
	last   pastDay
	// voids are the void games of the day under way of which the log has not all links. Those behind a void count like
	// those before it.
	voids map[journal.Game]*gameOrder
	row   *voidRow
}

// voidRow are void games without a drawn one between them.
type voidRow struct {
	known int // those of which all links are known
}

// gameOrder is a game that is not over.
type gameOrder struct {
	name          journal.Game
	at            uint64 // number of the entry with the seal
	sealed, drawn bool
	// quorate says that a checkpoint above the seal had the cosignatures of the policy, and custodians and links how
	// many there are: from then on the game is void only with all its links.
	quorate           bool
	custodians, links int
	voidLate          bool   // it was declared void all the same
	rulebook          string // its hash, if the game opened in the log
	clause            string // by which it is void
	row               *voidRow
}

func newOrder() *order { return &order{series: map[string]*seriesOrder{}} }

// take finds what an entry passes over.
func (o *order) take(e *public.Entry, at uint64, chain *public.Chain) *public.Finding {
	name := e.Text("series")
	if name == "" || e.Text("hall") != "" {
		return nil
	}
	s := o.series[name]
	if s == nil {
		s = &seriesOrder{under: map[journal.Game]*gameOrder{}, voids: map[journal.Game]*gameOrder{}, row: &voidRow{}}
		o.series[name] = s
	}
	switch e.Kind {
	case public.DayClosed:
		return s.closes(e, at)
	case public.Opened, public.Sealed:
		found := s.takeGame(e, at, chain)
		if again := o.again(e, at); again != nil {
			return again
		}
		return found
	case public.Link, public.Result, public.Settled, public.GameVoid:
		return s.takeGame(e, at, chain)
	}
	return nil
}

// again finds a game of a Keno Day that a log before this one had opened: links of it may be known, so that who seals
// it chooses its numbers.
func (o *order) again(e *public.Entry, at uint64) *public.Finding {
	name := e.Game()
	s := o.series[name.Series]
	if name.Day > s.last.day {
		s.last = pastDay{name.Day, map[journal.Game]bool{}}
	}
	if e.Kind == public.Sealed && name.Day == s.last.day {
		s.last.sealed[name] = true
	}
	past := o.past[name.Series]
	switch {
	case name.Day > past.day:
		return nil
	case e.Kind == public.Sealed && past.sealed[name]:
		return wrong(at, public.SecondSeal, "%v is sealed, and was sealed in a log before this one", name)
	}
	return wrong(at, public.OutOfOrder, "%s of %v, and a log before this one had games of that Keno Day, or of a later one",
		e.Kind, name)
}

// passed returns the newest days of this log and those before it, by series.
func (o *order) passed() map[string]pastDay {
	past := maps.Clone(o.past)
	if past == nil {
		past = map[string]pastDay{}
	}
	for name, s := range o.series {
		if s.last.day > past[name].day {
			past[name] = s.last
		}
	}
	return past
}

func wrong(at uint64, code public.Code, says string, args ...any) *public.Finding {
	return &public.Finding{Entry: at, Code: code, Says: fmt.Sprintf(says, args...)}
}

// takeGame takes in an entry about a game.
func (s *seriesOrder) takeGame(e *public.Entry, at uint64, chain *public.Chain) *public.Finding {
	name := e.Game()
	g := s.under[name]
	var unopened *public.Finding
	if g == nil && (e.Kind == public.Opened || e.Kind == public.Sealed) {
		if e.Kind == public.Sealed && (s.first != nil && before(*s.first, name) || chain.Body().Before != nil) {
			unopened = wrong(at, public.OutOfOrder, "%v is sealed, and never opened", name)
		} // Another one was open when the first log began; one that follows begins between two days.
		g = &gameOrder{name: name}
		s.under[name] = g
	}
	if void := s.voids[name]; void != nil && e.Kind == public.Link {
		void.links++
		return s.voidKnown(void, at)
	}
	if g == nil {
		return nil // It is over; a correction looks back.
	}
	switch e.Kind {
	case public.Opened:
		g.rulebook = e.Text("rulebook")
		return s.opens(e, at)
	case public.Sealed:
		custody, _ := chain.Custody(name)
		g.sealed, g.at, g.custodians = true, at, len(custody.Custodians)
		for _, left := range s.left() {
			if left != g && unopened == nil {
				return wrong(at, public.Undrawn,
					"%v is sealed, and %v, which was sealed before it, is neither settled nor void", name, left.name)
			}
		}
	case public.Link:
		g.links++
	case public.Result:
		g.drawn = true
	case public.Settled:
		s.row = &voidRow{}
		delete(s.under, name)
	case public.GameVoid:
		if g.voidLate = g.quorate && !g.drawn && g.links < g.custodians; !g.voidLate {
			g.clause, g.row = e.Text("clause"), s.row
			delete(s.under, name)
			s.voids[name] = g
			return s.voidKnown(g, at)
		}
	}
	return unopened
}

// before reports whether a game comes before another one of its series.
func before(a, b journal.Game) bool {
	return a.Day < b.Day || a.Day == b.Day && a.Number < b.Number
}

// opens takes in a game that opens.
func (s *seriesOrder) opens(e *public.Entry, at uint64) *public.Finding {
	name, id, newest, old := e.Game(), e.Uint("id"), s.newest, s.day
	lastID, known := s.id, s.first != nil
	if !known {
		s.first = &name
	}
	s.day, s.id, s.newest = name.Day, id, name
	due := newest.Number + 1
	if name.Day != newest.Day {
		due = 0
	}
	switch {
	case old != "" && name.Day != old:
		return wrong(at, public.OutOfOrder, "%v opens, and %s has not ended", name, old)
	case known && id != lastID+1:
		return wrong(at, public.OutOfOrder, "%v has the id %d, and the game before it %d", name, id, lastID)
	case known && name.Number != due:
		return wrong(at, public.OutOfOrder, "%v opens behind %v", name, newest)
	}
	return nil
}

// closes takes in the end of a day.
func (s *seriesOrder) closes(e *public.Entry, at uint64) *public.Finding {
	day, known, games := e.Text("day"), s.day == e.Text("day"), uint64(s.newest.Number)+1
	var left []string
	for _, name := range slices.SortedFunc(maps.Keys(s.under), func(a, b journal.Game) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Number, b.Number))
	}) {
		if name.Day <= day {
			if !s.under[name].voidLate {
				left = append(left, name.String())
			}
			delete(s.under, name)
		}
	}
	s.day = ""
	maps.DeleteFunc(s.voids, func(name journal.Game, _ *gameOrder) bool { return name.Day <= day })
	switch {
	case len(left) > 0:
		return wrong(at, public.Undrawn, "%s ends, and %s is neither settled nor void", day, left[0])
	case known && games != e.Uint("games"):
		return wrong(at, public.OutOfOrder, "%s ends with %d games, and %d opened", day, e.Uint("games"), games)
	}
	return nil
}

// left returns the games that were sealed and are neither drawn and settled nor void, in the order of their seals.
func (s *seriesOrder) left() (games []*gameOrder) {
	for _, g := range s.under {
		if g.sealed && !g.voidLate {
			games = append(games, g)
		}
	}
	slices.SortFunc(games, func(a, b *gameOrder) int { return cmp.Compare(a.at, b.at) })
	return games
}

// cosigned takes in that a checkpoint of so many entries had the cosignatures of the policy.
func (o *order) cosigned(entries uint64) {
	for _, s := range o.series {
		for _, g := range s.under {
			g.quorate = g.quorate || g.sealed && g.at < entries
		}
	}
}

// ends finds the games that the log leaves without a result or a settlement, where another one follows it.
func (o *order) ends(next string) (findings []*public.Finding) {
	for _, name := range slices.Sorted(maps.Keys(o.series)) {
		var games []*gameOrder
		for _, g := range o.series[name].under {
			if g.sealed {
				games = append(games, g)
			}
		}
		slices.SortFunc(games, func(a, b *gameOrder) int { return cmp.Compare(a.at, b.at) })
		for _, g := range games {
			lacks := "has no result"
			switch {
			case g.drawn:
				lacks = "is drawn and not settled"
			case g.voidLate:
				lacks += "; it was declared void when its links could be known"
			}
			findings = append(findings, wrong(0, public.Undrawn, "%s begins, and %v is sealed in the log before it and %s",
				next, g.name, lacks))
		}
	}
	return findings
}
