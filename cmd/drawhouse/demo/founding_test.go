package demo

import (
	"testing"

	"drawhouse/decide/counter"
	"drawhouse/house"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestEveryTerminalSells holds that something pays for a ticket at every terminal of the
// demonstration of every keno rulebook.
func TestEveryTerminalSells(t *testing.T) {
	asked := 0
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		if len(book.Tenders()) == 0 {
			continue // bingo
		}
		f, err := Founding(house.Keys{}, "test", book, 2)
		if err != nil {
			t.Fatal(err)
		}
		kind := rulebook.VenueKind(f.Venues[0].Kind)
		for _, terminal := range f.Terminals {
			asked++
			if pays, ok := counter.AcceptedAt(book, kind, rulebook.Channel(terminal.Channel)); !ok || len(pays.Accept) == 0 {
				t.Errorf("%s: nothing pays for a ticket at terminal %d, a %s of a %s", id, terminal.Terminal, terminal.Channel,
					kind)
			}
		}
	}
	if asked < 6 {
		t.Errorf("%d terminals", asked)
	}
}
