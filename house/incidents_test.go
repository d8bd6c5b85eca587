package house

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
)

// These are things that have happened to lotteries elsewhere, each tried on this house.
// docs/RELIABILITY.md tells of them; further tests of the same names are in packages
// monitor and draw.

// settledGames plays until so many games have a result, with a ticket in each, and returns
// the ones that have.
func (b *bench) settledGames(n int) []Game {
	b.t.Helper()
	b.run(func(time.Time) error {
		if len(b.settled(n+2)) >= n {
			return errEnough
		}
		b.sell(1, 3)
		return nil
	})
	return b.settled(n + 2)
}

// settled returns those of the newest n games that have a result.
func (b *bench) settled(n int) []Game {
	return slices.DeleteFunc(b.house.First().Games(n), func(g Game) bool { return !g.IsSettled() })
}

// TestIncidentMontreal1994: a keno machine began with the same seed whenever it was
// switched on. A house whose source begins again as it did stops with the first result
// that comes again.
func TestIncidentMontreal1994(t *testing.T) {
	b := newBench(t)
	boot := func() error {
		b.random = rand.NewChaCha8([32]byte{19, 94})
		b.open()
		before := len(b.settled(10))
		b.clock.wait = func(time.Time) error {
			if len(b.settled(10)) > before {
				return errEnough
			}
			return nil
		}
		return runUntilStopped(b)
	}
	if err := boot(); !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	if err := boot(); !refusedWith(err, game.ResultRepeated) {
		t.Fatalf("the same seed once more: %v; drawn were %v", err, b.settled(10)[0].Numbers)
	}
}

// TestIncidentDelaware2015: results of earlier games were sent to the shops once more as
// new ones. A game that has its result takes no second one, and a device that brings an
// old result for a new game waits for two persons.
func TestIncidentDelaware2015(t *testing.T) {
	b := newBench(t)
	old := b.settledGames(3)
	before, err := b.house.Checkpoint(t.Context())
	must(t, err)
	for _, g := range old {
		for what, again := range map[string]error{
			"drawn":    b.house.First().DrawNumber(t.Context(), g.Ordinal),
			"finished": b.house.First().FinishDraw(t.Context(), g.Ordinal),
			"settled":  b.house.First().SettleGame(t.Context(), g.Ordinal),
		} {
			if again == nil {
				t.Errorf("game %d was %s again", g.Ordinal, what)
			}
		}
	}
	if after, err := b.house.Checkpoint(t.Context()); err != nil || string(after) != string(before) {
		t.Errorf("the journal has grown: %s", after)
	}
	b.house.drawWith(b.deviceOf(old[1].Numbers.Numbers()))
	b.clock.wait = nil
	if err := runUntilStopped(b); !refusedWith(err, game.ResultRepeated) {
		t.Errorf("an old result for a new game: %v", err)
	}
}

// TestIncidentNorway2025: tickets that were sold were not in the draw, and prizes were
// told a hundred times too large. The count in the close and the root in the seal commit
// to every ticket before the first number, each ticket is proved into its games, and the
// second opinion grades each prize: both lies are found though the house signs them.
func TestIncidentNorway2025(t *testing.T) {
	b := newBench(t)
	b.winner()
	proved := 0
	for _, sold := range b.sold {
		ticket, err := b.house.Ticket(t.Context(), sold.Place)
		must(t, err)
		for _, g := range ticket.Games {
			if game, ok := b.house.Game(g.Ref); ok && game.SealPlace != (record.Place{}) {
				if _, err := b.house.Proof(t.Context(), sold.Place, g.Ref); err != nil {
					t.Errorf("ticket %v is not in the draw of %v: %v", sold.Place, g.Ref, err)
				}
				proved++
			}
		}
	}
	if proved == 0 {
		t.Error("no ticket was proved into any draw")
	}
	whole := b.export()
	records := readRecords(t, whole)
	for name, lie := range map[string]struct {
		kind record.Kind
		tell func(*record.Record)
	}{
		"a sold ticket is not in the draw": {record.KindGameClosed, func(r *record.Record) {
			r.Body.(*record.GameClosed).Plays--
		}},
		"prizes a hundred times too large": {record.KindGameSettled, func(r *record.Record) {
			r.Body.(*record.GameSettled).PrizesCents *= 100
			for i := range r.Postings {
				r.Postings[i].Cents *= 100
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			at := findWith(t, records, lie.kind)
			r, err := record.Decode(records[at])
			must(t, err)
			lie.tell(&r)
			changed := slices.Clone(records)
			changed[at], err = record.Encode(r)
			must(t, err)
			dir := filepath.Join(t.TempDir(), "told")
			must(t, os.CopyFS(dir, os.DirFS(whole)))
			writeRecords(t, dir, changed)
			b.resign(dir, changed)
			if report := verifyDir(t, dir); report.OK() || !names(report.Failure, at) {
				t.Errorf("record %d was a lie; the report says %+v", at, report.Failure)
			}
		})
	}
}

// findWith returns the first record of a kind in which somebody played or won.
func findWith(t testing.TB, records [][]byte, kind record.Kind) int {
	t.Helper()
	for i, data := range records {
		if k, _ := record.KindOf(data); k != kind {
			continue
		}
		r, err := record.Decode(data)
		must(t, err)
		switch body := r.Body.(type) {
		case *record.GameClosed:
			if body.Plays > 0 {
				return i
			}
		case *record.GameSettled:
			if body.PrizesCents > 0 {
				return i
			}
		}
	}
	t.Fatalf("nothing happened in any %v", kind)
	return 0
}

// TestIncidentSerbia2015: a number stood on the screen before its ball was drawn. At
// every moment of some games the board has exactly the numbers that are on record.
func TestIncidentSerbia2015(t *testing.T) {
	b := newBench(t)
	looked, shown := 0, 0
	b.run(func(until time.Time) error {
		if until.Sub(start) > 10*time.Minute {
			return errEnough
		}
		head, err := b.store.Head(t.Context())
		must(t, err)
		recorded := map[uint16][]int{}
		must(t, b.store.Records(t.Context(), head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
			r, err := record.Decode(data)
			if drawn, ok := r.Body.(*record.NumberDrawn); ok {
				recorded[drawn.Game.Number] = append(recorded[drawn.Game.Number], int(drawn.Number))
			}
			return err
		}))
		for _, g := range b.house.Hub().Board().Series[0].Drawing {
			if !slices.Equal(g.Numbers, recorded[g.Game]) {
				t.Fatalf("the board shows %v of game %d, on record are %v", g.Numbers, g.Game, recorded[g.Game])
			}
			shown += len(g.Numbers)
		}
		looked++
		return nil
	})
	if looked < 20 || shown == 0 {
		t.Fatalf("%d looks at %d numbers are too few to tell", looked, shown)
	}
}

