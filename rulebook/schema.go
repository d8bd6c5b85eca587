package rulebook

import (
	"drawhouse/ball"
	"drawhouse/day"
	"drawhouse/money"
)

// This file is the schema: a rulebook exactly as an operator writes it in YAML.
// Load decodes it strictly, validate finds every fault in it, compile turns it
// into the immutable Book that the rest of the house reads.

// Cite names where a value comes from. A value's clause is the nearest one at or
// above it in the file, so a block states its clause once. Several clauses are
// separated by spaces; the first is the one that a refusal quotes.
type Cite struct {
	Clause  string `yaml:"clause,omitempty"`
	Reading string `yaml:"reading,omitempty"` // id of the reading that decided the value, where the text is silent
	Example bool   `yaml:"example,omitempty"` // the text leaves the value to approval: an operator replaces it
}

// File is a whole rulebook.
type File struct {
	Rulebook  string     `yaml:"rulebook"` // id, such as vic-keno-2015
	Title     string     `yaml:"title"`
	Edition   int        `yaml:"edition"` // raised with every change of the file, so that two editions of one id can be told apart
	Kind      Kind       `yaml:"kind"`
	Currency  string     `yaml:"currency"`
	Zone      string     `yaml:"zone"` // IANA time zone in which Keno Days are named
	Effective Effective  `yaml:"effective"`
	Keno      *KenoFile  `yaml:"keno,omitempty"`
	Bingo     *BingoFile `yaml:"bingo,omitempty"`
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
	Cite `yaml:",inline"`
	From Date `yaml:"from"`
	To   Date `yaml:"to,omitempty"`
}

// KenoFile holds the policies of a keno rulebook.
type KenoFile struct {
	Numbers      Numbers        `yaml:"numbers"`
	Games        Games          `yaml:"games"`
	Entry        []EntryWay     `yaml:"entry"`
	Eligibility  Eligibility    `yaml:"eligibility"`
	Bets         []BetFile      `yaml:"bets"`
	Features     []FeatureFile  `yaml:"features,omitempty"`
	Catalogue    []ItemFile     `yaml:"catalogue,omitempty"`
	Limits       []Limit        `yaml:"limits"`
	Tables       []TableFile    `yaml:"tables"`
	Multiplier   *Multiplier    `yaml:"multiplier,omitempty"`
	Schedules    []ScheduleFile `yaml:"schedules"`
	Jackpots     *Jackpots      `yaml:"jackpots,omitempty"`
	Prorating    []Prorating    `yaml:"prorating,omitempty"`
	Rounding     Rounding       `yaml:"rounding"`
	PrizeFund    PrizeFund      `yaml:"prize_fund"`
	Promotions   *Promotions    `yaml:"promotions,omitempty"`
	Cancellation Cancellation   `yaml:"cancellation"`
	Tenders      []Tender       `yaml:"tenders"`
	Payout       Payout         `yaml:"payout"`
	Instruments  []Instrument   `yaml:"instruments,omitempty"`
	Claims       Claims         `yaml:"claims"`
	Unclaimed    []Unclaimed    `yaml:"unclaimed"`
	Serials      []SerialForm   `yaml:"serials"`
	Receipt      Receipt        `yaml:"receipt"`
	Draw         Draw           `yaml:"draw"`
	Staffing     Staffing       `yaml:"staffing"`
	Duty         *Duty          `yaml:"duty,omitempty"`
	Migration    *Migration     `yaml:"migration,omitempty"`
	Disqualify   Disqualify     `yaml:"disqualify"`
}

// Numbers is the draw: 20 of 80.
type Numbers struct {
	Cite `yaml:",inline"`
	Of   int `yaml:"of"`
	Draw int `yaml:"draw"`
}

// Games says how games are numbered, how many one ticket may enter and how a
// trading day may end.
type Games struct {
	Cite         `yaml:",inline"`
	Numbering    Numbering    `yaml:"numbering"`
	Multi        MultiGame    `yaml:"multi"`
	Delayed      DelayedStart `yaml:"delayed_start,omitempty"`
	EarlyClosure EarlyClosure `yaml:"early_closure,omitempty"`
}

