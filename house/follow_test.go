package house

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/decide/command"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// followed is a follower of the house on a bench, on a store of its own, as another
// process has it.
type followed struct {
	*Follower
	t     *testing.T
	store *sqlite.Store
}

// follow opens a follower, with the keys of the bench or without any.
func (b *bench) follow(t *testing.T, keyed bool) *followed {
	t.Helper()
	st, err := sqlite.Open(t.Context(), b.dir, 1)
	must(t, err)
	t.Cleanup(func() { must(t, st.Close()) })
	keys := func(v record.VolumeBegun) (Keys, error) {
		if !keyed {
			return Keys{HouseVerifier: v.HouseKey, DeviceVerifier: v.DeviceKey}, nil
		}
		d, err := ReadKeyDir(filepath.Join(b.dir, "keys"))
		if err != nil {
			return Keys{}, err
		}
		return d.For(v)
	}
	f, err := Follow(t.Context(), Config{Store: st, Clock: b.clock, Entropy: b.random, NextSerials: b.nextSerials,
		FreshGames: 1}, keys)
	must(t, err)
	return &followed{f, t, st}
}

// look takes up what the writer has stored.
func (f *followed) look() {
	f.t.Helper()
	must(f.t, f.Follower.look(f.t.Context()))
}

// trade lets the house play for some minutes and sell meanwhile.
func (b *bench) trade(length time.Duration) {
	b.t.Helper()
	from := b.clock.now
	b.run(func(until time.Time) error {
		if until.Sub(from) > length {
			return errEnough
		}
		b.sell(2, 3)
		return nil
	})
}

// same compares what a follower shows with what the writer does.
func (f *followed) same(b *bench) {
	f.t.Helper()
	ours, err := f.House().Checkpoint(f.t.Context())
	must(f.t, err)
	theirs, err := b.house.Checkpoint(f.t.Context())
	must(f.t, err)
	if string(ours) != string(theirs) || len(ours) == 0 {
		f.t.Errorf("the follower has the checkpoint\n%s\nand the writer\n%s", ours, theirs)
	}
	if mine, hers := f.House().Hub().Board().Standing, b.house.Hub().Board().Standing; mine.ID != hers.ID ||
		len(mine.Series) != len(hers.Series) {
		f.t.Errorf("the follower's board is at %v, the writer's at %v", mine.ID, hers.ID)
	}
	if lag := f.Standing().Lag; lag.Records != 0 {
		f.t.Errorf("the follower is %d records behind", lag.Records)
	}
	for _, sold := range b.sold {
		mine, err := f.House().Ticket(f.t.Context(), sold.Place)
		must(f.t, err)
		hers, err := b.house.Ticket(f.t.Context(), sold.Place)
		must(f.t, err)
		if len(mine.Games) != len(hers.Games) || mine.Leaf != hers.Leaf {
			f.t.Fatalf("ticket %v has %d games at the follower and %d at the writer", sold.Place, len(mine.Games),
				len(hers.Games))
		}
		for i := range mine.Games {
			if mine.Games[i].Prize != hers.Games[i].Prize || mine.Games[i].Paid != hers.Games[i].Paid {
				f.t.Errorf("ticket %v, game %d: %+v and %+v", sold.Place, i, mine.Games[i], hers.Games[i])
			}
		}
	}
}

// TestFollows follows a house over a turn of the volume and proves a ticket from the
// follower alone.
func TestFollows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.trade(10 * time.Minute)
	f := b.follow(t, true)
	f.same(b)
	b.trade(10 * time.Minute)
	if b.house.past.next() == f.House().past.next() {
		t.Fatal("the writer wrote nothing")
	}
	f.look()
	f.same(b)
	must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
	b.trade(10 * time.Minute)
	b.payAll()
	f.look()
	f.same(b)

	sold := b.sold[0]
	number, err := f.House().Serial(sold.Place)
	must(t, err)
	place, err := f.House().Find(number.String())
	must(t, err)
	g, ok := f.House().history.byOrdinal(FirstSeries, sold.Sale.Ordinal)
	if !ok {
		t.Fatal("the follower does not know the ticket's game")
	}
	proof, err := f.House().Proof(t.Context(), place, g.Ref)
	must(t, err)
	if len(proof.Seal) == 0 {
		t.Error("the proof has no seal")
	}
}

