package house

import (
	"log/slog"
	"strings"
	"testing"

	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// TestGameLines: each of the records that are lines is one, with the game in it, and tickets are none.
func TestGameLines(t *testing.T) {
	game, bingo := record.Game{Series: 1, Day: 20_000, Number: 7}, record.BingoGame{Hall: 3, Session: 2, Game: 1}
	bodies := map[string]record.Body{
		`level=INFO msg="a day has opened" series=1 day=`:                     &record.DayOpened{Series: 1, Day: game.Day},
		`level=INFO msg="a day has closed" series=1 day=`:                     &record.DayClosed{Series: 1, Day: game.Day, Games: 9},
		`msg="a game has opened" series=1 game=` + game.String() + ` closes=`: &record.GameOpened{Game: game, Closes: 5},
		`msg="a game has closed" series=1 game=` + game.String() + ` tickets=4 stakes_cents=800`: &record.GameClosed{
			Game: game, Plays: 4, StakesCents: 800},
		`msg="a game is drawn" series=1 game=` + game.String() + ` draw=1`: &record.GameDrawn{Game: game, Draw: 1},
		`msg="a game is settled" series=1 game=` + game.String() +
			` revision=1 tickets=4 winners=2 prizes_cents=300`: &record.GameSettled{Game: game, Revision: 1, Plays: 4, Winners: 2,
			PrizesCents: 300},
		`level=WARN msg="a draw is void" series=1`: &record.DrawVoided{Game: game, Draw: 1},
		`level=WARN msg="a game is void" series=1`: &record.GameVoided{Game: game},
		`msg="a bingo draw is sealed" room=3`:      &record.BingoSealed{Game: bingo, Draw: record.DrawCalls},
		`msg="a bingo game is settled" room=3`:     &record.BingoSettled{Game: bingo},
		`level=WARN msg="a bingo game is void"`:    &record.BingoVoided{Game: bingo},
	}
	for want, body := range bodies {
		var log strings.Builder
		level, text, attrs := gameLine(body)
		slog.New(slog.NewTextHandler(&log, nil)).LogAttrs(t.Context(), level, text, attrs...)
		if !isGameLine((record.Record{Body: body}).Kind()) || !strings.Contains(log.String(), want) {
			t.Errorf("%T is told as %q, want %q", body, log.String(), want)
		}
	}
	if isGameLine(record.KindTicketSold) || isGameLine(record.KindNumberDrawn) {
		t.Error("what happens thousands of times is a line")
	}
}

// TestGamesInTheLog: a group that is durable is told, and what of it cannot be read is passed over.
func TestGamesInTheLog(t *testing.T) {
	said := &strings.Builder{}
	h := &House{config: Config{Log: slog.New(slog.NewTextHandler(said, nil))}}
	opened, err := record.Encode(record.Record{Time: 1, Body: &record.DayOpened{Series: 1, Day: 20_000}})
	must(t, err)
	h.logGames(lane.Group{Batch: store.Batch{Entries: []store.Entry{{Data: opened}, {Data: opened[:len(opened)-1]},
		{Data: nil}}}})
	if n := strings.Count(said.String(), "a day has opened"); n != 1 || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("%d lines: %s", n, said)
	}
}
