package rulebook

// This file is the part of the schema about stakes and prizes: limits, tables,
// schedules, jackpots, pro-rating and the prize fund.

// Limit is one bound on money. Every limit whose conditions hold is checked, in
// the order of the file, and the first that fails refuses the ticket by its clause;
// a step may have one of its own.
type Limit struct {
	Cite
	Measure    Measure   `json:"measure"`
	Part       Part      `json:"part,omitempty"` // absent: main
	Bets       []string  `json:"bets,omitempty"` // absent: all
	Channels   []Channel `json:"channels,omitempty"`
	Ways       Range     `json:"ways,omitzero"`     // number of ways of the bet; absent: any
	Jackpot    *bool     `json:"jackpot,omitempty"` // whether the bet has a way that plays for a jackpot
	Pool       *bool     `json:"pool,omitempty"`    // whether the game is a bonus prize pool game
	Outcomes   []string  `json:"outcomes,omitempty"`
	Min        *Dollars  `json:"min,omitempty"`
	Max        *Dollars  `json:"max,omitempty"`
	Step       *Dollars  `json:"step,omitempty"`
	StepClause string    `json:"step_clause,omitempty"`
}

// Measure is the amount that a limit bounds.
type Measure string

// The measures.
const (
	MeasureStake     Measure = "stake"     // one way, combination or call in one game
	MeasureBetGame   Measure = "bet_game"  // one bet in one game, over its ways
	MeasureGame      Measure = "game"      // the ticket in one game, over the bets that the limit names
	MeasureEntry     Measure = "entry"     // the ticket over all its games
	MeasureAggregate Measure = "aggregate" // all tickets of all venues on one outcome of one game
)

// Part is the part of a ticket's money that a limit counts.
type Part string

// The parts.
const (
	PartMain       Part = "main"
	PartMultiplier Part = "multiplier"
	PartLuckyLast  Part = "lucky_last"
	PartAll        Part = "all"
)

// TableFile is one table of prizes for a stake of Per. Exactly one of Catch,
// Outcome and Size is given.
type TableFile struct {
	Cite
	ID      string                  `json:"id"`
	Per     Dollars                 `json:"per"`
	Catch   map[int]map[int]Dollars `json:"catch,omitempty"`   // spots: matched: prize
	Outcome map[string]Dollars      `json:"outcome,omitempty"` // call or race type: prize
	Size    map[int]Dollars         `json:"size,omitempty"`    // spots: prize
}

// Multiplier says by which factor a draw multiplies prizes. Exactly one of Rows and
// Wheel is given.
//
// Rows maps the sum of the numbers drawn to a factor: it is keyed by the sum of the
// first value of its line, values separated by spaces. Wheel says how many slots of
// a wheel each factor has; [Book.Wheel] says how a draw turns the wheel.
type Multiplier struct {
	Cite
	Rows  map[int]string `json:"rows,omitempty"`
	Wheel map[int]int    `json:"wheel,omitempty"` // factor: slots
}

// ScheduleFile is one complete set of prizes. One schedule is current at a time.
// Uses names the table of each bet and of each feature that has prizes of its own;
// bonus_jackpot names the table of the extra jackpot prize, by number of spots.
type ScheduleFile struct {
	Cite
	ID           string            `json:"id"`
	CurrentFrom  Date              `json:"current_from,omitzero"` // absent: current only once an event makes it so
	Uses         map[string]string `json:"uses"`
	Fills        map[int]Dollars   `json:"fills,omitempty"`   // spots: Jackpot Fill
	WayCap       *Dollars          `json:"way_cap,omitempty"` // most that one way can win, jackpot prizes apart
	WayCapClause string            `json:"way_cap_clause,omitempty"`
	// spots: least reset value that the schedule promises
	Minimums map[int]Dollars `json:"jackpot_minimums,omitempty"`
}

// UseBonusJackpot is the key of ScheduleFile.Uses for the extra jackpot prize
// that a multiplier brings.
const UseBonusJackpot = "bonus_jackpot"

// Jackpots says what grows, who wins it and how it is shared.
type Jackpots struct {
	Cite
	Pays        JackpotPays `json:"pays"`
	FirstDollar bool        `json:"first_dollar,omitempty"` // the pool part does not scale with the stake
	Pooled      bool        `json:"pooled,omitempty"`       // growth may be shared with other jurisdictions
	Bets        []string    `json:"bets"`
	Pools       []PoolFile  `json:"pools"`
	// least part of the stakes that each pool must get; 0 where the rules fix the part
	Least Percent `json:"least,omitempty"`
	// least multiplier that brings the bonus jackpot; 0 for none
	BonusFrom          int       `json:"bonus_from,omitempty"`
	Seed               *SeedFile `json:"seed,omitempty"`
	SecondaryOpensNext bool      `json:"secondary_opens_next,omitempty"`
	// Moves are what jackpot money may do between games if it is approved.
	Moves []JackpotMove `json:"moves,omitempty"`
}