// TestFollowerDecidesNothing sends commands to a follower.
func TestFollowerDecidesNothing(t *testing.T) {
	b := newBench(t)
	b.trade(5 * time.Minute)
	f := b.follow(t, false)
	if err := command.Outcome(f.House().Do(t.Context(), command.Pause{Reason: "test"},
		record.By{Person: 1})); !errors.Is(err, ErrFollows) {
		t.Errorf("a pause: %v, want ErrFollows", err)
	}
	if _, err := f.House().Pay(t.Context(), record.Request{Terminal: 1, Number: 1 << 40}, b.sold[0].Place,
		Holder{}); !errors.Is(err, ErrFollows) {
		t.Errorf("a payment: %v, want ErrFollows", err)
	}
	if _, err := f.House().Find("1234567890123456"); !errors.Is(err, ErrFollows) {
		t.Errorf("a serial without its keys: %v, want ErrFollows", err)
	}
	if err := f.TakeOver(t.Context()); err == nil || !strings.Contains(err.Error(), "not at hand") {
		t.Errorf("a follower without keys took over: %v", err)
	}
	b.trade(5 * time.Minute) // The writer was not fenced by any of this.
	f.look()
	f.same(b)
}

// TestDiverges changes the store behind a follower in every way that shows, and expects
// it to stop before it shows anything of it.
func TestDiverges(t *testing.T) {
	t.Parallel()
	foreign, _, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 64)), "bench.example")
	must(t, err)
	signer, err := journal.ParseSigner(foreign)
	must(t, err)
	for name, change := range map[string]func(t *testing.T, db *sql.DB, head store.Head){
		"a record was changed": func(t *testing.T, db *sql.DB, head store.Head) {
			spoil(t, db,
				"UPDATE record SET data = (SELECT data FROM record WHERE volume = 1 AND seq = ?1 - 2) WHERE volume = 1 AND seq = ?1 - 1", head.Size)
		},
		"a record is missing": func(t *testing.T, db *sql.DB, head store.Head) {
			spoil(t, db, "DELETE FROM record WHERE volume = 1 AND seq = ?1 - 1", head.Size)
		},
		"the checkpoint is gone": func(t *testing.T, db *sql.DB, _ store.Head) {
			spoil(t, db, "UPDATE lane SET checkpoint = x''")
		},
		"somebody else signed": func(t *testing.T, db *sql.DB, head store.Head) {
			signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin("bench.example", 1),
				Size: head.Size, Root: head.Root}, signer)
			must(t, err)
			spoil(t, db, "UPDATE lane SET checkpoint = ?1", signed)
		},
		"the journal went back": func(t *testing.T, db *sql.DB, _ store.Head) {
			spoil(t, db, "UPDATE lane SET size = 10")
		},
		"the root is another": func(t *testing.T, db *sql.DB, _ store.Head) {
			spoil(t, db, "UPDATE lane SET size = size - ?1, root = zeroblob(32)", 0)
		},
		"the volume is gone": func(t *testing.T, db *sql.DB, _ store.Head) {
			spoil(t, db, "UPDATE lane SET volume = 2, size = 0")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.trade(4 * time.Minute)
			f := b.follow(t, false)
			f.look()
			if name != "the root is another" { // That one is of a journal that stands still.
				b.trade(4 * time.Minute)
			}
			before := f.House().Hub().Newest()
			head, err := b.store.Head(t.Context())
			must(t, err)
			db, err := sql.Open("sqlite", filepath.Join(b.dir, sqlite.FileName))
			must(t, err)
			change(t, db, head)
			must(t, db.Close())
			if err := f.Run(t.Context(), 0); !errors.Is(err, ErrDiverged) && !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("the follower says %v, want ErrDiverged", err)
			}
			if f.Standing().Diverged == nil {
				t.Error("the follower does not say that it has stopped")
			}
			if after := f.House().Hub().Newest(); after != before {
				t.Errorf("it showed events up to %v before it noticed", after)
			}
		})
	}
}

