package api

import (
	"fmt"
	"reflect"
	"strings"

	"drawhouse/core/handover"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Every number, text and list of a body has a bound at the door, so that its refusal names
// the field. The bounds of the records behind the door are narrower where they have to be,
// and refuse by the name of the record's field. TestExtremes sends every operation what is
// at and beyond the bounds.

// maxText is the longest text in a body that is no file, in characters: a letter to a claimant.
const maxText = 20_000

// checkBounds refuses a value of a body that is beyond its bound. A path that is empty is
// that of a field which names itself.
func checkBounds(path string, v reflect.Value) error {
	rule := ""
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return checkBounds(path, v.Elem())
	case reflect.Struct:
		return checkFields(path, v)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil // The body is bounded.
		}
		return checkItems(path, v)
	case reflect.String:
		most := maxText
		if v.Type() == reflect.TypeFor[command.FileText]() {
			most = max(rulebook.MaxText, handover.MostBytes) // The reader of the file has the bound of its kind.
		}
		rule = record.CheckText(v.String(), most)
	case reflect.Int64, reflect.Int:
		rule = checkAmount(path, v.Int())
	case reflect.Uint32:
		if v.Uint() > record.MaxNumber {
			rule = fmt.Sprintf("must be a whole number up to %d", record.MaxNumber)
		}
	case reflect.Uint64:
		if v.Uint() > record.MaxLarge {
			rule = fmt.Sprintf("must be a whole number up to %d", uint64(record.MaxLarge))
		}
	}
	switch {
	case rule == "":
		return nil
	case path == "":
		return broken(rule)
	}
	return &refusal.Refusal{Code: keno.FieldValue, Path: path, Sentence: fmt.Sprintf("The value %s.", rule)}
}

// broken is a rule that a value breaks, such as "must not have control characters".
type broken string

func (b broken) Error() string { return string(b) }

// checkAmount returns the rule that a number with a sign breaks. Such numbers are amounts,
// or counts that are smaller.
func checkAmount(path string, n int64) string {
	if money.CheckWithin(money.Amount(n), money.MaxAmount) == nil {
		return ""
	}
	if strings.HasSuffix(path, "cents") {
		return fmt.Sprintf("must be an amount up to %v", money.MaxAmount)
	}
	return fmt.Sprintf("must be a whole number up to %d", money.MaxAmount.Cents())
}

// checkFields checks the fields of an object.
func checkFields(path string, v reflect.Value) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if f.Anonymous && name == "" {
			name = path
		} else {
			name = path + "." + name
		}
		if err := checkBounds(name, v.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// checkItems checks a list.
func checkItems(path string, v reflect.Value) error {
	if v.Len() > record.MaxItems {
		return &refusal.Refusal{Code: keno.FieldValue, Path: path,
			Sentence: fmt.Sprintf("The value must have at most %d items.", record.MaxItems)}
	}
	for i := range v.Len() {
		if err := checkBounds(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
