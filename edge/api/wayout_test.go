package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal"
)

// errEnough ends the games of a test.
var errEnough = errors.New("enough")

// playingClock jumps to where the timetable waits for, and asks the test first.
type playingClock struct {
	*clock
	wait func() error
}

func (c *playingClock) WaitUntil(_ context.Context, until time.Time) error {
	if err := c.wait(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.now) {
		c.now = until
	}
	return nil
}

// cageOfMoods is a device that panics while a test wants it to, or draws what a test says.
type cageOfMoods struct {
	house.Device
	cross bool
}

func (d *cageOfMoods) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence,
	recent []ball.Sequence) (house.Drawing, error) {
	if d.cross {
		panic("the device is cross")
	}
	return d.Device.Start(plan, seal, drawn, recent)
}

// generator returns a device that draws by what its source gives behind the start-up test.
func generator(t *testing.T, keys house.Keys, source io.Reader) house.Device {
	t.Helper()
	verifier, err := journal.ParseVerifier(keys.HouseVerifier)
	must(t, err)
	tested, err := draw.NewSource(io.MultiReader(io.LimitReader(rand.NewChaCha8([32]byte{7}), 1024), source))
	must(t, err)
	device, err := draw.NewDevice(draw.Config{Signer: keys.Device, House: verifier, Source: tested})
	must(t, err)
	return house.DeviceOf(device)
}

// scriptOf returns what a source gives for these numbers of 80 to be drawn.
func scriptOf(numbers []int) io.Reader {
	var script []byte
	left := make([]int, 80)
	for i := range left {
		left[i] = i + 1
	}
	for _, n := range numbers {
		i := slices.Index(left, n)
		script = append(script, byte(i))
		left = slices.Delete(left, i, i+1)
	}
	return bytes.NewReader(script)
}

// TestWayOutOverHTTP walks the whole way over the interface. The timetable panics; the office
// sees the alarm and sales go on; play is paused, two persons end the game, play goes on and
// the alarm is gone. It panics again, and is mended by itself. Then a result equals the one
// before: the series waits, until two persons confirm that the result stands.
func TestWayOutOverHTTP(t *testing.T) {
	device, playing := &cageOfMoods{}, &playingClock{}
	r := newRigWith(t, "vic-keno-2015", "hotel", "", benchTerminals, func(r *rig, c *house.Config) {
		device.Device = generator(t, c.Keys, rand.NewChaCha8([32]byte{8}))
		playing.clock = r.clock
		c.Device, c.Clock = device, playing
	})
	o := officeOf(r)
	zone, err := time.LoadLocation(r.house.First().Book().Zone())
	must(t, err)
	rhythm := timetable.Config{Interval: 3 * time.Minute, Lead: 3 * time.Second, Ball: 1500 * time.Millisecond,
		DayStart: 5 * time.Hour, Zone: zone, Numbers: 20}
	alarm := func() (found PartAlarm) {
		var all Alarms
		r.as(o.first, http.MethodGet, "/v1/alarms", "").into(t, &all)
		for _, a := range all.Parts {
			if a.Part == "series 1" {
				found = a
			}
		}
		return found
	}
	until := func(what string, enough func() bool) {
		t.Helper()
		steps := 0
		playing.wait = func() error {
			if enough() {
				return errEnough
			}
			if steps++; steps > 2000 {
				return fmt.Errorf("it never came about that %s; alarms %+v", what, r.house.Alarms())
			}
			return nil
		}
		if err := r.house.First().PlayOn(t.Context(), rhythm); !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	settled := func() int {
		return len(slices.DeleteFunc(r.house.First().Games(10),
			func(g house.Game) bool { return !g.IsSettled() || g.IsVoid() }))
	}
	stands := func(words string) {
		t.Helper()
		var a PartAlarm // It ends with the games.
		until("the series stands still", func() bool {
			if a = alarm(); a.Part == "" {
				return false
			}
			r.sell(oneSpot)
			return true
		})
		if !strings.Contains(a.Sentence, words) || a.Remedy == "" || a.Count == 0 {
			t.Errorf("the office sees %+v", a)
		}
	}
	goesOn := func() {
		t.Helper()
		before := settled()
		until("a game is settled and the alarm is gone", func() bool { return settled() > before && alarm().Part == "" })
	}

	until("a game is on sale", func() bool { return len(r.house.First().Games(1)) == 1 })
	device.cross = true
	stands("the device is cross")
	stuck := r.house.First().Games(2)[1].Ordinal
	r.as(o.first, http.MethodPost, "/v1/operator/pause", `{"reason":"the device is looked at"}`).into(t, &Done{})
	o.both("games/void", fmt.Sprintf(`{"ordinal":%d,"reason":"the device failed","clause":"18(b)"}`, stuck))
	device.cross = false
	r.as(o.first, http.MethodPost, "/v1/operator/resume", "").into(t, &Done{})
	goesOn()

	device.cross = true
	stands("the device is cross")
	device.cross = false
	goesOn()

	last := slices.IndexFunc(r.house.First().Games(10), func(g house.Game) bool { return g.IsSettled() })
	numbers := r.house.First().Games(10)[last].Numbers.Numbers()
	slices.Reverse(numbers)
	device.Device = generator(t, r.keys, scriptOf(numbers))
	stands("has the same numbers as game")
	waits := r.house.First().Games(2)[1]
	if !slices.Equal(waits.Numbers.Numbers(), numbers) || waits.IsSettled() {
		t.Fatalf("the game that waits is %+v", waits)
	}
	asked := o.ask("draws/repeats", fmt.Sprintf(`{"ordinal":%d,"draw":1,"reason":"the source was tested"}`, waits.Ordinal))
	wantFault(t, o.use(o.first, asked), http.StatusConflict, "approval_not_given", "approval")
	wantFault(t, o.decide(o.first, asked, true), http.StatusForbidden, "approval_own", "person")
	o.decide(o.second, asked, true).into(t, &Approval{})
	o.use(o.first, asked).into(t, &Operated{})
	device.Device = generator(t, r.keys, rand.NewChaCha8([32]byte{9}))
	goesOn()
	if g, _ := r.house.Game(waits.Ref); !g.IsSettled() || g.Numbers != waits.Numbers {
		t.Errorf("the game is %+v", g)
	}
	if r.house.Err() != nil {
		t.Errorf("the lane has stopped: %v", r.house.Err())
	}
}
