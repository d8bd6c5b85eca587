package state

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/core/digest"
	"drawhouse/journal/record"
)

// TestShelfStays changes a shelf by chance beside a plain map and shares it now and then.
// Every copy is what the map was then, and stays so.
func TestShelfStays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s shelf[uint32, int]
	model := map[uint32]int{}
	type copied struct {
		shelf shelf[uint32, int]
		was   map[uint32]int
	}
	var copies []copied
	for range 5000 {
		key := random.Uint32N(300) * 7
		switch random.IntN(4) {
		case 0:
			value := random.Int()
			s.put(key, &value)
			model[key] = value
		case 1:
			if item := s.change(key); item != nil {
				*item++
				model[key]++
			}
		case 2:
			if item := s.get(key); (item == nil) != (model[key] == 0) || item != nil && *item != model[key] {
				t.Fatalf("item %d is %v, and should be %d", key, item, model[key])
			}
		case 3:
			if random.IntN(20) == 0 {
				copies = append(copies, copied{s.share(), maps.Clone(model)})
			}
		}
	}
	for i, c := range append(copies, copied{s, model}) {
		keys := slices.Sorted(maps.Keys(c.was))
		for key, item := range c.shelf.all() {
			if len(keys) == 0 || key != keys[0] || *item != c.was[key] {
				t.Fatalf("copy %d has %d as %d, and was %d at %v", i, key, *item, c.was[key], keys)
			}
			keys = keys[1:]
		}
		if len(keys) > 0 || c.shelf.len() != len(c.was) ||
			c.shelf.next() != slices.Max(append(slices.Collect(maps.Keys(c.was)), 0))+1 {
			t.Errorf("copy %d lacks %v", i, keys)
		}
	}
	if len(copies) < 20 {
		t.Errorf("%d copies were made", len(copies))
	}
}

// TestPeopleStay shares the people after every record about them: each copy says what the
// state said then, and says so still after all that came later.
func TestPeopleStay(t *testing.T) {
	s := New()
	says := func(p *People) record.Hash {
		type saying struct {
			people *People
			duty   []int
		}
		said := saying{people: p}
		for venue := range uint32(2) {
			for _, role := range []record.Role{record.RoleSenior, record.RoleSupervisor} {
				said.duty = append(said.duty, p.OnDuty(role, venue, 1), p.Staying(role, venue, 1))
			}
		}
		return record.Hash(digest.For[saying]().Hash(&said))
	}
	said := map[*People]record.Hash{}
	bodies := append(crew(), &record.OperatorAdded{Operator: 2, Name: "Another", By: 1},
		&record.PersonAdded{Person: 3, Details: record.Hash{3}, By: 1},
		&record.LockSet{Person: 1, Until: 99, Reason: "left", By: 1})
	for i, body := range bodies {
		if err := s.fold(record.Record{Time: record.Time(i) + 1, Body: body}); err != nil {
			t.Fatal(i, err)
		}
		copied := s.people.share()
		if says(copied) != says(s.people) {
			t.Errorf("the copy after record %d, %T, differs from the state", i, body)
		}
		said[copied] = says(copied)
	}
	for copied, was := range said {
		if says(copied) != was {
			t.Errorf("a copy has changed: %+v", copied)
		}
	}
}

// BenchmarkSharePeople measures what it takes to give readers the people of a house with
// 50,000 terminals after one of them has changed.
func BenchmarkSharePeople(b *testing.B) {
	s := New()
	add := func(body record.Body) {
		if err := s.fold(record.Record{Time: 1, Body: body}); err != nil {
			b.Fatal(err)
		}
	}
	add(&record.VenueAdded{Venue: 1, Kind: "hotel", Name: "Corner Hotel"})
	const terminals = 50_000
	for id := range uint32(terminals) {
		add(&record.TerminalAdded{Terminal: id + 1, Venue: 1, Channel: "writer"})
	}
	for i := 0; b.Loop(); i++ {
		add(&record.TerminalKeyed{Terminal: uint32(i%terminals) + 1, Key: [32]byte{byte(i) + 1}})
		s.people.share()
	}
}
