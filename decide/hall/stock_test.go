package hall_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func books(first, last uint32) record.BookRange {
	return record.BookRange{Series: "K7", First: first, Last: last}
}

// TestStock counts what is left of a series: everything behind the last book that was
// issued, in whichever order books were.
func TestStock(t *testing.T) {
	for _, c := range []struct {
		name   string
		issued []record.BookRange
		next   uint32
	}{
		{"a new series", nil, 101},
		{"some books", []record.BookRange{books(101, 104)}, 105},
		{"out of order", []record.BookRange{books(110, 112), books(101, 104)}, 113},
		{"all books", []record.BookRange{books(101, 130)}, 131},
	} {
		h := &state.Hall{Tables: []state.HallTable{{Added: record.TableAdded{Series: "K7", Up: 6, FirstBook: 101, Books: 30,
			Colours: []string{"pink"}}, Issued: c.issued}}}
		want := []hall.Stock{{Series: "K7", Up: 6, Colours: []string{"pink"}, First: 101, Last: 130, Next: c.next}}
		if diff := cmp.Diff(want, hall.StockOf(h)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestIssued puts the books of players together, and strikes out what is between them.
func TestIssued(t *testing.T) {
	for _, c := range []struct {
		name string
		sold []record.BookRange
		want []record.IssuedRange
	}{
		{"nobody", nil, nil},
		{"one book", []record.BookRange{books(101, 101)}, []record.IssuedRange{{Books: books(101, 101)}}},
		{"side by side", []record.BookRange{books(101, 102), books(103, 104)},
			[]record.IssuedRange{{Books: books(101, 104)}}},
		{"with gaps, out of order", []record.BookRange{books(107, 107), books(101, 102), books(104, 104)},
			[]record.IssuedRange{{Books: books(101, 107), Struck: []uint32{103, 105, 106}}}},
	} {
		session := &state.Session{Set: record.SessionSet{Series: []string{"K7", "L2"}}}
		for _, b := range c.sold {
			session.Players = append(session.Players, state.Player{Entered: record.PlayerEntered{Books: []record.BookRange{b}}})
		}
		if diff := cmp.Diff(c.want, hall.Issued(session),
			cmpopts.IgnoreUnexported(record.IssuedRange{}, record.BookRange{})); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
