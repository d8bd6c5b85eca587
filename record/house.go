package record

import (
	"errors"
	"fmt"

	"drawhouse/day"
)

// Hash is a SHA-256.
type Hash [32]byte

// RulebookAdopted brings a rulebook into the journal, whole, so that whoever
// holds the journal can grade it.
type RulebookAdopted struct {
	_    struct{} `cbor:",toarray"`
	ID   string
	Hash Hash
	Book []byte // the rulebook's canonical form
}

func (r *RulebookAdopted) check() error {
	if r.ID == "" || len(r.Book) == 0 {
		return errors.New("a rulebook needs an id and its content")
	}
	return nil
}

// SeriesBegun starts a series of games under a rulebook.
type SeriesBegun struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8
	Name     string // as in seals, such as vic-keno
	Rulebook Hash
	Schedule string // the schedule of prizes that is current
}

func (s *SeriesBegun) check() error {
	if s.Series == 0 || s.Name == "" || s.Schedule == "" {
		return errors.New("a series needs a number from 1, a name and a schedule")
	}
	return nil
}

// VenueAdded is a place that sells.
type VenueAdded struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Kind  string
	Name  string
	// Listed is the id under which catalogues list ready tickets of this venue alone;
	// empty if there are none.
	Listed string
}

func (v *VenueAdded) check() error {
	if v.Venue == 0 || v.Kind == "" || v.Name == "" {
		return errors.New("a venue needs a number from 1, a kind and a name")
	}
	return nil
}

// TerminalAdded is a device that sells at a venue.
type TerminalAdded struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32
	Venue    uint32
	Channel  string
}

func (t *TerminalAdded) check() error {
	if t.Terminal == 0 || t.Venue == 0 || t.Channel == "" {
		return errors.New("a terminal needs a number from 1, a venue and a channel")
	}
	return nil
}

// DayOpened begins a Keno Day. OffsetSeconds is what local clocks add to UTC.
type DayOpened struct {
	_             struct{} `cbor:",toarray"`
	Series        uint8
	Day           day.Day
	OffsetSeconds int32
}

// maxOffset bounds what local clocks add to UTC, in seconds.
const maxOffset = 14 * 3600

func (d *DayOpened) check() error {
	if d.OffsetSeconds < -maxOffset || d.OffsetSeconds > maxOffset {
		return fmt.Errorf("clocks that add %d seconds to UTC", d.OffsetSeconds)
	}
	return checkDay(d.Series, d.Day)
}

// DayClosed ends a Keno Day and states what it came to. State is the hash of the
// state just before this record, in the form StateForm of package state: a build
// that hashes its state in another form cannot compare, and knows that it cannot.
type DayClosed struct {
	_         struct{} `cbor:",toarray"`
	Series    uint8
	Day       day.Day
	Games     uint32
	StateForm uint8
	State     Hash
	// Books pins the book of the trading day, an object beside the journal that adds up
	// the records from the close before on, that close included, up to the one before
	// this.
	Books Hash
}

func (d *DayClosed) check() error { return checkDay(d.Series, d.Day) }

func checkDay(series uint8, d day.Day) error {
	if series == 0 || !d.IsValid() {
		return fmt.Errorf("series %d on %v", series, d)
	}
	return nil
}

// TermsChanged says under which rulebook and schedule the games of a series are
// played from one on. Games before it, and their tickets, keep theirs.
type TermsChanged struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8
	From     uint32 // ordinal of the first game
	Rulebook Hash
	Schedule string
	Approval string // reference of the decision
}

func (c *TermsChanged) check() error {
	if c.Series == 0 || c.From == 0 || c.Schedule == "" || c.Approval == "" {
		return errors.New("a change of terms needs a series, a first game, a schedule and an approval")
	}
	return nil
}

// GameDesignated announces a game for which entries are taken before it opens.
type GameDesignated struct {
	_       struct{} `cbor:",toarray"`
	Game    Game
	Ordinal uint32
}

func (g *GameDesignated) check() error {
	if g.Ordinal == 0 {
		return errors.New("a game needs an ordinal from 1")
	}
	return g.Game.check()
}
