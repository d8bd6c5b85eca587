package verify

import (
	"bytes"
	"testing"
)

// FuzzParseHouse reads any bytes as house.json, which has one spelling.
func FuzzParseHouse(f *testing.F) {
	f.Add(House{House: "keno.example", Volume: 3, Earlier: []uint16{1, 2}, HouseKey: "a", DeviceKey: "b"}.Marshal())
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if h, err := ParseHouse(data); err == nil && !bytes.Equal(h.Marshal(), data) {
			t.Errorf("%s became %s", data, h.Marshal())
		}
	})
}
