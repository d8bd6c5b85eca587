package house

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/snapshot"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestReadersOfARestart: what readers are shown of a house that was opened again is what
// they were shown before, and goes on with what is sold.
func TestReadersOfARestart(t *testing.T) {
	b := newBench(t)
	sold := 0
	b.run(func(until time.Time) error {
		if until.Sub(start) > 10*time.Minute {
			return errEnough
		}
		b.sell(2, 4)
		sold++
		return nil
	})
	b.payAll()
	must(t, b.house.CheckView(t.Context()))
	before, err := b.house.Counter(t.Context(), 1)
	must(t, err)
	course, err := b.house.First().Course(t.Context())
	must(t, err)
	must(t, b.house.Close(t.Context()))
	must(t, b.store.Close())
	b.open()
	after, err := b.house.Counter(t.Context(), 1)
	must(t, err)
	again, err := b.house.First().Course(t.Context())
	must(t, err)
	if !reflect.DeepEqual(after, before) || again.Newest != course.Newest || before.Last < uint64(sold) {
		t.Errorf("after a restart %+v, %d; before %+v, %d", after, again.Newest, before, course.Newest)
	}
	must(t, b.house.CheckView(t.Context()))
	must(t, b.house.Close(t.Context()))
}

// TestViewsStay keeps views while games are played, tickets sold and paid and people come and
// go, with every field that a view reaches. None changes afterwards.
func TestViewsStay(t *testing.T) {
	form, err := snapshot.For[view]()
	must(t, err)
	says := func(v *view) [sha256.Size]byte {
		data, err := form.Append(nil, v)
		must(t, err)
		return sha256.Sum256(data)
	}
	b := newBench(t)
	two := b.appoint()
	said, different := map[*view][sha256.Size]byte{}, map[[sha256.Size]byte]bool{}
	look := func() {
		v := b.house.viewed()
		said[v] = says(v)
		different[said[v]] = true
	}
	steps := 0
	b.run(func(until time.Time) error {
		if steps++; until.Sub(start) > 8*time.Minute {
			return errEnough
		}
		if b.house.First().seen().sale.ordinal == 0 {
			return nil
		}
		switch sold := b.sell(2, 4); steps % 8 {
		case 0, 4:
			var c staff.Command = staff.Begin{Person: two.carol, Grant: state.Grant{Role: record.RoleSupervisor}}
			if person, _ := b.house.People().Person(two.carol); person.Shift.On() {
				c = staff.End{By: two.carol, Person: two.carol}
			}
			_, err := b.house.Do(t.Context(), command.Change{Command: c}, record.By{})
			must(t, err)
		case 2:
			_, err := b.house.Do(t.Context(), command.FreezePayment{Places: []record.Place{sold.Place}, Reason: "looked at"},
				record.By{Person: two.ann})
			must(t, err)
		case 6:
			must(t, b.decide(two, command.BeginPromotion{Name: "Night", From: sold.Sale.Ordinal + 1, Cents: 1,
				Reference: "decision 1", Bet: "classic", Spots: 4, Matched: 4}))
		}
		look()
		return nil
	})
	b.payAll()
	look()
	for v, was := range said {
		if says(v) != was {
			t.Errorf("the view at %v has changed", v.Next())
		}
	}
	if len(different) < 20 || len(b.house.First().seen().promotions) == 0 {
		t.Errorf("of %d views %d are different, with %d promotions", len(said), len(different),
			len(b.house.First().seen().promotions))
	}
	must(t, b.house.CheckView(t.Context()))
}

// BenchmarkPublish measures what a commit of 1,000 sales takes, each at another terminal,
// and what of that it takes to show readers what has changed.
func BenchmarkPublish(b *testing.B) {
	const sales = 1000
	for _, terminals := range []int{5_000, 50_000} {
		b.Run(fmt.Sprintf("terminals=%d", terminals), func(b *testing.B) {
			h := houseOf(b, terminals)
			request, err := keno.ParseRequest([]byte(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[7],"stake_cents":200}]}`))
			must(b, err)
			all, numbers := make([]Sale, sales), map[uint32]uint64{}
			var publishing time.Duration
			at := 0
			b.ResetTimer()
			for b.Loop() {
				for i := range all {
					id := uint32(at%terminals) + 1
					at += 7
					numbers[id]++
					all[i] = Sale{Request: record.Request{Terminal: id, Number: numbers[id]},
						Order: Order{Terminal: id, Method: rulebook.MethodVerbal, Ticket: request}, Claim: serial.ClaimHash{1}}
				}
				for _, result := range h.SellAll(b.Context(), all) {
					must(b, result.Err)
				}
				publishing += publishAgain(b, h, all)
			}
			b.ReportMetric(float64(publishing.Microseconds())/float64(b.N), "publish-us")
			b.ReportMetric(100*publishing.Seconds()/(b.Elapsed()-publishing).Seconds(), "publish-%")
		})
	}
}

// publishAgain shows readers the terminals of some sales as if they had just changed, and
// returns how long that took.
func publishAgain(b *testing.B, h *House, all []Sale) time.Duration {
	b.Helper()
	took, err := lane.DoFirst(b.Context(), h.lane, func(machine) (time.Duration, error) {
		s := h.copies.Load()
		for i := range all {
			s.changes.Terminals[all[i].Request.Terminal] = struct{}{}
		}
		began := time.Now()
		h.publish()
		return time.Since(began), nil
	})
	must(b, err)
	return took
}

// houseOf opens a house with so many terminals and a game on sale.
func houseOf(b *testing.B, count int) *House {
	b.Helper()
	ctx, dir, random := context.Background(), b.TempDir(), closedBench(b).random
	st, err := sqlite.Open(ctx, dir, 1)
	must(b, err)
	b.Cleanup(func() { must(b, st.Close()) })
	keys, err := OpenKeys(filepath.Join(dir, "keys"), "bench.example", random)
	must(b, err)
	book, err := rules.Book("vic-keno-2015")
	must(b, err)
	venues := []record.VenueAdded{{Venue: 1, Kind: "hotel", Name: "Corner Hotel"}}
	terminals := make([]record.TerminalAdded, count)
	for i := range terminals {
		terminals[i] = record.TerminalAdded{Terminal: uint32(i) + 1, Venue: 1, Channel: "writer"}
	}
	clock := &jumpClock{now: start}
	h, err := Open(ctx, Config{
		Store: st, Keys: keys, Clock: clock, Entropy: random,
		Founding: engine.Founding{
			House: "bench.example", Build: "test", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
			SerialKey: keys.SerialKey,
			Book:      book, Series: "vic-keno", Schedule: book.Schedules()[0].ID(), Venues: venues, Terminals: terminals,
			People: staff.Crew(book, venues, terminals, staff.Unnamed),
		},
	})
	must(b, err)
	b.Cleanup(func() { must(b, h.Close(ctx)) })
	must(b, h.First().OpenDay(ctx, day.MustParse("2026-11-15"), 0))
	must(b, h.First().OpenGame(ctx, start.Add(time.Hour)))
	return h
}
