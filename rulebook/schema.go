package rulebook

import "strings"

// This file begins the schema, which goes on in the files schema_*.go: a rulebook
// exactly as an operator writes it in YAML.
// Load decodes it strictly, validate finds every fault in it, compile turns it
// into the immutable Book that the rest of the house reads.
//
// One tag names a field everywhere: in YAML, in the canonical CBOR and in JSON.
// A field without omitempty or omitzero must be written; a field that is added
// later must have one of them, so that the hashes of older books stay.
//
// Something of the house acts on every value, or reads it out; TestEveryValueIsActedOn keeps that. A value on which
// nothing acts any more has the tag retired, which says why. Books of journals still have it, so it is read and
// keeps its place in the hash; a file that writes it gets a warning.

// Cite names where a value comes from. A value's clause is the nearest one at or
// above it in the file, so a block states its clause once; a single value that has
// a clause of its own states it in a field beside it, such as step and
// step_clause. Several clauses are separated by spaces; the first is the one that
// a refusal quotes.
type Cite struct {
	Clause  string `json:"clause,omitempty"`
	Reading string `json:"reading,omitempty"` // id of the reading that decided the value, where the text is silent
	Example bool   `json:"example,omitempty"` // the text leaves the value to approval: an operator replaces it
}

// Quoted returns the clause that a refusal quotes.
func (c Cite) Quoted() string { return Quoted(c.Clause) }

// Quoted returns the clause that is quoted of those that a value has: the first.
func Quoted(clauses string) string {
	first, _, _ := strings.Cut(clauses, " ")
	return first
}

// File is a whole rulebook.
type File struct {
	Rulebook string `json:"rulebook"` // id, such as vic-keno-2015
	Title    string `json:"title"`
	// raised with every change of the file, so that two editions of one id can be told apart
	Edition   int        `json:"edition"`
	Kind      Kind       `json:"kind"`
	Currency  string     `json:"currency"`
	Zone      string     `json:"zone"`             // IANA time zone in which Keno Days are named
	Format    *Format    `json:"format,omitempty"` // absent: $1,234.50
	Effective Effective  `json:"effective"`
	Keno      *KenoFile  `json:"keno,omitempty"`
	Bingo     *BingoFile `json:"bingo,omitempty"`
	// Base is the hash of the book that an edition changes, and absent in a whole book.
	Base   string       `json:"base,omitempty"`
	Status []StatusFile `json:"status,omitempty"` // of values that are neither fixed by their clause nor an example
	// Accepts are the paths of examples that an edition takes over from its base as they are: they are
	// decided with it, and are examples no longer.
	Accepts []string `json:"accepts,omitempty"`
}

// Format is how amounts are written for people where the rulebook holds.
type Format struct {
	Locale  string `json:"locale"` // by which screens write amounts, as BCP 47 has it, such as el-GR
	Symbol  string `json:"symbol"` // of the currency on paper, such as €
	After   bool   `json:"after,omitempty"`
	Group   string `json:"group"`   // between thousands
	Decimal string `json:"decimal"` // before cents
}

// Kind is the family of games that a rulebook governs.
type Kind string

// The kinds.
const (
	KindKeno  Kind = "keno"
	KindBingo Kind = "bingo"
)

// Effective is the time in which a rulebook is in force. To is the last day and
// may be absent.
type Effective struct {
	Cite
	From Date `json:"from"`
	To   Date `json:"to,omitzero"`
}

