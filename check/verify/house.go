package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"drawhouse/core/day"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

type venue struct {
	name   string
	kind   rulebook.VenueKind
	listed string // its id in catalogues
	sells  map[uint8]bool
}

// checkLicensed checks that the venue of a terminal may sell the games of a series, and has missed no payment that
// stops its sale.
func (c *checker) checkLicensed(term *terminal, series uint8) error {
	if !c.venues[term.venue].sells[series] {
		return fault(CheckRequests, "venue %d sells series %d without a licence", term.venue, series)
	}
	return c.checkVenuePays(term.venue)
}

// venueLicensed takes in whether a venue sells the games of a series.
func (c *checker) venueLicensed(b *record.VenueLicensed) error {
	v, ok := c.venues[b.Venue]
	if !ok || c.series[b.Series] == nil {
		return fault(CheckHouse, "venue %d is licensed for series %d, and one of the two is not there", b.Venue, b.Series)
	}
	if v.sells[b.Series] == b.Sells {
		return fault(CheckHouse, "venue %d stands so with series %d already", b.Venue, b.Series)
	}
	if s := c.series[b.Series]; b.Sells && s.isOver() {
		err := fault(CheckHouse, "venue %d is licensed for series %s, which has ended with day %v", b.Venue, s.name, s.end.day)
		if err := c.guard(err); err != nil {
			return err
		}
	}
	if b.Sells {
		if err := c.guard(c.oneSystem(v, b)); err != nil {
			return err
		}
	}
	v.sells[b.Series] = b.Sells
	if b.Instead == 0 {
		return nil
	}
	if !b.Sells || b.Instead == b.Series || !v.sells[b.Instead] {
		return fault(CheckHouse, "venue %d is to sell series %d instead of series %d, which it does not sell", b.Venue,
			b.Series, b.Instead)
	}
	v.sells[b.Instead] = false
	return nil
}

// oneSystem objects to a venue that is to sell the games of a system of some rules and of its successor (tas-keno-2023
// front.transition).
func (c *checker) oneSystem(v venue, b *record.VenueLicensed) error {
	mine := c.series[b.Series].rulesNow().book
	for id, s := range c.series {
		if s == nil || !v.sells[uint8(id)] || uint8(id) == b.Instead || s.isOver() {
			continue
		}
		if book := s.rulesNow().book; book.ID() == mine.ID() && book.System().Plays != mine.System().Plays {
			return fault(CheckHouse, "venue %d is licensed for series %s, and sells series %s of another system", b.Venue,
				c.series[b.Series].name, s.name)
		}
	}
	return nil
}

// end is the last Keno Day of a series, with how many games each day has then.
type end struct {
	day   day.Day
	games uint32
}

// isOver reports whether a series has had its last Keno Day.
func (s *series) isOver() bool { return s.end != nil && !s.dayOpen && s.day >= s.end.day }

// lastGame returns which game is the last of a series that ends so: of the day that is open those that are left of its
// games, and of each day after it all (tas-keno-2023 front.transition).
func (e end) lastGame(s *series) uint64 {
	last := uint64(len(s.games))
	if s.dayOpen && s.dayGames < e.games {
		last += uint64(e.games - s.dayGames)
	}
	if e.day > s.day {
		last += uint64(e.games) * uint64(e.day-s.day)
	}
	return last
}

// seriesLimited checks the last day of a series: it is not past, and no ticket was sold for a game behind it.
func (c *checker) seriesLimited(b *record.SeriesLimited) error {
	s := c.series[b.Series]
	switch {
	case s == nil:
		return fault(CheckGames, "series %d has not begun", b.Series)
	case b.Approval == "" || b.Games == 0:
		return fault(CheckGames, "the end of a series needs a decision and the games of a day")
	case b.LastDay < s.day:
		return fault(CheckGames, "it ends the series with %v, and day %v has begun", b.LastDay, s.day)
	case s.end != nil && !s.dayOpen && s.day >= s.end.day:
		return fault(CheckGames, "the series has ended with day %v", s.end.day)
	}
	with := end{b.LastDay, b.Games}
	for t := range s.tickets.all() {
		if uint64(t.last) > with.lastGame(s) {
			return fault(CheckGames, "it ends the series with game %d, and a ticket is sold up to game %d", with.lastGame(s),
				t.last)
		}
	}
	s.end = &with
	return nil
}

