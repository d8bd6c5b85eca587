package record

import "testing"

// TestCorrectionsCheck changes one thing at a time in a correction.
func TestCorrectionsCheck(t *testing.T) {
	for name, change := range map[string]func(*ResultCorrected){
		"of nothing":         func(r *ResultCorrected) { r.Revision = 1 },
		"without a reason":   func(r *ResultCorrected) { r.Reason = "" },
		"a book of a reason": func(r *ResultCorrected) { r.Reason = string(make([]byte, MostReason+1)) },
		"by one person":      func(r *ResultCorrected) { r.Approval = 0 },
		"no numbers":         func(r *ResultCorrected) { r.Numbers = nil },
		"a number twice":     func(r *ResultCorrected) { r.Numbers = []uint8{4, 5, 4} },
		"number zero":        func(r *ResultCorrected) { r.Numbers[1] = 0 },
		"money taken back":   func(r *ResultCorrected) { r.OverpaidCents = -1 },
		"nothing is earned":  func(r *ResultCorrected) { r.Earned = []Earned{{Game: r.Game}} },
		"a jackpot emptied":  func(r *ResultCorrected) { r.ToppedCents = -1 },
		"of no game":         func(r *ResultCorrected) { r.Game = Game{} },
	} {
		body := *samples()[KindResultCorrected].Body.(*ResultCorrected)
		body.Numbers = append([]uint8(nil), body.Numbers...)
		if err := checkBody(&body); err != nil {
			t.Fatal(err)
		}
		change(&body)
		if _, err := Encode(Record{Body: &body}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
