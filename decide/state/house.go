package state

import (
	"crypto/sha256"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// beginVolume begins the first volume, or ends one and begins the next. That the
// records of the one that ended come to the end that is stated is for anybody who has
// their tree to say.
func (s *State) beginVolume(b *record.VolumeBegun) error {
	founds, err := b.Founds()
	switch {
	case err != nil:
		return cannot("%v", err)
	case founds != (s.next.Seq == 0):
		return cannot("volume %d, begun for the reason %s, at place %v", b.Volume, b.Reason, s.next)
	case founds:
		s.volume, s.level = *b, b.Level
		return nil
	case b.Level < s.level:
		return cannot("volume %d has level %d, and the journal has level %d", b.Volume, b.Level, s.level)
	}
	if _, _, err := b.Follows(&s.volume); err != nil {
		return cannot("%v", err)
	}
	if missing, err := b.Unnamed(s.volume.Volume); err != nil {
		return cannot("%v", err)
	} else if missing != 0 && b.Level >= record.LevelGuarded {
		return cannot("volume %d follows volume %d, and does not name volume %d between them as abandoned", b.Volume,
			s.volume.Volume, missing)
	}
	if !s.agrees(b.StateForm, record.Hash(b.State)) {
		return cannot("volume %d opens with the state %x, and volume %d ended with %x", b.Volume, b.State,
			s.volume.Volume, s.Hash())
	}
	s.earlier = append(s.earlier, s.volume)
	s.volume, s.level = *b, b.Level
	s.next = record.Place{Volume: b.Volume}
	return nil
}

// adoptRulebook keeps the compiled book for the games that are played under it.
func (s *State) adoptRulebook(b *record.RulebookAdopted) error {
	book, err := rulebook.FromCanonical(b.Book)
	if err != nil {
		return err
	}
	if sha256.Sum256(b.Book) != b.Hash || book.ID() != b.ID {
		return cannot("the content of %s is %s with hash %v", b.ID, book.ID(), book.Hash())
	}
	if hash, ok := book.Base(); ok {
		base, adopted := s.books[record.Hash(hash)]
		if !adopted {
			return cannot("%s is an edition of %v, which was not adopted", b.ID, hash)
		}
		if err := rulebook.CheckEdition(base, book); err != nil {
			return cannot("an edition of %s changes what is fixed: %v", b.ID, err)
		}
	}
	s.books[b.Hash] = book
	if len(b.Text) > 0 {
		s.filed[b.Hash] = b.Reference
	}
	s.noted.whole(allBooks)
	return nil
}

// FirstSeries is the number of the series that a house is founded with.
const FirstSeries = 1

func (s *State) beginSeries(b *record.SeriesBegun) error {
	book, ok := s.books[b.Rulebook]
	if !ok {
		return cannot("series %s under a rulebook that was not adopted", b.Name)
	}
	if _, ok := s.series[b.Series]; ok {
		return cannot("series %d begins twice", b.Series)
	}
	series, err := s.newSeries(b, book)
	if err != nil {
		return err
	}
	s.series[b.Series] = series
	s.restPromotions()
	return nil
}

func (s *State) addVenue(b *record.VenueAdded) error {
	if _, ok := s.venues[b.Venue]; ok {
		return cannot("venue %d is added twice", b.Venue)
	}
	s.venues[b.Venue] = Venue{ID: b.Venue, Kind: rulebook.VenueKind(b.Kind), Name: b.Name, Listed: b.Listed,
		licensed: seriesSet{}.set(FirstSeries, true)}
	s.noted.whole(allVenues)
	s.noted.whole(allPeople)
	s.people.venues.put(b.Venue, &Premises{ID: b.Venue, Kind: rulebook.VenueKind(b.Kind), Name: b.Name})
	return nil
}

func (s *State) renameVenue(b *record.VenueRenamed) error {
	venue, ok := s.venues[b.Venue]
	if !ok || venue.Name == b.Name {
		return cannot("venue %d is named %q, and was before, or does not exist", b.Venue, b.Name)
	}
	venue.Name = b.Name
	s.venues[b.Venue] = venue
	s.noted.whole(allVenues)
	s.noted.whole(allPeople)
	s.people.venues.change(b.Venue).Name = b.Name
	return s.people.checkBy(b.By)
}

// license lets a venue sell the games of a series, or ends that.
func (s *State) license(b *record.VenueLicensed) error {
	v, ok := s.venues[b.Venue]
	if _, begun := s.Series(b.Series); !ok || !begun {
		return cannot("venue %d is licensed for series %d, and one of the two does not exist", b.Venue, b.Series)
	}
	v.licensed = v.licensed.set(b.Series, b.Sells)
	if b.Instead != 0 {
		v.licensed = v.licensed.set(b.Instead, false)
	}
	s.venues[b.Venue] = v
	s.noted.whole(allVenues)
	return nil
}

// limitSeries sets the last Keno Day of a series.
func (s *State) limitSeries(b *record.SeriesLimited) error {
	series, ok := s.series[b.Series]
	if !ok || b.LastDay < series.Day {
		return cannot("series %d ends with %v, which is past, or there is no such series", b.Series, b.LastDay)
	}
	series.LastDay, series.LastGames = b.LastDay, b.Games
	s.restPromotions()
	return nil
}

func (s *State) listVenue(b *record.VenueListed) error {
	venue, ok := s.venues[b.Venue]
	if !ok || venue.Listed == b.Listed {
		return cannot("venue %d is listed as %q, and was before, or does not exist", b.Venue, b.Listed)
	}
	venue.Listed = b.Listed
	s.venues[b.Venue] = venue
	s.noted.whole(allVenues)
	return nil
}

func (s *State) addTerminal(b *record.TerminalAdded) error {
	if _, ok := s.venues[b.Venue]; !ok {
		return cannot("terminal %d at venue %d, which does not exist", b.Terminal, b.Venue)
	}
	if _, ok := s.terminals[b.Terminal]; ok {
		return cannot("terminal %d is added twice", b.Terminal)
	}
	s.terminals[b.Terminal] = &Terminal{ID: b.Terminal, Venue: b.Venue, Channel: rulebook.Channel(b.Channel)}
	s.noted.terminal(b.Terminal)
	s.noted.whole(allPeople)
	s.people.terminals.put(b.Terminal,
		&Post{Terminal: b.Terminal, Venue: b.Venue, Channel: rulebook.Channel(b.Channel)})
	return nil
}

// answer notes that the next record answers a request of a terminal.
func (s *State) answer(r record.Request) (*Terminal, error) {
	t, ok := s.terminals[r.Terminal]
	if !ok {
		return nil, cannot("terminal %d does not exist", r.Terminal)
	}
	if r.Number <= t.Last.Number {
		return nil, cannot("request %d of terminal %d after request %d", r.Number, r.Terminal, t.Last.Number)
	}
	t.Last, t.Answer, t.Burned = r, s.next, false
	s.noted.terminal(r.Terminal)
	return t, nil
}

func (s *State) burnRequest(b *record.RequestBurned) error {
	t, err := s.answer(record.Request{Terminal: b.Terminal, Number: b.Number})
	if err != nil {
		return err
	}
	t.Burned = true
	return nil
}
