package house

import (
	"errors"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// TestSealsAreProvenInTheLog finds the seal of every game in a log of several bundles, and refuses what is not there.
func TestSealsAreProvenInTheLog(t *testing.T) {
	b := newBench(t)
	b.minutes(420, 1)
	shown := b.house.public.shown.Load()
	if shown.Size < 2*public.BundleWidth {
		t.Fatalf("the log has %d entries only", shown.Size)
	}
	log, err := journal.ParseVerifier(b.logKey())
	must(t, err)
	proven, open := 0, 0
	for _, g := range b.house.First().Games(1000) {
		p, err := b.house.LogProof(t.Context(), g)
		if refused := new(refusal.Refusal); errors.As(err, &refused) && refused.Code == NotSealed && !g.Sealed() {
			open++
			continue
		}
		must(t, err)
		read, err := public.ParseProof(p.Marshal())
		must(t, err)
		at, e, err := read.Check(log)
		must(t, err)
		if e.Kind != public.Sealed || e.Game().Day != g.Ref.Day.String() || e.Game().Number != uint32(g.Ref.Number) ||
			at.Size != shown.Size {
			t.Errorf("game %v: %s of %v below %d entries", g.Ref, e.Kind, e.Game(), at.Size)
		}
		read.Index++
		if _, _, err := read.Check(log); err == nil {
			t.Errorf("game %v is proven to be another entry", g.Ref)
		}
		proven++
	}
	if proven < 50 || open == 0 {
		t.Errorf("%d games are proven and %d open", proven, open)
	}
	// No record but those with entries is found, neither before the first nor behind the last.
	for _, place := range []record.Place{{}, {Volume: 1}, {Volume: 1, Seq: 1 << 40}} {
		if i, _, err := shown.find(t.Context(), b.house.config.Store, place); !errors.Is(err, ErrNoLog) {
			t.Errorf("record %v is entry %d: %v", place, i, err)
		}
	}
}
