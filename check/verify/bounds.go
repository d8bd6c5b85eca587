package verify

import (
	"reflect"
	"unicode"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// checkBounds objects to a value beyond the bound of its field, and to an act that carries a
// balance beyond what the house keeps. A balance that was beyond it may come back.
func (c *checker) checkBounds(r record.Record) error {
	if err := r.CheckBounds(); err != nil {
		if err := c.guard(fault(CheckHouse, "%v", err)); err != nil {
			return err
		}
	}
	if _, ticket := r.Body.(*record.TicketSold); ticket {
		// A ticket has no text but its method, which is compared with the rulebook.
	} else if name, blank := blankText(reflect.ValueOf(r.Body).Elem(), r.Kind().String()); blank {
		// A journal from before the house refused such a text holds all the same.
		c.find(fault(CheckHouse, "%s is a text of blanks", name))
	}
	if r.Kind().Follows() {
		return nil
	}
	for i, p := range r.Postings {
		moved := p.Cents
		for j, other := range r.Postings {
			if j == i || other.Account != p.Account || other.Unit != p.Unit {
				continue
			}
			sum, err := moved.Add(other.Cents)
			if err != nil {
				return fault(CheckLedger, "%v", err)
			}
			moved = sum
		}
		before := c.books.account(p.Account, p.Unit).balance
		after, err := before.Add(moved)
		if err != nil {
			return fault(CheckLedger, "the balance of %s: %v", accountName(p.Account, p.Unit), err)
		}
		grows := moved > 0 && after > money.MaxBalance || moved < 0 && after < -money.MaxBalance
		if !grows {
			continue
		}
		if err := c.guard(fault(CheckLedger, "the balance of %s comes to %v, beyond the bound of %v",
			accountName(p.Account, p.Unit), after, money.MaxBalance)); err != nil {
			return err
		}
	}
	return nil
}

// blankText returns the name of the first text below a value that has characters and none that can be read.
func blankText(v reflect.Value, name string) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		for _, r := range v.String() {
			if !unicode.IsSpace(r) {
				return "", false
			}
		}
		return name, v.Len() > 0
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return "", false
		}
		for i := range v.Len() {
			if of, blank := blankText(v.Index(i), name); blank {
				return of, true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if of, blank := blankText(v.Field(i), v.Type().Field(i).Name); blank {
				return of, true
			}
		}
	}
	return "", false
}
