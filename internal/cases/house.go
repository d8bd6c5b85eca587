package cases

import (
	"cmp"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// series is the first series of games of a house, and of a case the only one.
const series = 1

// Founding is what the house of a scenario begins with.
type Founding struct {
	Book     *rulebook.Book
	Text     []byte         // of an edition
	Base     *rulebook.Book // that Book is an edition of; nil for none
	Schedule string
	Begin    time.Time // what the clock shows at first
	Seed     string    // of keys and chance
	// Venue is the kind of its venues; empty for the first that the rulebook knows.
	Venue rulebook.VenueKind
	// Other is the kind of the second venue, if it is another.
	Other rulebook.VenueKind
	// Machines says that the first venue has a second self-service terminal, T4.
	Machines bool
	// Balls says that a ball machine draws the games.
	Balls bool
	// Cards are further terminals of the first venue: the electronic cards of a bingo room.
	Cards []record.TerminalAdded
}

// terminals are those of a house: T1, T2 and a T4 stand in one venue, T3 in another.
func terminals(f *Founding) []record.TerminalAdded {
	list := []record.TerminalAdded{
		{Terminal: 1, Venue: 1, Channel: "writer"}, {Terminal: 2, Venue: 1, Channel: "sst"},
		{Terminal: 3, Venue: 2, Channel: "writer"},
	}
	if f.Machines {
		list = append(list, record.TerminalAdded{Terminal: 4, Venue: 1, Channel: "sst"})
	}
	return list
}

func venues(f *Founding) []record.VenueAdded {
	book, kind := f.Book, "hotel"
	for _, tender := range book.Tenders() {
		if len(tender.Venues) > 0 {
			kind = string(tender.Venues[0])
			break
		}
	}
	if f.Venue != "" {
		kind = string(f.Venue)
	}
	return []record.VenueAdded{{Venue: 1, Kind: kind, Name: "Corner Hotel"},
		{Venue: 2, Kind: cmp.Or(string(f.Other), kind), Name: "River Club"}}
}

// inspector is the number of the inspector of every house.
const inspector = 900

// Payer is the number of the person of every house who pays the claims that others have
// allowed.
const Payer = 901

// crew returns the people of every house: the smallest crew that may play, an inspector
// and somebody who pays claims.
func crew(f *Founding) []record.Body {
	return append(staff.Crew(f.Book, venues(f), terminals(f), staff.Unnamed),
		&record.PersonAdded{Person: inspector, Details: staff.Unnamed(inspector, record.RoleInspector)},
		&record.RoleGranted{Person: inspector, Role: record.RoleInspector},
		&record.PersonAdded{Person: Payer, Details: staff.Unnamed(Payer, record.RoleOperative)},
		&record.RoleGranted{Person: Payer, Role: record.RoleOperative})
}

// Order is what a terminal asks for.
type Order struct {
	Terminal uint32
	Method   rulebook.Method
	Runner   bool
	Form     []byte
	Player   uint32 // number of a player who works in the house; 0 for another
}

// Ticket is a ticket that was sold, with what its holder has in hand.
type Ticket struct {
	Place   record.Place
	Serial  string
	Code    serial.ClaimCode
	Cost    money.Amount
	Ordinal uint32 // of its first game
	Guessed bool   // the person who brings it has only seen the serial
	First   bool   // the person who brings it has the sheet that was sold, and not the one that goes on
	Bare    bool   // the terminal brings no claim code for a sheet on which its games go on
}

// Won is what a ticket won in a settled game.
type Won struct {
	Ordinal uint32
	Payable money.Amount
	Carried money.Amount
	Lines   []string // how it came about
}

// House is a house that a scenario can be played in. An error that is a refusal is
// an answer; another one means that the house is at fault.
type House interface {
	Counter
	Desk
	Wall
	// SetClock sets the clock, which otherwise goes on by a second with each step.
	SetClock(time.Time)
	Sell(Order) (Ticket, error)
	Cancel(terminal uint32, t Ticket) (refund, carried money.Amount, err error)
	Pay(terminal uint32, t Ticket) (money.Amount, error)
	// Won returns what a ticket won in each of its games that are settled.
	Won(Ticket) ([]Won, error)

	OpenDay(day.Day) error
	CloseDay() error
	OpenGame() error
	CloseGame() error
	TurnGame() error
	// Draw draws, signs and settles a sealed game. The numbers are these, or those of
	// chance if there are none.
	Draw(ordinal uint32, numbers []int) error

	ChangeTerms(record.TermsChanged) error
	Designate(ordinal uint32) error
	NameParticipants(record.ParticipantsNamed) error
	Report(ordinal uint32, spots uint8, report jackpot.Report) error
	ShareJackpots(ordinal uint32) error
	MovePool(spots uint8, move string, amount money.Amount, approval string) error
	Irregular
	Accounts

	// State returns what the journal adds up to.
	State() (*state.State, error)
}

// offset is what local clocks add to UTC in every scenario, in seconds.
const offset = 11 * 60 * 60

// zone is the zone of a scenario's clock.
var zone = time.FixedZone("", offset)

// untilClose is how long a game is on sale, if nothing closes it before.
const untilClose = 3 * time.Minute