// Numbering is the range of game numbers. Restarts says whether the range begins
// anew with every Keno Day or runs on over days.
type Numbering struct {
	Cite     `yaml:",inline"`
	First    int      `yaml:"first"`
	Last     int      `yaml:"last"`
	Digits   int      `yaml:"digits,omitempty"` // printed width, 0 for none
	Restarts Restarts `yaml:"restarts"`
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
	Cite     `yaml:",inline"`
	Max      int `yaml:"max"`
	ToGoFrom int `yaml:"to_go_from,omitempty"` // games from which a ticket is sold under the name of a long run; 0 for none
}

// DelayedStart allows entries for the next designated game instead of the open one.
type DelayedStart struct {
	Cite        `yaml:",inline"`
	Allowed     bool `yaml:"allowed,omitempty"`
	PaidNextDay bool `yaml:"paid_next_day,omitempty"` // the operator may pay only from the next Keno Day
}

// EarlyClosure is the notice that players get before trading ends early.
type EarlyClosure struct {
	Cite          `yaml:",inline"`
	NoticeMinutes int `yaml:"notice_minutes,omitempty"`
}

// EntryWay is one permitted way to enter: a channel (the kind of terminal) with
// a method (how the player gave the particulars).
type EntryWay struct {
	Cite    `yaml:",inline"`
	Channel Channel  `yaml:"channel"`
	Method  Method   `yaml:"method"`
	Runner  bool     `yaml:"runner,omitempty"` // a runner may carry such an entry
	Bets    []string `yaml:"bets,omitempty"`   // the bets that may be entered so; absent for all
	Ways    *bool    `yaml:"ways,omitempty"`   // whether way bets may be entered so; absent for yes
}

// Channel is the kind of terminal that sells.
type Channel string

// The channels.
const (
	ChannelWriter Channel = "writer" // operated by staff
	ChannelSST    Channel = "sst"    // operated by the player
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
	Cite           `yaml:",inline"`
	MinimumAge     int      `yaml:"minimum_age"`
	Barred         []string `yaml:"barred,omitempty"` // licensee_staff, venue_staff_on_duty
	UnderagePrizes string   `yaml:"underage_prizes,omitempty"`
	OnPremises     bool     `yaml:"on_premises,omitempty"`
}

// BetFile is one bet. Its form decides which fields of a ticket it takes.
type BetFile struct {
	Cite    `yaml:",inline"`
	ID      string    `yaml:"id"`
	Name    string    `yaml:"name"`
	Form    Form      `yaml:"form"`
	Sizes   Sizes     `yaml:"sizes,omitempty"` // numbers: how many spots may be chosen
	Jackpot bool      `yaml:"jackpot,omitempty"`
	Ways    *Ways     `yaml:"ways,omitempty"`
	Picks   *Picks    `yaml:"picks,omitempty"`
	Calls   *Calls    `yaml:"calls,omitempty"`
	Race    *RaceFile `yaml:"race,omitempty"`
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
	Cite           `yaml:",inline"`
	ByTypes        bool `yaml:"by_types,omitempty"`        // name types by total spots and play every way of each
	ByGroups       bool `yaml:"by_groups,omitempty"`       // name types by number of groups
	ByMarks        bool `yaml:"by_marks,omitempty"`        // mark the ways one by one
	All            bool `yaml:"all,omitempty"`             // play every way there is
	RefuseHopeless bool `yaml:"refuse_hopeless,omitempty"` // a bet none of whose ways can win may be refused
	MaxWays        int  `yaml:"max_ways"`
}

// Picks says what a terminal may choose for the player, and under which name.
type Picks struct {
	Cite         `yaml:",inline"`
	Quick        string `yaml:"quick,omitempty"`   // name of a pick with a chosen number of spots
	Mystery      string `yaml:"mystery,omitempty"` // name of a pick whose number of spots is picked too
	MysterySizes Sizes  `yaml:"mystery_sizes,omitempty"`
	Several      bool   `yaml:"several,omitempty"` // more than one pick on a ticket
}

