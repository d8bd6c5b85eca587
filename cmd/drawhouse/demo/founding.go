// Package demo is the demonstration house: what it is founded with, and who its people
// are. Measurements are made of it, too.
//
// Everybody knows the keys of its terminals, so that it answers its own machine alone;
// [HasKeys] tells such a house from others. TestDemonstrationStaysHere of
// cmd/drawhouse proves that.
package demo

import (
	"fmt"
	"slices"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// House is the name of the demonstration house.
const House = "drawhouse.example"

// Rulebook is the rulebook of measurements.
const Rulebook = "vic-keno-2015"

// terminalsMax bounds the writer terminals of a demonstration.
const terminalsMax = 100_000

// Reference stands where a house names the decision that allows its operator's rulebook.
const Reference = "demonstration: nobody has approved this rulebook"

// Founding is one venue with some writer terminals, numbered from 1 on, and a
// self-service one after them where the rulebook knows such. A rulebook of the program that has examples is
// played by in an edition of its own, whose title says that its values are those of a demonstration.
func Founding(keys house.Keys, build string, book *rulebook.Book, writers int) (engine.Founding, error) {
	if writers < 1 || writers > terminalsMax {
		return engine.Founding{}, console.Misused("--terminals",
			fmt.Errorf("%d is not from 1 to %d", writers, terminalsMax))
	}
	var terminals []record.TerminalAdded
	for id := uint32(1); id <= uint32(writers); id++ {
		terminals = append(terminals, record.TerminalAdded{Terminal: id, Venue: 1,
			Channel: string(rulebook.ChannelWriter)})
	}
	if slices.Contains(book.EntryKinds().Channels, rulebook.ChannelSST) {
		terminals = append(terminals, record.TerminalAdded{Terminal: uint32(writers) + 1, Venue: 1,
			Channel: string(rulebook.ChannelSST)})
	}
	f := keys.Founding(House, build, book, house.FirstSchedule(book))
	if text, needed := rulebook.DemonstrationOf(book); needed && ofProgram(book) {
		played, err := rulebook.Read([]byte(text),
			func(hash rulebook.Hash) (*rulebook.Book, bool) { return book, hash == book.Hash() })
		if err != nil {
			return engine.Founding{}, err
		}
		f.Book, f.Text, f.Reference, f.Bases = played, []byte(text), Reference, engine.BasisOf(book)
	}
	f.Venues, f.Terminals = []record.VenueAdded{venue(book)}, terminals
	f.People = append(staff.Crew(book, f.Venues, terminals, Hash), knownKeys(terminals)...)
	return f, nil
}

// ofProgram reports whether a book is one of the program, and no edition of it.
func ofProgram(book *rulebook.Book) bool {
	_, edition := book.Base()
	return !edition && slices.Contains(rules.IDs(), book.ID())
}

// venue is a hotel, or what the rulebook has in place of hotels: a kind of venue at whose
// writer's terminal something pays for a ticket.
func venue(book *rulebook.Book) record.VenueAdded {
	kind := rulebook.VenueHotel
	for _, t := range book.Tenders() {
		if t.Channel != rulebook.ChannelWriter {
			continue
		}
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
