package rulebook

import (
	"reflect"
	"sync"
)

// clone returns a deep copy of a value of the schema, so that a caller who
// changes what a getter gave him changes only his own.
func clone[T any](v T) T {
	cloneInto(reflect.ValueOf(&v).Elem())
	return v
}

// cloneInto replaces everything that v shares with its original. Structs with
// private fields are small values without references and stay as they are.
func cloneInto(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		fresh := reflect.New(v.Type().Elem())
		fresh.Elem().Set(v.Elem())
		cloneInto(fresh.Elem())
		v.Set(fresh)
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(fresh, v)
		if shares(v.Type().Elem()) {
			for i := range fresh.Len() {
				cloneInto(fresh.Index(i))
			}
		}
		v.Set(fresh)
	case reflect.Map:
		cloneMap(v)
	case reflect.Struct:
		for _, i := range sharing(v.Type()) {
			cloneInto(v.Field(i))
		}
	}
}

// shares reports whether two copies of a value of a type may have something in common.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		return len(sharing(t)) > 0
	}
	return false
}

// sharingOf has what sharing has worked out: every sale copies a few values of the rulebook.
var sharingOf sync.Map // of reflect.Type to []int

// sharing returns the fields of a struct in which two copies may have something in common.
func sharing(t reflect.Type) []int {
	if known, ok := sharingOf.Load(t); ok {
		return known.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && shares(f.Type) {
			fields = append(fields, i)
		}
	}
	sharingOf.Store(t, fields)
	return fields
}

func cloneMap(v reflect.Value) {
	if v.IsNil() {
		return
	}
	fresh := reflect.MakeMapWithSize(v.Type(), v.Len())
	for iter := v.MapRange(); iter.Next(); {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(iter.Value())
		cloneInto(value)
		fresh.SetMapIndex(iter.Key(), value)
	}
	v.Set(fresh)
}