// Calls is a bet on heads, tails or evens: 11 or more of the numbers drawn in
// the lower half, in the upper half, or neither.
type Calls struct {
	Cite       `yaml:",inline"`
	LowerHalf  int  `yaml:"lower_half"`             // heads are 1 to this number
	Majority   int  `yaml:"majority"`               // numbers in a half that decide it
	SeriesMax  int  `yaml:"series_max,omitempty"`   // games in which the call may vary; 0 for none
	Run        bool `yaml:"run,omitempty"`          // the prize may become the next stake
	OnePerGame bool `yaml:"one_per_game,omitempty"` // an entry makes one call a game
}

// RaceFile is a bet on the order of the rows.
type RaceFile struct {
	Cite          `yaml:",inline"`
	Rows          int        `yaml:"rows"`
	RowNumbers    int        `yaml:"row_numbers"`
	Types         []RaceType `yaml:"types"`
	DeadHeatThird bool       `yaml:"dead_heat_third,omitempty"` // when two rows hold every number drawn, all others are third
}

// RaceType is one way to bet on a race: how many places are forecast and whether
// their order counts. Places 1 with Within 3 is a bet to be among the first three.
type RaceType struct {
	Cite    `yaml:",inline"`
	ID      string `yaml:"id"`
	Name    string `yaml:"name"`
	Places  int    `yaml:"places"`
	Ordered bool   `yaml:"ordered,omitempty"`
	Within  int    `yaml:"within,omitempty"` // absent: exactly the first Places places
}

// FeatureFile is something that hangs on a bet for a stake of its own.
type FeatureFile struct {
	Cite       `yaml:",inline"`
	ID         FeatureID `yaml:"id"`
	Name       string    `yaml:"name"`
	Bets       []string  `yaml:"bets"`
	Sizes      Sizes     `yaml:"sizes,omitempty"`       // every way must have one of these sizes; absent for all
	RunOnly    []string  `yaml:"run_only,omitempty"`    // bets with which it goes only when the prize runs on
	EqualStake bool      `yaml:"equal_stake,omitempty"` // the side stake equals the bet's
	FirstGames bool      `yaml:"first_games,omitempty"` // may cover fewer games than the ticket: then the first ones
	Ways       bool      `yaml:"ways,omitempty"`        // allowed on way bets
	Printed    bool      `yaml:"printed,omitempty"`     // paid only if printed on the receipt
}

// FeatureID names a feature that the engine knows.
type FeatureID string

// The features.
const (
	FeatureMultiplier FeatureID = "multiplier" // the prize times the multiplier of the sum of the numbers drawn
	FeatureLuckyLast  FeatureID = "lucky_last" // the last number drawn is among the spots
)

// ItemFile is a ready ticket of the catalogue: a superplay, set bet or easy play.
// Exactly one of Groups (numbers fixed) and GroupSizes (numbers picked) is given.
type ItemFile struct {
	Cite       `yaml:",inline"`
	ID         string  `yaml:"id"`
	Edition    int     `yaml:"edition"`
	Name       string  `yaml:"name"`
	Bet        string  `yaml:"bet"`
	Groups     [][]int `yaml:"groups,omitempty"`
	GroupSizes []int   `yaml:"group_sizes,omitempty"`
	Random     bool    `yaml:"random,omitempty"` // fixed numbers may be changed for picked ones on request
	Types      []int   `yaml:"types,omitempty"`  // total spots of the ways played; absent for the one way of all groups
	StakeCents int64   `yaml:"stake_cents,omitempty"`
	Games      int     `yaml:"games,omitempty"`
	Venue      string  `yaml:"venue,omitempty"`       // a venue's own item
	BonusPrize bool    `yaml:"bonus_prize,omitempty"` // takes part in a set bet bonus prize
}

