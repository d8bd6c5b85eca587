package verify

import (
	"crypto/sha256"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

type venue struct {
	name   string
	kind   rulebook.VenueKind
	listed string // its id in catalogues
}

// volumeBegun checks the first record against house.json and the keys in use.
func (c *checker) volumeBegun(b *record.VolumeBegun) error {
	v := c.volume()
	newest := c.log.current == len(c.log.volumes)-1
	switch {
	case b.House != c.log.house.House || b.Volume != v.number:
		return fault(CheckHouse, "it begins volume %d of %s, and the export says volume %d of %s", b.Volume, b.House,
			v.number, c.log.house.House)
	case newest && b.HouseKey != c.report.HouseKey.Key:
		return fault(CheckHouse, "its house key is not the one that signed the checkpoint")
	case newest && b.DeviceKey != c.report.DeviceKey.Key:
		return fault(CheckHouse, "its device key is not the one of the export")
	}
	if err := c.levelOf(b); err != nil {
		return err
	}
	if err := c.continues(b); err != nil {
		return err
	}
	if c.log.current > 0 {
		return nil // Everything goes on.
	}
	c.rules = make(map[record.Hash]*rules)
	c.terms = make(map[termsKey]*terms)
	c.venues = make(map[uint32]venue)
	c.terminals = make(map[uint32]*terminal)
	c.tills = newTills()
	return nil
}

// rulebookAdopted checks that the rulebook is the one that its hash names, and
// takes it up for grading.
func (c *checker) rulebookAdopted(b *record.RulebookAdopted) error {
	if sha256.Sum256(b.Book) != b.Hash {
		return fault(CheckHouse, "the rulebook's content does not have the hash that the record states")
	}
	book, err := rulebook.FromCanonical(b.Book)
	if err != nil {
		return fault(CheckHouse, "the rulebook cannot be read: %v", err)
	}
	if book.ID() != b.ID {
		return fault(CheckHouse, "the rulebook is %s, and the record calls it %s", book.ID(), b.ID)
	}
	if !c.halls.adopted(b.Hash, book) {
		r, err := newRules(book)
		if err != nil {
			return fault(CheckHouse, "%v", err)
		}
		c.rules[b.Hash] = r
	}
	c.report.Rulebooks = append(c.report.Rulebooks,
		Rulebook{ID: book.ID(), Hash: book.Hash().String(), Known: slices.Contains(c.opts.Rulebooks, b.Hash)})
	return nil
}

func (c *checker) seriesBegun(b *record.SeriesBegun) error {
	if c.series[b.Series] != nil {
		return fault(CheckHouse, "series %d has begun already", b.Series)
	}
	t, err := c.termsOf(b.Rulebook, b.Schedule)
	if err != nil {
		return fault(CheckHouse, "series %d: %v", b.Series, err)
	}
	// The name must be one that a seal can carry.
	if err := (journal.Game{Series: b.Name, Day: "2000-01-01"}).Check(); err != nil {
		return fault(CheckHouse, "%v", err)
	}
	c.series[b.Series] = newSeries(b, t)
	if b.Series == houseSeries {
		c.series[b.Series].bookFrom = record.Place{Volume: c.log.first().number}
	}
	c.report.Series = append(c.report.Series, b.Name)
	return nil
}

func (c *checker) venueAdded(b *record.VenueAdded) error {
	if _, ok := c.venues[b.Venue]; ok {
		return fault(CheckHouse, "venue %d was added before", b.Venue)
	}
	c.venues[b.Venue] = venue{b.Name, rulebook.VenueKind(b.Kind), b.Listed}
	return nil
}

func (c *checker) terminalAdded(b *record.TerminalAdded) error {
	place, ok := c.venues[b.Venue]
	if !ok {
		return fault(CheckHouse, "terminal %d is at venue %d, which was not added", b.Terminal, b.Venue)
	}
	if c.terminals[b.Terminal] != nil {
		return fault(CheckHouse, "terminal %d was added before", b.Terminal)
	}
	c.terminals[b.Terminal] = &terminal{venue: b.Venue, kind: place.kind, listed: place.listed,
		channel: rulebook.Channel(b.Channel)}
	return nil
}
