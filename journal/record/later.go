package record

import (
	"fmt"
	"reflect"
	"sync"
)

// A record may gain fields at its end. A field that was added after the first form of its
// record is left out of the bytes while it is empty, and so are those behind it: what an
// earlier program wrote keeps its bytes and stays readable, and each fact has one form.

// laters has the fields of each kind of body that were added after its first form.
var laters = sync.OnceValue(func() map[Kind][]reflect.StructField {
	all := map[Kind][]reflect.StructField{}
	for _, row := range rows {
		if fields := later(row.body); len(fields) > 0 {
			all[row.kind] = fields
		}
	}
	return all
})

// later returns the fields of a body that were added after its first form: those with the
// tag `later:"true"`, all at its end.
func later(t reflect.Type) (fields []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("later") == "true" {
			fields = append(fields, f)
		} else if len(fields) > 0 {
			panic(fmt.Sprintf("record: field %s of %s stands behind one that was added later", f.Name, t.Name()))
		}
	}
	return fields
}

// emptyOf is the byte that stands for an empty field of a type in the encoding.
func emptyOf(t reflect.Type) byte {
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return 0x40 // bytes
		}
		return 0x80
	case reflect.String:
		return 0x60
	case reflect.Bool:
		return 0xf4
	default: // a number
		return 0
	}
}

// short is the most fields of a body whose array has its length in the first byte.
const short = 23

// trimLater leaves out the empty fields at the end of an encoded body.
func trimLater(data []byte, body Body) []byte {
	fields := laters()[kindOf(body)]
	for len(fields) > 0 {
		f := reflect.ValueOf(body).Elem().FieldByIndex(fields[len(fields)-1].Index)
		if !f.IsZero() && !(f.Kind() == reflect.Slice && f.Len() == 0) {
			break
		}
		data = data[:len(data)-1]
		data[0]--
		fields = fields[:len(fields)-1]
	}
	return data
}

// fieldsOf returns how many fields a body has. The first one of its type says that the struct is an array.
func fieldsOf(body Body) int { return reflect.TypeOf(body).Elem().NumField() - 1 }

// fieldsIn returns how many fields an encoded body has, or 0 for what is no array in its shortest form.
func fieldsIn(data []byte) int {
	switch {
	case len(data) > 0 && data[0] >= 0x80 && data[0] <= 0x80+short:
		return int(data[0]) - 0x80
	case len(data) > 1 && data[0] == 0x98:
		return int(data[1])
	}
	return 0
}

// padLater adds the fields that an encoded body leaves out. It changes nothing in what is no
// array of a known length, which the decoder then refuses.
func padLater(data []byte, body Body) []byte {
	fields := laters()[kindOf(body)]
	if len(fields) == 0 || len(data) == 0 {
		return data
	}
	all := fieldsOf(body)
	have := int(data[0]) - 0x80
	if have < all-len(fields) || have >= all || all > short {
		return data
	}
	padded := append([]byte{0x80 + byte(all)}, data[1:]...)
	for _, f := range fields[len(fields)-(all-have):] {
		padded = append(padded, emptyOf(f.Type))
	}
	return padded
}