// KenoFile holds the policies of a keno rulebook. What sections mean that a book leaves out is said by fill.
type KenoFile struct {
	Numbers      Numbers        `json:"numbers"`
	Games        Games          `json:"games"`
	EntryKinds   EntryKinds     `json:"entry_kinds,omitzero"`
	Entry        []EntryWay     `json:"entry"`
	Eligibility  Eligibility    `json:"eligibility"`
	Bets         []BetFile      `json:"bets"`
	Features     []FeatureFile  `json:"features,omitempty"`
	Catalogue    []ItemFile     `json:"catalogue,omitempty"`
	Limits       []Limit        `json:"limits"`
	Tables       []TableFile    `json:"tables"`
	Multiplier   *Multiplier    `json:"multiplier,omitempty"`
	Schedules    []ScheduleFile `json:"schedules"`
	Jackpots     *Jackpots      `json:"jackpots,omitempty"`
	Prorating    []Prorating    `json:"prorating,omitempty"`
	Rounding     Rounding       `json:"rounding,omitzero"`
	PrizeFund    PrizeFund      `json:"prize_fund,omitzero"`
	Promotions   *Promotions    `json:"promotions,omitempty"`
	Cancellation Cancellation   `json:"cancellation,omitzero"`
	Tenders      []Tender       `json:"tenders"`
	Payout       Payout         `json:"payout"`
	Instruments  []Instrument   `json:"instruments,omitempty"`
	Origins      []Origin       `json:"origins,omitempty"`
	HandsOut     []HandsOut     `json:"hands_out,omitempty"`
	Claims       Claims         `json:"claims"`
	Unclaimed    []Unclaimed    `json:"unclaimed,omitempty"`
	Serials      []SerialForm   `json:"serials,omitempty"`
	System       System         `json:"system,omitzero"`
	Receipt      Receipt        `json:"receipt,omitzero"`
	Draw         Draw           `json:"draw,omitzero"`
	Staffing     Staffing       `json:"staffing,omitzero"`
	Duty         *Duty          `json:"duty,omitempty" retired:"tax says what the State takes"`
	Migration    *Migration     `json:"migration,omitempty"`
	Disqualify   Disqualify     `json:"disqualify,omitzero"`
	Credit       Credit         `json:"credit,omitzero"`
	Parties      []Party        `json:"parties,omitempty"`
	Tax          *Tax           `json:"tax,omitempty"`
}

// Numbers is the draw: 20 of 80.
type Numbers struct {
	Cite
	Of   int `json:"of"`
	Draw int `json:"draw"`
}

// Games says how games are numbered, how many one ticket may enter and how a
// trading day may end.
type Games struct {
	Cite
	Numbering    Numbering    `json:"numbering"`
	Multi        MultiGame    `json:"multi"`
	Delayed      DelayedStart `json:"delayed_start,omitzero"`
	EarlyClosure EarlyClosure `json:"early_closure,omitzero"`
	KenoDay      KenoDay      `json:"keno_day,omitzero"`
}

// Numbering is the range of game numbers. Restarts says whether the range begins
// anew with every Keno Day or runs on over days.
type Numbering struct {
	Cite
	First    int      `json:"first"`
	Last     int      `json:"last"`
	Digits   int      `json:"digits,omitempty"` // printed width, 0 for none
	Restarts Restarts `json:"restarts"`
	// Successor are the numbers of the system that comes after the one that these rules
	// are of; an edition for that system plays by them.
	Successor *SuccessorNumbers `json:"successor,omitempty"`
}

// SuccessorNumbers is the range of game numbers of a system that comes after.
type SuccessorNumbers struct {
	Cite
	First  int `json:"first"`
	Last   int `json:"last"`
	Digits int `json:"digits"` // printed width
}

// Restarts is when game numbers begin anew.
type Restarts string

// The ways in which game numbers begin anew.
const (
	RestartsDaily Restarts = "daily" // at the first game of each Keno Day
	RestartsAtEnd Restarts = "end"   // after the last number, over days
)

// MultiGame bounds the consecutive games of one ticket.
type MultiGame struct {
	Cite
	Max int `json:"max"`
	// games from which a ticket is sold under the name of a long run; 0 for none
	ToGoFrom int `json:"to_go_from,omitempty"`
	// Asked names the clauses of wagers that are asked for in a way of their own; the others have that of the block.
	Asked []AskedGames `json:"asked,omitempty"`
}

// AskedGames says by which clause the games of a wager are bounded that is asked for in one way.
type AskedGames struct {
	Cite
	Method Method `json:"method,omitempty"`                     // how the particulars reach the terminal
	Ways   bool   `json:"ways,omitempty"`                       // of way bets
	Pick   string `json:"pick,omitempty" words:"quick mystery"` // of tickets that the terminal picks
}

// DelayedStart allows entries for the next designated game instead of the open one.
type DelayedStart struct {
	Cite
	Allowed     bool `json:"allowed,omitempty"`
	PaidNextDay bool `json:"paid_next_day,omitempty"` // the operator may pay only from the next Keno Day
}

// EarlyClosure is the notice that players get before trading ends early.
type EarlyClosure struct {
	Cite
	NoticeMinutes int `json:"notice_minutes,omitempty"`
}

// KenoDay is how long a Keno Day lasts, where the rules fix that, and the role of who may
// approve another period.
type KenoDay struct {
	Cite
	Hours    int    `json:"hours,omitempty"`
	Approves string `json:"approves,omitempty" words:"supervisor operative inspector administrator"`
}

// EntryKinds closes the list of ways to enter: it names the kinds of terminal and
// the methods that the rules know at all, with the clauses that shut others out.
type EntryKinds struct {
	Cite
	Channels      []Channel `json:"channels"`
	Methods       []Method  `json:"methods"`
	MethodsClause string    `json:"methods_clause,omitempty"`
}