func spoil(t *testing.T, db *sql.DB, text string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), text, args...)
	must(t, err)
}

// TestTakesOverMidDraw lets the writer end between two numbers. The follower notices,
// takes over, and draws the rest of the same game; the writer is fenced.
func TestTakesOverMidDraw(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.trade(4 * time.Minute)
	f := b.follow(t, true)
	drawing := func() (Game, bool) {
		for _, g := range b.house.First().Games(3) {
			if g.Numbers.Len() > 3 && g.Numbers.Len() < 20 {
				return g, true
			}
		}
		return Game{}, false
	}
	b.run(func(time.Time) error {
		if _, ok := drawing(); ok {
			return errEnough
		}
		b.sell(2, 3)
		return nil
	})
	half, _ := drawing()
	sold := b.sell(1, 3) // The follower has not looked since.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := f.Run(ctx, time.Second); !errors.Is(err, ErrSilent) {
		t.Fatalf("a writer that says nothing: %v, want ErrSilent", err)
	}
	must(t, f.TakeOver(ctx))
	if f.Standing().Follows || f.House().lane.Epoch() != 2 {
		t.Errorf("after the takeover it stands %+v in epoch %d", f.Standing(), f.House().lane.Epoch())
	}
	old := b.house
	if err := command.Outcome(old.Do(ctx, command.Pause{Reason: "test"}, record.By{Person: 1})); !errors.Is(err,
		store.ErrFenced) {
		t.Errorf("the old writer paused: %v, want ErrFenced", err)
	}
	if _, err := f.House().Ticket(ctx, sold.Place); err != nil {
		t.Errorf("the last ticket: %v", err)
	}
	b.house = f.House()
	b.trade(6 * time.Minute)
	whole, ok := b.house.history.byOrdinal(FirstSeries, half.Ordinal)
	if !ok || !whole.IsSettled() || whole.Draw != half.Draw {
		t.Fatalf("the game that was being drawn: %+v", whole)
	}
	for i := range half.Numbers.Len() {
		if half.Numbers.At(i) != whole.Numbers.At(i) {
			t.Errorf("number %d was %d and is %d", i+1, half.Numbers.At(i), whole.Numbers.At(i))
		}
	}
	must(t, b.house.BeginVolume(ctx, record.ReasonYear))
	b.trade(4 * time.Minute)
	b.payAll()
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// TestOneSuccessor lets two followers miss the same writer. The second finds that the
// first was faster, and goes on to follow it.
func TestOneSuccessor(t *testing.T) {
	b := newBench(t)
	b.trade(4 * time.Minute)
	one, two := b.follow(t, true), b.follow(t, true)
	one.look()
	two.look()
	must(t, one.TakeOver(t.Context()))
	if err := two.TakeOver(t.Context()); !errors.Is(err, store.ErrFenced) {
		t.Fatalf("the second took over as well: %v, want ErrFenced", err)
	}
	b.house = one.House()
	b.trade(4 * time.Minute)
	two.look()
	two.same(b)
	must(t, two.TakeOver(t.Context()))
	if err := command.Outcome(one.House().Do(t.Context(), command.Pause{Reason: "test"},
		record.By{Person: 1})); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the first successor paused: %v, want ErrFenced", err)
	}
}

// TestAnnounced lets a writer say that it is there: a follower does not miss it. Once
// it was taken over from it stops, though nobody asks it anything.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.trade(4 * time.Minute)
	f := b.follow(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	announced := make(chan struct{})
	go func() {
		defer close(announced)
		b.house.Announce(ctx, "http://writer.example")
	}()
	waiting, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	if err := f.Run(waiting, 2*time.Second); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a writer that is there: %v", err)
	}
	if at := f.Standing().Writer.Address; at != "http://writer.example" {
		t.Errorf("the follower believes the writer at %q", at)
	}
	must(t, f.TakeOver(t.Context()))
	select {
	case <-b.house.Done():
	case <-time.After(2 * time.Minute):
		t.Fatal("the old writer goes on")
	}
	<-announced
	if err := b.house.Err(); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the old writer stopped with %v, want ErrFenced", err)
	}
}
