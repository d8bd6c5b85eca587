package rulebook

import (
	"slices"

	"drawhouse/core/money"
)

// This file is the part of the schema about paper, draws, people and the State.

// The forms of ticket numbers.
const (
	SerialDigits    = "digits16" // 16 digits
	SerialSuccessor = "to27"     // 27 characters that begin with TO
)

// SerialForm is a form of ticket number on paper.
type SerialForm struct {
	Cite
	Form      string `json:"form" words:"digits16 to27"`
	Successor bool   `json:"successor,omitempty"`
}

// System says of which system the games and tickets of the book are, where the rules know one that comes after
// theirs: by its own numbers and codes, or by those of the successor.
type System struct {
	Cite
	Plays Plays `json:"plays"`
	// Ends says that the rules end with a last day, which two persons name for a series of games (end-series).
	Ends       bool   `json:"ends,omitempty"`
	EndsClause string `json:"ends_clause,omitempty"`
}

// EndClause returns the clause by which the games of a series end; of rules without an end none.
func (s *System) EndClause() string {
	if !s.Ends {
		return ""
	}
	return Quoted(s.EndsClause)
}

// Plays is whose numbers games have, and whose codes tickets carry.
type Plays string

// The systems of a book.
const (
	PlaysOwn       Plays = "own"       // the system that the rules are of
	PlaysSuccessor Plays = "successor" // the system that comes after it
)

// Receipt lists what the paper must carry.
type Receipt struct {
	Cite
	Fields []string `json:"fields" words:"serial bar_code kind numbers groups ways stake games first_game last_game features feature_games total writer terminal time keno_day"`
}

// Draw says which devices may draw and what becomes of a draw that fails.
type Draw struct {
	Cite
	Devices    []string `json:"devices" words:"rng cage witnessed"`
	Keyings    int      `json:"keyings,omitempty"`               // people who record a ball draw independently
	Unfinished []string `json:"unfinished" words:"carry refund"` // what becomes of the entries, in order of preference
	// Stands names the clause by which a draw with all its numbers stands, whatever fails afterwards. It
	// stands under every book.
	Stands       bool   `json:"stands,omitempty"`
	StandsClause string `json:"stands_clause,omitempty"`
	// Official says that the balls of a machine are the official record of its numbers, so that a
	// result which people keyed otherwise can be corrected, and the computer's own record where it drew.
	Official       bool   `json:"official,omitempty"`
	OfficialClause string `json:"official_clause,omitempty"`
	// Registered says that an approved device draws: once a device of the register was chosen, no game opens
	// that would be drawn by a device which is not in the register or which an inspection found unsound.
	Registered       bool   `json:"registered,omitempty"`
	RegisteredClause string `json:"registered_clause,omitempty"`
}

// Staffing says who and what must be present.
type Staffing struct {
	Cite
	// Game is the role without which no game is held, Venue that without which a venue neither sells nor pays.
	Game        string `json:"game" words:"supervisor state_wide_gaming_operative casino_employee"`
	Venue       string `json:"venue,omitempty" words:"senior_terminal_operator senior_writer"`
	VenueClause string `json:"venue_clause,omitempty"`
	// VenueExcept are the kinds of venue that need none.
	VenueExcept       []VenueKind `json:"venue_except,omitempty"`
	Display           bool        `json:"display,omitempty"` // no sale in an area without its display
	DisplayClause     string      `json:"display_clause,omitempty"`
	RaceDisplay       bool        `json:"race_display,omitempty"`
	RaceDisplayClause string      `json:"race_display_clause,omitempty"`
}

// NeedsSenior reports whether a venue of a kind needs somebody in control.
func (s *Staffing) NeedsSenior(kind VenueKind) bool {
	return s.Venue != "" && !slices.Contains(s.VenueExcept, kind)
}

// Duty is what the State takes, as books said it before they had a tax.
type Duty struct {
	Cite
	Basis string   `json:"basis" words:"gross_profit"`
	Rate  *Percent `json:"rate,omitempty"`
}

// Tax is what the State takes of the games of each calendar month, by a law beside the rules. The Keno Days of a month
// are taxed together, by the book under which its last game was played.
type Tax struct {
	Cite
	// Base is what is taxed: the stakes of closed games less what went back for void games, and for net_revenue also
	// less the prizes won.
	Base     string  `json:"base" words:"net_revenue turnover"`
	Rate     Percent `json:"rate"`
	Rounding string  `json:"rounding" words:"floor ceil half-up half-even"` // of the tax of a month, to the cent
	// Losses says what becomes of a month whose base is below nothing: it is taken off the base of the months after it, or
	// nothing comes of it.
	Losses string `json:"losses" words:"carried not_carried"`
	DueDay int    `json:"due_day"` // day of the month after, on which the tax is due
	Payee  string `json:"payee"`   // name of the office that is paid
}

// The words of Tax.
const (
	TaxOnRevenue  = "net_revenue"
	LossesCarried = "carried"
)

// Mode returns how the tax of a month is rounded to the cent.
func (t *Tax) Mode() money.Rounding {
	mode, _ := money.ParseRounding(t.Rounding) // The words of the schema are names of roundings (TestRoundingWords).
	return mode
}

// Migration moves player money to a successor system in lots.
type Migration struct {
	Cite
	Into int     `json:"into_spots"`
	Lot  Dollars `json:"lot"`
}

// Party makes the authority a party to acts of two persons: the second person is an inspector.
type Party struct {
	Cite
	Acts []string `json:"acts"`
}

// Disqualify says who may disqualify an entry and whether it can come back.
type Disqualify struct {
	Cite
	By              []string `json:"by" words:"licensee operator casino_operator state_wide_gaming_operative commission inspector"`
	Reinstate       bool     `json:"reinstate,omitempty"`
	ReinstateClause string   `json:"reinstate_clause,omitempty"`
}
