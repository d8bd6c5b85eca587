package state

import (
	"testing"

	"drawhouse/journal/record"
)

// BenchmarkHash hashes the state of a house with 5,000 terminals and 1,000 people, while sales wait.
func BenchmarkHash(b *testing.B) {
	s := New()
	at := record.Time(1)
	add := func(body record.Body) {
		at++
		if err := s.fold(record.Record{Time: at, Body: body}); err != nil {
			b.Fatal(err)
		}
		s.now = at
		s.next.Seq++
	}
	s.level = record.LevelGuarded
	const terminals, persons, perVenue = 5_000, 1_000, 5
	for id := range uint32(terminals) {
		if id%perVenue == 0 {
			add(&record.VenueAdded{Venue: id/perVenue + 1, Kind: "hotel", Name: "Corner Hotel"})
		}
		add(&record.TerminalAdded{Terminal: id + 1, Venue: id/perVenue + 1, Channel: "writer"})
		add(&record.TerminalKeyed{Terminal: id + 1, Key: [32]byte{byte(id) + 1}})
		s.terminals[id+1].Last = record.Request{Terminal: id + 1, Number: 7, Body: [16]byte{byte(id)}}
	}
	for id := range uint32(persons) {
		add(&record.PersonAdded{Person: id + 1, Details: record.Hash{byte(id)}, By: min(id, 1)})
		add(&record.RoleGranted{Person: id + 1, Role: record.RoleSenior, Venue: id + 1, By: 1})
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Hash()
	}
}
