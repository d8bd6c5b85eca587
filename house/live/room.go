package live

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// room is what the translator remembers of a bingo room: the numbers of the game under
// way.
type room struct {
	game           record.BingoGame
	jackpot, calls []int // the calls that count, the last one last
}

func (r *room) clone() *room {
	return &room{game: r.game, jackpot: slices.Clone(r.jackpot), calls: slices.Clone(r.calls)}
}

// inHall translates records about a session of a bingo room.
func inHall[B record.Body](body func(head HallHead, b B) Body) translating {
	return from(func(_ *translator, id ID, r record.Record, b B) (Body, error) {
		of, _ := r.HallSession()
		return body(HallHead{ID: id, Time: r.Time.Time().UTC(), Hall: of.Hall, Session: of.Session}, b), nil
	})
}

// inBingo translates records about a game of bingo.
func inBingo[B record.Body](body func(r *room, head BingoHead, b B) (Body, error)) translating {
	return from(func(t *translator, id ID, r record.Record, b B) (Body, error) {
		ref, _ := r.Bingo()
		head := HallHead{ID: id, Time: r.Time.Time().UTC(), Hall: ref.Hall, Session: ref.Session}
		return body(t.room(ref), BingoHead{head, ref.Game}, b)
	})
}

// roomTranslations are about bingo rooms.
var roomTranslations = []translating{
	inHall(func(head HallHead, b *record.SessionSet) Body { return sessionBody(head, b) }),
	inHall(func(head HallHead, b *record.SessionChanged) Body {
		head.Hall, head.Session = b.Set.Hall, b.Set.Session
		return sessionBody(head, &b.Set)
	}),
	inHall(func(head HallHead, _ *record.SessionCancelled) Body { return BingoSessionClosed{head} }),
	inHall(func(head HallHead, b *record.IssueClosed) Body { return BingoSessionBegun{head, b.Players} }),
	inHall(func(head HallHead, _ *record.DeviceFailed) Body { return BingoHalted{head} }),
	inHall(func(head HallHead, b *record.DeviceReplaced) Body {
		head.Hall, head.Session = b.Old.Session.Hall, b.Old.Session.Session
		return BingoResumed{head}
	}),
	inHall(func(head HallHead, b *record.SessionClosing) Body {
		return BingoSessionClosing{head, b.At.Time().UTC()}
	}),
	inHall(func(head HallHead, _ *record.SessionClosed) Body { return BingoSessionClosed{head} }),

	inBingo(func(r *room, head BingoHead, b *record.BingoSealed) (Body, error) {
		*r.drawn(b.Draw) = nil
		fingerprint, err := journal.FingerprintOf(b.Seal)
		return BingoSealed{head, drawOf(b.Draw), fingerprint, string(b.Seal)}, err
	}),
	inBingo(func(_ *room, head BingoHead, b *record.BingoWitnessed) (Body, error) {
		return BingoWitnessed{head, drawOf(b.Draw), b.By, string(b.Seal)}, nil
	}),
	inBingo(func(r *room, head BingoHead, b *record.NumberCalled) (Body, error) {
		drawn := r.drawn(b.Draw)
		*drawn = append(*drawn, int(b.Number))
		return BingoNumberCalled{head, drawOf(b.Draw), len(*drawn), int(b.Number)}, nil
	}),
	inBingo(func(r *room, head BingoHead, b *record.CallCorrected) (Body, error) {
		drawn := r.drawn(b.Of())
		i := slices.Index(*drawn, int(b.Number))
		if i < 0 {
			return nil, fmt.Errorf("%d is corrected and was not drawn", b.Number)
		}
		if b.Of() == record.DrawCalls {
			*drawn = append(slices.Delete(*drawn, i, i+1), int(b.Number))
		}
		return BingoCallCorrected{head, drawOf(b.Of()), int(b.Number), int(b.Wrong), slices.Clone(*drawn)}, nil
	}),
	inBingo(func(r *room, head BingoHead, b *record.BingoDrawn) (Body, error) {
		return BingoDrawn{head, drawOf(b.Draw), slices.Clone(*r.drawn(b.Draw))}, nil
	}),
	inBingo(func(_ *room, head BingoHead, b *record.BingoAnnounced) (Body, error) {
		event := BingoAnnounced{BingoHead: head, Colour: b.Colour, Prizes: prizesOf(b.Prizes),
			JackpotCents: centsOf(b.JackpotCents), Wins: b.Wins}
		for _, n := range b.JackpotNumbers {
			event.JackpotNumbers = append(event.JackpotNumbers, int(n))
		}
		return event, nil
	}),
	inBingo(func(_ *room, head BingoHead, b *record.ClaimOpened) (Body, error) {
		return BingoClaimOpened{head, b.Claim, b.Pattern, b.Called}, nil
	}),
	inBingo(func(_ *room, head BingoHead, b *record.ClaimChecked) (Body, error) {
		return BingoClaimChecked{head, b.Claim, b.Accepted, int(b.Number), b.Level, b.Code, b.Clause}, nil
	}),
	inBingo(func(_ *room, head BingoHead, b *record.BingoSettled) (Body, error) {
		event := BingoSettled{BingoHead: head, Final: b.Final, Prizes: []BingoShared{}, Rolled: prizesOf(b.Rolled)}
		for _, p := range b.Prizes {
			event.Prizes = append(event.Prizes,
				BingoShared{Pattern: p.Pattern, Cents: p.Cents.Cents(), Cards: p.Cards,
					ShareCents: p.ShareCents.Cents()})
		}
		for _, l := range b.Levels {
			event.Jackpot = append(event.Jackpot,
				BingoShared{Level: l.Level, Cents: l.Cents.Cents(), Cards: l.Cards, ShareCents: l.ShareCents.Cents()})
		}
		return event, nil
	}),
	inBingo(func(_ *room, head BingoHead, b *record.BingoVoided) (Body, error) {
		return BingoVoided{head, b.Reason, b.Clause, b.Last, prizesOf(b.Rolled)}, nil
	}),
}

// room returns what is remembered of the room of a game. A game that is another than the
// last one has no numbers yet.
func (t *translator) room(ref record.BingoGame) *room {
	r, ok := t.rooms[ref.Hall]
	if !ok || r.game != ref {
		r = &room{game: ref}
		t.rooms[ref.Hall] = r
	}
	return r
}

// drawn returns the numbers of a draw.
func (r *room) drawn(d record.BingoDraw) *[]int {
	if d == record.DrawJackpot {
		return &r.jackpot
	}
	return &r.calls
}

func drawOf(d record.BingoDraw) BingoDraw {
	if d == record.DrawJackpot {
		return BingoJackpotDraw
	}
	return BingoCallsDraw
}

func prizesOf(list []record.PatternPrize) []BingoPrize {
	var prizes []BingoPrize
	for _, p := range list {
		prizes = append(prizes, BingoPrize{Pattern: p.Pattern, Cents: p.Cents.Cents()})
	}
	return prizes
}

func centsOf(list []money.Amount) []int64 {
	var cents []int64
	for _, a := range list {
		cents = append(cents, a.Cents())
	}
	return cents
}

// sessionBody announces a session, or announces it anew.
func sessionBody(head HallHead, b *record.SessionSet) BingoSessionSet {
	return BingoSessionSet{
		HallHead: head, Day: b.Day.String(),
		Begins: b.Begins.Time().UTC(), FeeCents: b.FeeCents.Cents(), Games: len(b.Games),
	}
}
