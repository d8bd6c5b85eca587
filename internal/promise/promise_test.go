package promise

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// before is an interface as an earlier version had it.
const before = `asked
	Order
		amount: integer, needed
		note: string
		way: string = left right
operations
	POST /order: send-order
		body: Order, needed
		refuses = busy too_late
told
	Answer
		number: integer, needed
		said: string
`

// TestCompare changes one thing at a time. What takes something from callers is named as broken; what only adds
// something is named as new.
func TestCompare(t *testing.T) {
	t.Parallel()
	kept, err := Parse([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, now, broken, added string }{
		{"", "", "", ""},
		// Removed and renamed.
		{"\t\tnote: string\n", "", "asked / Order / note: is gone", ""},
		{"\t\tnote:", "\t\tremark:", "asked / Order / note: is gone", "asked / Order / remark: is new"},
		{"POST /order:", "POST /orders:", "operations / POST /order: is gone", "operations / POST /orders: is new"},
		{"\t\tsaid: string\n", "", "told / Answer / said: is gone", ""},
		{"told\n\tAnswer\n\t\tnumber: integer, needed\n\t\tsaid: string\n", "", "told: is gone", ""},
		// Of another kind.
		{"amount: integer", "amount: string", "asked / Order / amount: was integer and is string", ""},
		{"\tOrder\n", "\tOrder: list\n", "asked / Order: was without a kind and is list", ""},
		{"send-order", "order", "operations / POST /order: was send-order and is order", ""},
		// Needed.
		{"note: string", "note: string, needed", "asked / Order / note: must be given now, and need not be given before", ""},
		{"amount: integer, needed", "amount: integer", "", "asked / Order / amount: need not be given any more"},
		{"number: integer, needed", "number: integer", "told / Answer / number: was always there and may be absent now", ""},
		{"said: string", "said: string, needed", "", "told / Answer / said: is always there now"},
		{"\t\tnote: string\n", "\t\tmore: string, needed\n\t\tnote: string\n",
			"asked / Order / more: is new and must be given: a caller of today does not give it", ""},
		{"\t\tnote: string\n", "\t\tmore: string\n\t\tnote: string\n", "", "asked / Order / more: is new"},
		{"\t\tsaid: string\n", "\t\tmore: string, needed\n\t\tsaid: string\n", "", "told / Answer / more: is new"},
		{"told\n", "\tReturn\n\t\tserial: string, needed\ntold\n", "", "operations / Return: is new"},
		// Words.
		{"left right", "left", "asked / Order / way: right is gone", ""},
		{"left right", "left middle right", "", "asked / Order / way: middle is new"},
		{"busy too_late", "busy closed", "operations / POST /order / refuses: too_late is gone",
			"operations / POST /order / refuses: closed is new"},
	} {
		if !strings.Contains(before, c.old) {
			t.Fatalf("%q is not there", c.old)
		}
		now, err := Parse([]byte(strings.Replace(before, c.old, c.now, 1)))
		if err != nil {
			t.Fatal(err)
		}
		d := Compare(kept, now)
		if got := strings.Join(d.Broken, "\n"); got != c.broken {
			t.Errorf("%q for %q: broken is %q, want %q", c.now, c.old, got, c.broken)
		}
		if got := strings.Join(d.New, "\n"); got != c.added {
			t.Errorf("%q for %q: new is %q, want %q", c.now, c.old, got, c.added)
		}
	}
}

// TestText reads what was written, and refuses what nobody can have written.
func TestText(t *testing.T) {
	t.Parallel()
	items, err := Parse([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Write(items)); got != before {
		t.Errorf("%s\nis written as\n%s", before, got)
	}
	want := Item{Name: "way", Kind: "string", Words: []string{"left", "right"}}
	if got := items[0].Items[0].Items[2]; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, text := range []string{"\tOrder\n", "asked\n\t\tnote\n", "asked\n\n", ": string\n"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	if at, twice := repeated("", []Item{{Name: "a", Items: []Item{{Name: "b"}, {Name: "b"}}}}); !twice || at != "a / b" {
		t.Errorf("twice is %q, %v", at, twice)
	}
}

// TestMayBreak: only what leads to a first version breaks promises.
func TestMayBreak(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"0.9.0": true, "1.0.0-rc.1": true, "1.0.0": false, "1.0.1": false, "1.1.0-rc.1": false, "2.0.0-beta.1": true,
		"2.0.0": false, "newest": false,
	} {
		if got := MayBreak(version); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}

// FuzzParse reads any text. What was read is written so that it is read as the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{before, "a = b = c\n", "a, needed, needed\n", "a: b: c = \n\tb\n", "\t"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		items, err := Parse(text)
		if err != nil {
			return
		}
		written := Write(items)
		again, err := Parse(written)
		if err != nil || !bytes.Equal(Write(again), written) {
			t.Fatalf("%q is written as %q, and that as %q, %v", text, written, Write(again), err)
		}
	})
}