// checkEnd objects to a ticket with games behind the last one of its series.
func (s *series) checkEnd(first, games uint32) error {
	if s.end != nil && uint64(first)+uint64(games)-1 > s.end.lastGame(s) {
		return fault(CheckRequests, "it is sold up to game %d, and the series ends with game %d", uint64(first)+
			uint64(games)-1,
			s.end.lastGame(s))
	}
	return nil
}

// playsOn objects to the end of the last day of a series while a ticket has a game to come.
func (s *series) playsOn() error {
	if s.end == nil || s.day < s.end.day {
		return nil
	}
	if len(s.deferred) > 0 {
		return fault(CheckGames, "the last day of the series closes, and plays of game %v wait for a further game",
			s.deferred[0].name)
	}
	for t := range s.tickets.all() {
		if uint64(t.last) > uint64(len(s.games)) {
			return fault(CheckGames, "the last day of the series closes, and a ticket is sold up to game %d", t.last)
		}
	}
	return nil
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
	c.money.mark = markOf(b.HouseKey)
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
	c.adopted = make(map[record.Hash]*rulebook.Book)
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
	if err := c.checkText(b, book); err != nil {
		return err
	}
	if !c.halls.adopted(b.Hash, book) {
		r, err := newRules(book)
		if err != nil {
			return fault(CheckHouse, "%v", err)
		}
		c.rules[b.Hash] = r
	}
	c.adopted[b.Hash] = book
	c.report.Rulebooks = append(c.report.Rulebooks,
		Rulebook{ID: book.ID(), Hash: book.Hash().String(), Known: slices.Contains(c.opts.Rulebooks, b.Hash),
			Own: len(b.Text) > 0, Reference: b.Reference})
	return nil
}

// agreedRulebook holds an adopted rulebook against what two persons agreed on: one of the program
// by its hash, and one of the operator by its text, with the reference of its approval.
func agreedRulebook(_ *checker, b *record.RulebookAdopted, a *approval) bool {
	if a.says.ID != b.ID || a.says.Hash != hex.EncodeToString(b.Hash[:]) || a.says.Reference != b.Reference {
		return false
	}
	if a.action == actionFile {
		return len(b.Text) > 0 && a.says.Text == string(b.Text) && b.Reference != ""
	}
	return len(b.Text) == 0
}

// adoptedByTwo reports whether two persons must have agreed on a rulebook: the house brings in
// rulebooks of the program by itself, and one of the operator only when it is founded.
func adoptedByTwo(c *checker, b *record.RulebookAdopted, using *approval) bool {
	return using != nil || len(b.Text) > 0 && len(c.report.Series) > 0
}

// checkText checks that the text of the operator reads as the rulebook that was adopted.
func (c *checker) checkText(b *record.RulebookAdopted, book *rulebook.Book) error {
	if len(b.Text) == 0 {
		if _, edition := book.Base(); edition {
			return fault(CheckHouse, "the rulebook is an edition, and the journal has no text of it")
		}
		return nil
	}
	read, err := rulebook.LoadOn(b.ID, b.Text, func(hash rulebook.Hash) (*rulebook.Book, bool) {
		base := c.adopted[record.Hash(hash)]
		return base, base != nil
	})
	switch {
	case err != nil:
		return fault(CheckHouse, "the text of the operator has faults: %v", err)
	case record.Hash(read.Hash()) != b.Hash:
		return fault(CheckHouse, "the text of the operator is another rulebook: its hash is %v", read.Hash())
	}
	return nil
}

