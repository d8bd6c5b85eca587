package house

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// draws holds the draw that is under way.
type draws struct {
	turn // guards what follows
	of   drawOf
	draw Drawing
	last draw.Pick // that the draw has given; it may not be recorded
	// opened is the seal of the game under way, whose signature is checked once and not for
	// every number.
	opened openedSeal
	logged loggedSeal
	relays relayWait
	// clear is the game whose seal stands in a cosigned public log, for the people at a ball machine.
	clear atomic.Uint32
}

// openedSeal is a seal whose signature was checked.
type openedSeal struct {
	signed []byte
	volume uint16 // whose key has signed it
	seal   journal.Seal
}

// drawOf tells draws apart: a game has another draw after one that was declared void, and a
// drawing of the first must not give a number to the second, no matter who declared it void.
type drawOf struct {
	ordinal uint32
	draw    uint8
	seal    journal.Hash
	others  uint64 // see House; another writer may have drawn since
}

// The methods below are the timetable's. Line satisfies timetable.House.
var _ timetable.House = (*Line)(nil)

// Play runs the games by the house's own clock, by which its records are dated,
// until the context ends or a step fails.
func (l *Line) Play(ctx context.Context, rhythm timetable.Config) error {
	return timetable.Run(ctx, rhythm, player{l}, l.config.Clock)
}

// View tells the timetable how the series stands.
func (l *Line) View(ctx context.Context) (timetable.View, error) {
	return lane.DoFirst(ctx, l.lane, func(m machine) (timetable.View, error) {
		series, ok := m.State().Series(l.id)
		if !ok {
			return timetable.View{}, fmt.Errorf("house: no series %d", l.id)
		}
		// A device that is out of service is exchanged, and then the day goes on.
		outOfService := game.CheckService(m.State(), l.id) != nil
		view := timetable.View{
			Day: series.Day, DayOpen: series.DayOpen, LastDay: series.LastDay,
			NumbersLeft: outOfService || game.CheckNext(m.State(), l.id) == nil,
			Numbers:     game.NumbersLeft(series),
			Written:     m.State().Now().Time(), Paused: series.Paused,
			Unattended: outOfService || staff.CheckGame(m.State(), max(l.now(), m.State().Now()), l.id) != nil,
		}
		if series.ClosesAt != 0 {
			view.ClosesAt = series.ClosesAt.Time()
		}
		view.GoesOn = series.GoesOn()
		if newest := series.Newest(); newest != nil && newest.Phase == state.PhaseOpen {
			view.Open = &timetable.Game{Ordinal: newest.Ordinal, Closes: newest.Closes.Time()}
		}
		for _, g := range series.Unsettled() {
			view.Unsettled = append(view.Unsettled, timetable.Game{
				Ordinal: g.Ordinal, SealedAt: g.SealedAt.Time(), Drawn: g.Numbers.Len(),
				Finished: g.Phase == state.PhaseDrawn,
			})
		}
		return view, nil
	})
}

// do runs a step of the house's own, such as one of the timetable, before everything that
// waits. It is never refused as busy.
func (h *House) do(ctx context.Context, step func(machine) error) error {
	_, err := lane.DoFirst(ctx, h.lane, func(m machine) (struct{}, error) { return struct{}{}, step(m) })
	return err
}

// soon runs a decision that has no answer but an error, in the places that are reserved
// for payments and acts of staff.
func (h *House) soon(ctx context.Context, decide func(machine) error) error {
	_, err := lane.DoSoon(ctx, h.lane, func(m machine) (struct{}, error) { return struct{}{}, decide(m) })
	return err
}

// OpenDay begins a Keno Day, and with the first of a year a volume.
func (l *Line) OpenDay(ctx context.Context, d day.Day, offsetSeconds int32) error {
	if err := l.beforeDay(ctx, d, offsetSeconds); err != nil {
		return err
	}
	return l.do(ctx, func(m machine) error { return m.OpenDay(l.now(), l.id, d, offsetSeconds) })
}

// beforeDay does what stands before a Keno Day: custodians bind themselves for it, and
// with the first of a year a volume begins.
func (l *Line) beforeDay(ctx context.Context, d day.Day, offsetSeconds int32) error {
	if err := l.bindCustodians(ctx, d); err != nil {
		return err
	}
	return errors.Join(l.turnYear(ctx, d, offsetSeconds), l.beginLog(ctx, opening{l.id, d}))
}

