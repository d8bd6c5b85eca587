package record

import (
	"reflect"
	"testing"
)

// TestLaterFields shows that every field that was added later has one byte for nothing, and
// that a body without these fields has the bytes of its first form and is read again.
func TestLaterFields(t *testing.T) {
	count := 0
	for _, row := range rows {
		body := row.body
		fields := later(body)
		if len(fields) == 0 {
			continue
		}
		count++
		if all := body.NumField() - 1; all > short {
			t.Errorf("%v has %d fields; at most %d have their number in the first byte", row.kind, all, short)
		}
		for _, f := range fields {
			data, err := encMode.Marshal(reflect.Zero(f.Type).Interface())
			if err != nil || len(data) != 1 || data[0] != emptyOf(f.Type) {
				t.Errorf("%v.%s: nothing is encoded as %x (%v), not as the byte %x", row.kind, f.Name, data, err, emptyOf(f.Type))
			}
		}
		empty := row.empty()
		whole, err := encMode.Marshal(empty)
		if err != nil {
			t.Fatal(err)
		}
		short := trimLater(append([]byte(nil), whole...), empty)
		if got, want := len(short), len(whole)-len(fields); got != want {
			t.Errorf("%v: %d bytes without its later fields, want %d", row.kind, got, want)
		}
		if padded := padLater(short, row.empty()); string(padded) != string(whole) {
			t.Errorf("%v: %x is read as %x, want %x", row.kind, short, padded, whole)
		}
	}
	if count == 0 {
		t.Error("no record has a later field")
	}
}
