package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// State is everything the house knows. It is owned by one goroutine.
type State struct {
	next   record.Place // where the next record will stand
	now    record.Time  // of the newest record
	volume record.VolumeBegun
	level  uint8 // of the journal, see record.Level
	// earlier are the records that began the volumes before, ascending. What those
	// volumes hold is verified with their own keys.
	earlier []record.VolumeBegun

	books     map[record.Hash]*rulebook.Book
	filed     map[record.Hash]string // the operator's own among books: the reference of each approval
	series    map[uint8]*Series
	venues    map[uint32]Venue
	terminals map[uint32]*Terminal
	balances  ledger.Balances
	payments  payments
	witnesses []record.Witness
	logs      []string                // names of witnesses without whom no keno is drawn, though not required for all
	result    record.Place            // of the newest settlement, or end of a game without one
	agreed    map[string]record.Place // by witness: behind the last record that it has agreed to
	log       publicLog
	claims    claims
	others    others          // tickets of other systems
	money     venueMoney      // between the operator and its venues
	register  []Registered    // the drawing devices, by number - 1
	disputes  []RunnerDispute // by number - 1
	builds    []Build         // the programs that have written the journal, oldest first
	// desks are what sells by each adopted rulebook that a series was ever played under.
	desks  map[record.Hash]*keno.Desk `unhashed:"they are made from the rulebooks"`
	terms  map[termsKey]*settle.Terms `unhashed:"they are made from the rulebooks"`
	people *People
	tills  *tills
	halls  map[uint8]*Hall
	// ways is room for those of the ticket that is being added; Open keeps none of them.
	ways []settle.Way `snapshot:"-" unhashed:"room for later use"`
	// uncompared is how many hashes of states the records had in another form.
	uncompared int `unhashed:"it is about this build"`
	// keep is how many games of a series stay as they stand.
	keep int `snapshot:"-" unhashed:"no decision depends on it"`
	// noted is what has changed since a watcher has looked; nil if nobody watches.
	noted *Changes `snapshot:"-" unhashed:"it is for readers"`
}

// Venue is a place that sells.
type Venue struct {
	ID   uint32
	Kind rulebook.VenueKind
	Name string
	// Listed is the id under which catalogues list ready tickets of this venue alone.
	Listed string
	// CashLimit is up to which amount the venue pays in cash; 0 where it has not said.
	CashLimit money.Amount
	// licensed are the series whose games the venue sells.
	licensed seriesSet
}

// Sells reports whether the venue has the licence to sell the games of a series.
func (v Venue) Sells(series uint8) bool { return v.licensed.has(series) }

// seriesSet is a set of series, a bit for each.
type seriesSet [4]uint64

func (s seriesSet) has(series uint8) bool { return s[series/64]&(1<<(series%64)) != 0 }

// set returns the set with a series, or without that series.
func (s seriesSet) set(series uint8, in bool) seriesSet {
	if s[series/64] &^= 1 << (series % 64); in {
		s[series/64] |= 1 << (series % 64)
	}
	return s
}

// ListedAs returns the venue that has an id in catalogues, if one has.
func (s *State) ListedAs(id string) (found Venue, ok bool) {
	for _, venue := range s.venues {
		if venue.Listed == id {
			return venue, true // An id is of one venue.
		}
	}
	return found, false
}

// Terminal is a device that sells, with what its last request came to.
type Terminal struct {
	ID      uint32
	Venue   uint32
	Channel rulebook.Channel
	// Last is the newest request that was decided and Answer the record that
	// answered it. A burned request has no body.
	Last   record.Request
	Answer record.Place
	Burned bool
	// Session counts the customer sessions of the terminal, and Open is the one that has
	// not ended, if any. The caller must not change it.
	Session uint32
	Open    *Open
	// Papers is what the papers come to that the terminal has sold on the day of the last.
	Papers PapersSold
	// Drawer is the cash that the terminal's bank should have.
	Drawer money.Amount
}

// New returns the state before the first record of a house.
func New() *State {
	return &State{
		next:      record.Place{Volume: 1},
		books:     map[record.Hash]*rulebook.Book{},
		filed:     map[record.Hash]string{},
		series:    map[uint8]*Series{},
		venues:    map[uint32]Venue{},
		terminals: map[uint32]*Terminal{},
		desks:     map[record.Hash]*keno.Desk{},
		terms:     map[termsKey]*settle.Terms{},
		people:    NewPeople(),
		tills:     newTills(),
		halls:     map[uint8]*Hall{},
		keep:      FreshGames,
	}
}

