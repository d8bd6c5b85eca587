package rulebook

import "reflect"

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
		for i := range fresh.Len() {
			cloneInto(fresh.Index(i))
		}
		v.Set(fresh)
	case reflect.Map:
		cloneMap(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				cloneInto(v.Field(i))
			}
		}
	}
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
