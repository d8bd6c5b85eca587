package item

import (
	"bytes"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"
)

// TestItems writes items, reads them back, and holds them against a general encoder.
func TestItems(t *testing.T) {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n, flag := rapid.Int64().Draw(t, "number"), rapid.Bool().Draw(t, "flag")
		text, data := rapid.String().Draw(t, "text"), rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		b := AppendHead(nil, Array, 4)
		b = AppendBytes(AppendText(AppendBool(AppendInt(b, n), flag), text), data)
		if want, err := mode.Marshal([]any{n, flag, text, data}); err != nil || !bytes.Equal(b, want) {
			t.Fatalf("%x, want %x, %v", b, want, err)
		}
		whole := Reader{Rest: b}
		if raw := whole.Raw(); !bytes.Equal(raw, b) || whole.Bad {
			t.Fatalf("%x is read as %x", b, raw)
		}
		r := Reader{Rest: b}
		r.Array(4)
		if r.Int() != n || r.Bool() != flag || r.Text() != text || !bytes.Equal(r.String(Bytes), data) || r.Bad ||
			len(r.Rest) > 0 {
			t.Fatalf("%x does not read back", b)
		}
		cut := Reader{Rest: b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")]}
		if cut.Raw(); !cut.Bad {
			t.Fatalf("%x is read", b)
		}
	})
}

// TestLongerForms: a number has one form, the shortest.
func TestLongerForms(t *testing.T) {
	for _, data := range [][]byte{{0x18, 23}, {0x19, 0, 255}, {0x1a, 0, 0, 255, 255},
		{0x1b, 0, 0, 0, 0, 255, 255, 255, 255}, {0x1c}, {0x1f}, {0x9f, 1, 0xff}} {
		r := Reader{Rest: data}
		if r.Raw(); !r.Bad {
			t.Errorf("%x is read", data)
		}
	}
}
