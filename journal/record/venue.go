package record

import (
	"fmt"
	"slices"
)

// OperatorAdded is a firm that runs the house or a venue.
type OperatorAdded struct {
	_        struct{} `cbor:",toarray"`
	Operator uint32   `is:"operator"` // number of the operator
	Name     string   `is:"name"`     // name of the operator
	Licence  string   // reference of the operator's licence
	By       uint32   // number of the person who entered it; none before there is one
}

func (*OperatorAdded) check() error { return nil }

// VenueRenamed gives a venue another name, from now on. What was printed and closed before has the earlier one.
type VenueRenamed struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32   `is:"venue"`
	Name  string   `is:"name"` // name of the venue from now on
	By    uint32   `is:"person"`
}

func (*VenueRenamed) check() error { return nil }

// VenueOperated says which operator answers for a venue from now on.
type VenueOperated struct {
	_        struct{} `cbor:",toarray"`
	Venue    uint32   `is:"venue"`
	Operator uint32   `is:"operator"`
	By       uint32
}

func (*VenueOperated) check() error { return nil }

// dayMinutes is how many minutes local clocks go through in a day.
const dayMinutes = 24 * 60

// Trading is a time at which a venue trades every week. Weekday counts from Sunday,
// which is 0; From and To are minutes of the local day, and To may lie in the next
// one: 6 pm to 2 am is 1080 to 1560.
type Trading struct {
	_       struct{} `cbor:",toarray"`
	Weekday uint8    // day of the week, 0 for Sunday
	From    uint16   // the first minute of trading, of the day
	To      uint16   // the minute after the last, of the day
}

// HoursSet says when a venue trades, from now on. Without any time it never does.
type HoursSet struct {
	_     struct{}  `cbor:",toarray"`
	Venue uint32    `is:"venue"`
	Hours []Trading // the hours of trading, ascending by weekday and first minute
	By    uint32
}

func (h *HoursSet) check() error {
	for i, t := range h.Hours {
		if t.Weekday > 6 || t.From >= dayMinutes || t.To <= t.From || t.To > t.From+dayMinutes {
			return fmt.Errorf("hours %d: weekday %d from minute %d to %d", i, t.Weekday, t.From, t.To)
		}
		if i > 0 && (h.Hours[i-1].Weekday > t.Weekday || h.Hours[i-1].Weekday == t.Weekday &&
			h.Hours[i-1].From >= t.From) {
			return fmt.Errorf("hours %d are not after those before them", i)
		}
	}
	return nil
}

// AreaAdded is a part of a venue in which games are sold, with displays of its own.
type AreaAdded struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32   `is:"venue"`
	Area  uint16   `is:"area"` // number of the area in its venue
	Name  string   `is:"name"` // name of the area
	By    uint32
}

func (*AreaAdded) check() error { return nil }

// TerminalPlaced moves a terminal into an area of its venue.
type TerminalPlaced struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32   `is:"terminal"`
	Area     uint16   `is:"area"` // number of the area in the venue of the terminal
	By       uint32
}

func (*TerminalPlaced) check() error { return nil }

// Screen is what a display shows.
type Screen string

// The screens that a rule may ask for in an area.
const (
	ScreenDraw Screen = "draw" // the numbers of the games
	ScreenRace Screen = "race" // the rows of the race
)

// DisplayReported says that a display of an area has begun or ceased to work. An
// area whose display nobody has reported has none.
type DisplayReported struct {
	_       struct{} `cbor:",toarray"`
	Venue   uint32
	Area    uint16 // number of the area in the venue
	Screen  Screen // what the display shows
	Working bool   // whether the display works
	Reason  string // why the display does not work, such as silence
	By      uint32 // number of the person who says so; none where the display's own signs do
}

func (d *DisplayReported) check() error {
	if d.Venue == 0 || d.Area == 0 || !slices.Contains([]Screen{ScreenDraw, ScreenRace}, d.Screen) {
		return fmt.Errorf("a display that shows %q in area %d of venue %d", d.Screen, d.Area, d.Venue)
	}
	return nil
}

// TerminalKeyed gives a terminal the Ed25519 key with which it signs from now on.
// The key before it, if there was one, signs nothing more.
type TerminalKeyed struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32   `is:"terminal"`
	Key      [32]byte `is:"key"` // Ed25519 key by which the terminal signs
	By       uint32
}

func (*TerminalKeyed) check() error { return nil }

// TerminalRevoked takes a terminal's key away.
type TerminalRevoked struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32   `is:"terminal"`
	Reason   string   `is:"reason"`
	By       uint32
}

func (*TerminalRevoked) check() error { return nil }
