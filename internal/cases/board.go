package cases

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"drawhouse/edge/api"
	"drawhouse/house/live"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// This file has the verb that looks at the screens of the venues.

func init() { verbs["board"] = (*run).board }

// Wall is the part of a house that everybody sees.
type Wall interface {
	// Board returns what the displays of all venues show.
	Board() (live.Standing, error)
	// Displays returns the names of the venues that have displays of their own.
	Displays() ([]string, error)
}

// Board implements Wall: it adds up what is durable, as a hub does.
func (c *Core) Board() (live.Standing, error) {
	if err := c.Take(); err != nil {
		return live.Standing{}, err
	}
	hub := live.NewHub(live.Options{})
	err := hub.Committed(record.Place{Volume: store.FirstVolume}, c.Records)
	return hub.Board().Standing, err
}

// Displays implements Wall.
func (c *Core) Displays() ([]string, error) {
	var names []string
	for _, v := range c.Engine.State().People().Venues() {
		names = append(names, v.Name)
	}
	return names, nil
}

// Board implements Wall.
func (s *Served) Board() (live.Standing, error) {
	var board live.Board
	err := s.send(http.MethodGet, "/v1/board", nil, &board)
	return board.Standing, err
}

// Displays implements Wall.
func (s *Served) Displays() ([]string, error) {
	var displays api.Displays
	err := s.send(http.MethodGet, "/v1/displays", nil, &displays)
	var names []string
	for _, v := range displays.Venues {
		names = append(names, v.Name)
	}
	return names, err
}

var boardPattern = regexp.MustCompile(`^(sale|schedule|displays|game (\d+))$`)

// board says what the displays show: the game on sale, a game, the current schedule of
// prizes, or which venues have one.
func (r *run) board(text string) (string, error) {
	words, err := phrase(boardPattern, text, "sale, schedule, displays or game N")
	if err != nil {
		return "", err
	}
	if words[0] == "displays" {
		names, err := r.house.Displays()
		return strings.Join(names, ", "), err
	}
	board, err := r.house.Board()
	if err != nil {
		return "", err
	}
	if len(board.Series) != 1 {
		return "", errors.New("cases: the board has no games")
	}
	shown := board.Series[0]
	switch {
	case words[0] == "schedule":
		return shown.Schedule, nil
	case words[1] != "":
		return shownGame(shown, uint32(number(words[1]))), nil
	case shown.Open == nil:
		return "nothing", nil
	}
	return fmt.Sprintf("game %d", shown.Open.Ordinal), nil
}

// shownGame says how a display shows a game: how far it has come, its numbers in the
// order drawn, and the multiplier.
func shownGame(s live.Series, ordinal uint32) string {
	if s.Open != nil && s.Open.Ordinal == ordinal {
		return "on sale"
	}
	all := append(slices.Clone(s.Drawing), s.Results...)
	i := slices.IndexFunc(all, func(g live.Game) bool { return g.Ordinal == ordinal })
	if i < 0 {
		return "not shown"
	}
	g, words := all[i], []string{"closed"}
	switch {
	case g.Void != "":
		words[0] = "void"
	case g.Result != nil:
		words[0] = "result"
	case len(g.Numbers) > 0:
		words[0] = "drawing"
	}
	for _, n := range g.Numbers {
		words = append(words, fmt.Sprint(n))
	}
	if g.Result != nil && g.Result.Multiplier > 0 {
		words = append(words, fmt.Sprintf("x%d", g.Result.Multiplier))
	}
	return strings.Join(words, " ")
}
