package state

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/journal/snapshot"
)

// TestByPlaceAgreesWithAMap changes a byPlace and a plain map by chance, and packs the former at any moment. The two
// say the same of every ticket, and so does what comes back from a snapshot.
func TestByPlaceAgreesWithAMap(t *testing.T) {
	agree(t, func(dice *rand.Rand) money.Amount { return money.Amount(dice.Int64N(1e9) - 1e6) })
	agree(t, func(dice *rand.Rand) record.Place {
		return record.Place{Volume: uint16(dice.IntN(3)), Seq: dice.Uint64()}
	})
	agree(t, func(dice *rand.Rand) Sheet {
		var s Sheet
		fill(t, reflect.ValueOf(&s).Elem())
		s.Place.Seq = dice.Uint64()
		return s
	})
	agree(t, func(dice *rand.Rand) []Lot {
		lots := make([]Lot, 1+dice.IntN(3))
		for i := range lots {
			if lots[i] = (Lot{ID: OriginPrize, Cents: money.Amount(dice.Int64N(1e6))}); dice.IntN(2) == 0 {
				fill(t, reflect.ValueOf(&lots[i]).Elem())
			}
		}
		return lots
	})
}

func agree[V any](t *testing.T, value func(*rand.Rand) V) {
	t.Helper()
	form, err := snapshot.For[byPlace[V]]()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(10) {
		dice := rand.New(rand.NewPCG(seed, 11))
		var m byPlace[V]
		plain := map[record.Place]V{}
		chance := 1 + dice.IntN(200)
		key := func() record.Place {
			return record.Place{Volume: 1 + uint16(dice.IntN(2)), Seq: dice.Uint64N(300) * (1 + seed*7)}
		}
		compare := func(at record.Place) {
			t.Helper()
			got, ok := m.get(at)
			if want, there := plain[at]; ok != there || !reflect.DeepEqual(got, want) {
				t.Fatalf("%v: %v %v, and it should be %v %v", at, got, ok, want, there)
			}
		}
		for range 2000 {
			switch at := key(); dice.IntN(4) {
			case 0:
				m.drop(at)
				delete(plain, at)
			default:
				v := value(dice)
				m.put(at, v)
				plain[at] = v
			}
			if dice.IntN(chance) == 0 {
				m.pack()
			}
			if dice.IntN(500) == 0 {
				data, err := form.Append(nil, &m)
				if err != nil {
					t.Fatal(err)
				}
				m = byPlace[V]{}
				if err := form.Read(data, &m); err != nil {
					t.Fatal(err)
				}
			}
			compare(key())
		}
		m.pack()
		for at := range plain {
			compare(at)
			m.drop(at)
		}
		if m.pack(); len(m.lists) > 0 || len(m.fresh) > 0 {
			t.Fatalf("%d lists are left of what was dropped", len(m.lists))
		}
	}
}

// BenchmarkLots prints what it takes to keep what has paid for a ticket, where that was a prize.
func BenchmarkLots(b *testing.B) {
	const tickets = 100_000
	for b.Loop() {
		before := heap()
		t := newTills()
		for i := range uint64(tickets) {
			won := record.Place{Volume: 1, Seq: 5 * i}
			t.setLots(record.Place{Volume: 1, Seq: 5*i + 20_003}, []Lot{{ID: OriginPrize, Of: won, Cents: 500}})
			t.link(won, record.Place{Volume: 1, Seq: 5*i + 20_003})
			t.count(won, 500)
		}
		fresh := heap() - before
		t.pack()
		b.ReportMetric(float64(fresh)/tickets, "B/fresh")
		b.ReportMetric(float64(heap()-before)/tickets, "B/packed")
		if t.lots.of(record.Place{Volume: 1, Seq: 20_003}) == nil {
			b.Fatal("nothing has paid")
		}
	}
}
