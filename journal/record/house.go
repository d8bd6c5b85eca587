package record

import (
	"fmt"

	"drawhouse/core/day"
)

// Hash is a SHA-256.
type Hash [32]byte

// RulebookAdopted brings a rulebook into the journal, whole, so that anybody who
// holds the journal can grade it.
type RulebookAdopted struct {
	_    struct{} `cbor:",toarray"`
	ID   string   `is:"name"` // name of the rulebook
	Hash Hash     // hash of the canonical form of the rulebook
	Book []byte   `is:"book" most:"object"` // the canonical form of the rulebook
	// The file of the operator; none for a rulebook of the program.
	Text      []byte `later:"true" most:"131072"`
	Reference string `later:"true"` // reference of the approval outside the house
}

func (*RulebookAdopted) check() error { return nil }

// NoSchedule stands for the schedule of a series whose rulebook has no keno. Such a series has trading days and
// no games: its house plays bingo alone.
const NoSchedule = "none"

// SeriesBegun starts a series of games under a rulebook.
type SeriesBegun struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8    `is:"series"`
	Name     string   `is:"name"` // name of the series as in seals, such as vic-keno
	Rulebook Hash
	Schedule string `is:"schedule"` // the schedule of prizes that is current
	// Interval is the time between the closes of two games, in seconds; 0 is what the house is started with.
	Interval uint32 `later:"true"`
	// Approval is the reference of the decision outside the house that allows a further series.
	Approval string `later:"true"`
}

func (*SeriesBegun) check() error { return nil }

// VenueAdded is a place that sells.
type VenueAdded struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32   `is:"venue"` // number of the venue
	Kind  string   `is:"kind"`  // kind of the venue, as the rulebook names it
	Name  string   `is:"name"`  // name of the venue
	// Listed is the id under which catalogues list ready tickets of this venue alone;
	// empty if there are none.
	Listed string
}

func (*VenueAdded) check() error { return nil }

// VenueListed says under which id the catalogues list ready tickets of a venue alone from now on; empty for
// none. Two persons say so.
type VenueListed struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"` // the series whose catalogue it is
	Venue  uint32   `is:"venue"`
	// The id under which catalogues list ready tickets of this venue alone; empty for none.
	Listed string
	By     uint32 `is:"person"`
}

func (*VenueListed) check() error { return nil }

// TerminalAdded is a device that sells at a venue.
type TerminalAdded struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32   `is:"terminal"` // number of the terminal
	Venue    uint32   `is:"venue"`
	Channel  string   `is:"channel"` // kind of the terminal, as the rulebook names it
}

func (*TerminalAdded) check() error { return nil }

// DayOpened begins a Keno Day. OffsetSeconds is what local clocks add to UTC.
type DayOpened struct {
	_             struct{} `cbor:",toarray"`
	Series        uint8
	Day           day.Day
	OffsetSeconds int32 `most:"offset"` // what local clocks add to UTC, in seconds
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
	Games     uint32 // how many games the Keno Day had
	StateForm uint8  // form in which the state is hashed
	State     Hash   // hash of the state just before this record
	// Hash of the book of the trading day, an object beside the journal.
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
	Series   uint8    `is:"series"`
	From     uint32   `is:"from"` // number in the series of the first game under the terms
	Rulebook Hash
	Schedule string `is:"schedule"`
	Approval string `is:"approval"` // reference of the decision
}

func (*TermsChanged) check() error { return nil }

// VenueLicensed says whether a venue sells the games of a series from now on.
type VenueLicensed struct {
	_        struct{} `cbor:",toarray"`
	Venue    uint32   `is:"venue"`
	Series   uint8    `is:"series"`
	Sells    bool     // whether the venue sells the games of the series from now on
	Approval string   // reference of the decision
	// Instead is the series whose sale ends there with the same act; 0 for none.
	Instead uint8 `later:"true"`
}

func (v *VenueLicensed) check() error {
	if v.Instead != 0 && (!v.Sells || v.Instead == v.Series) {
		return fmt.Errorf("series %d is sold instead of series %d", v.Series, v.Instead)
	}
	return nil
}

// SeriesLimited says with which Keno Day a series of games ends. A later record of the series replaces it.
type SeriesLimited struct {
	_       struct{} `cbor:",toarray"`
	Series  uint8    `is:"series"`
	LastDay day.Day  `is:"day"` // the last Keno Day of the series
	// Games is how many games a Keno Day of the series has: tickets are sold up to the last of them.
	Games    uint32 `is:"number"`
	Approval string `is:"approval"` // reference of the decision
}

func (*SeriesLimited) check() error { return nil }

// GameDesignated announces a game for which entries are taken before it opens.
type GameDesignated struct {
	_       struct{} `cbor:",toarray"`
	Game    Game
	Ordinal uint32 `is:"ordinal"`
}

func (*GameDesignated) check() error { return nil }
