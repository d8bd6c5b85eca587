package main

import (
	"maps"
	"testing"

	"drawhouse/journal/record"
)

func TestDrawsBy(t *testing.T) {
	for _, c := range []struct {
		devices []string
		want    chosenDevices
		refused bool
	}{
		{nil, chosenDevices{}, false},
		{[]string{"cage"}, chosenDevices{all: "cage"}, false},
		{[]string{"unix:/run/a=b"}, chosenDevices{all: "rng", address: "unix:/run/a=b"}, false},
		{[]string{"127.0.0.1:99"}, chosenDevices{all: "rng", address: "127.0.0.1:99"}, false},
		{[]string{"2=cage", "rng", "3=witnessed"},
			chosenDevices{all: "rng", of: map[uint8]record.Device{2: "cage", 3: "witnessed"}}, false},
		{[]string{"255=rng"}, chosenDevices{of: map[uint8]record.Device{255: "rng"}}, false},
		{[]string{"rng", "cage"}, chosenDevices{}, true},
		{[]string{"2=cage", "2=rng"}, chosenDevices{}, true},
		{[]string{"0=cage"}, chosenDevices{}, true},
		{[]string{"256=cage"}, chosenDevices{}, true},
		{[]string{"two=cage"}, chosenDevices{}, true},
		{[]string{"2=unix:socket"}, chosenDevices{}, true},
		{[]string{"2="}, chosenDevices{}, true},
	} {
		got, err := drawsBy(c.devices)
		if (err != nil) != c.refused {
			t.Errorf("%q: %v", c.devices, err)
		}
		if err == nil && (got.all != c.want.all || got.address != c.want.address || !maps.Equal(got.of, c.want.of)) {
			t.Errorf("%q: %+v, want %+v", c.devices, got, c.want)
		}
	}
}
