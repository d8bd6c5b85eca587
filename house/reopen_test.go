package house

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// drawWith has another device draw.
func (h *House) drawWith(d Device) { h.device.Store(&d) }

// TestReopensAtEveryAppend plays games with sales and payments, once for each durable write
// and each side of it: the write fails just before it is durable, or just after it and before
// anybody was told. The same house rejoins its journal each time and plays on. What was
// answered is there, a request that was not answered makes one ticket when it is sent again,
// and the journal verifies.
func TestReopensAtEveryAppend(t *testing.T) {
	t.Parallel()
	whole := reopening{dying: dying{t: t, at: -1}}
	whole.play()
	if whole.appends < 20 || whole.paid == 0 {
		t.Fatalf("%d durable writes with %d payments are too few to tell", whole.appends, whole.paid)
	}
	points, rejoined, reused := 0, 0, 0
	for at := range whole.appends {
		for _, fault := range []storetest.Fault{storetest.BeforeCommit, storetest.AfterCommit} {
			r := reopening{dying: dying{t: t, at: at, fault: fault}}
			r.play()
			if !r.died {
				t.Errorf("no write failed at %d", at)
			}
			rejoined += r.rejoined
			reused += r.reopened
			points++
		}
	}
	if rejoined < points/2 {
		t.Errorf("the house rejoined its journal %d times at %d points", rejoined, points)
	}
	t.Logf("%d points: %d times rejoined, %d times the first opening failed", points, rejoined, reused)
}

// reopening is a house that rejoins its journal when a write has failed. While it is being
// opened for the first time there is no house yet, and another one is opened.
type reopening struct {
	dying
	rejoined, reopened int
}

// rejoin has the house go on.
func (r *reopening) rejoin() {
	r.t.Helper()
	h := r.b.house
	<-h.Done()
	if reason := h.Rest(); !errors.Is(reason, storetest.ErrFault) {
		r.t.Fatalf("write %d (%v): the house rests because of %v", r.at, r.fault, reason)
	}
	if _, err := h.First().View(r.t.Context()); !errors.Is(err, ErrRests) || !errors.Is(err, lane.ErrStopped) {
		r.t.Errorf("write %d (%v): a house at rest answered %v", r.at, r.fault, err)
	}
	if _, reason := h.Resting(); reason == nil {
		r.t.Error("a house at rest says that it does not rest")
	}
	must(r.t, h.Rejoin(r.t.Context()))
	if _, reason := h.Resting(); reason != nil || h.Err() != nil {
		r.t.Errorf("a house that has rejoined rests because of %v, %v", reason, h.Err())
	}
	r.rejoined++
}

// opens opens the house for the first time.
func (r *reopening) opens() {
	r.t.Helper()
	r.open()
	if r.died {
		r.reopened++
	}
}

// again has the house go on if a write has failed.
func (r *reopening) again(err error) {
	r.t.Helper()
	if err == nil || errors.As(err, new(*refusal.Refusal)) {
		return
	}
	if !r.died || r.rejoined > 0 {
		r.t.Fatalf("write %d (%v): %v", r.at, r.fault, err)
	}
	r.rejoin()
}

func (r *reopening) play() {
	r.t.Helper()
	r.b, r.ticket = closedBench(r.t), strings.Replace(oftenWins, `"games":2`, `"games":1`, 1)
	r.opens()
	customers := 0
	for len(r.b.settled(4)) < 1 {
		r.b.clock.wait = func(time.Time) error {
			if len(r.b.settled(4)) >= 1 {
				return errEnough
			}
			customers++
			if customers%5 == 1 {
				return r.sell()
			}
			return nil
		}
		if err := runUntilStopped(r.b); !errors.Is(err, errEnough) {
			r.again(err)
			must(r.t, r.send())
		}
	}
	for _, sold := range r.b.sold {
		if _, err := r.b.house.Ticket(r.t.Context(), sold.Place); err != nil {
			r.t.Errorf("write %d (%v): ticket %v is lost: %v", r.at, r.fault, sold.Place, err)
		}
	}
	r.payAll()
	if report := r.b.verify(); !report.OK() {
		r.t.Errorf("write %d (%v): the second opinion differs: %+v", r.at, r.fault, report.Failure)
	}
	must(r.t, r.b.house.Close(r.t.Context()))
}

