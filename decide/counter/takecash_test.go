package counter

import (
	"errors"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestCashWhereNoneIsTaken: what a customer owes is paid in cash where the rules take cash, and not elsewhere
// (tas-keno-2023 12.1).
func TestCashWhereNoneIsTaken(t *testing.T) {
	for name, x := range map[string]struct {
		accept []string
		want   refusal.Code
	}{
		"cash":     {[]string{Cash}, ""},
		"no cash":  {[]string{"chips"}, TenderOther},
		"no money": {nil, TenderOther},
	} {
		e := &ending{owed: 5, accept: rulebook.Tender{Accept: x.accept}, open: new(state.Open)}
		err := e.takeCash()
		if no, refused := errors.AsType[*refusal.Refusal](err); refused != (x.want != "") || refused && no.Code != x.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCardWhereNoneIsTaken: a card is loaded where the rules take cards, and not elsewhere (vic-keno-2015 11(a)(v)).
func TestCardWhereNoneIsTaken(t *testing.T) {
	s := state.New()
	for _, body := range []record.Body{&record.VolumeBegun{House: "x", Volume: 1, Reason: record.ReasonFound},
		&record.CardRegistered{Card: 1}} {
		if err := s.Apply(record.Record{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	for name, x := range map[string]struct {
		accept []string
		want   refusal.Code
	}{
		"a card":  {[]string{PlayerCard}, ""},
		"no card": {[]string{Cash}, TenderOther},
	} {
		e := &ending{SessionEnd: SessionEnd{Card: CardUse{Card: 1, Cents: -5}}, state: s,
			accept: rulebook.Tender{Accept: x.accept}, open: new(state.Open)}
		err := e.takeCard()
		if no, refused := errors.AsType[*refusal.Refusal](err); refused != (x.want != "") || refused && no.Code != x.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