// Limit is one bound on money. Every limit whose conditions hold is checked, in
// the order of the file, and the first that fails refuses the ticket by its clause.
type Limit struct {
	Cite     `yaml:",inline"`
	Measure  Measure   `yaml:"measure"`
	Part     Part      `yaml:"part,omitempty"` // absent: main
	Bets     []string  `yaml:"bets,omitempty"` // absent: all
	Channels []Channel `yaml:"channels,omitempty"`
	Ways     Range     `yaml:"ways,omitempty"`    // number of ways of the bet; absent: any
	Jackpot  *bool     `yaml:"jackpot,omitempty"` // whether the bet has a way that plays for a jackpot
	Pool     *bool     `yaml:"pool,omitempty"`    // whether the game is a bonus prize pool game
	Outcomes []string  `yaml:"outcomes,omitempty"`
	Min      *Dollars  `yaml:"min,omitempty"`
	Max      *Dollars  `yaml:"max,omitempty"`
	Step     *Dollars  `yaml:"step,omitempty"`
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
	Cite    `yaml:",inline"`
	ID      string                  `yaml:"id"`
	Per     Dollars                 `yaml:"per"`
	Catch   map[int]map[int]Dollars `yaml:"catch,omitempty"`   // spots: matched: prize
	Outcome map[string]Dollars      `yaml:"outcome,omitempty"` // call or race type: prize
	Size    map[int]Dollars         `yaml:"size,omitempty"`    // spots: prize
}

// Multiplier maps the sum of the numbers drawn to a factor. Rows is keyed by the
// sum of the first value of its line, values separated by spaces.
type Multiplier struct {
	Cite `yaml:",inline"`
	Rows map[int]string `yaml:"rows"`
}

// ScheduleFile is one complete set of prizes. One schedule is current at a time.
// Uses names the table of each bet and feature; bonus_jackpot names the table of
// the extra jackpot prize.
type ScheduleFile struct {
	Cite        `yaml:",inline"`
	ID          string            `yaml:"id"`
	CurrentFrom Date              `yaml:"current_from,omitempty"` // absent: current only once an event makes it so
	Uses        map[string]string `yaml:"uses"`
	Fills       map[int]Dollars   `yaml:"fills,omitempty"`            // spots: Jackpot Fill
	WayCap      *Dollars          `yaml:"way_cap,omitempty"`          // most that one way can win, jackpot prizes apart
	Minimums    map[int]Dollars   `yaml:"jackpot_minimums,omitempty"` // spots: least reset value that the schedule promises
}

// UseBonusJackpot is the key of ScheduleFile.Uses for the extra jackpot prize
// that a multiplier brings.
const UseBonusJackpot = "bonus_jackpot"

// Jackpots says what grows, who wins it and how it is shared.
type Jackpots struct {
	Cite               `yaml:",inline"`
	Pays               JackpotPays `yaml:"pays"`
	FirstDollar        bool        `yaml:"first_dollar,omitempty"` // the pool part does not scale with the stake
	Pooled             bool        `yaml:"pooled,omitempty"`       // growth may be shared with other jurisdictions
	Bets               []string    `yaml:"bets"`
	Pools              []PoolFile  `yaml:"pools"`
	BonusFrom          int         `yaml:"bonus_from,omitempty"` // least multiplier that brings the bonus jackpot; 0 for none
	Seed               *SeedFile   `yaml:"seed,omitempty"`
	SecondaryOpensNext bool        `yaml:"secondary_opens_next,omitempty"`
}

// JackpotPays says how a jackpot prize meets the schedule prize.
type JackpotPays string

// The ways in which a jackpot is paid.
const (
	PaysAddition     JackpotPays = "addition"     // beside the schedule prize
	PaysSubstitution JackpotPays = "substitution" // instead of it
)

// PoolFile is one jackpot: its size and the parts of the stakes that it gets.
type PoolFile struct {
	Cite          `yaml:",inline"`
	Spots         int            `yaml:"spots"`
	Contributions []Contribution `yaml:"contributions"`
	Reset         *Dollars       `yaml:"reset,omitempty"` // value to which a won pool returns
}

