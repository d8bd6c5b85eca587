package hall

import (
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Display is what the screens of a bingo room show: everything that the rules want
// announced or kept on display, all of the time.
type Display struct {
	Hall    uint8
	Session uint32
	Phase   state.SessionPhase
	Day     day.Day
	Begins  record.Time
	Fee     money.Amount
	Games   int
	Players int
	Halted  bool        // an electronic card is being replaced
	Closes  record.Time // by the sign; 0 without one

	// Game is the game in play, or the last one of a session that is over.
	Game      uint8
	GamePhase state.BingoPhase
	Colour    string
	Prizes    []ShownPrize
	Calls     []uint8 // that count, the last one last
	Wrong     []uint8 // that were announced by mistake and do not count
	Claims    int     // being checked

	Jackpot        []ShownLevel
	JackpotGames   []uint8 // that pay out some or all of it
	JackpotNumbers []uint8 // that qualify; empty before they are drawn
	JackpotWrong   []uint8 // that were announced by mistake for them and do not qualify
	JackpotToDraw  uint8   // how many are drawn for the game in play
}

// ShownPrize is a prize of the game in play.
type ShownPrize struct {
	Pattern, Name string
	Of            string // the pattern that it is for
	Cents         money.Amount
	Won           bool
}

// ShownLevel is a level of the jackpot: what is in it, and what can still be won of it in the
// game in play. A bingo wins one level: the highest whose condition it meets.
type ShownLevel struct {
	Name   string
	Within uint8
	Cents  money.Amount
	Pays   money.Amount
}

// InPlay returns the session that a room shows: the first that is not closed, or the
// last one. A room that had none has none to show.
func InPlay(h *state.Hall) (*state.Session, bool) {
	for _, session := range h.Sessions {
		if session.Phase != state.SessionClosed {
			return session, true
		}
	}
	if len(h.Sessions) == 0 {
		return nil, false
	}
	return h.Sessions[len(h.Sessions)-1], true
}

// Show returns what is on display of a session.
//
//rule:nsw-bingo-2019 2.1.2 4.1 4.4 5.5 6.2 6.3.1 6.3.2 6.3.amount 6.3.3 6.3.4 6.3.5 6.3.6 6.3.7
//rule:sc-bingo-1996 3990.6 4000.11
func Show(s Reading, ref record.HallSession) (Display, error) {
	r, session, err := sessionOf(s, ref)
	if err != nil {
		return Display{}, err
	}
	d := Display{
		Hall: ref.Hall, Session: ref.Session, Phase: session.Phase, Day: session.Set.Day, Begins: session.Set.Begins,
		Fee: session.Set.FeeCents, Games: len(session.Games), Players: session.Paying(), Halted: session.Halted != 0,
		Closes: session.ClosesAt,
	}
	game, ok := session.Current()
	if !ok {
		game = &session.Games[len(session.Games)-1]
	}
	r.showGame(&d, session, game)
	for i, level := range r.Opened.Levels {
		shown := ShownLevel{Name: level.Name, Within: level.Within, Cents: r.PoolCents(i + 1)}
		if i < len(game.Announced.JackpotCents) {
			if r.winnable(game, i) {
				shown.Pays = game.Announced.JackpotCents[i]
			}
		} else if game.Phase < state.BingoAnnounced {
			if shown.Pays, err = r.pays(&session.Set.Games[game.Number-1], i+1); err != nil {
				return Display{}, err
			}
		}
		d.Jackpot = append(d.Jackpot, shown)
	}
	for i, plan := range session.Set.Games {
		if plan.JackpotNumbers > 0 {
			d.JackpotGames = append(d.JackpotGames, uint8(i+1))
		}
	}
	return d, nil
}

// winnable reports whether a level of the jackpot can still be won in an announced game: by a
// jackpot number that was announced last, or by one that is to come.
//
//rule:nsw-bingo-2019 6.3.2 6.3.amount 6.3.4 6.5.2 7.3
func (r room) winnable(game *state.BingoGame, level int) bool {
	if game.Phase.IsOver() {
		return false
	}
	wins := func(place int) bool { return r.levelAt(place) == uint8(level+1) }
	drawn := len(game.Drawn)
	for _, number := range game.JackpotNumbers {
		place := slices.Index(game.Drawn, number) + 1
		switch {
		case place > 0:
			if drawn >= r.rules.Calls().Least && game.Heard(int(number)) == drawn && wins(place) {
				return true
			}
		case len(game.Unsettled(record.PatternBingo)) == 0:
			for next := max(drawn+1, r.rules.Calls().Least); next <= int(r.rules.Universe()); next++ {
				if wins(next) {
					return true
				}
			}
		}
	}
	return false
}

// showGame adds the game in play. Before it is announced its prizes are those of the
// plan with what has rolled on.
func (r room) showGame(d *Display, session *state.Session, game *state.BingoGame) {
	plan := &session.Set.Games[game.Number-1]
	d.Game, d.GamePhase, d.Colour = game.Number, game.Phase, plan.Colour
	d.Calls, d.Wrong = slices.Clone(game.Calls), game.Mistaken()
	d.JackpotNumbers, d.JackpotWrong, d.JackpotToDraw = slices.Clone(
		game.JackpotNumbers), game.Misread(), plan.JackpotNumbers
	prizes := game.Announced.Prizes
	if game.Phase < state.BingoAnnounced {
		prizes = plan.Prizes
		// What rolled on is of the next game of the session in play, and of no other.
		if next, ok := InPlay(r.Hall); ok && next == session {
			if joined, err := join(plan.Prizes, r.Rolled); err == nil {
				prizes = joined
			}
		}
	}
	for _, p := range prizes {
		d.Prizes = append(d.Prizes, ShownPrize{Pattern: p.Pattern, Of: game.Announced.Of(p.Pattern),
			Name: r.nameOf(game.Announced.Of(p.Pattern)), Cents: p.Cents,
			Won: game.IsWon(p.Pattern)})
	}
	for i := range game.Claims {
		if !game.Claims[i].Decided {
			d.Claims++
		}
	}
}

// nameOf returns the name of a pattern as it is announced.
func (r room) nameOf(pattern string) string {
	if p, ok := r.rules.Pattern(pattern); ok {
		return p.Name
	}
	return "Bingo"
}