// payAll claims every ticket, and claims again under the same number where the write fails.
func (r *reopening) payAll() {
	r.t.Helper()
	for _, sold := range r.b.sold {
		r.b.number++
		request, holder := record.Request{Terminal: 1, Number: r.b.number}, Holder{Code: r.b.codes[sold.Place]}
		_, err := r.b.house.Pay(r.t.Context(), request, sold.Place, holder)
		if r.again(err); err != nil && !errors.As(err, new(*refusal.Refusal)) {
			_, err = r.b.house.Pay(r.t.Context(), request, sold.Place, holder)
		}
		switch {
		case err == nil:
			r.paid++
		case !errors.As(err, new(*refusal.Refusal)):
			r.t.Fatalf("write %d (%v): claiming %v: %v", r.at, r.fault, sold.Place, err)
		}
	}
}

// TestRejoinFenced has another house take over. The first one rests, finds the other, follows
// it, and takes over again when the other one has left.
func TestRejoinFenced(t *testing.T) {
	b := newBench(t)
	b.playGames(1)
	first := b.house
	other := *b
	other.open()
	second := other.house
	other.playGames(2)
	if err := first.BeginVolume(t.Context(), record.ReasonYear); err == nil {
		t.Fatal("a house that was taken over from has decided something")
	}
	select {
	case <-first.Done(): // The lane ends just after it has answered.
	case <-time.After(time.Minute):
		t.Fatal("a house that was taken over from goes on")
	}
	if first.Rest() == nil {
		t.Fatal("nothing has stopped the first house")
	}
	if err := first.Rejoin(t.Context()); !errors.Is(err, store.ErrFenced) {
		t.Fatalf("the first house rejoined with %v", err)
	}
	if s := first.Standing(); !s.Follows || s.Resting != nil {
		t.Errorf("the first house stands as %+v", s)
	}
	if _, err := first.First().View(t.Context()); !errors.Is(err, ErrFollows) {
		t.Errorf("the first house answered %v", err)
	}
	follower := first.Follower()
	must(t, follower.look(t.Context()))
	if got, want := len(first.First().Games(10)), len(second.First().Games(10)); got != want {
		t.Errorf("the first house shows %d games, the second %d", got, want)
	}
	must(t, second.Close(t.Context()))
	must(t, follower.TakeOver(t.Context()))
	if s := first.Standing(); s.Follows || s.Resting != nil {
		t.Errorf("after the takeover the first house stands as %+v", s)
	}
	b.house, b.number = first, other.number
	b.playGames(3)
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// TestRejoinOtherPast gives the house at rest a journal that lacks what was durable, and one
// that has other records in its place. The house does not go on with either.
func TestRejoinOtherPast(t *testing.T) {
	for name, goOn := range map[string]bool{"shorter": false, "other": true} {
		t.Run(name, func(t *testing.T) {
			b := closedBench(t)
			failing := false
			st, err := sqlite.Open(t.Context(), b.dir, store.FirstLane)
			must(t, err)
			keys, err := KeysOf(t.Context(), st, filepath.Join(b.dir, "keys"), "bench.example", b.random)
			must(t, err)
			b.openWith(storetest.NewFaulty(st, func(store.Batch) storetest.Fault {
				if failing {
					return storetest.BeforeCommit
				}
				return storetest.NoFault
			}), keys)
			b.playGames(1)
			other := *b
			other.dir = t.TempDir()
			must(t, os.CopyFS(other.dir, os.DirFS(b.dir)))
			b.playGames(2)
			failing = true
			if err := b.house.BeginVolume(t.Context(), record.ReasonYear); err == nil {
				t.Fatal("the write did not fail")
			}
			<-b.house.Done()
			if b.house.Rest() == nil {
				t.Fatal("nothing has stopped the house")
			}
			if goOn {
				other.open()
				other.sell(1, 4)
				other.playGames(4)
				must(t, other.house.Close(t.Context()))
			}
			b.house.config.Store, err = sqlite.Open(t.Context(), other.dir, store.FirstLane)
			must(t, err)
			t.Cleanup(func() { _ = b.house.config.Store.Close() })
			for range 2 {
				if err := b.house.Rejoin(t.Context()); !errors.Is(err, ErrDiverged) {
					t.Fatalf("the house rejoined a journal with another past: %v", err)
				}
			}
			if _, reason := b.house.Resting(); !errors.Is(reason, ErrDiverged) {
				t.Errorf("the house rests because of %v", reason)
			}
			if _, err := b.house.First().View(t.Context()); !errors.Is(err, ErrRests) ||
				!strings.Contains(err.Error(), "another past") {
				t.Errorf("the house answered %v", err)
			}
		})
	}
}

// playGames plays until so many games are settled.
func (b *bench) playGames(games int) {
	b.t.Helper()
	settled := func() (n int) {
		for _, g := range b.house.First().Games(games + 3) {
			if g.IsSettled() {
				n++
			}
		}
		return n
	}
	b.run(func(time.Time) error {
		if settled() >= games {
			return errEnough
		}
		return nil
	})
}

// breaks has the lane stop as if the storage had failed, and the house rest.
func (b *bench) breaks() {
	b.t.Helper()
	outage := errors.New("the storage is away")
	b.house.lane.Fail(b.house.lane.Epoch(), outage)
	<-b.house.Done()
	if reason := b.house.Rest(); !errors.Is(reason, outage) {
		b.t.Fatalf("the house rests because of %v", reason)
	}
}

// TestRejoinUnderWitness has a house rejoin its journal while prizes wait for a witness that is
// away. They wait on, and are paid once the witness has agreed: the house goes on to ask.
func TestRejoinUnderWitness(t *testing.T) {
	t.Parallel()
	r := newReplayed(t)
	r.play(10 * time.Minute)
	r.agreed()
	// The witness goes away when it has cosigned a seal, and before there is a result.
	r.sold, r.codes = nil, map[record.Place]serial.ClaimCode{}
	drawing := uint32(0)
	r.run(func(time.Time) error {
		view, err := r.house.First().View(t.Context())
		switch {
		case err != nil:
			return err
		case drawing != 0 && len(view.Unsettled) == 0:
			return errEnough
		case drawing == 0 && len(r.sold) > 0 && len(view.Unsettled) > 0 && view.Unsettled[0].Drawn > 0:
			drawing = view.Unsettled[0].Ordinal
			r.seen.set(nil, true)
		case len(r.sold) == 0 && len(view.Unsettled) == 0:
			for range 20 {
				r.sell(1, 1)
			}
		}
		return nil
	})
	engine := r.house.kept.built
	r.breaks()
	must(t, r.house.Rejoin(t.Context()))
	if r.house.kept.built != engine {
		t.Error("a journal that ends where the engine is was replayed")
	}
	if paid := r.payAll(); paid != 0 {
		t.Errorf("%d prizes were paid without the witness", paid)
	}
	r.seen.set(nil, false)
	r.agreed()
	if r.payAll() == 0 {
		t.Error("nothing was paid after the witness has agreed")
	}
}

// TestClosedAtRest closes a house that rests. Nothing of the house goes on, and no snapshot is
// written of what may not be durable.
func TestClosedAtRest(t *testing.T) {
	b := closedBench(t)
	b.snapshots = Snapshots{File: filepath.Join(b.dir, "snapshot"), Every: 50}
	b.open()
	b.breaks()
	must(t, b.house.Close(t.Context()))
	select {
	case <-b.house.kept.done:
	case <-time.After(time.Minute):
		t.Error("snapshots are kept after the end")
	}
	if err := b.house.Rejoin(t.Context()); err == nil {
		t.Error("a house that was closed writes again")
	}
}
