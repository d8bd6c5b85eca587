package house

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// cuttingDevice ends a context after each number that it draws, so that the caller who asked
// for the number does not come to record it.
type cuttingDevice struct {
	Device
	cut   context.CancelFunc
	drawn []int
}

type cuttingDraw struct {
	Drawing
	device *cuttingDevice
}

func (d *cuttingDevice) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (Drawing,
	error) {
	drawing, err := d.Device.Start(plan, seal, drawn, recent)
	return cuttingDraw{drawing, d}, err
}

func (d cuttingDraw) Next(place int) (draw.Pick, error) {
	pick, err := d.Drawing.Next(place)
	if err == nil {
		d.device.drawn = append(d.device.drawn, pick.Number)
		d.device.cut()
	}
	return pick, err
}

// TestDrawnAndNotRecorded interrupts the house between each number and its record. The
// number that was drawn is the one that is recorded when the house asks again, and
// none is drawn in its place.
func TestDrawnAndNotRecorded(t *testing.T) {
	b := newBench(t)
	b.run(func(time.Time) error {
		if games := b.house.First().Games(2); len(games) == 2 {
			return errEnough // One is sealed, the next on sale.
		}
		return nil
	})
	device := &cuttingDevice{Device: *b.house.device.Load()}
	b.house.drawWith(device)
	b.house.First().draws.draw = nil
	ordinal := b.house.First().Games(2)[1].Ordinal
	before := b.house.First().Games(2)[1].Numbers.Len()
	for range 20 - before {
		ctx, cancel := context.WithCancel(t.Context())
		device.cut = cancel
		if err := b.house.First().DrawNumber(ctx, ordinal); !errors.Is(err, context.Canceled) {
			t.Fatalf("cut off, it says %v", err)
		}
		must(t, b.house.First().DrawNumber(t.Context(), ordinal))
	}
	if got := b.house.First().Games(2)[1].Numbers.Numbers()[before:]; !slices.Equal(got, device.drawn) {
		t.Fatalf("drawn were %v, on record are %v", device.drawn, got)
	}
	must(t, b.house.First().FinishDraw(t.Context(), ordinal))
	must(t, b.house.First().SettleGame(t.Context(), ordinal))
}
