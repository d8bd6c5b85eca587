package engine

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// ErrUnsound: no record can say what the command asks for. Nothing was done.
var ErrUnsound = errors.New("no record can say this")

// unsound returns the error for a record that cannot be written. A value beyond its bound is
// refused with its field.
func unsound(err error) error {
	if out := new(record.Out); errors.As(err, &out) {
		return &refusal.Refusal{
			Code: command.OutOfBounds, Path: fieldName(out.Field),
			Sentence: fmt.Sprintf("The value %s.", out.Rule),
		}
	}
	return fmt.Errorf("engine: %w: %w", ErrUnsound, err)
}

// sound refuses records of which one cannot be written. A command of several records asks
// before it appends the first: nothing is half done.
func (e *Engine) sound(now record.Time, bodies ...record.Body) error {
	for _, body := range bodies {
		r := record.Record{Time: max(now, e.state.Now()), Body: body}
		if err := errors.Join(r.Check(), r.CheckBounds(), r.CheckBlank()); err != nil {
			return unsound(err)
		}
	}
	return nil
}

// fieldName writes the name of a field of a record as the interface names fields: Parts[3].Cents
// as parts[3].cents.
func fieldName(field string) string {
	var b strings.Builder
	lower := false
	for _, r := range field {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// room refuses a record after which a balance would be beyond its bound. What follows from
// games has been promised, and has the room that acts leave; no record whatever is appended
// that the state or the books could not add up.
func (e *Engine) room(r record.Record) error {
	most := money.MaxBalance
	if r.Kind().Follows() {
		most = math.MaxInt64
	}
	if err := e.state.Balances().CheckRoom(r.Postings, most); err != nil {
		return &refusal.Refusal{Code: command.OutOfBounds,
			Sentence: fmt.Sprintf("The house keeps no balance beyond %v.", most)}
	}
	if err := e.books.CheckRoom(r); err != nil {
		return &refusal.Refusal{Code: command.OutOfBounds, Sentence: "The books of the day cannot add this up."}
	}
	return nil
}