// CloseDay ends the Keno Day.
func (l *Line) CloseDay(ctx context.Context) error {
	return l.do(ctx, func(m machine) error { return m.CloseDay(l.now(), l.id) })
}

// OpenGame puts a game on sale.
func (l *Line) OpenGame(ctx context.Context, closes time.Time) error {
	return l.do(ctx, func(m machine) error { return m.OpenGame(l.now(), l.id, record.Of(closes)) })
}

// CloseGame closes and seals the game on sale.
func (l *Line) CloseGame(ctx context.Context) error {
	return l.do(ctx, func(m machine) error { return m.CloseGame(l.now(), l.id) })
}

// TurnGame closes and seals the game on sale and opens the next.
func (l *Line) TurnGame(ctx context.Context, closes time.Time) error {
	return l.do(ctx, func(m machine) error { return m.TurnGame(l.now(), l.id, record.Of(closes)) })
}

// DrawNumber asks the device for the next number of a sealed game and records it.
func (l *Line) DrawNumber(ctx context.Context, ordinal uint32) error {
	if err := l.draws.take(ctx); err != nil {
		return err
	}
	defer l.draws.give()
	found, drawing, err := l.drawing(ctx, ordinal)
	if err != nil {
		return err
	}
	pick, err := l.nextPick(found, drawing)
	if err != nil && pick.Number == 0 {
		l.draws.draw = nil // The device takes the draw up where it was, or says why not.
		return err
	}
	if errors.Is(err, draw.ErrRepeated) {
		err = nil // Whether the result stands is decided when it is complete, see game.CheckRepeat.
	}
	// A number that made the device stop was drawn all the same. It is kept, or the
	// next start would draw another in its place and nobody would know.
	return errors.Join(err, l.do(ctx, func(m machine) error {
		return m.DrawNumber(l.now(), l.id, ordinal, pick.Number, pick.Bytes)
	}))
}

// nextPick returns the number of a game to record next. The journal says how far the
// game has come, and not the device: a number that was drawn and whose record did not
// come about, because the caller gave up, is the next to record.
func (l *Line) nextPick(found *sealed, drawing Drawing) (draw.Pick, error) {
	recorded, drawn := found.Drawn.Numbers(), drawing.Drawn().Numbers()
	switch {
	case l.draws.last.Number != 0 && slices.Equal(drawn, append(slices.Clone(recorded), l.draws.last.Number)):
		return l.draws.last, nil
	case slices.Equal(drawn, recorded), len(drawn) == len(recorded)+1 && slices.Equal(drawn[:len(recorded)], recorded):
		// A device that was taken up again gives the number that it drew last once more.
		pick, err := drawing.Next(len(recorded) + 1)
		l.draws.last = pick
		return pick, err
	}
	return draw.Pick{}, fmt.Errorf("house: the device has drawn %v for game %d of the series, and recorded are %v",
		drawn, found.ordinal, recorded)
}

// FinishDraw has the device sign the numbers of a game.
func (l *Line) FinishDraw(ctx context.Context, ordinal uint32) error {
	if err := l.draws.take(ctx); err != nil {
		return err
	}
	defer l.draws.give()
	_, drawing, err := l.drawing(ctx, ordinal)
	if err != nil {
		return err
	}
	if _, all := l.Book().Numbers(); drawing.Drawn().Len() < all {
		return &refusal.Refusal{Code: game.GameNotReady, Path: "game",
			Sentence: fmt.Sprintf("Game %d of the series has %s so far.", ordinal,
				figure.Count(drawing.Drawn().Len(), "number"))}
	}
	note, err := drawing.Sign()
	if err != nil {
		l.draws.draw = nil // As in DrawNumber.
		return err
	}
	return l.do(ctx, func(m machine) error { return m.FinishDraw(l.now(), l.id, ordinal, note) })
}

// SettleGame settles a drawn game.
func (l *Line) SettleGame(ctx context.Context, ordinal uint32) error {
	return l.do(ctx, func(m machine) error { return m.SettleGame(l.now(), l.id, ordinal) })
}