// Contribution is the part of the stakes that goes to a pool while its primary
// is at least From and below Below, as tested when the game opens.
type Contribution struct {
	Cite      `yaml:",inline"`
	From      *Dollars `yaml:"from,omitempty"`
	Below     *Dollars `yaml:"below,omitempty"`
	Primary   Percent  `yaml:"primary"`
	Secondary Percent  `yaml:"secondary,omitempty"`
}

// SeedFile is the operator's loan to a pool. While a balance is outstanding its
// steps replace the pool's contributions.
type SeedFile struct {
	Cite  `yaml:",inline"`
	Steps []SeedStep `yaml:"steps"`
}

// SeedStep divides the contribution between pool and loan by the balance still
// owed.
type SeedStep struct {
	Cite    `yaml:",inline"`
	From    *Dollars `yaml:"from,omitempty"`
	Below   *Dollars `yaml:"below,omitempty"`
	Primary Percent  `yaml:"primary"`
	Seed    Percent  `yaml:"seed"`
}

// Prorating reduces the major prizes of a game to a cap.
type Prorating struct {
	Cite      `yaml:",inline"`
	Bets      []string        `yaml:"bets,omitempty"` // absent: all
	MajorOver *Dollars        `yaml:"major_over,omitempty"`
	MajorFrom *Dollars        `yaml:"major_from,omitempty"`
	Cap       *Dollars        `yaml:"cap,omitempty"` // absent: the approved amount is not set, and nothing is reduced
	Floor     Dollars         `yaml:"floor"`
	Method    ProratingMethod `yaml:"method"`
	Outside   []string        `yaml:"outside,omitempty"` // jackpot, bonus_jackpot, promotion
}

// ProratingMethod is how prizes are reduced.
type ProratingMethod string

// The methods of pro-rating.
const (
	ProrateFormula ProratingMethod = "formula" // each prize x becomes x/total*cap, then the floor: the sum may exceed the cap
	ProrateLevel   ProratingMethod = "level"   // one factor f such that the sum of max(floor, f*x) is the cap
)

// Rounding is applied once to a way's prize in a game.
type Rounding struct {
	Cite `yaml:",inline"`
	Step Dollars `yaml:"step"`
	Mode string  `yaml:"mode"` // a name of money.Rounding
}

// PrizeFund is the part of receipts that belongs to players.
type PrizeFund struct {
	Cite     `yaml:",inline"`
	Least    Percent `yaml:"least"`              // of receipts
	Schedule Percent `yaml:"schedule,omitempty"` // of which the schedules return about this
	Bonus    Percent `yaml:"bonus,omitempty"`    // and bonus prizes about this
}

// Promotions says which prizes above the schedules may be offered.
type Promotions struct {
	Cite          `yaml:",inline"`
	FromFund      bool     `yaml:"from_prize_fund,omitempty"`
	Earliest      bool     `yaml:"earliest,omitempty"` // won by the earliest draw with a qualifier, shared within it
	SharedByStake bool     `yaml:"shared_by_stake,omitempty"`
	SetBetRandom  bool     `yaml:"set_bet_random,omitempty"` // bonus prizes are allocated at random among winning set bets presented on their last day
	BonusPool     bool     `yaml:"bonus_pool,omitempty"`
	PoolExcludes  []string `yaml:"pool_excludes,omitempty"` // bets and features outside the bonus prize pool
	Paused        bool     `yaml:"paused,omitempty"`
	ChangeNeeds   string   `yaml:"change_needs,omitempty"` // whose approval a change takes
}

// Cancellation says when a ticket may be given back.
type Cancellation struct {
	Cite           `yaml:",inline"`
	SameVenue      bool     `yaml:"same_venue,omitempty"`
	SameDay        bool     `yaml:"same_day,omitempty"`
	TradingHours   bool     `yaml:"trading_hours,omitempty"`
	LastGame       int      `yaml:"last_game,omitempty"` // a longer ticket cannot be cancelled once the game after this one has begun; 0 for none
	LastGameClause string   `yaml:"last_game_clause,omitempty"`
	VoucherFirst   bool     `yaml:"voucher_first,omitempty"` // refunds go back to vouchers before cash
	RuleChange     []string `yaml:"rule_change,omitempty"`   // what a holder gets when a rule change voids a ticket: refund, new_entry
}