// JackpotMove is a move of jackpot money that takes an approval.
type JackpotMove struct {
	Cite
	Move string `json:"move" words:"lend reallocate set_aside give"`
}

// The moves of jackpot money.
const (
	MoveLend       = "lend"       // the operator lends a seed
	MoveReallocate = "reallocate" // from the secondary to the primary
	MoveSetAside   = "set_aside"  // from the secondary to prizes of the same jackpot
	MoveGive       = "give"       // what was set aside to winners of the jackpot
)

// JackpotPays says how a jackpot prize meets the schedule prize.
type JackpotPays string

// The ways in which a jackpot is paid.
const (
	PaysAddition     JackpotPays = "addition"     // beside the schedule prize
	PaysSubstitution JackpotPays = "substitution" // instead of it
)

// PoolFile is one jackpot: its size and the parts of the stakes that it gets.
type PoolFile struct {
	Cite
	Spots         int            `json:"spots"`
	Contributions []Contribution `json:"contributions"`
	Reset         *Dollars       `json:"reset,omitempty"` // value to which a won pool returns
}

// Contribution is the part of the stakes that goes to a pool while its primary
// is at least From and below Below, as tested when the game opens.
type Contribution struct {
	Cite
	From      *Dollars `json:"from,omitempty"`
	Below     *Dollars `json:"below,omitempty"`
	Primary   Percent  `json:"primary"`
	Secondary Percent  `json:"secondary,omitempty"`
}

// SeedFile is the operator's loan to a pool. While a balance is outstanding its
// steps replace the pool's contributions.
type SeedFile struct {
	Cite
	Steps []SeedStep `json:"steps"`
}

// SeedStep divides the contribution between pool and loan by the balance still
// owed.
type SeedStep struct {
	Cite
	From    *Dollars `json:"from,omitempty"`
	Below   *Dollars `json:"below,omitempty"`
	Primary Percent  `json:"primary"`
	Seed    Percent  `json:"seed"`
}

// Prorating reduces the major prizes of a game to a cap.
type Prorating struct {
	Cite
	Bets        []string        `json:"bets,omitempty"` // absent: all
	MajorOver   *Dollars        `json:"major_over,omitempty"`
	MajorFrom   *Dollars        `json:"major_from,omitempty"`
	Cap         *Dollars        `json:"cap,omitempty"` // absent: the approved amount is not set, and nothing is reduced
	Floor       Dollars         `json:"floor"`
	FloorClause string          `json:"floor_clause,omitempty"`
	Method      ProratingMethod `json:"method"`
	Outside     []string        `json:"outside,omitempty" words:"jackpot bonus_jackpot promotion"`
}

// ProratingMethod is how prizes are reduced.
type ProratingMethod string

// The methods of pro-rating.
const (
	// each prize x becomes x/total*cap, then the floor: the sum may exceed the cap
	ProrateFormula ProratingMethod = "formula"
	ProrateLevel   ProratingMethod = "level" // one factor f such that the sum of max(floor, f*x) is the cap
)

// Rounding is applied once to a way's prize in a game.
type Rounding struct {
	Cite
	Step Dollars `json:"step"`
	Mode string  `json:"mode" words:"floor"` // a name of money.Rounding; what rounding keeps back is never negative
}

// PrizeFund is the part of receipts that belongs to players.
type PrizeFund struct {
	Cite
	Least    Percent `json:"least"`              // of receipts
	Schedule Percent `json:"schedule,omitempty"` // of which the schedules return about this
	Bonus    Percent `json:"bonus,omitempty"`    // and bonus prizes about this
}

// Promotions says which prizes above the schedules may be offered.
type Promotions struct {
	Cite
	FromFund bool `json:"from_prize_fund,omitempty"` // their money comes from the prize fund
	// won by the earliest draw with a qualifier, shared within it
	Earliest      bool `json:"earliest,omitempty"`
	SharedByStake bool `json:"shared_by_stake,omitempty"`
	// bonus prizes are allocated at random among winning set bets presented on their last day
	SetBetRandom bool     `json:"set_bet_random,omitempty"`
	BonusPool    bool     `json:"bonus_pool,omitempty"`
	PoolExcludes []string `json:"pool_excludes,omitempty"` // bets and features outside the bonus prize pool
	Paused       bool     `json:"paused,omitempty" retired:"two persons pause a promotion and let it go on"`
	ChangeNeeds  string   `json:"change_needs,omitempty"` // whose approval an offer and a change take
	// ChangeNeedsClause is the clause that asks for the approval.
	ChangeNeedsClause string `json:"change_needs_clause,omitempty"`
	// Moves says that the bonus prize pool of a system that ends goes to its successor.
	Moves       bool   `json:"moves,omitempty"`
	MovesClause string `json:"moves_clause,omitempty"`
	// TransitionPauses says that no game plays for the bonus prize pool which opens while the series of a successor has
	// begun and one of the system before it has not had its last day.
	TransitionPauses       bool   `json:"transition_pauses,omitempty"`
	TransitionPausesClause string `json:"transition_pauses_clause,omitempty"`
}