// sealed is a sealed game as the devices need to know it.
type sealed struct {
	game.Drawable
	ordinal  uint32
	ref      record.Game
	verifier journal.Verifier // of its seal
	houseKey string           // the same in words
	seal     journal.Seal
	loggedBy []string        // the custodians who have cosigned the public log with the seal
	recent   []ball.Sequence // set where the draw begins
}

func (s *sealed) plan() draw.Plan { return draw.KenoPlan(s.Name, uint32(s.Draw)) }

// drawing returns a sealed game and the device's draw of it, which it begins, or after a
// restart takes up behind the numbers that were recorded.
func (l *Line) drawing(ctx context.Context, ordinal uint32) (*sealed, Drawing, error) {
	found, err := l.sealed(ctx, ordinal)
	if err != nil {
		return nil, nil, err
	}
	of := drawOf{ordinal, found.Draw, found.seal.Body().Hash(), l.others.Load()}
	if l.draws.draw != nil && l.draws.of == of {
		return found, l.draws.draw, nil
	}
	if err := l.endLate(ctx, found); err != nil {
		return nil, nil, err
	}
	if found.seal, err = l.witnessed(ctx, found); err != nil {
		return nil, nil, err
	}
	if found.recent, err = l.recent(ctx, ordinal); err != nil {
		return nil, nil, err
	}
	drawing, err := l.startDraw(ctx, found)
	if err != nil {
		return nil, nil, err
	}
	l.draws.of, l.draws.draw, l.draws.last = of, drawing, draw.Pick{}
	return found, drawing, nil
}

// sealed finds a sealed game. The caller has the turn of the draws.
func (l *Line) sealed(ctx context.Context, ordinal uint32) (*sealed, error) {
	found := &sealed{ordinal: ordinal}
	err := l.do(ctx, func(m machine) error {
		series, _ := m.State().Series(l.id)
		g, ok := series.Game(ordinal)
		if !ok || g.Phase != state.PhaseSealed {
			return &refusal.Refusal{Code: game.GameNotReady, Path: "game",
				Sentence: fmt.Sprintf("Game %d of the series is not sealed, or over.", ordinal)}
		}
		found.Drawable, found.ref = game.DrawableOf(series, g), g.Ref
		for _, c := range g.Custodians {
			if g.LogCosigned(c.Name) {
				found.loggedBy = append(found.loggedBy, c.Name)
			}
		}
		return game.CheckRectified(series, g) // No device is asked for a number that would be refused.
	})
	if err != nil {
		return nil, err
	}
	volume, err := l.history.volume(found.SealVolume)
	if err != nil {
		return nil, err
	}
	found.houseKey = volume.HouseKey
	if found.verifier, err = l.history.houseKey(found.SealVolume); err != nil {
		return nil, err
	}
	known := &l.draws.opened
	if known.volume != found.SealVolume || !bytes.Equal(known.signed, found.Seal) {
		seal, err := journal.OpenSeal(found.Seal, found.verifier)
		if err != nil {
			return nil, err
		}
		*known = openedSeal{found.Seal, found.SealVolume, seal}
	}
	found.seal = known.seal
	return found, nil
}

// recent returns the results that a device holds its own against. They are up to a thousand,
// and are asked for once a draw.
func (l *Line) recent(ctx context.Context, ordinal uint32) (results []ball.Sequence, err error) {
	err = l.do(ctx, func(m machine) error {
		series, _ := m.State().Series(l.id)
		results = game.Recent(series, ordinal)
		return nil
	})
	return results, err
}

// startDraw has the device of a game begin its draw.
func (l *Line) startDraw(ctx context.Context, g *sealed) (Drawing, error) {
	switch g.Device {
	case record.DeviceWitnessed:
		return l.startWitnessed(ctx, g)
	case record.DeviceCage:
		return l.startCage(g)
	}
	device, err := l.deviceUnder(g.SealVolume)
	if err != nil {
		return nil, err
	}
	return device.Start(g.plan(), g.seal, g.Drawn, g.recent)
}

// deviceUnder returns a generator that draws under seals of a volume. A game that was
// sealed before the house key was changed is drawn under the old one.
func (h *House) deviceUnder(volume uint16) (Device, error) {
	v, err := h.history.volume(volume)
	if err != nil {
		return nil, err
	}
	c := h.configNow()
	if v.HouseKey == c.Keys.HouseVerifier {
		return *h.device.Load(), nil
	}
	return newDevice(c, v.HouseKey)
}