// Tender lists what may pay for tickets, by kind of venue and channel.
type Tender struct {
	Cite    `yaml:",inline"`
	Venues  []VenueKind `yaml:"venues,omitempty"` // absent: all
	Channel Channel     `yaml:"channel"`
	Accept  []string    `yaml:"accept"` // cash, replay, winnings and ids of instruments
}

// VenueKind is the kind of licence that a venue holds.
type VenueKind string

// The kinds of venue.
const (
	VenueClub     VenueKind = "club"
	VenueHotel    VenueKind = "hotel"
	VenueOutlet   VenueKind = "wagering_outlet"
	VenueLicensed VenueKind = "licensed_premises"
	VenueCasino   VenueKind = "casino"
)

// Payout says how prizes reach people.
type Payout struct {
	Cite              `yaml:",inline"`
	Period            Life           `yaml:"period"` // at a venue, from each game's Keno Day
	Methods           []PayoutMethod `yaml:"methods"`
	CashAtLeast       *Dollars       `yaml:"cash_at_least,omitempty"` // always available in cash as part payment
	CashAtLeastClause string         `yaml:"cash_at_least_clause,omitempty"`
	ChequeWords       []string       `yaml:"cheque_words,omitempty"`
	ChequeWordsClause string         `yaml:"cheque_words_clause,omitempty"`
	KeepsTicket       bool           `yaml:"keeps_ticket,omitempty"` // the paper stays with the writer; a run goes on with a linked ticket
	Anonymous         bool           `yaml:"anonymous,omitempty"`
}

// PayoutMethod is one way to pay and the amounts for which it may, or must, be used.
type PayoutMethod struct {
	Cite         `yaml:",inline"`
	ID           string   `yaml:"id"` // cash, change_receipt, sst_receipt, site_cheque, central_voucher, cheque, transfer, player_card
	Of           string   `yaml:"of"` // session, ticket or prize: the amount that is tested
	Channel      Channel  `yaml:"channel,omitempty"`
	From         *Dollars `yaml:"from,omitempty"`
	Over         *Dollars `yaml:"over,omitempty"`
	UpTo         *Dollars `yaml:"up_to,omitempty"`
	VenueLimit   bool     `yaml:"venue_limit,omitempty"`
	MajorOrClaim bool     `yaml:"major_or_claim,omitempty"`
	Payee        bool     `yaml:"payee,omitempty"`     // payee details are needed
	Exclusion    bool     `yaml:"exclusion,omitempty"` // the exclusion database is checked first
	WithinHours  int      `yaml:"within_hours,omitempty"`
}

// Life is a span counted on dates.
type Life struct {
	Cite   `yaml:",inline"`
	Days   int `yaml:"days,omitempty"`
	Months int `yaml:"months,omitempty"`
	Years  int `yaml:"years,omitempty"`
}

// Instrument is a paper or card that stands for money.
type Instrument struct {
	Cite               `yaml:",inline"`
	ID                 string `yaml:"id"`
	Name               string `yaml:"name"`
	Life               *Life  `yaml:"life,omitempty"`
	ShorterLife        bool   `yaml:"shorter_life,omitempty"` // a shorter one may be notified at issue
	ExpiresTo          string `yaml:"expires_to,omitempty"`   // prize_fund, treasurer, forfeited
	Sold               bool   `yaml:"sold,omitempty"`         // a player may buy one
	CashBack           bool   `yaml:"cash_back,omitempty"`    // may be turned into cash
	PartUse            bool   `yaml:"part_use,omitempty"`
	RefundSameVenueDay bool   `yaml:"refund_same_venue_day,omitempty"`
	LostRefund         bool   `yaml:"lost_refund,omitempty"`
}

