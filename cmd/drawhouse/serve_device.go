package main

import (
	"fmt"
	"strconv"
	"strings"

	"drawhouse/journal/record"
)

// chosenDevices are what --device says.
type chosenDevices struct {
	all     record.Device           // of every series that of does not name; empty leaves the devices as they are
	of      map[uint8]record.Device // of single series, by number
	address string                  // where a generator in a process of its own listens, which draws for every series
}

// drawsBy reads the values of --device.
func drawsBy(devices []string) (d chosenDevices, err error) {
	d.of = map[uint8]record.Device{}
	for _, text := range devices {
		number, kind, single := strings.Cut(text, "=")
		series, err := strconv.ParseUint(number, 10, 8)
		switch {
		case !single || strings.ContainsAny(number, "/:"): // a kind, or an address
			if d.all != "" {
				return d, misused("--device", fmt.Errorf("%q comes after %q: one device draws for every series", text, devices[0]))
			}
			if d.all = record.Device(text); !known(d.all) {
				d.all, d.address = record.DeviceGenerator, text
			}
		case err != nil || series == 0:
			return d, misused("--device", fmt.Errorf("%q: %q is no number of a series", text, number))
		case !known(record.Device(kind)):
			return d, misused("--device", fmt.Errorf("%q: a series of its own is drawn by rng, witnessed or cage", text))
		case d.of[uint8(series)] != "":
			return d, misused("--device", fmt.Errorf("%q: series %d has a device already", text, series))
		default:
			d.of[uint8(series)] = record.Device(kind)
		}
	}
	return d, nil
}

// known reports whether a device is one of those inside the house.
func known(kind record.Device) bool {
	switch kind {
	case record.DeviceGenerator, record.DeviceWitnessed, record.DeviceCage:
		return true
	}
	return false
}