// EntryWay is one permitted way to enter: a channel (the kind of terminal) with
// a method (how the player gave the particulars).
type EntryWay struct {
	Cite
	Channel      Channel  `json:"channel"`
	Method       Method   `json:"method"`
	Runner       *bool    `json:"runner,omitempty"` // whether a runner may carry such an entry; absent for no
	RunnerClause string   `json:"runner_clause,omitempty"`
	Bets         []string `json:"bets,omitempty"` // the bets that may be entered so; absent for all
	BetsClause   string   `json:"bets_clause,omitempty"`
	Ways         *bool    `json:"ways,omitempty"` // whether way bets may be entered so; absent for yes
	WaysClause   string   `json:"ways_clause,omitempty"`
}

// TakesRunner reports whether a runner may carry such an entry.
func (e *EntryWay) TakesRunner() bool { return e.Runner != nil && *e.Runner }

// TakesWays reports whether way bets may be entered so.
func (e *EntryWay) TakesWays() bool { return e.Ways == nil || *e.Ways }

// Channel is the kind of terminal that sells.
type Channel string

// The channels.
const (
	ChannelWriter Channel = "writer" // operated by staff
	ChannelSST    Channel = "sst"    // operated by the player
	// ChannelDisplay is that of a device that shows and does not sell; no rule names it.
	ChannelDisplay Channel = "display"
)

// Method is how the particulars of an entry reach the terminal.
type Method string

// The methods.
const (
	MethodForm   Method = "form"   // a marked entry form
	MethodVerbal Method = "verbal" // told to the writer
	MethodReplay Method = "replay" // an old ticket, again
	MethodScreen Method = "screen" // touched by the player
	MethodItem   Method = "item"   // a ready ticket of the catalogue, or one picked by the terminal
)

// Eligibility says who may play.
type Eligibility struct {
	Cite
	MinimumAge       int      `json:"minimum_age"`
	Barred           []string `json:"barred,omitempty" words:"licensee_staff venue_staff_on_duty"`
	BarredClause     string   `json:"barred_clause,omitempty"`
	UnderagePrizes   string   `json:"underage_prizes,omitempty" words:"crown"`
	OnPremises       bool     `json:"on_premises,omitempty" retired:"every terminal stands at a venue"`
	OnPremisesClause string   `json:"on_premises_clause,omitempty" retired:"every terminal stands at a venue"`
}

// AgeClause returns the clause that sets the age of players. A rulebook that leaves the age to
// the law has an example of it, and no clause to quote.
func (e Eligibility) AgeClause() string {
	if e.Example {
		return ""
	}
	return e.Clause
}

// BetFile is one bet. Its form decides which fields of a ticket it takes.
type BetFile struct {
	Cite
	ID      string `json:"id"`
	Name    string `json:"name"`
	Form    Form   `json:"form"`
	Sizes   Sizes  `json:"sizes,omitzero"` // numbers: how many spots may be chosen
	Jackpot bool   `json:"jackpot,omitempty"`
	// FormBox is the box of an entry form in which a player marks this bet, by its name on the form.
	FormBox       string    `json:"form_box,omitempty"`
	FormBoxClause string    `json:"form_box_clause,omitempty"`
	Ways          *Ways     `json:"ways,omitempty"`
	Picks         *Picks    `json:"picks,omitempty"`
	Calls         *Calls    `json:"calls,omitempty"`
	Race          *RaceFile `json:"race,omitempty"`
}

// Form is the shape of a bet.
type Form string

// The forms.
const (
	FormNumbers Form = "numbers" // spots matched against the numbers drawn
	FormCalls   Form = "calls"   // heads, tails or evens
	FormRace    Form = "race"    // the order of the eight rows
)

// Ways says how groups of spots may be joined to ways.
type Ways struct {
	Cite
	ByTypes              bool   `json:"by_types,omitempty"`  // name types by total spots and play every way of each
	ByGroups             bool   `json:"by_groups,omitempty"` // name types by number of groups
	ByMarks              bool   `json:"by_marks,omitempty"`  // mark the ways one by one
	ByMarksClause        string `json:"by_marks_clause,omitempty"`
	All                  bool   `json:"all,omitempty"`             // play every way there is
	RefuseHopeless       bool   `json:"refuse_hopeless,omitempty"` // a bet none of whose ways can win may be refused
	RefuseHopelessClause string `json:"refuse_hopeless_clause,omitempty"`
	MaxWays              int    `json:"max_ways"`
}

