package record

import (
	"fmt"
	"reflect"

	"drawhouse/core/day"
)

// A record is checked in two steps. First each field of its body is checked by itself: a field
// with a tag such as `is:"person"` must name one, and a field whose type has a method check is
// checked by it, in lists and parts as well. The first step follows from the types and is
// compiled once. Then the method check of the body says how its fields go together.

// checker is a type that can say what is wrong with its values.
type checker interface{ check() error }

// fieldCheck checks the value of one field.
type fieldCheck struct {
	index int
	name  string
	check func(reflect.Value) error
}

// fieldChecks are those of the bodies.
var fieldChecks = func() *[256][]fieldCheck {
	all := new([256][]fieldCheck)
	for _, row := range rows {
		all[row.kind] = checksOf(row.body)
	}
	return all
}()

// checkBody reports what is wrong with a body. The check of a ticket is written out, because
// nearly all records are tickets.
func checkBody(b Body) error {
	if sold, ok := b.(*TicketSold); ok {
		return sold.check()
	}
	if err := checkFields(reflect.ValueOf(b).Elem(), fieldChecks[kindOf(b)]); err != nil {
		return err
	}
	return b.check()
}

// checksOf returns the checks of the fields of a struct.
func checksOf(t reflect.Type) (checks []fieldCheck) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		if noun, ok := f.Tag.Lookup("is"); ok {
			checks = append(checks, fieldCheck{i, f.Name, func(v reflect.Value) error {
				if isMissing(v) {
					return fmt.Errorf("needs a %s", noun)
				}
				return nil
			}})
		}
		if check := checkOf(f.Type); check != nil && f.Tag.Get("check") != "-" {
			checks = append(checks, fieldCheck{i, f.Name, check})
		}
	}
	return checks
}

// isMissing reports whether a field says nothing: it is zero, empty, below zero or no day.
func isMissing(v reflect.Value) bool {
	switch value := v.Interface().(type) {
	case Place:
		return value.Volume == 0
	case day.Day:
		return !value.IsValid()
	}
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() == 0
	case reflect.Int32, reflect.Int64:
		return v.Int() <= 0
	}
	return v.IsZero()
}

// checkOf returns the check of the values of a type, or nil if there is nothing to check.
func checkOf(t reflect.Type) func(reflect.Value) error {
	switch {
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return listCheck(checkOf(t.Elem()))
	case t.Kind() != reflect.Struct && !reflect.PointerTo(t).Implements(reflect.TypeFor[checker]()):
		return nil
	}
	var checks []fieldCheck
	if t.Kind() == reflect.Struct {
		checks = checksOf(t)
	}
	own := reflect.PointerTo(t).Implements(reflect.TypeFor[checker]())
	if !own && len(checks) == 0 {
		return nil
	}
	return func(v reflect.Value) error {
		if err := checkFields(v, checks); err != nil || !own {
			return err
		}
		return v.Addr().Interface().(checker).check() //nolint:errcheck // It was asked above.
	}
}

func checkFields(v reflect.Value, checks []fieldCheck) error {
	for _, c := range checks {
		if err := c.check(v.Field(c.index)); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// listCheck checks the items of a list.
func listCheck(item func(reflect.Value) error) func(reflect.Value) error {
	if item == nil {
		return nil
	}
	return func(v reflect.Value) error {
		for i := range v.Len() {
			if err := item(v.Index(i)); err != nil {
				return fmt.Errorf("%d: %w", i+1, err)
			}
		}
		return nil
	}
}
