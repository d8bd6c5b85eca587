package replay

import (
	"fmt"
	"reflect"

	"drawhouse/journal/record"
)

// firstField names the first field in which two records differ, and what each has
// there.
func firstField(a, b []byte) (field, inA, inB string) {
	x, errX := record.Decode(a)
	y, errY := record.Decode(b)
	if errX == nil && errY == nil {
		if field, inA, inB, found := walk("record", reflect.ValueOf(x), reflect.ValueOf(y)); found {
			return field, inA, inB
		}
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("byte %d", at), hexFrom(a, at), hexFrom(b, at)
}

// hexFrom writes the bytes from one on, of a record that nobody can read.
func hexFrom(data []byte, at int) string {
	const most = 16
	return fmt.Sprintf("%x of %d bytes", data[at:min(len(data), at+most)], len(data))
}

// walk goes through two values of one type and stops at the first that differs.
func walk(path string, a, b reflect.Value) (field, inA, inB string, found bool) {
	if a.Kind() != b.Kind() || a.Type() != b.Type() {
		return path, a.Type().String(), b.Type().String(), true
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			break
		}
		return walk(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			if field, inA, inB, found := walk(path+"."+f.Name, a.Field(i), b.Field(i)); found {
				return field, inA, inB, true
			}
		}
		return "", "", "", false
	case reflect.Slice:
		if a.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		for i := range min(a.Len(), b.Len()) {
			if field, inA, inB, found := walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); found {
				return field, inA, inB, true
			}
		}
		if a.Len() == b.Len() {
			return "", "", "", false
		}
		return "length of " + path, fmt.Sprint(a.Len()), fmt.Sprint(b.Len()), true
	}
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return "", "", "", false
	}
	return path, show(a), show(b), true
}

// show writes a value for people: bytes as digits.
func show(v reflect.Value) string {
	if (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && v.Type().Elem().Kind() == reflect.Uint8 {
		return fmt.Sprintf("%x", v.Interface())
	}
	return fmt.Sprint(v.Interface())
}
