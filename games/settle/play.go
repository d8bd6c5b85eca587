package settle

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// The bounds of a play. Each is far above what a rulebook allows; they are what
// lets the pass add and multiply without looking for overflow, and what lets a
// way be small.
const (
	// Stakes are below 2^32 cents and ways fewer than 2^31, so that the stakes of
	// a game always fit an amount.
	maxStake = math.MaxUint32
	maxWays  = math.MaxInt32
	// maxAhead bounds how many games ahead of the last closed one a ticket may
	// play, and maxGames in how many games.
	maxAhead = 1 << 17
	maxGames = math.MaxUint16
	// maxCalls bounds a series of calls and maxRun the games that a prize may run
	// through.
	maxCalls = callSlots
	maxRun   = math.MaxUint8
)

// Way is one way of a ticket: in every game it wins or loses on its own. It has
// spots, calls or rows, as the form of its bet demands.
type Way struct {
	Bet   string                   // id of the rulebook's bet
	Spots ball.Set                 // of a bet on numbers: at least one
	Calls []keno.Call              // of a bet on calls: one for every game of the ticket, or one for each
	Run   bool                     // of a bet on calls: a prize becomes the stake of the next game
	Type  string                   // of a bet on a race: id of the racing type
	Rows  [keno.MaxPlaces]keno.Row // of a bet on a race: the row of each place
	Stake money.Amount             // in each game; of a way that runs, in its first

	Multiplier Side // its prize is multiplied
	LuckyLast  Side // the last number drawn wins a prize of its own
}

// Side is what a feature adds to a way: a stake of its own in the first games of
// the ticket.
type Side struct {
	Stake money.Amount // in each of these games; 0: the way is without the feature
	Games int
}

// in reports whether the feature covers a game of the ticket, counted from 0.
func (s Side) in(game int) bool { return game < s.Games }

// Play is a ticket that plays the same ways in the games First to Last.
type Play struct {
	Ticket      record.Place
	First, Last uint32 // ordinals
	Ways        []Way
}

// games returns how many games p plays.
func (p *Play) games() int { return int(p.Last-p.First) + 1 }

// PlayOf returns what a ticket at a place plays from a game on.
func PlayOf(desk *keno.Desk, place record.Place, first uint32, ticket *keno.Ticket) Play {
	return Play{place, first, first + uint32(ticket.Games) - 1, AppendWays(nil, desk, ticket)}
}

// AppendWays appends the ways of a ticket that [keno.Desk.Quote] has accepted, bet
// after bet in the order of [keno.Desk.Ways].
//
//rule:vic-keno-2015 11(k)
//rule:tas-keno-2023 21.4(e) 21.4(g)
func AppendWays(ways []Way, desk *keno.Desk, ticket *keno.Ticket) []Way {
	for i := range ticket.Bets {
		bet := &ticket.Bets[i]
		w := Way{
			Bet: bet.Bet, Calls: bet.Calls, Run: bet.Run, Type: bet.Type, Stake: bet.Stake,
			Multiplier: sideOf(bet.With.Multiplier, bet.Stake, ticket.Games),
			LuckyLast:  sideOf(bet.With.LuckyLast, bet.Stake, ticket.Games),
		}
		for way := range desk.Ways(bet, 0) {
			w.Spots, w.Rows = way.Spots, way.Rows
			ways = append(ways, w)
		}
	}
	return ways
}

// sideOf states what a side of the ticket form leaves to its bet.
func sideOf(s keno.Side, stake money.Amount, games int) Side {
	if !s.On {
		return Side{}
	}
	if s.Stake != 0 {
		stake = s.Stake
	}
	if s.Games != 0 {
		games = s.Games
	}
	return Side{stake, games}
}

// form is the shape of a way.
type form uint8

const (
	formNone form = iota
	formNumbers
	formCalls
	formRace
)

// form returns the shape of w, formNone if it has none or more than one.
func (w *Way) form() form {
	switch spots, calls, race := w.Spots.IsValid(), w.Calls != nil, w.Type != ""; {
	case spots && !calls && !race:
		return formNumbers
	case calls && !spots && !race:
		return formCalls
	case race && !spots && !calls:
		return formRace
	}
	return formNone
}

// check returns what is wrong with a way of a ticket of so many games.
func (w *Way) check(games int) error {
	if w.Bet == "" || w.Stake <= 0 || w.Stake > maxStake {
		return errors.New("a way has a bet and a stake")
	}
	if !w.Multiplier.fits(games) || !w.LuckyLast.fits(games) {
		return errors.New("a feature has a stake in the first games of its ticket")
	}
	if w.Multiplier.Stake != 0 && w.Multiplier.Stake != w.Stake {
		return errors.New("a multiplier costs as much as the way that it multiplies")
	}
	switch w.form() {
	case formNumbers:
		return w.checkNumbers()
	case formCalls:
		return w.checkCalls(games)
	case formRace:
		return w.checkRows()
	}
	return errors.New("a way has spots, calls or rows, and only one of them")
}

func (s Side) fits(games int) bool {
	if s.Stake == 0 {
		return s.Games == 0
	}
	return s.Stake > 0 && s.Stake <= maxStake && s.Games > 0 && s.Games <= games
}

func (w *Way) checkNumbers() error {
	switch {
	case w.Spots.Universe() != ball.Keno || w.Spots.Len() == 0:
		return errors.New("spots are numbers of keno")
	case w.Run:
		return errors.New("only the prize of a call can run")
	}
	return nil
}

func (w *Way) checkCalls(games int) error {
	for _, call := range w.Calls {
		if !call.IsValid() {
			return errors.New("a call is heads, tails or evens")
		}
	}
	switch n := len(w.Calls); {
	case n != 1 && (n != games || n > maxCalls):
		return fmt.Errorf("%d calls for %d games", n, games)
	case w.Run && games > maxRun:
		return fmt.Errorf("a prize runs through at most %d games", maxRun)
	case w.LuckyLast.Stake != 0:
		return errors.New("a call has no spots among which the last number could be")
	}
	return nil
}

func (w *Way) checkRows() error {
	n := w.places()
	for i, row := range w.Rows {
		if (i < n) != (row != 0) || row > maxRow {
			return fmt.Errorf("rows are 1 to %d, one for each place", maxRow)
		}
	}
	switch {
	case n == 0:
		return errors.New("no row")
	case w.Run:
		return errors.New("only the prize of a call can run")
	case w.LuckyLast.Stake != 0:
		return errors.New("a race has no spots among which the last number could be")
	}
	return nil
}

// places returns how many rows a way on a race names.
func (w *Way) places() int {
	n := 0
	for n < len(w.Rows) && w.Rows[n] != 0 {
		n++
	}
	return n
}

// call returns the call of w in a game of its ticket, counted from 0.
func (w *Way) call(game int) keno.Call {
	switch {
	case len(w.Calls) == 1:
		return w.Calls[0]
	case game < len(w.Calls):
		return w.Calls[game]
	}
	return 0
}

// In returns what w plays in a game of its ticket, counted from 0, as people say
// it: "3 17 42", "heads" or "quinella 3-5".
func (w *Way) In(game int) string {
	switch w.form() {
	case formNumbers:
		return w.Spots.String()
	case formCalls:
		return w.call(game).String()
	case formRace:
		text := []byte(w.Type)
		for i, row := range w.Rows[:w.places()] {
			text = append(text, " -"[min(i, 1)])
			text = strconv.AppendUint(text, uint64(row), 10)
		}
		return string(text)
	}
	return "nothing"
}