// Picks says what a terminal may choose for the player, and under which name.
type Picks struct {
	Cite
	Quick           string    `json:"quick,omitempty"`   // name of a pick with a chosen number of spots
	Mystery         string    `json:"mystery,omitempty"` // name of a pick whose number of spots is picked too
	MysteryClause   string    `json:"mystery_clause,omitempty"`
	MysterySizes    Sizes     `json:"mystery_sizes,omitzero"`
	MysteryChannels []Channel `json:"mystery_channels,omitempty"` // where a mystery pick is sold; absent for everywhere
	Several         bool      `json:"several,omitempty"`          // more than one pick on a ticket
}

// Calls is a bet on heads, tails or evens: 11 or more of the numbers drawn in
// the lower half, in the upper half, or neither.
type Calls struct {
	Cite
	LowerHalf        int    `json:"lower_half"`           // heads are 1 to this number
	Majority         int    `json:"majority"`             // numbers in a half that decide it
	SeriesMax        int    `json:"series_max,omitempty"` // games in which the call may vary; 0 for none
	Run              bool   `json:"run,omitempty"`        // the prize may become the next stake
	RunClause        string `json:"run_clause,omitempty"`
	OnePerGame       bool   `json:"one_per_game,omitempty"` // an entry makes one call a game
	OnePerGameClause string `json:"one_per_game_clause,omitempty"`
}

// RaceFile is a bet on the order of the rows.
type RaceFile struct {
	Cite
	Rows       int        `json:"rows"`
	RowNumbers int        `json:"row_numbers"`
	Types      []RaceType `json:"types"`
	// when two rows hold every number drawn, all others are third
	DeadHeatThird bool `json:"dead_heat_third,omitempty"`
}

// RaceType is one way to bet on a race: how many places are forecast and whether
// their order counts. Places 1 with Within 3 is a bet to be among the first three.
type RaceType struct {
	Cite
	ID      string `json:"id"`
	Name    string `json:"name"`
	Places  int    `json:"places"`
	Ordered bool   `json:"ordered,omitempty"`
	Within  int    `json:"within,omitempty"` // absent: exactly the first Places places
}

// FeatureFile is something that hangs on a bet for a stake of its own.
type FeatureFile struct {
	Cite
	ID               FeatureID `json:"id"`
	Name             string    `json:"name"`
	Bets             []string  `json:"bets"`
	Sizes            Sizes     `json:"sizes,omitzero"` // every way must have one of these sizes; absent for all
	SizesClause      string    `json:"sizes_clause,omitempty"`
	RunOnly          []string  `json:"run_only,omitempty"` // bets with which it goes only when the prize runs on
	RunOnlyClause    string    `json:"run_only_clause,omitempty"`
	EqualStake       bool      `json:"equal_stake,omitempty"` // the side stake equals the bet's
	EqualStakeClause string    `json:"equal_stake_clause,omitempty"`
	FirstGames       bool      `json:"first_games,omitempty"` // may cover fewer games than the ticket: then the first ones
	FirstGamesClause string    `json:"first_games_clause,omitempty"`
	Ways             bool      `json:"ways,omitempty"` // allowed on way bets
	Printed          bool      `json:"printed,omitempty" retired:"every ticket shows its features"`
}

// FeatureID names a feature that the engine knows.
type FeatureID string

// The features.
const (
	FeatureMultiplier FeatureID = "multiplier" // the prize times the multiplier of the draw
	FeatureLuckyLast  FeatureID = "lucky_last" // the last number drawn is among the spots
)

// ItemFile is a ready ticket of the catalogue: a superplay, set bet or easy play.
// Exactly one of Groups (numbers fixed) and GroupSizes (numbers picked) is given.
type ItemFile struct {
	Cite
	ID         string    `json:"id"`
	Edition    int       `json:"edition"`
	Name       string    `json:"name"`
	Bet        string    `json:"bet"`
	Groups     [][]int   `json:"groups,omitempty"`
	GroupSizes []int     `json:"group_sizes,omitempty"`
	Random     bool      `json:"random,omitempty"` // fixed numbers may be changed for picked ones on request
	Types      []int     `json:"types,omitempty"`  // total spots of the ways played; absent for the one way of all groups
	StakeCents int64     `json:"stake_cents,omitempty"`
	Games      int       `json:"games,omitempty"`
	Venue      string    `json:"venue,omitempty"`       // a venue's own item
	Channels   []Channel `json:"channels,omitempty"`    // where it is sold; absent for everywhere
	BonusPrize bool      `json:"bonus_prize,omitempty"` // takes part in a set bet bonus prize
}
