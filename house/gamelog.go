package house

import (
	"context"
	"log/slog"

	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// logGames tells the log what became of games, days and draws in a group that is durable: a line for each, with
// figures that are public, too.
func (h *House) logGames(g lane.Group) {
	for _, e := range g.Batch.Entries {
		kind, ok := record.KindOf(e.Data)
		if !ok || !isGameLine(kind) {
			continue
		}
		r, err := record.Decode(e.Data)
		if err != nil {
			continue // The lane has encoded it; a reader that cannot read it says so.
		}
		if level, text, attrs := gameLine(r.Body); text != "" {
			h.config.Log.LogAttrs(context.Background(), level, text, attrs...)
		}
	}
}

// isGameLine reports whether a record of a kind is a line: most of a journal are tickets, which are not.
func isGameLine(kind record.Kind) bool {
	switch kind {
	case record.KindDayOpened, record.KindDayClosed, record.KindGameOpened, record.KindGameClosed, record.KindGameDrawn,
		record.KindGameSettled, record.KindDrawVoided, record.KindGameVoided, record.KindBingoSealed,
		record.KindBingoSettled, record.KindBingoVoided:
		return true
	}
	return false
}

// gameLine returns what the log is told of a record, or no text. What persons have taken back is a warning.
func gameLine(body record.Body) (level slog.Level, text string, attrs []slog.Attr) {
	of := func(g record.Game, more ...slog.Attr) []slog.Attr {
		return append([]slog.Attr{slog.Int("series", int(g.Series)), slog.String("game", g.String())}, more...)
	}
	in := func(g record.BingoGame, more ...slog.Attr) []slog.Attr {
		return append([]slog.Attr{slog.Int("room", int(g.Hall)), slog.String("game", g.String())}, more...)
	}
	cents := func(name string, n int64) slog.Attr { return slog.Int64(name+"_cents", n) }
	switch b := body.(type) {
	case *record.DayOpened:
		return slog.LevelInfo, "a day has opened", []slog.Attr{slog.Int("series", int(b.Series)), slog.String("day",
			b.Day.String())}
	case *record.DayClosed:
		return slog.LevelInfo, "a day has closed", []slog.Attr{slog.Int("series", int(b.Series)),
			slog.String("day", b.Day.String()), slog.Uint64("games", uint64(b.Games))}
	case *record.GameOpened:
		return slog.LevelInfo, "a game has opened", of(b.Game, slog.Time("closes", b.Closes.Time()))
	case *record.GameClosed:
		return slog.LevelInfo, "a game has closed", of(b.Game, slog.Uint64("tickets", b.Plays),
			cents("stakes", int64(b.StakesCents)))
	case *record.GameDrawn:
		return slog.LevelInfo, "a game is drawn", of(b.Game, slog.Int("draw", int(b.Draw)))
	case *record.GameSettled:
		return slog.LevelInfo, "a game is settled", of(b.Game, slog.Int("revision", int(b.Revision)),
			slog.Uint64("tickets", b.Plays), slog.Uint64("winners", b.Winners), cents("prizes", int64(b.PrizesCents)))
	case *record.DrawVoided:
		return slog.LevelWarn, "a draw is void", of(b.Game, slog.Int("draw", int(b.Draw)))
	case *record.GameVoided:
		return slog.LevelWarn, "a game is void", of(b.Game, slog.Bool("deferred", b.Deferred),
			cents("refund", int64(b.RefundCents)))
	case *record.BingoSealed:
		return slog.LevelInfo, "a bingo draw is sealed", in(b.Game, slog.Int("draw", int(b.Draw)))
	case *record.BingoSettled:
		return slog.LevelInfo, "a bingo game is settled", in(b.Game, slog.Bool("final", b.Final),
			slog.Int("claims", len(b.Shares)))
	case *record.BingoVoided:
		return slog.LevelWarn, "a bingo game is void", in(b.Game)
	}
	return 0, "", nil
}