// TestIncidentConnecticut2015: sellers looked at the outcome of tickets before they printed
// them, and made only the winners. Here a ticket that was decided plays, whether it is
// printed or not; from the seal of its game on nothing takes it back, and the request that
// made it cannot be given up.
func TestIncidentConnecticut2015(t *testing.T) {
	b := newBench(t)
	tried := map[int]int{}
	b.run(func(until time.Time) error {
		if until.Sub(start) > 8*time.Minute {
			return errEnough
		}
		for _, g := range b.house.First().Games(3) {
			for i, sold := range b.sold {
				if sold.Sale.Ordinal == g.Ordinal && g.SealPlace != (record.Place{}) {
					b.takeBack(sold, uint64(i+1))
					tried[g.Numbers.Len()]++
				}
			}
		}
		if len(b.sold) < 4 {
			b.sell(1, 4)
		}
		return nil
	})
	if tried[0] == 0 || tried[7] == 0 || tried[20] == 0 {
		t.Errorf("taking tickets back was tried by numbers drawn: %v", tried)
	}
	for _, g := range b.house.First().Games(10) {
		want := uint64(0)
		for _, sold := range b.sold {
			if sold.Sale.Ordinal == g.Ordinal {
				want++
			}
		}
		if g.IsSettled() && g.Settled.Plays != want {
			t.Errorf("game %d was played by %d tickets, sold were %d", g.Ordinal, g.Settled.Plays, want)
		}
	}
}

// takeBack tries to take a ticket back by each way that there is for one person.
func (b *bench) takeBack(sold Sold, number uint64) {
	b.t.Helper()
	b.number++
	_, err := b.house.Cancel(b.t.Context(), record.Request{Terminal: 1, Number: b.number}, sold.Place,
		Holder{Code: b.codes[sold.Place]})
	var refused *refusal.Refusal
	if !errors.As(err, &refused) || refused.Clause == "" {
		b.t.Fatalf("ticket %v was taken back after the seal of its game: %v", sold.Place, err)
	}
	if _, r, err := b.house.Abandon(b.t.Context(), 1, number); err == nil && r.Kind() == record.KindRequestBurned {
		b.t.Fatalf("request %d was given up though it had made a ticket", number)
	}
}

// TestIncidentHotLotto: a generator gave foreseeable numbers on three dates of the year. The
// device cannot know the date: with the same source it draws the same numbers on every
// day (package draw holds its imports to that).
func TestIncidentHotLotto(t *testing.T) {
	var first []int
	for _, now := range []time.Time{start, time.Date(2026, 5, 27, 12, 0, 0, 0, time.UTC),
		time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), time.Date(2027, 12, 29, 12, 0, 0, 0, time.UTC)} {
		b := closedBench(t)
		b.clock.now, b.random = now, rand.NewChaCha8([32]byte{2, 0, 1, 0})
		b.open()
		b.run(func(time.Time) error {
			if games := b.house.First().Games(2); len(games) == 2 && games[1].IsSettled() {
				return errEnough
			}
			return nil
		})
		numbers := b.house.First().Games(2)[1].Numbers.Numbers()
		if first == nil {
			first = numbers
		}
		if !slices.Equal(numbers, first) {
			t.Errorf("on %v the same source drew %v, before it %v", now.Format(time.DateOnly), numbers, first)
		}
	}
}

// TestIncidentNewZealand2011: for hours every ticket that was checked was told not to have
// won. A claim works the prize out from numbers and ticket, and holds it against the
// winners file; a house whose winners file has lost its winners says that the two
// disagree, and not that nothing was won. (The canary of package monitor asks for known
// winners all day.)
func TestIncidentNewZealand2011(t *testing.T) {
	b := newBench(t)
	sold := b.winner()
	ticket, err := b.house.Ticket(t.Context(), sold.Place)
	must(t, err)
	won := ticket.Games[0].Prize
	b.edit0("UPDATE object SET data = x'' WHERE name LIKE 'winners%'")
	b.open()
	ticket, err = b.house.Ticket(t.Context(), sold.Place)
	if err == nil && ticket.Games[0].Prize != won {
		t.Errorf("the ticket won %v and is told %v", won, ticket.Games[0].Prize)
	}
	b.number++
	_, err = b.house.Pay(t.Context(), record.Request{Terminal: 1, Number: b.number}, sold.Place,
		Holder{Code: b.codes[sold.Place]})
	var refused *refusal.Refusal
	if err == nil || errors.As(err, &refused) && refused.Code == counter.NoPrize {
		t.Errorf("a winner of %v was told: %v", won, err)
	}
	t.Logf("the claim is answered: %v", err)
}
