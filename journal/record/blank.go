package record

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// CheckBlank reports the first text of the record that is there and has nothing in it that anybody could read, as an
// *Out. The house writes no such text: where a text may be left out it is empty. Decode and CheckBounds do not ask,
// because a journal from before the check may have one.
func (r Record) CheckBlank() error {
	if _, ok := r.Body.(*TicketSold); ok {
		return nil // Its one text is a method of the rulebook, and nearly all records are tickets.
	}
	t := reflect.TypeOf(r.Body).Elem()
	plan, ok := blanks.Load(t)
	if !ok {
		plan, _ = blanks.LoadOrStore(t, blankPlan(t))
	}
	find, _ := plan.(blankFinder)
	if find == nil {
		return nil
	}
	if field := find(reflect.ValueOf(r.Body).Elem()); field != "" {
		return &Out{Field: field, Rule: "must be a text that can be read, not blanks alone"}
	}
	return nil
}

// A blankFinder returns the field of the first blank text of a value, or nothing.
type blankFinder func(reflect.Value) string

// blanks are the finders of the bodies, by type.
var blanks sync.Map

// blankPlan returns the finder of a type, or nil for a type that has no text.
func blankPlan(t reflect.Type) blankFinder {
	switch t.Kind() {
	case reflect.String:
		return func(v reflect.Value) string {
			if text := v.String(); text != "" && strings.TrimSpace(text) == "" {
				return "."
			}
			return ""
		}
	case reflect.Slice, reflect.Array:
		item := blankPlan(t.Elem())
		if item == nil {
			return nil
		}
		return func(v reflect.Value) string {
			for i := range v.Len() {
				if below := item(v.Index(i)); below != "" {
					return fmt.Sprintf("[%d]", i) + strings.TrimSuffix("."+strings.TrimPrefix(below, "."), ".")
				}
			}
			return ""
		}
	case reflect.Struct:
		return blankFields(t)
	}
	return nil
}

// blankFields returns the finder of the fields of a struct, or nil if none of them has a text.
func blankFields(t reflect.Type) blankFinder {
	finders := map[int]blankFinder{}
	for i := range t.NumField() {
		if find := blankPlan(t.Field(i).Type); find != nil && t.Field(i).IsExported() {
			finders[i] = find
		}
	}
	if len(finders) == 0 {
		return nil
	}
	return func(v reflect.Value) string {
		for i := range v.NumField() {
			if finders[i] == nil {
				continue
			}
			below := finders[i](v.Field(i))
			switch {
			case below == ".":
				return t.Field(i).Name
			case strings.HasPrefix(below, "["):
				return t.Field(i).Name + below
			case below != "":
				return t.Field(i).Name + "." + below
			}
		}
		return ""
	}
}
