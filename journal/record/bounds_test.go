package record

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// leaf is one number, text or list in a shape.
type leaf struct {
	body, owner, name string
	t                 reflect.Type
	// reach returns the value in a body, with lists of one item on the way.
	reach func(reflect.Value) reflect.Value
	path  string
}

// leavesOf walks through the fields of a type.
func leavesOf(body, owner, name string, t reflect.Type, path string,
	reach func(reflect.Value) reflect.Value) (all []leaf) {
	self := leaf{body, owner, name, t, reach, path}
	switch t.Kind() {
	case reflect.Bool:
		return nil
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				all = append(all, leavesOf(body, t.Name(), f.Name, f.Type, strings.TrimPrefix(path+"."+f.Name, "."),
					func(v reflect.Value) reflect.Value { return reach(v).Field(i) })...)
			}
		}
		return all
	case reflect.Array:
		return leavesOf(body, owner, name+"[]", t.Elem(), path+"[0]",
			func(v reflect.Value) reflect.Value { return reach(v).Index(0) })
	case reflect.Slice:
		items := leavesOf(body, owner, name+"[]", t.Elem(), path+"[0]", func(v reflect.Value) reflect.Value {
			list := reach(v)
			if list.Len() == 0 {
				list.Set(reflect.MakeSlice(t, 1, 1))
			}
			return list.Index(0)
		})
		return append(items, self)
	}
	return []leaf{self}
}

// set gives a value a size: a number of that size, or so many characters or items. It
// reports false where the type cannot have it.
func set(v reflect.Value, size uint64) bool {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("é", int(size)))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), int(size), int(size)))
	case reflect.Int32, reflect.Int64:
		if size > math.MaxInt64 || v.OverflowInt(int64(size)) {
			return false
		}
		v.SetInt(int64(size))
	default:
		if v.OverflowUint(size) {
			return false
		}
		v.SetUint(size)
	}
	return true
}

// TestBoundsOfEveryNumber finds every number, text and list of every body, and shows that
// it has a bound that is stated, that what is at the bound is taken, and that what is
// beyond it is refused by the name of its field.
func TestBoundsOfEveryNumber(t *testing.T) {
	count := 0
	for _, row := range rows {
		top := row.body
		for _, l := range leavesOf(top.Name(), top.Name(), "", top, "", func(v reflect.Value) reflect.Value { return v }) {
			count++
			bound, ok := boundOf(l.body, l.owner, l.name, l.t)
			if !ok {
				t.Errorf("%s.%s (%v) has no bound: state one in its tag, such as most:\"200\", or take a name of byField (bounds.go)",
					top.Name(), l.path, l.t)
				continue
			}
			try := func(size uint64) (error, bool) {
				body := row.empty()
				fits := set(l.reach(reflect.ValueOf(body).Elem()), size)
				return Record{Time: 1, Body: body}.CheckBounds(), fits
			}
			if err, _ := try(uint64(bound)); err != nil {
				t.Errorf("%s.%s of %d: %v", top.Name(), l.path, bound, err)
			}
			err, fits := try(uint64(bound) + 1)
			out := new(Out)
			if fits && (!errors.As(err, &out) || out.Field != l.path) {
				t.Errorf("%v: %s.%s of %d, one beyond its bound: %v", row.kind, top.Name(), l.path, bound+1, err)
			}
		}
	}
	if count < 500 {
		t.Errorf("the rows have %d numbers, texts and lists; the walk has missed some", count)
	}
}

// TestSoldWithin compares the two checks of a ticket at each of its bounds.
func TestSoldWithin(t *testing.T) {
	top := reflect.TypeFor[TicketSold]()
	for _, l := range leavesOf(top.Name(), top.Name(), "", top, "", func(v reflect.Value) reflect.Value { return v }) {
		bound, _ := boundOf(l.body, l.owner, l.name, l.t)
		for _, beyond := range []uint64{0, 1} {
			sold := new(TicketSold)
			if !set(l.reach(reflect.ValueOf(sold).Elem()), uint64(bound)+beyond) {
				continue
			}
			if out := plans[KindTicketSold](reflect.ValueOf(sold).Elem()); sold.within() && out != nil {
				t.Errorf("%s is within its bounds, and %v", l.path, out)
			}
		}
	}
	sold := &TicketSold{Method: "writer", CostCents: 100, Tenders: []Tender{{Kind: TenderCash, Cents: 100}}}
	if !sold.within() {
		t.Error("an ordinary ticket takes the long way")
	}
}

