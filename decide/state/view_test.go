package state

import (
	"testing"

	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestFinishedSessionIsShared gives readers a session that is finished with, and then has something happen in it
// again. The view stays as it was.
func TestFinishedSessionIsShared(t *testing.T) {
	s := sample(t)
	ref := record.HallSession{Hall: 1, Session: 1}
	done := &Session{
		Set: record.SessionSet{Hall: 1, Session: 1}, Phase: SessionClosed, done: true,
		Players: []Player{{FeeVoid: true}}, Games: []BingoGame{{Drawn: []uint8{7}}},
	}
	s.halls[1] = &Hall{Opened: record.HallOpened{Hall: 1}, Sessions: []*Session{done}}
	changes := s.Watch()
	before := s.View(nil, nil)
	if hall, _ := before.Hall(1); hall.Sessions[0] != done {
		t.Error("the view has a copy")
	}
	err := s.changeSession(ref, true, func(_ *Hall, session *Session) error {
		session.Halted = 9
		session.Players[0].FeeVoid = false
		session.Games[0].Drawn[0] = 8
		session.Players[0].DueCents = 100 // Something is owed again.
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	hall, _ := before.Hall(1)
	if was := hall.Sessions[0]; was.Halted != 0 || !was.Players[0].FeeVoid || was.Games[0].Drawn[0] != 7 || !was.done {
		t.Errorf("the view has changed: %+v", was)
	}
	after := s.View(before, changes)
	if hall, _ = after.Hall(1); hall.Sessions[0].Halted != 9 || hall.Sessions[0].done {
		t.Errorf("the next view has %+v", hall.Sessions[0])
	}
}

// sample returns a state with a rulebook, a venue, a terminal in session and a game on sale.
func sample(t *testing.T) *State {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	desk, err := keno.NewDesk(book)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	s.level = record.LevelGuarded
	s.books[record.Hash(book.Hash())] = book
	s.venues[1] = Venue{ID: 1}
	s.terminals[1] = &Terminal{ID: 1, Open: &Open{Number: 1}}
	s.series[1] = &Series{ID: 1, Book: book, Desk: desk, Open: settle.NewOpen(0),
		games: games{fresh: []Game{{Ordinal: 1, Phase: PhaseOpen}}}}
	return s
}
