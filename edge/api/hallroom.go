package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/house/live"
	"drawhouse/rulebook"
)

// Halls are the bingo rooms of a house.
type Halls struct {
	Halls []HallName `json:"halls"`
}

// HallName is a bingo room by its names.
type HallName struct {
	Hall      uint8  `json:"hall"`
	Name      string `json:"name" doc:"As in seals."`
	Venue     uint32 `json:"venue"`
	VenueName string `json:"venue_name"`
	Rulebook  string `json:"rulebook" doc:"By which the room plays."`
	Title     string `json:"title" doc:"Of that rulebook."`
	Currency  string `json:"currency" doc:"Of every amount, such as AUD."`
	Locale    string `json:"locale,omitempty" doc:"By which amounts and dates are written, such as en-US, where the rulebook says it."`
	// Form is how its cards and its board are laid out.
	Form HallForm `json:"form"`
}

// HallForm is how the cards and the board of a room are laid out.
type HallForm struct {
	Numbers    int      `json:"numbers" doc:"The highest number that is called; the lowest is 1."`
	Lines      int      `json:"lines" doc:"Of a box."`
	PerLine    int      `json:"per_line" doc:"Places of a line, as patterns count them."`
	Columns    int      `json:"columns" doc:"Cells of a line."`
	First      []int    `json:"column_first" doc:"The lowest number of each column."`
	Letters    []string `json:"letters,omitempty" doc:"Of the columns, with which numbers are called."`
	Free       [][2]int `json:"free,omitempty" doc:"Cells without a number, which count as marked: line and column, from 0."`
	Least      int      `json:"least" doc:"Numbers that any game calls."`
	AnyPattern bool     `json:"any_pattern,omitempty" doc:"The pattern with which a game is won is announced before it."`
	// Patterns are those with which a game can be won, where there is a choice.
	Patterns []FormPattern `json:"patterns,omitempty"`
}

// FormPattern is a pattern by its names.
type FormPattern struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// formOf returns the layout of a bingo rulebook.
func formOf(book *rulebook.Book, rules *rulebook.Bingo) HallForm {
	card := rules.Card()
	view := HallForm{Numbers: int(rules.Universe()), Lines: card.Lines, PerLine: card.PerLine, Columns: card.Columns,
		First: card.ColumnsFrom(), Letters: card.Letters, Least: rules.Calls().Least,
		AnyPattern: rules.Calls().AnyPattern}
	for _, p := range book.Patterns() {
		if view.AnyPattern {
			view.Patterns = append(view.Patterns, FormPattern{p.ID, p.Name})
		}
	}
	for _, square := range card.Free {
		view.Free = append(view.Free, [2]int{square.Line - 1, square.Column - 1})
	}
	return view
}

// HallRoom is a bingo room as its screens show it: the session in play, its game, and
// the game that was over last.
type HallRoom struct {
	ID live.ID `json:"id" doc:"It holds every event of the room up to this id; follow the events after it."`
	HallName
	Session *HallDisplay `json:"session,omitempty" doc:"In play, or the last one; absent in a room that had none."`
	Game    *HallGame    `json:"game,omitempty" doc:"In play; absent when all games of the session are over."`
	Last    *HallGame    `json:"last,omitempty" doc:"The game of the session that was over last."`
}

// roomReadings registers what the screens of a room ask.
func (r roomServer) roomReadings(room string) {
	r.get(route{
		path: "/v1/hall", name: "list-halls", says: "The bingo rooms of the house", who: everybody, out: Halls{},
	}, r.listHalls)
	r.get(route{
		path: room, name: "get-bingo-room", says: "A bingo room as its screens show it", who: everybody,
		refuses: "hall_unknown", out: HallRoom{},
	}, r.room)
}

func (r roomServer) listHalls(ctx context.Context, _ place, _ *http.Request) (any, error) {
	view := Halls{Halls: []HallName{}}
	err := r.rooms.ReadHall(ctx, 0, func(s *state.View, _ *hall.Kit) error {
		for _, h := range hall.All(s) {
			view.Halls = append(view.Halls, viewHallName(s, h))
		}
		return nil
	})
	return view, err
}

func viewHallName(s *state.View, h *state.Hall) HallName {
	view := HallName{Hall: h.Opened.Hall, Name: h.Opened.Name, Venue: h.Opened.Venue}
	if venue, ok := s.Venue(h.Opened.Venue); ok {
		view.VenueName = venue.Name
	}
	if book, ok := s.Book(h.Opened.Rulebook); ok {
		view.Rulebook, view.Title, view.Currency = book.ID(), book.Title(), book.Currency()
		view.Locale = book.Locale()
		if rules, ok := book.Bingo(); ok {
			view.Form = formOf(book, rules)
		}
	}
	return view
}

// zoneOf returns the time zone of a room: that of its rulebook, or that of the house where the
// machine does not know it.
func (r roomServer) zoneOf(s *state.View, h *state.Hall) *time.Location {
	if book, ok := s.Book(h.Opened.Rulebook); ok {
		if zone, err := time.LoadLocation(book.Zone()); err == nil {
			return zone
		}
	}
	return r.zone
}

// inRoom reads a room that must be there.
func (r roomServer) inRoom(ctx context.Context, id uint8,
	read func(s *state.View, h *state.Hall, kit *hall.Kit) error) error {
	return r.rooms.ReadHall(ctx, id, func(s *state.View, kit *hall.Kit) error {
		h, ok := s.Hall(id)
		if !ok {
			return &refusal.Refusal{Code: hall.HallUnknown, Path: "hall",
				Sentence: fmt.Sprintf("There is no hall %d.", id)}
		}
		return read(s, h, kit)
	})
}

func (r roomServer) room(ctx context.Context, at place, _ *http.Request) (any, error) {
	var view HallRoom
	err := r.inRoom(ctx, at.hall, func(s *state.View, h *state.Hall, kit *hall.Kit) error {
		view.ID, view.HallName = standsAt(s), viewHallName(s, h)
		session, ok := hall.InPlay(h)
		if !ok {
			return nil
		}
		display, err := hall.Show(s, session.Ref())
		if err != nil {
			return err
		}
		view.Session = viewDisplay(&display, kit, r.zoneOf(s, h))
		view.Session.ID = view.ID
		if game, ok := session.Current(); ok {
			view.Game = viewGame(session, game, kit)
		}
		for i := range session.Games {
			if session.Games[i].Phase.IsOver() {
				view.Last = viewGame(session, &session.Games[i], kit)
			}
		}
		return nil
	})
	return view, err
}