// TestBoundsBelowZero shows that an amount may be as far below zero as above.
func TestBoundsBelowZero(t *testing.T) {
	for cents, ok := range map[money.Amount]bool{-money.MaxTotal: true, -money.MaxTotal - 1: false, math.MinInt64: false} {
		body := &BankCounted{ExpectCents: cents}
		if err := (Record{Time: 1, Body: body}).CheckBounds(); (err == nil) != ok {
			t.Errorf("%d cents: %v", cents, err)
		}
		posted := Record{Time: 1, Body: body, Postings: []ledger.Posting{{Account: ledger.Retained, Cents: cents}}}
		body.ExpectCents = 0
		if err := posted.CheckBounds(); (err == nil) != ok {
			t.Errorf("a posting of %d cents: %v", cents, err)
		}
	}
	if err := (Record{Time: MaxTime + 1, Body: &ShiftEnding{}}).CheckBounds(); err == nil {
		t.Error("a record of the year 3000 is taken")
	}
}

// TestBoundsOfTexts shows which characters a text may have.
func TestBoundsOfTexts(t *testing.T) {
	for text, ok := range map[string]bool{
		"":                true,
		"a line\nanother": true,
		"tab\tand\r\n":    true,
		"日本":              true,
		"a\x00b":          false,
		"\x1b[2J":         false,
		"\x7f":            false,
		"\xff":            false,
	} {
		body := &NoticeShown{Series: 1, By: 1, Text: text}
		if err := (Record{Time: 1, Body: body}).CheckBounds(); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	// A reason is one line by its name, and a finding by its tag, of whatever people write.
	for text, ok := range map[string]bool{
		"":                                 true,
		"The motor stopped, at 5% (again)": true,
		"Zoë said: «no»":                   true,
		"می\u200cخواهم":                    true,
		"a line\nanother":                  false,
		"tab\tand":                         false,
		"a\u2028b":                         false,
		"txt\u202eexe":                     false,
		"a\x00b":                           false,
	} {
		for _, body := range []Body{&PlayPaused{Series: 1, By: 1, Reason: text}, &RunnerDisputed{Finding: text}} {
			if err := (Record{Time: 1, Body: body}).CheckBounds(); (err == nil) != ok {
				t.Errorf("%T: a line %q: %v", body, text, err)
			}
		}
	}
}

// TestWhatIsWrittenIsRead shows that Encode refuses what Decode could not read: lists that
// are too long for it and texts that are not UTF-8.
func TestWhatIsWrittenIsRead(t *testing.T) {
	places := make([]Place, MaxItems+1)
	for i := range places {
		places[i] = Place{Volume: 1, Seq: uint64(i)}
	}
	for name, body := range map[string]Body{
		"the longest list":   &PaymentFrozen{Places: places[:MaxItems], Reason: "r"},
		"one longer":         &PaymentFrozen{Places: places, Reason: "r"},
		"a text":             &PlayPaused{Series: 1, By: 1, Reason: "r"},
		"a text not in UTF8": &PlayPaused{Series: 1, By: 1, Reason: "\xc3"},
	} {
		data, err := Encode(Record{Time: 1, Body: body})
		if err != nil {
			if out := new(Out); !errors.As(err, &out) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if _, err := Decode(data); err != nil {
			t.Errorf("%s was written and cannot be read: %v", name, err)
		}
	}
}

// TestLargerThingsOfBefore shows that a journal from before the bounds is read.
func TestLargerThingsOfBefore(t *testing.T) {
	r := Record{Time: 1, Body: &VenueAdded{Venue: 1, Kind: "hotel", Name: strings.Repeat("x", 5000) + "\x00"}}
	data, err := marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data); err != nil {
		t.Error(err)
	}
	if _, err := Encode(r); err == nil {
		t.Error("the same is written today")
	}
}

func BenchmarkCheckBounds(b *testing.B) {
	r := Record{Time: 1, Body: &TicketSold{Method: "writer", Tenders: []Tender{{Kind: 1, Cents: 100}},
		Ticket: make([]byte, 100)}}
	for b.Loop() {
		if err := r.CheckBounds(); err != nil {
			b.Fatal(err)
		}
	}
}
