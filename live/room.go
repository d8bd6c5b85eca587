package live

import (
	"fmt"
	"slices"

	"drawhouse/journal"
	"drawhouse/money"
	"drawhouse/record"
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

// isOfRoom reports whether records of the kind become events of a bingo room.
func isOfRoom(kind record.Kind) bool {
	switch kind {
	case record.KindSessionSet, record.KindSessionChanged, record.KindSessionCancelled, record.KindIssueClosed, record.KindDeviceFailed, record.KindDeviceReplaced,
		record.KindSessionClosing, record.KindSessionClosed, record.KindBingoAnnounced, record.KindBingoSealed,
		record.KindBingoWitnessed, record.KindNumberCalled, record.KindCallCorrected, record.KindBingoDrawn,
		record.KindClaimOpened, record.KindClaimChecked, record.KindBingoSettled, record.KindBingoVoided:
		return true
	}
	return false
}

// roomBody returns the body of an event of a bingo room.
func (t *translator) roomBody(id ID, r record.Record) (Body, error) {
	head := func(of record.HallSession) HallHead {
		return HallHead{ID: id, Time: r.Time.Time().UTC(), Hall: of.Hall, Session: of.Session}
	}
	switch b := r.Body.(type) {
	case *record.SessionSet:
		return sessionBody(head, b), nil
	case *record.SessionChanged:
		return sessionBody(head, &b.Set), nil
	case *record.SessionCancelled:
		return BingoSessionClosed{head(b.Session)}, nil
	case *record.IssueClosed:
		return BingoSessionBegun{head(record.HallSession{Hall: b.Hall, Session: b.Session}), b.Players}, nil
	case *record.DeviceFailed:
		return BingoHalted{head(b.Session)}, nil
	case *record.DeviceReplaced:
		return BingoResumed{head(b.Old.Session)}, nil
	case *record.SessionClosing:
		return BingoSessionClosing{head(b.Session), b.At.Time().UTC()}, nil
	case *record.SessionClosed:
		return BingoSessionClosed{head(b.Session)}, nil
	}
	of := func(ref record.BingoGame) (BingoHead, *room) {
		return BingoHead{head(record.HallSession{Hall: ref.Hall, Session: ref.Session}), ref.Game}, t.room(ref)
	}
	if body, err := drawBody(r.Body, of); body != nil || err != nil {
		return body, err
	}
	return bingoBody(r.Body, of)
}

// drawBody returns the body of an event of a draw, or nil if the record is of another.
func drawBody(body record.Body, of func(record.BingoGame) (BingoHead, *room)) (Body, error) {
	switch b := body.(type) {
	case *record.BingoSealed:
		head, room := of(b.Game)
		*room.drawn(b.Draw) = nil
		fingerprint, err := journal.FingerprintOf(b.Seal)
		return BingoSealed{head, drawOf(b.Draw), fingerprint, string(b.Seal)}, err
	case *record.BingoWitnessed:
		head, _ := of(b.Game)
		return BingoWitnessed{head, drawOf(b.Draw), b.By, string(b.Seal)}, nil
	case *record.NumberCalled:
		head, room := of(b.Game)
		drawn := room.drawn(b.Draw)
		*drawn = append(*drawn, int(b.Number))
		return BingoNumberCalled{head, drawOf(b.Draw), len(*drawn), int(b.Number)}, nil
	case *record.CallCorrected:
		head, room := of(b.Game)
		drawn := room.drawn(b.Of())
		i := slices.Index(*drawn, int(b.Number))
		if i < 0 {
			return nil, fmt.Errorf("%d is corrected and was not drawn", b.Number)
		}
		if b.Of() == record.DrawCalls {
			*drawn = append(slices.Delete(*drawn, i, i+1), int(b.Number))
		}
		return BingoCallCorrected{head, drawOf(b.Of()), int(b.Number), int(b.Wrong), slices.Clone(*drawn)}, nil
	case *record.BingoDrawn:
		head, room := of(b.Game)
		return BingoDrawn{head, drawOf(b.Draw), slices.Clone(*room.drawn(b.Draw))}, nil
	}
	return nil, nil
}

// bingoBody returns the body of any other event of a game of bingo.
func bingoBody(body record.Body, of func(record.BingoGame) (BingoHead, *room)) (Body, error) {
	switch b := body.(type) {
	case *record.BingoAnnounced:
		head, _ := of(b.Game)
		event := BingoAnnounced{BingoHead: head, Colour: b.Colour, Prizes: prizesOf(b.Prizes), JackpotCents: centsOf(b.JackpotCents)}
		for _, n := range b.JackpotNumbers {
			event.JackpotNumbers = append(event.JackpotNumbers, int(n))
		}
		return event, nil
	case *record.ClaimOpened:
		head, _ := of(b.Game)
		return BingoClaimOpened{head, b.Claim, b.Pattern, b.Called}, nil
	case *record.ClaimChecked:
		head, _ := of(b.Game)
		return BingoClaimChecked{head, b.Claim, b.Accepted, int(b.Number), b.Level, b.Code, b.Clause}, nil
	case *record.BingoSettled:
		head, _ := of(b.Game)
		event := BingoSettled{BingoHead: head, Final: b.Final, Prizes: []BingoShared{}, Rolled: prizesOf(b.Rolled)}
		for _, p := range b.Prizes {
			event.Prizes = append(event.Prizes, BingoShared{Pattern: p.Pattern, Cents: p.Cents.Cents(), Cards: p.Cards, ShareCents: p.ShareCents.Cents()})
		}
		for _, l := range b.Levels {
			event.Jackpot = append(event.Jackpot, BingoShared{Level: l.Level, Cents: l.Cents.Cents(), Cards: l.Cards, ShareCents: l.ShareCents.Cents()})
		}
		return event, nil
	case *record.BingoVoided:
		head, _ := of(b.Game)
		return BingoVoided{head, b.Reason, b.Clause, b.Last, prizesOf(b.Rolled)}, nil
	}
	return nil, fmt.Errorf("nothing translates %T", body)
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
func sessionBody(head func(record.HallSession) HallHead, b *record.SessionSet) BingoSessionSet {
	return BingoSessionSet{
		HallHead: head(record.HallSession{Hall: b.Hall, Session: b.Session}), Day: b.Day.String(),
		Begins: b.Begins.Time().UTC(), FeeCents: b.FeeCents.Cents(), Games: len(b.Games),
	}
}
