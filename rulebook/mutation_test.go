package rulebook

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestMutatedBooks changes a sound book at random, a few values at a time, and
// holds what comes out to the promises of any file: no panic, and a book that is
// accepted answers every getter, survives its canonical form, and differs from the
// original by Diff exactly when it does by hash.
func TestMutatedBooks(t *testing.T) {
	for _, file := range []string{"testdata/sound.yaml", "testdata/bingo.yaml"} {
		original := load(t, file)
		accepted := 0
		rapid.Check(t, func(t *rapid.T) {
			f := original.File()
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				mutate(t, reflect.ValueOf(&f).Elem())
			}
			book, err := FromCanonical(canonical(&f))
			if err != nil {
				return
			}
			accepted++
			visit(reflect.ValueOf(book), "book", func(string, reflect.Value) {})
			if same := book.Hash() == original.Hash(); same != (len(Diff(original, book)) == 0) {
				t.Fatalf("the same hash: %v, and Diff says %v", same, Diff(original, book))
			}
		})
		if accepted == 0 {
			t.Errorf("no change of %s left a sound book: the test tests nothing", file)
		}
	}
}

// mutate walks to a random value and changes it.
func mutate(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		switch {
		case v.IsNil():
			v.Set(reflect.New(v.Type().Elem()))
		case rapid.IntRange(0, 9).Draw(t, "drop") == 0:
			v.SetZero()
		default:
			mutate(t, v.Elem())
		}
	case reflect.Struct:
		fields := fieldsOf(v.Type())
		if isWord(v.Type()) || len(fields) == 0 {
			v.SetZero()
			return
		}
		mutate(t, v.FieldByIndex(rapid.SampledFrom(fields).Draw(t, "field").index))
	case reflect.Slice:
		mutateSlice(t, v)
	case reflect.Map:
		mutateMap(t, v)
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "plain", "race", "first", "x", "cash", "1", "100 1"}).Draw(t, "word"))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		v.SetInt(rapid.SampledFrom([]int64{-1, 0, 1, 2, 3, 4, 5, 79, 80, 81, 90, 100, 1000, 10000, maxCount}).Draw(t,
			"number"))
	}
}

func mutateSlice(t *rapid.T, v reflect.Value) {
	if v.Len() == 0 {
		return
	}
	i := rapid.IntRange(0, v.Len()-1).Draw(t, "item")
	switch rapid.IntRange(0, 5).Draw(t, "how") {
	case 0: // without item i
		v.Set(reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+1, v.Len())))
	case 1: // with item i again
		v.Set(reflect.Append(v, v.Index(i)))
	case 2: // with item i in the first place
		first, other := v.Index(0).Interface(), v.Index(i).Interface()
		v.Index(0).Set(reflect.ValueOf(other))
		v.Index(i).Set(reflect.ValueOf(first))
	default:
		mutate(t, v.Index(i))
	}
}

func mutateMap(t *rapid.T, v reflect.Value) {
	if v.Len() == 0 {
		return
	}
	// The keys of a map come in no order; rapid needs one to repeat a failure.
	keys := sortedValues(v.MapKeys())
	key := keys[rapid.IntRange(0, len(keys)-1).Draw(t, "key")]
	value := reflect.New(v.Type().Elem()).Elem()
	value.Set(v.MapIndex(key))
	if rapid.Bool().Draw(t, "rename") {
		v.SetMapIndex(key, reflect.Value{})
		key = reflect.New(key.Type()).Elem()
	}
	mutate(t, value)
	v.SetMapIndex(key, value)
}
