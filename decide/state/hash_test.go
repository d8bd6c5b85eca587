package state

import (
	"reflect"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// sample returns a state with something in every part.
func sample(t *testing.T) *State {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	desk, err := keno.NewDesk(book)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	s.level = record.LevelGuarded
	s.books[record.Hash(book.Hash())] = book
	s.earlier = []record.VolumeBegun{{}}
	s.venues[1] = Venue{ID: 1}
	s.terminals[1] = &Terminal{ID: 1, Open: &Open{Number: 1}}
	s.series[1] = &Series{ID: 1, Book: book, Desk: desk, Open: settle.NewOpen(0), games: games{fresh: []Game{{Ordinal: 1, Phase: PhaseOpen}}}}
	return s
}

// TestHashCoversTheState changes every field of everything that the state keeps,
// one at a time, and expects another hash.
func TestHashCoversTheState(t *testing.T) {
	parts := map[string]func(*State) any{
		"place":    func(s *State) any { return &s.next },
		"time":     func(s *State) any { return &s.now },
		"volume":   func(s *State) any { return &s.volume },
		"earlier":  func(s *State) any { return &s.earlier[0] },
		"terminal": func(s *State) any { return s.terminals[1] },
		"game":     func(s *State) any { return &s.series[1].games.fresh[0] },
	}
	want := sample(t).Hash()
	if sample(t).Hash() != want {
		t.Fatal("equal states have two hashes")
	}
	for name, part := range parts {
		for i := range leaves(part(sample(t))) {
			s := sample(t)
			leaf := leaves(part(s))[i]
			leaf.change()
			if s.Hash() == want {
				t.Errorf("%s%s is not in the hash", name, leaf.path)
			}
		}
	}
	for name, change := range map[string]func(*State){
		"rulebook":     func(s *State) { s.books[record.Hash{1}] = nil },
		"venue":        func(s *State) { s.venues[1] = Venue{ID: 1, Name: "Corner Hotel"} },
		"series":       func(s *State) { s.series[1].Name = "vic-keno" },
		"schedule":     func(s *State) { s.series[1].Schedule = "2" },
		"day":          func(s *State) { s.series[1].Day++ },
		"day open":     func(s *State) { s.series[1].DayOpen = true },
		"offset":       func(s *State) { s.series[1].OffsetSeconds-- },
		"games":        func(s *State) { s.series[1].DayGames++ },
		"settled":      func(s *State) { s.series[1].settled[0]++ },
		"payment":      func(s *State) { s.payments.pay(paidPlay{}, paid{cents: 1}) },
		"pool":         func(s *State) { s.series[1].pools = []jackpot.Pool{{Spots: 7}} },
		"participants": func(s *State) { s.series[1].participants = []record.ParticipantsNamed{{From: 2}} },
		"pending":      func(s *State) { s.series[1].pending = []Pending{{Ordinal: 1}} },
		"report": func(s *State) {
			s.series[1].pending = []Pending{{Reports: []record.JurisdictionReported{{GrowthCents: 1}}}}
		},
		"change":     func(s *State) { s.series[1].changes = []record.TermsChanged{{From: 2}} },
		"designated": func(s *State) { s.series[1].designated = []record.GameDesignated{{Ordinal: 2}} },
		"bonus pool": func(s *State) { s.series[1].bonusPool++ },
		"promotion":  func(s *State) { s.series[1].promotions = []Promotion{{Over: true}} },
		"cancelled":  func(s *State) { s.payments.cancel(&record.TicketCancelled{Kept: 1}) },
		"no session": func(s *State) { s.terminals[1].Open = nil },
		"limit":      func(s *State) { s.venues[1] = Venue{ID: 1, CashLimit: 1} },
		"papers":     func(s *State) { s.tills.papers[record.Place{Volume: 1}] = &Paper{} },
		"tills":      func(s *State) { s.tills.fund(nil, record.Funding{Cents: 1}) },
		"numbers":    func(s *State) { s.series[1].games.fresh[0].Numbers = sequence(t, 7, 3) },
		"order":      func(s *State) { s.series[1].games.fresh[0].Numbers = sequence(t, 3, 7) },
	} {
		s := sample(t)
		change(s)
		if s.Hash() == want {
			t.Errorf("%s is not in the hash", name)
		}
		want := s.Hash()
		if s = sample(t); s.Hash() == want {
			t.Errorf("%s: the sample has changed", name)
		}
	}
}

func sequence(t *testing.T, numbers ...int) ball.Sequence {
	t.Helper()
	q, err := ball.NewSequence(ball.Keno, numbers...)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// leaf is a field that holds a value and no further fields.
type leaf struct {
	path   string
	change func()
}

// leaves finds the fields of a struct, and those of the structs in it.
func leaves(of any) []leaf {
	var found []leaf
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[ball.Sequence]() {
				return // It has no fields of its own to change; the numbers have cases.
			}
			for i := range v.NumField() {
				if field := v.Type().Field(i); field.Name != "_" {
					walk(path+"."+field.Name, v.Field(i))
				}
			}
		case reflect.Pointer:
			walk(path, v.Elem())
		case reflect.Slice:
			found = append(found, leaf{path, func() { v.Set(reflect.MakeSlice(v.Type(), 1, 1)) }})
		case reflect.Array:
			walk(path+"[0]", v.Index(0))
		case reflect.String:
			found = append(found, leaf{path, func() { v.SetString(v.String() + "x") }})
		case reflect.Bool:
			found = append(found, leaf{path, func() { v.SetBool(!v.Bool()) }})
		case reflect.Int64, reflect.Int32, reflect.Int:
			found = append(found, leaf{path, func() { v.SetInt(v.Int() + 1) }})
		default:
			found = append(found, leaf{path, func() { v.SetUint(v.Uint() + 1) }})
		}
	}
	walk("", reflect.ValueOf(of).Elem())
	return found
}

// TestPaymentsInAnyOrder adds payments in two orders and finds one sum.
func TestPaymentsInAnyOrder(t *testing.T) {
	var a, b sum
	for i := range uint64(100) {
		a.add(hashPaid(paidPlay{ticket: record.Place{Volume: 1, Seq: i}, ordinal: 1}, paid{100, 1}))
		b.add(hashPaid(paidPlay{ticket: record.Place{Volume: 1, Seq: 99 - i}, ordinal: 1}, paid{100, 1}))
	}
	if a != b {
		t.Errorf("%x in one order, %x in the other", a, b)
	}
}