func (c *checker) seriesBegun(b *record.SeriesBegun) error {
	if c.series[b.Series] != nil {
		return fault(CheckHouse, "series %d has begun already", b.Series)
	}
	t, err := c.firstTerms(b)
	if err != nil {
		return fault(CheckHouse, "series %d: %v", b.Series, err)
	}
	if err := c.guard(c.checkBeside(b, t)); err != nil {
		return err
	}
	// The name must be one that a seal can carry.
	if err := (journal.Game{Series: b.Name, Day: "2000-01-01"}).Check(); err != nil {
		return fault(CheckHouse, "%v", err)
	}
	if len(c.report.Series) > 0 {
		if err := c.guard(c.sellsExamples(t)); err != nil {
			return err
		}
	}
	c.series[b.Series] = newSeries(b, t)
	c.opened = append(c.opened, c.series[b.Series])
	if b.Series == houseSeries {
		c.report.Money = t.rules.book.Money()
		c.series[b.Series].bookFrom = record.Place{Volume: c.log.first().number}
		c.houseFrom = c.series[b.Series].bookFrom
	} else if c.level >= record.LevelSeries {
		c.series[b.Series].bookFrom = placeOf(c.here()) // This record is the first that speaks of it.
	}
	c.report.Series = append(c.report.Series, b.Name)
	return nil
}

// checkBeside checks that a series can stand beside the others: no two have one name, one currency is that of all
// money of the house, and one time zone that of its days.
func (c *checker) checkBeside(b *record.SeriesBegun, t *terms) error {
	for _, s := range c.series {
		if s == nil {
			continue
		}
		switch other := s.rulesNow().book; {
		case s.name == b.Name:
			return fault(CheckHouse, "a second series %s begins", b.Name)
		case other.Currency() != t.rules.book.Currency():
			return fault(CheckHouse, "series %d is in %s, and the house in %s", b.Series, t.rules.book.Currency(),
				other.Currency())
		case other.Zone() != t.rules.book.Zone():
			return fault(CheckHouse, "series %d is in %s, and the house in %s", b.Series, t.rules.book.Zone(), other.Zone())
		}
	}
	return nil
}

// agreedSeries holds a further series against what two persons agreed on.
func agreedSeries(_ *checker, b *record.SeriesBegun, a *approval) bool {
	return a.says.Name == b.Name && a.says.Rulebook == hex.EncodeToString(b.Rulebook[:]) &&
		a.says.Schedule == b.Schedule && a.says.Interval == b.Interval && a.says.Reference == b.Approval &&
		b.Approval != ""
}

// begunByTwo reports whether two persons must have agreed on a series: the house is founded with the first.
func begunByTwo(c *checker, _ *record.SeriesBegun, using *approval) bool {
	return using != nil || len(c.report.Series) > 0 && c.level >= record.LevelGuarded
}

func (c *checker) venueAdded(b *record.VenueAdded) error {
	if _, ok := c.venues[b.Venue]; ok {
		return fault(CheckHouse, "venue %d was added before", b.Venue)
	}
	c.venues[b.Venue] = venue{b.Name, rulebook.VenueKind(b.Kind), b.Listed, map[uint8]bool{houseSeries: true}}
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

// venueListed follows which venue sells ready tickets of its own: of a list of the rulebook that no other
// venue has.
func (c *checker) venueListed(b *record.VenueListed) error {
	s, place := c.series[b.Series], c.venues[b.Venue]
	switch {
	case s == nil:
		return fault(CheckHouse, "a venue is listed for series %d, which has not begun", b.Series)
	case place.name == "" || place.listed == b.Listed:
		return fault(CheckHouse, "venue %d is listed as %q, and was before, or does not exist", b.Venue, b.Listed)
	}
	if b.Listed != "" {
		if !slices.ContainsFunc(s.rulesNow().book.Items(), func(i rulebook.ItemFile) bool { return i.Venue == b.Listed }) {
			return fault(CheckHouse, "venue %d is listed as %q, of which the rulebook has no ready ticket", b.Venue, b.Listed)
		}
		for id, other := range c.venues {
			if other.listed == b.Listed {
				return fault(CheckHouse, "venue %d is listed as %q, and so is venue %d", b.Venue, b.Listed, id)
			}
		}
	}
	place.listed = b.Listed
	c.venues[b.Venue] = place
	for _, t := range c.terminals {
		if t.venue == b.Venue {
			t.listed = b.Listed
		}
	}
	return nil
}