// Claims says how a claim without a readable ticket is decided.
type Claims struct {
	Cite       `yaml:",inline"`
	Form       string      `yaml:"form"`
	Signatures []Signature `yaml:"signatures"`
	PaidBy     []string    `yaml:"paid_by"`
	Mail       bool        `yaml:"registered_mail,omitempty"`
	Copies     bool        `yaml:"copies_to_inspector,omitempty"`
}

// Signature is one that a claim needs from an amount on.
type Signature struct {
	Cite `yaml:",inline"`
	Role string   `yaml:"role"`
	From *Dollars `yaml:"from,omitempty"`
}

// Unclaimed is what happens to a prize when a span has passed since its Keno Day.
type Unclaimed struct {
	Cite  `yaml:",inline"`
	After Life   `yaml:"after"`
	Then  string `yaml:"then"` // claim_form, treasurer, lapsed
}

// SerialForm is a form of ticket number on paper.
type SerialForm struct {
	Cite      `yaml:",inline"`
	Form      string `yaml:"form"` // digits16, to27
	Successor bool   `yaml:"successor,omitempty"`
}

// Receipt lists what the paper must carry.
type Receipt struct {
	Cite   `yaml:",inline"`
	Fields []string `yaml:"fields"`
}

// Draw says which devices may draw and what becomes of a draw that fails.
type Draw struct {
	Cite       `yaml:",inline"`
	Devices    []string `yaml:"devices"`           // rng, cage, witnessed
	Keyings    int      `yaml:"keyings,omitempty"` // people who record a ball draw independently
	Unfinished []string `yaml:"unfinished"`        // carry, refund: what becomes of the entries, in order of preference
}

// Staffing says who and what must be present.
type Staffing struct {
	Cite        `yaml:",inline"`
	Game        string `yaml:"game"`              // role without which no game is held
	Venue       string `yaml:"venue,omitempty"`   // role without which a venue does not sell
	Display     bool   `yaml:"display,omitempty"` // no sale in an area without its display
	RaceDisplay bool   `yaml:"race_display,omitempty"`
}

// Duty is what the State takes.
type Duty struct {
	Cite  `yaml:",inline"`
	Basis string   `yaml:"basis"`          // gross_profit
	Rate  *Percent `yaml:"rate,omitempty"` // absent: set by the operator's configuration
}

// Migration moves player money to a successor system in lots.
type Migration struct {
	Cite `yaml:",inline"`
	Into int     `yaml:"into_spots"`
	Lot  Dollars `yaml:"lot"`
}

// Disqualify says who may disqualify an entry and whether it can come back.
type Disqualify struct {
	Cite      `yaml:",inline"`
	By        []string `yaml:"by"`
	Reinstate bool     `yaml:"reinstate,omitempty"`
}

// BingoFile holds the policies of a bingo rulebook.
type BingoFile struct {
	Numbers   Numbers        `yaml:"numbers"` // Draw is the least count of numbers in a game
	Card      Card           `yaml:"card"`
	Session   BingoSession   `yaml:"session"`
	Calls     BingoCalls     `yaml:"calls"`
	Patterns  []PatternFile  `yaml:"patterns"`
	Jackpot   BingoJackpot   `yaml:"jackpot"`
	Prizes    BingoPrizes    `yaml:"prizes"`
	Irregular BingoIrregular `yaml:"irregular"`
	Promotion BingoPromotion `yaml:"promotion"`
}

// Card is the form of a scorecard.
type Card struct {
	Cite          `yaml:",inline"`
	BoxesPerStrip int   `yaml:"boxes_per_strip"`
	Pages         []int `yaml:"pages"` // boxes to a page that may be sold
	Lines         int   `yaml:"lines"`
	Columns       int   `yaml:"columns"`
	PerLine       int   `yaml:"per_line"`
	ColumnMax     int   `yaml:"column_max"` // most numbers that one column of a box holds
	UniqueBoxes   bool  `yaml:"unique_boxes,omitempty"`
	ColourPerGame bool  `yaml:"colour_per_game,omitempty"`
}

