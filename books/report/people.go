package report

import (
	"cmp"
	"fmt"
	"slices"

	"drawhouse/books"
	"drawhouse/journal/record"
)

// moment returns a time as reports print it.
func moment(at record.Time) string {
	if at == 0 {
		return ""
	}
	return at.Time().Format("2006-01-02 15:04")
}

// byShift is what each writer did between signing on and signing off.
func byShift(t *Table, days []*books.Book, c Choice) {
	t.Title = "Writer shifts"
	t.Notes = []string{"A shift over the close of a trading day has a row on each day, with its part.", talliedNote}
	for _, b := range days {
		for i := range b.Shifts {
			s := &b.Shifts[i]
			if !c.has(s.Venue) {
				continue
			}
			row := []Cell{text(b.Day.String()), text(fmt.Sprint(s.Person)), text(fmt.Sprint(s.Terminal)),
				text(fmt.Sprint(s.Venue)), text(moment(s.From)), text(moment(s.To))}
			t.Rows = append(t.Rows, append(append(row, tallyCells(&s.Tally)...), amount(s.Brought), amount(s.Dropped),
				amount(s.Over)))
		}
	}
	t.addTotal()
}

// seller is somebody at a terminal, or a terminal at which nobody has signed on.
type seller struct {
	venue, person, terminal uint32
}

// cancellations shows who gives back how many tickets, those with the greatest part
// first.
func cancellations(t *Table, days []*books.Book, c Choice) {
	t.Title = "Cancellations by writer"
	t.Notes = []string{"Tickets that were sold while nobody had signed on, as at self-service terminals, stand under their terminal."}
	all := map[seller]*books.Tally{}
	add := func(who seller, done *books.Tally) {
		if all[who] == nil {
			all[who] = new(books.Tally)
		}
		all[who].Add(done)
	}
	for _, b := range days {
		attended := map[uint32]*books.Tally{}
		for i := range b.Shifts {
			s := &b.Shifts[i]
			add(seller{venue: s.Venue, person: s.Person}, &s.Tally)
			if attended[s.Terminal] == nil {
				attended[s.Terminal] = new(books.Tally)
			}
			attended[s.Terminal].Add(&s.Tally)
		}
		for _, term := range b.ByTerminal() {
			rest := term.Tally
			if on := attended[term.Terminal]; on != nil {
				rest.Sales, rest.Sold = rest.Sales-on.Sales, rest.Sold-on.Sold
				rest.Cancelled, rest.GivenBack = rest.Cancelled-on.Cancelled, rest.GivenBack-on.GivenBack
			}
			if rest.Sales|rest.Cancelled != 0 {
				add(seller{venue: term.Venue, terminal: term.Terminal}, &rest)
			}
		}
	}
	t.Rows = cancellationRows(all, c)
	t.addTotal()
}

func cancellationRows(all map[seller]*books.Tally, c Choice) (rows [][]Cell) {
	who := make([]seller, 0, len(all))
	for s := range all {
		if c.has(s.venue) {
			who = append(who, s)
		}
	}
	rate := func(s seller) int64 { return int64(all[s].Cancelled) * 10_000 / max(1, int64(all[s].Sales)) }
	slices.SortFunc(who, func(a, b seller) int {
		return cmp.Or(cmp.Compare(rate(b), rate(a)), cmp.Compare(a.venue, b.venue), cmp.Compare(a.person, b.person),
			cmp.Compare(a.terminal, b.terminal))
	})
	named := func(n uint32) Cell {
		if n == 0 {
			return text("-")
		}
		return text(fmt.Sprint(n))
	}
	for _, s := range who {
		u := all[s]
		rows = append(rows, []Cell{
			text(fmt.Sprint(s.venue)), named(s.person), named(s.terminal), number(u.Sales), amount(u.Sold),
			number(u.Cancelled), amount(u.GivenBack), shareOf(int64(u.Cancelled), int64(u.Sales)),
		})
	}
	return rows
}
