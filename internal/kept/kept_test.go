package kept

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestKeptJournals opens every kept journal, replays it, verifies it, goes on with it after its level is
// raised, and verifies it again.
func TestKeptJournals(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range all {
		t.Run(j.Name, func(t *testing.T) {
			t.Parallel()
			house := replay(t, j)
			check(t, j.Export)
			house.goOn(t)
			house.replayAgain(t)
			check(t, house.export(t))
		})
	}
}

// going is a kept journal with which this build goes on.
type going struct {
	*engine.Engine
	about      verify.House
	key        journal.Signer
	records    []Record
	objects    map[string][]byte
	checkpoint []byte
}

// replay replays a kept journal.
func replay(t *testing.T, j *Journal) *going {
	t.Helper()
	e := engine.New(j.Key)
	e.State().KeepFresh(1) // Old games are packed, and lead to the same hashes.
	for _, r := range j.Records {
		if err := e.Replay(r.Data); err != nil {
			t.Fatal(err)
		}
	}
	g := &going{Engine: e, about: j.House, key: j.Key, records: j.Records, objects: map[string][]byte{},
		checkpoint: j.Export["checkpoint"]}
	for name, data := range j.Export {
		if object, ok := strings.CutPrefix(name, verify.ObjectsFolder); ok {
			g.objects[object] = data
		}
	}
	return g
}

// check verifies an export. Acts that are refused today are findings and no faults.
func check(t *testing.T, files export.Memory) {
	t.Helper()
	if report := verify.Run(files, verify.Options{}); !report.OK() {
		t.Fatal(report.Failure)
	}
}

// goOn raises the level and does what can be done with any journal: days and games end and
// begin, as far as the journal is ready for it, and another volume begins.
func (g *going) goOn(t *testing.T) {
	t.Helper()
	now := g.State().Now() + 1000
	earlier := g.State().Level() < record.Level
	if raised, err := g.RaiseLevel(now, "kept"); err != nil || raised != earlier {
		t.Fatalf("the level is raised: %v, %v; it was an earlier one: %v", raised, err, earlier)
	}
	g.take(t)
	var none *refusal.Refusal
	for id := range uint8(255) {
		series, ok := g.State().Series(id)
		if !ok {
			continue
		}
		tomorrow, err := max(series.Day, 1).AddDays(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []func() error{
			func() error { return g.CloseGame(now, id) },
			func() error { return g.CloseDay(now, id) },
			func() error {
				now = max(now, morning(tomorrow, series.OffsetSeconds))
				return g.OpenDay(now, id, tomorrow, series.OffsetSeconds)
			},
			func() error { return g.OpenGame(now, id, now+60_000) },
		} {
			now += 1000
			if err := step(); err != nil && !errors.As(err, &none) {
				t.Logf("series %d: %v", id, err)
			}
			g.take(t)
		}
	}
	g.nextVolume(t, now)
}

// morning is six o'clock of a day by local clocks.
func morning(d day.Day, offset int32) record.Time {
	year, month, dom := d.Date()
	return record.Of(time.Date(year, time.Month(month), dom, 6, 0, 0, 0, time.FixedZone("", int(offset))))
}

// nextVolume begins a volume with the same keys, which states the hash of the state.
func (g *going) nextVolume(t *testing.T, now record.Time) {
	t.Helper()
	before := g.State().Volume()
	err := g.BeginVolume(now, engine.NextVolume{
		Reason: record.ReasonYear, Build: "kept", House: g.key, HouseKey: before.HouseKey, DeviceKey: before.DeviceKey,
		SerialKey: record.Hash{1}, Previous: g.checkpoint,
	})
	if err != nil {
		t.Fatal(err)
	}
	g.take(t)
	g.about.Earlier = append(slices.Clone(g.about.Earlier), before.Volume)
	g.about.Volume = g.State().Volume().Volume
}

// take makes durable what is pending.
func (g *going) take(t *testing.T) {
	t.Helper()
	pending, ok, err := g.Take()
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return
	}
	g.checkpoint = pending.Checkpoint
	for _, entry := range pending.Entries {
		g.records = append(g.records, Record{entry.Place, entry.Data})
	}
	for _, object := range pending.Objects {
		g.objects[object.Name] = object.Data
	}
}

// replayAgain replays all of it and compares the states.
func (g *going) replayAgain(t *testing.T) {
	t.Helper()
	again := engine.New(nil)
	for _, r := range g.records {
		if err := again.Replay(r.Data); err != nil {
			t.Fatal(err)
		}
	}
	if again.State().Hash() != g.State().Hash() {
		t.Error("replayed again the state is another one")
	}
}

func (g *going) export(t *testing.T) export.Memory {
	t.Helper()
	files := export.Memory{}
	if err := export.Write(context.Background(), files, g.about, g.checkpoint, g); err != nil {
		t.Fatal(err)
	}
	return files
}

// Records implements export.Reader.
func (g *going) Records(_ context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for _, r := range g.records {
		if r.Place.Volume != volume || r.Place.Seq < from || r.Place.Seq >= to {
			continue
		}
		if err := fn(r.Place.Seq, r.Data); err != nil {
			return err
		}
	}
	return nil
}

// Object implements export.Reader.
func (g *going) Object(_ context.Context, name string) ([]byte, error) { return g.objects[name], nil }
