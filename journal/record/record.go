package record

import (
	"errors"
	"fmt"
	"time"

	"drawhouse/core/ledger"
)

// MaxBytes bounds one record. Only a rulebook comes near it.
const MaxBytes = 1 << 20

// Time is an instant in milliseconds since 1970 UTC.
type Time int64

// Of returns the instant of t, cut to milliseconds.
func Of(t time.Time) Time { return Time(t.UnixMilli()) }

// Time returns the instant as the standard library's type, in UTC.
func (t Time) Time() time.Time { return time.UnixMilli(int64(t)).UTC() }

// Record is one fact with its money.
type Record struct {
	Time     Time
	Postings []ledger.Posting
	Body     Body
}

// Body is what happened. Its types are those of this package and no others.
type Body interface {
	check() error
}

// Kind returns the kind of the record's body.
func (r Record) Kind() Kind { return kindOf(r.Body) }

// Check reports what is wrong with the record in itself, if anything. Whether it
// fits the records before it is for the state to say.
func (r Record) Check() error {
	if r.Body == nil {
		return errors.New("record: no body")
	}
	if r.Time <= 0 {
		return fmt.Errorf("record: %v: time %d", r.Kind(), r.Time)
	}
	if err := ledger.Check(r.Postings); err != nil {
		return fmt.Errorf("record: %v: %w", r.Kind(), err)
	}
	if err := checkBody(r.Body); err != nil {
		return fmt.Errorf("record: %v: %w", r.Kind(), err)
	}
	return nil
}
