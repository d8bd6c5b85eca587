package cases

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/state"
)

// This file has the verbs of the timetable: how games and days go by.

func (r *run) close(string) (string, error) { return "closed", r.house.CloseGame() }

func (r *run) open(string) (string, error) { return "open", r.house.OpenGame() }

// draw draws and settles the oldest game that is closed.
func (r *run) draw(text string) (string, error) {
	text, err := r.named(text)
	if err != nil {
		return "", err
	}
	numbers, err := Numbers(strings.Fields(text))
	if err != nil {
		return "", err
	}
	_, current, err := r.series()
	if err != nil {
		return "", err
	}
	waits := current.Unsettled()
	if len(waits) == 0 {
		return "", errors.New("no game waits for its numbers")
	}
	return "drawn", r.house.Draw(waits[0].Ordinal, numbers)
}

var chancePattern = regexp.MustCompile(`^(\d+) games$`)

// play closes the game on sale, opens the next, and draws and settles the closed
// one; several draws, separated by semicolons, are several games.
func (r *run) play(text string) (string, error) {
	draws := strings.Split(text, ";")
	if found := chancePattern.FindStringSubmatch(text); found != nil {
		draws = make([]string, number(found[1])) // By chance.
	}
	for _, numbers := range draws {
		if err := r.house.TurnGame(); err != nil {
			return "", err
		}
		if _, err := r.draw(numbers); err != nil {
			return "", err
		}
	}
	return "played", nil
}

// end plays the game on sale, if there is one, and ends the Keno Day.
func (r *run) end(text string) (string, error) {
	_, current, err := r.series()
	if err != nil {
		return "", err
	}
	if newest := current.Newest(); newest != nil && newest.Phase == state.PhaseOpen {
		if err := r.house.CloseGame(); err != nil {
			return "", err
		}
		if _, err := r.draw(text); err != nil {
			return "", err
		}
	}
	return "ended", r.house.CloseDay()
}

// day begins another Keno Day with its first game, after the one before it.
func (r *run) day(text string) (string, error) {
	date, err := day.Parse(text)
	if err != nil {
		return "", err
	}
	_, current, err := r.series()
	if err != nil {
		return "", err
	}
	if current.DayOpen {
		if _, err := r.end(""); err != nil {
			return "", err
		}
	}
	r.house.SetClock(Noon(date))
	return "open", errors.Join(r.house.OpenDay(date), r.house.OpenGame())
}

// clock sets the clock: DATE HH:MM.
func (r *run) clock(text string) (string, error) {
	at, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	if err == nil {
		r.house.SetClock(at)
	}
	return "set", err
}

var gamePattern = regexp.MustCompile(`^(\d+)$`)

// game returns what was sold for a game that is closed, and its name.
func (r *run) game(text string) (string, error) {
	words, err := phrase(gamePattern, text, "N")
	if err != nil {
		return "", err
	}
	_, current, err := r.series()
	if err != nil {
		return "", err
	}
	g, ok := current.Game(uint32(number(words[0])))
	if !ok {
		return "", fmt.Errorf("game %s has not opened", words[0])
	}
	what := fmt.Sprintf("%v %v %s", g.Ref, g.Phase, g.Schedule)
	if g.Phase >= state.PhaseClosed {
		what += fmt.Sprintf(" plays %d stakes %v", g.Closed.Plays, g.Closed.StakesCents)
	}
	return what, nil
}
