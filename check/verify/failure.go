package verify

import (
	"encoding/json"
	"errors"
	"fmt"

	"drawhouse/journal/record"
)

// A Check is one of the things that are checked.
type Check string

// The checks, in the order in which they come first.
const (
	CheckExport     Check = "export"
	CheckLog        Check = "log"
	CheckHouse      Check = "house"
	CheckRequests   Check = "requests"
	CheckGames      Check = "games"
	CheckSeal       Check = "seal"
	CheckDraw       Check = "draw"
	CheckSettlement Check = "settlement"
	CheckPayments   Check = "payments"
	CheckJackpots   Check = "jackpots"
	CheckPromotions Check = "promotions"
	CheckLedger     Check = "ledger"
)

// A Failure is the first thing that does not hold: which check, at which record,
// and why. Before the first record its place is zero.
type Failure struct {
	Check  Check
	Place  record.Place
	Kind   record.Kind // 0 where the record could not be read
	Reason string
	// Differs is the value that differs, where it is one value that does.
	Differs *Difference
}

// Error returns the failure as one sentence.
func (f *Failure) Error() string {
	switch {
	case f.Place.Volume == 0:
		return fmt.Sprintf("%s: %s", f.Check, f.Reason)
	case f.Kind == 0:
		return fmt.Sprintf("%s: record %v: %s", f.Check, f.Place, f.Reason)
	}
	return fmt.Sprintf("%s: record %v (%v): %s", f.Check, f.Place, f.Kind, f.Reason)
}

// MarshalJSON writes place and kind as people name them.
func (f *Failure) MarshalJSON() ([]byte, error) {
	var place, kind string
	if f.Place.Volume != 0 {
		place = f.Place.String()
	}
	if f.Kind != 0 {
		kind = f.Kind.String()
	}
	return json.Marshal(struct {
		Check  Check  `json:"check"`
		Record string `json:"record,omitempty"`
		Kind   string `json:"kind,omitempty"`
		Reason string `json:"reason"`
		*Difference
	}{f.Check, place, kind, f.Reason, f.Differs})
}

// faultError is a failure that has not been given its place yet.
type faultError struct {
	check   Check
	reason  string
	differs *Difference
}

func (e *faultError) Error() string { return string(e.check) + ": " + e.reason }

func fault(check Check, format string, args ...any) error {
	e := &faultError{check: check, reason: fmt.Sprintf(format, spoken(args)...)}
	for _, arg := range args {
		var d *differenceError
		if err, ok := arg.(error); ok && errors.As(err, &d) {
			e.differs = &d.Difference
		}
	}
	return e
}

// A Difference is one value on which the house and its verifier differ.
type Difference struct {
	Field  string `json:"field"`
	Stated string `json:"stated"` // what the house wrote
	Due    string `json:"due"`    // what the verifier came to
}

// differenceError is a difference with the sentence that tells of it.
type differenceError struct {
	Difference
	sentence string
}

func (d *differenceError) Error() string { return d.sentence }

// differs returns the difference of a field, with the sentence that tells of it.
func differs(field string, stated, due any, format string, args ...any) error {
	return &differenceError{Difference{field, fmt.Sprint(spoken([]any{stated})...), fmt.Sprint(spoken([]any{due})...)},
		fmt.Sprintf(format, spoken(args)...)}
}
