package record

import (
	"reflect"
	"testing"
)

// TestNeededFields empties every field that a tag says must name something: the record is then
// refused.
func TestNeededFields(t *testing.T) {
	count := 0
	for kind, r := range samples() {
		body := reflect.ValueOf(r.Body).Elem()
		for i := range body.NumField() {
			f := body.Type().Field(i)
			if f.Tag.Get("is") == "" {
				continue
			}
			count++
			was := reflect.New(f.Type).Elem()
			was.Set(body.Field(i))
			body.Field(i).SetZero()
			if err := r.Check(); err == nil {
				t.Errorf("%v without %s is taken", kind, f.Name)
			}
			body.Field(i).Set(was)
			if err := r.Check(); err != nil {
				t.Errorf("%v: %v", kind, err)
			}
		}
	}
	if count < 150 {
		t.Errorf("%d fields are needed; the tags are not read", count)
	}
}

// TestNestedChecks breaks parts of bodies: each is checked by its type, wherever it stands.
func TestNestedChecks(t *testing.T) {
	for name, body := range map[string]Body{
		"a game without a series": &NumberDrawn{Number: 1, Draw: 1},
		"a request without a terminal": &PrizeForfeited{Ticket: Place{Volume: 1}, Series: 1, Reason: "r",
			Parts: []PaidPart{{Ordinal: 1, Cents: 1}}},
		"a tender of nothing in a list": &SessionEnded{Request: Request{Terminal: 1, Number: 1}, Session: 1,
			Tenders: []Settlement{{Kind: TenderCash}}},
		"money of no ticket in a list": &SessionEnded{Request: Request{Terminal: 1, Number: 1}, Session: 1,
			Spent: []Spent{{ID: "cash", Cents: 1}}},
		"a session set by nobody inside": &SessionChanged{Hall: 1, Set: SessionSet{Hall: 1, Session: 1}},
	} {
		if err := checkBody(body); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
