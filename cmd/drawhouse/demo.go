package main

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/engine"
	"drawhouse/house"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/rules"
	"drawhouse/staff"
)

// demoHouse is the name of the demonstration house.
const demoHouse = "drawhouse.example"

// demoRulebook is the rulebook of measurements.
const demoRulebook = "vic-keno-2015"

// demoTerminals bounds the writer terminals of a demonstration.
const demoTerminals = 100_000

// demoFounding is one venue with some writer terminals, numbered from 1 on, and a
// self-service one after them where the rulebook knows such.
func demoFounding(keys house.Keys, id string, writers int) (engine.Founding, error) {
	if writers < 1 || writers > demoTerminals {
		return engine.Founding{}, misused("--terminals", fmt.Errorf("%d is not from 1 to %d", writers, demoTerminals))
	}
	book, err := rules.Book(id)
	if err != nil {
		return engine.Founding{}, misused("--rulebook", err)
	}
	if !book.Keno() {
		return engine.Founding{}, misused("--rulebook", fmt.Errorf("%s has no keno to run", id))
	}
	var terminals []record.TerminalAdded
	for id := uint32(1); id <= uint32(writers); id++ {
		terminals = append(terminals, record.TerminalAdded{Terminal: id, Venue: 1, Channel: string(rulebook.ChannelWriter)})
	}
	if slices.Contains(book.EntryKinds().Channels, rulebook.ChannelSST) {
		terminals = append(terminals, record.TerminalAdded{Terminal: uint32(writers) + 1, Venue: 1, Channel: string(rulebook.ChannelSST)})
	}
	venues := []record.VenueAdded{demoVenue(book)}
	return engine.Founding{
		House: demoHouse, Build: build(),
		HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier, SerialKey: keys.SerialKey,
		Book: book, Series: demoSeries(id), Schedule: book.Schedules()[0].ID(),
		Venues:    venues,
		Terminals: terminals,
		People:    append(staff.Crew(book, venues, terminals, demoHash), demoKeys(terminals)...),
	}, nil
}

// demoSeries names the series after its rulebook, without the edition at its end.
func demoSeries(id string) string {
	if i := strings.LastIndex(id, "-"); i > 0 {
		return id[:i]
	}
	return id
}

// demoVenue is a hotel, or what the rulebook has in place of hotels.
func demoVenue(book *rulebook.Book) record.VenueAdded {
	kind := rulebook.VenueHotel
	for _, t := range book.Tenders() {
		if len(t.Venues) == 0 || slices.Contains(t.Venues, rulebook.VenueHotel) {
			kind = rulebook.VenueHotel
			break
		}
		kind = t.Venues[0]
	}
	name := "Corner Hotel"
	if kind != rulebook.VenueHotel {
		name = "The Floor"
	}
	return record.VenueAdded{Venue: 1, Kind: string(kind), Name: name}
}