// BingoSession is what it takes to play.
type BingoSession struct {
	Cite             `yaml:",inline"`
	MembersOnly      bool    `yaml:"members_only,omitempty"`
	Administration   Percent `yaml:"administration"` // of the entry fee
	AutomaticMarking bool    `yaml:"automatic_marking,omitempty"`
	ClosureMinutes   int     `yaml:"closure_minutes,omitempty"`
}

// BingoCalls is how a game is won.
type BingoCalls struct {
	Cite         `yaml:",inline"`
	Least        int  `yaml:"least"`               // numbers drawn in any game
	CallWins     bool `yaml:"call_wins,omitempty"` // whoever does not call before the next number forfeits
	WrongPlaysOn bool `yaml:"wrong_plays_on,omitempty"`
}

// PatternFile is one minor game. Exactly one of Cells, Counts and AnyLines is given.
type PatternFile struct {
	Cite     `yaml:",inline"`
	ID       string         `yaml:"id"`
	Name     string         `yaml:"name"`
	Cells    *PatternCells  `yaml:"cells,omitempty"`
	Counts   *PatternCounts `yaml:"counts,omitempty"`
	AnyLines int            `yaml:"any_lines,omitempty"` // so many whole lines, whichever
}

// PatternCells names, for each line, which of its five numbers are needed,
// counted from the left from 1.
type PatternCells struct {
	Top    []int `yaml:"top,omitempty"`
	Middle []int `yaml:"middle,omitempty"`
	Bottom []int `yaml:"bottom,omitempty"`
}

// PatternCounts is the least count of numbers on each line.
type PatternCounts struct {
	Top    int `yaml:"top"`
	Middle int `yaml:"middle"`
	Bottom int `yaml:"bottom"`
}

// BingoJackpot is the jackpot numbers game.
type BingoJackpot struct {
	Cite        `yaml:",inline"`
	NumbersMax  int      `yaml:"numbers_max"`
	HighestOnly bool     `yaml:"highest_only,omitempty"` // a card gets only the highest level it qualifies for
	Carries     bool     `yaml:"carries,omitempty"`
	PaidBy      []string `yaml:"paid_by"`
}

// BingoPrizes is how prizes are shared and paid.
type BingoPrizes struct {
	Cite   `yaml:",inline"`
	Shared string   `yaml:"shared"` // equally
	Media  []string `yaml:"media"`
}

// BingoIrregular is what happens when a game cannot be finished.
type BingoIrregular struct {
	Cite              `yaml:",inline"`
	RollPrizes        bool `yaml:"roll_prizes,omitempty"`
	RefundFees        bool `yaml:"refund_fees,omitempty"` // only where no game follows in the session
	ReplacementMarked bool `yaml:"replacement_marked,omitempty"`
}

// BingoPromotion bounds promotional prizes.
type BingoPromotion struct {
	Cite           `yaml:",inline"`
	ScrutineerOver Dollars  `yaml:"scrutineer_over"`
	ChoiceOver     Dollars  `yaml:"choice_over"`
	DeniedKeptOver Dollars  `yaml:"denied_kept_over"`
	NoticeHours    int      `yaml:"notice_hours"`
	NotifyDays     int      `yaml:"notify_days"`
	LiquorLitres   int      `yaml:"liquor_litres"`
	Prohibited     []string `yaml:"prohibited"`
	Particulars    []string `yaml:"particulars"`
}

// Dollars is an amount as written in a file: 5000, 60.00 or 8.50.
type Dollars money.Amount

// Amount returns the cents.
func (d Dollars) Amount() money.Amount { return money.Amount(d) }

// Percent is a share in hundredths of a percent: 74.20 is 7420.
type Percent int32

// Date is a day as written in a file: 2015-03-01.
type Date day.Day

// Day returns the day.
func (d Date) Day() day.Day { return day.Day(d) }

// Sizes is a set of counts as written in a file: 1-10 15 20 40.
type Sizes ball.Set

// Set returns the counts as a set of numbers; it is invalid where the file had none.
func (s Sizes) Set() ball.Set { return ball.Set(s) }

// Range is a span of whole numbers as written in a file: 4-19, 50- or 1. The zero
// value holds every number.
type Range struct{ Least, Most int }