// Next returns the place of the next record.
func (s *State) Next() record.Place { return s.next }

// Now returns the time of the newest record. A record's time is the greater of
// this and the clock, so that time never falls.
func (s *State) Now() record.Time { return s.now }

// Volume returns the record that began the current volume.
func (s *State) Volume() record.VolumeBegun { return s.volume }

// VolumeOf returns the record that began a volume.
func (s *State) VolumeOf(number uint16) (record.VolumeBegun, bool) {
	if number == s.volume.Volume && number != 0 {
		return s.volume, true
	}
	for _, v := range s.earlier {
		if v.Volume == number {
			return v, true
		}
	}
	return record.VolumeBegun{}, false
}

// EarlierVolumes returns the records that began the volumes before the current one.
// The caller must not change them.
func (s *State) EarlierVolumes() []record.VolumeBegun { return s.earlier }

// NewestEdition returns the highest edition of the adopted rulebooks of an id, or 0.
func (s *State) NewestEdition(id string) int {
	newest := 0
	for _, book := range s.books {
		if book.ID() == id {
			newest = max(newest, book.Edition())
		}
	}
	return newest
}

// Book returns an adopted rulebook.
func (s *State) Book(hash record.Hash) (*rulebook.Book, bool) {
	book, ok := s.books[hash]
	return book, ok
}

// Series returns a series of games. The caller must not change it.
func (s *State) Series(id uint8) (*Series, bool) {
	series, ok := s.series[id]
	return series, ok
}

// Terminal returns a terminal as it stands.
func (s *State) Terminal(id uint32) (Terminal, bool) {
	t, ok := s.terminals[id]
	if !ok {
		return Terminal{}, false
	}
	return *t, true
}

// InSession returns the terminals of a venue, or for 0 of all, at which a customer session is open,
// in the order of their numbers.
func (s *State) InSession(venue uint32) (list []Terminal) {
	for _, t := range s.terminals {
		if (venue == 0 || t.Venue == venue) && t.Open != nil {
			list = append(list, *t)
		}
	}
	slices.SortFunc(list, func(a, b Terminal) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Venue returns a venue.
func (s *State) Venue(id uint32) (Venue, bool) {
	v, ok := s.venues[id]
	return v, ok
}

// People returns who works in the house and where. The caller must not change it.
func (s *State) People() *People { return s.people }

// Balances returns the ledger. The caller must not change it.
func (s *State) Balances() *ledger.Balances { return &s.balances }

// LeftBy returns what a cancellation leaves of its ticket.
func LeftBy(b *record.TicketCancelled) Cancelled {
	return Cancelled{Kept: b.Kept, Ran: b.CarriedCents+b.UnwonCents > 0}
}

// Shorten takes from a play what was cancelled. A prize that runs ends with the last
// game, unless it had run on from there and was paid with the cancellation.
func (c Cancelled) Shorten(play *settle.Play) (last uint32) {
	last = min(play.Last, c.Kept)
	if !c.Ran {
		play.Last = last
	}
	return last
}

// ErrCannotFollow reports a record that contradicts the ones before it.
var ErrCannotFollow = errors.New("state: the record cannot follow the ones before it")

func cannot(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCannotFollow, fmt.Sprintf(format, args...))
}

// Apply adds the record at the next place. After an error the state is not to be
// used any more: part of the record may have been added.
func (s *State) Apply(r record.Record) error {
	if r.Time < s.now {
		return cannot("time falls from %d to %d", s.now, r.Time)
	}
	if s.next.Seq == 0 && r.Kind() != record.KindVolumeBegun {
		return cannot("%v at place %v", r.Kind(), s.next)
	}
	if err := s.fold(r); err != nil {
		return fmt.Errorf("record %v, %v: %w", s.next, r.Kind(), err)
	}
	if err := s.balances.Add(r.Postings); err != nil {
		return fmt.Errorf("record %v, %v: %w", s.next, r.Kind(), err)
	}
	if err := s.checkEnded(r); err != nil {
		return fmt.Errorf("record %v, %v: %w", s.next, r.Kind(), err)
	}
	if err := s.oweState(r); err != nil {
		return fmt.Errorf("record %v, %v: %w", s.next, r.Kind(), err)
	}
	s.till(r)
	s.countVenue(r)
	s.forgetPaid(r)
	s.publish(r)
	s.noted.note(r)
	s.now = r.Time
	s.next.Seq++
	return nil
}
