package rulebook

import "strings"

// This file is the schema: a rulebook exactly as an operator writes it in YAML.
// Load decodes it strictly, validate finds every fault in it, compile turns it
// into the immutable Book that the rest of the house reads.
//
// One tag names a field everywhere: in YAML, in the canonical CBOR and in JSON.
// A field without omitempty or omitzero must be written; a field that is added
// later must have one of them, so that the hashes of older books stay.

// Cite names where a value comes from. A value's clause is the nearest one at or
// above it in the file, so a block states its clause once. Several clauses are
// separated by spaces; the first is the one that a refusal quotes.
type Cite struct {
	Clause  string `json:"clause,omitempty"`
	Reading string `json:"reading,omitempty"` // id of the reading that decided the value, where the text is silent
	Example bool   `json:"example,omitempty"` // the text leaves the value to approval: an operator replaces it
}

// Quoted returns the clause that a refusal quotes.
func (c Cite) Quoted() string {
	first, _, _ := strings.Cut(c.Clause, " ")
	return first
}

// File is a whole rulebook.
type File struct {
	Rulebook  string     `json:"rulebook"` // id, such as vic-keno-2015
	Title     string     `json:"title"`
	Edition   int        `json:"edition"` // raised with every change of the file, so that two editions of one id can be told apart
	Kind      Kind       `json:"kind"`
	Currency  string     `json:"currency"`
	Zone      string     `json:"zone"` // IANA time zone in which Keno Days are named
	Effective Effective  `json:"effective"`
	Keno      *KenoFile  `json:"keno,omitempty"`
	Bingo     *BingoFile `json:"bingo,omitempty"`
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

// KenoFile holds the policies of a keno rulebook.
type KenoFile struct {
	Numbers      Numbers        `json:"numbers"`
	Games        Games          `json:"games"`
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
	Rounding     Rounding       `json:"rounding"`
	PrizeFund    PrizeFund      `json:"prize_fund,omitzero"`
	Promotions   *Promotions    `json:"promotions,omitempty"`
	Cancellation Cancellation   `json:"cancellation"`
	Tenders      []Tender       `json:"tenders"`
	Payout       Payout         `json:"payout"`
	Instruments  []Instrument   `json:"instruments,omitempty"`
	Claims       Claims         `json:"claims"`
	Unclaimed    []Unclaimed    `json:"unclaimed"`
	Serials      []SerialForm   `json:"serials"`
	Receipt      Receipt        `json:"receipt"`
	Draw         Draw           `json:"draw"`
	Staffing     Staffing       `json:"staffing"`
	Duty         *Duty          `json:"duty,omitempty"`
	Migration    *Migration     `json:"migration,omitempty"`
	Disqualify   Disqualify     `json:"disqualify,omitzero"`
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
}

// Numbering is the range of game numbers. Restarts says whether the range begins
// anew with every Keno Day or runs on over days.
type Numbering struct {
	Cite
	First    int      `json:"first"`
	Last     int      `json:"last"`
	Digits   int      `json:"digits,omitempty"` // printed width, 0 for none
	Restarts Restarts `json:"restarts"`
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
	Max      int `json:"max"`
	ToGoFrom int `json:"to_go_from,omitempty"` // games from which a ticket is sold under the name of a long run; 0 for none
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

// EntryWay is one permitted way to enter: a channel (the kind of terminal) with
// a method (how the player gave the particulars).
type EntryWay struct {
	Cite
	Channel Channel  `json:"channel"`
	Method  Method   `json:"method"`
	Runner  bool     `json:"runner,omitempty"` // a runner may carry such an entry
	Bets    []string `json:"bets,omitempty"`   // the bets that may be entered so; absent for all
	Ways    *bool    `json:"ways,omitempty"`   // whether way bets may be entered so; absent for yes
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
	Cite
	MinimumAge       int      `json:"minimum_age"`
	Barred           []string `json:"barred,omitempty" words:"licensee_staff venue_staff_on_duty"`
	BarredClause     string   `json:"barred_clause,omitempty"`
	UnderagePrizes   string   `json:"underage_prizes,omitempty" words:"crown"`
	OnPremises       bool     `json:"on_premises,omitempty"`
	OnPremisesClause string   `json:"on_premises_clause,omitempty"`
}

// BetFile is one bet. Its form decides which fields of a ticket it takes.
type BetFile struct {
	Cite
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Form    Form      `json:"form"`
	Sizes   Sizes     `json:"sizes,omitzero"` // numbers: how many spots may be chosen
	Jackpot bool      `json:"jackpot,omitempty"`
	Ways    *Ways     `json:"ways,omitempty"`
	Picks   *Picks    `json:"picks,omitempty"`
	Calls   *Calls    `json:"calls,omitempty"`
	Race    *RaceFile `json:"race,omitempty"`
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
	ByTypes        bool `json:"by_types,omitempty"`        // name types by total spots and play every way of each
	ByGroups       bool `json:"by_groups,omitempty"`       // name types by number of groups
	ByMarks        bool `json:"by_marks,omitempty"`        // mark the ways one by one
	All            bool `json:"all,omitempty"`             // play every way there is
	RefuseHopeless bool `json:"refuse_hopeless,omitempty"` // a bet none of whose ways can win may be refused
	MaxWays        int  `json:"max_ways"`
}

// Picks says what a terminal may choose for the player, and under which name.
type Picks struct {
	Cite
	Quick           string    `json:"quick,omitempty"`   // name of a pick with a chosen number of spots
	Mystery         string    `json:"mystery,omitempty"` // name of a pick whose number of spots is picked too
	MysterySizes    Sizes     `json:"mystery_sizes,omitzero"`
	MysteryChannels []Channel `json:"mystery_channels,omitempty"` // where a mystery pick is sold; absent for everywhere
	Several         bool      `json:"several,omitempty"`          // more than one pick on a ticket
}

// Calls is a bet on heads, tails or evens: 11 or more of the numbers drawn in
// the lower half, in the upper half, or neither.
type Calls struct {
	Cite
	LowerHalf        int    `json:"lower_half"`             // heads are 1 to this number
	Majority         int    `json:"majority"`               // numbers in a half that decide it
	SeriesMax        int    `json:"series_max,omitempty"`   // games in which the call may vary; 0 for none
	Run              bool   `json:"run,omitempty"`          // the prize may become the next stake
	OnePerGame       bool   `json:"one_per_game,omitempty"` // an entry makes one call a game
	OnePerGameClause string `json:"one_per_game_clause,omitempty"`
}

// RaceFile is a bet on the order of the rows.
type RaceFile struct {
	Cite
	Rows          int        `json:"rows"`
	RowNumbers    int        `json:"row_numbers"`
	Types         []RaceType `json:"types"`
	DeadHeatThird bool       `json:"dead_heat_third,omitempty"` // when two rows hold every number drawn, all others are third
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
	ID         FeatureID `json:"id"`
	Name       string    `json:"name"`
	Bets       []string  `json:"bets"`
	Sizes      Sizes     `json:"sizes,omitzero"`        // every way must have one of these sizes; absent for all
	RunOnly    []string  `json:"run_only,omitempty"`    // bets with which it goes only when the prize runs on
	EqualStake bool      `json:"equal_stake,omitempty"` // the side stake equals the bet's
	FirstGames bool      `json:"first_games,omitempty"` // may cover fewer games than the ticket: then the first ones
	Ways       bool      `json:"ways,omitempty"`        // allowed on way bets
	Printed    bool      `json:"printed,omitempty"`     // paid only if printed on the receipt
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

// Limit is one bound on money. Every limit whose conditions hold is checked, in
// the order of the file, and the first that fails refuses the ticket by its clause.
type Limit struct {
	Cite
	Measure  Measure   `json:"measure"`
	Part     Part      `json:"part,omitempty"` // absent: main
	Bets     []string  `json:"bets,omitempty"` // absent: all
	Channels []Channel `json:"channels,omitempty"`
	Ways     Range     `json:"ways,omitzero"`     // number of ways of the bet; absent: any
	Jackpot  *bool     `json:"jackpot,omitempty"` // whether the bet has a way that plays for a jackpot
	Pool     *bool     `json:"pool,omitempty"`    // whether the game is a bonus prize pool game
	Outcomes []string  `json:"outcomes,omitempty"`
	Min      *Dollars  `json:"min,omitempty"`
	Max      *Dollars  `json:"max,omitempty"`
	Step     *Dollars  `json:"step,omitempty"`
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

// Multiplier maps the sum of the numbers drawn to a factor. Rows is keyed by the
// sum of the first value of its line, values separated by spaces.
type Multiplier struct {
	Cite
	Rows map[int]string `json:"rows"`
}

// ScheduleFile is one complete set of prizes. One schedule is current at a time.
// Uses names the table of each bet and of each feature that has prizes of its own;
// bonus_jackpot names the table of the extra jackpot prize, by number of spots.
type ScheduleFile struct {
	Cite
	ID          string            `json:"id"`
	CurrentFrom Date              `json:"current_from,omitzero"` // absent: current only once an event makes it so
	Uses        map[string]string `json:"uses"`
	Fills       map[int]Dollars   `json:"fills,omitempty"`            // spots: Jackpot Fill
	WayCap      *Dollars          `json:"way_cap,omitempty"`          // most that one way can win, jackpot prizes apart
	Minimums    map[int]Dollars   `json:"jackpot_minimums,omitempty"` // spots: least reset value that the schedule promises
}

// UseBonusJackpot is the key of ScheduleFile.Uses for the extra jackpot prize
// that a multiplier brings.
const UseBonusJackpot = "bonus_jackpot"

// Jackpots says what grows, who wins it and how it is shared.
type Jackpots struct {
	Cite
	Pays               JackpotPays `json:"pays"`
	FirstDollar        bool        `json:"first_dollar,omitempty"` // the pool part does not scale with the stake
	Pooled             bool        `json:"pooled,omitempty"`       // growth may be shared with other jurisdictions
	Bets               []string    `json:"bets"`
	Pools              []PoolFile  `json:"pools"`
	BonusFrom          int         `json:"bonus_from,omitempty"` // least multiplier that brings the bonus jackpot; 0 for none
	Seed               *SeedFile   `json:"seed,omitempty"`
	SecondaryOpensNext bool        `json:"secondary_opens_next,omitempty"`
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
	Bets      []string        `json:"bets,omitempty"` // absent: all
	MajorOver *Dollars        `json:"major_over,omitempty"`
	MajorFrom *Dollars        `json:"major_from,omitempty"`
	Cap       *Dollars        `json:"cap,omitempty"` // absent: the approved amount is not set, and nothing is reduced
	Floor     Dollars         `json:"floor"`
	Method    ProratingMethod `json:"method"`
	Outside   []string        `json:"outside,omitempty" words:"jackpot bonus_jackpot promotion"`
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
	Cite
	Step Dollars `json:"step"`
	Mode string  `json:"mode" words:"floor ceil half-up half-even"` // a name of money.Rounding
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
	FromFund      bool     `json:"from_prize_fund,omitempty"`
	Earliest      bool     `json:"earliest,omitempty"` // won by the earliest draw with a qualifier, shared within it
	SharedByStake bool     `json:"shared_by_stake,omitempty"`
	SetBetRandom  bool     `json:"set_bet_random,omitempty"` // bonus prizes are allocated at random among winning set bets presented on their last day
	BonusPool     bool     `json:"bonus_pool,omitempty"`
	PoolExcludes  []string `json:"pool_excludes,omitempty"` // bets and features outside the bonus prize pool
	Paused        bool     `json:"paused,omitempty"`
	ChangeNeeds   string   `json:"change_needs,omitempty"` // whose approval a change takes
}

// Cancellation says when a ticket may be given back.
type Cancellation struct {
	Cite
	SameVenue      bool     `json:"same_venue,omitempty"`
	VenueClause    string   `json:"same_venue_clause,omitempty"`
	SameDay        bool     `json:"same_day,omitempty"`
	DayClause      string   `json:"same_day_clause,omitempty"`
	TradingHours   bool     `json:"trading_hours,omitempty"`
	HoursClause    string   `json:"trading_hours_clause,omitempty"`
	LastGame       int      `json:"last_game,omitempty"` // a longer ticket cannot be cancelled once the game after this one has begun; 0 for none
	LastGameClause string   `json:"last_game_clause,omitempty"`
	VoucherFirst   bool     `json:"voucher_first,omitempty"`                        // refunds go back to vouchers before cash
	RuleChange     []string `json:"rule_change,omitempty" words:"refund new_entry"` // what a holder gets when a rule change voids a ticket
}

// Tender lists what may pay for tickets, by kind of venue and channel.
type Tender struct {
	Cite
	Venues  []VenueKind `json:"venues,omitempty"` // absent: all
	Channel Channel     `json:"channel"`
	Accept  []string    `json:"accept"` // cash, replay, winnings and ids of instruments
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
	Cite
	Period            Life           `json:"period"` // at a venue, from each game's Keno Day
	Methods           []PayoutMethod `json:"methods"`
	CashAtLeast       *Dollars       `json:"cash_at_least,omitempty"` // always available in cash as part payment
	CashAtLeastClause string         `json:"cash_at_least_clause,omitempty"`
	ChequeWords       []string       `json:"cheque_words,omitempty"`
	ChequeWordsClause string         `json:"cheque_words_clause,omitempty"`
	KeepsTicket       bool           `json:"keeps_ticket,omitempty"` // the paper stays with the writer; a run goes on with a linked ticket
	Anonymous         bool           `json:"anonymous,omitempty"`
}

// PayoutMethod is one way to pay and the amounts for which it may, or must, be used.
type PayoutMethod struct {
	Cite
	ID           string   `json:"id" words:"cash change_receipt sst_receipt site_cheque central_voucher cheque transfer player_card"`
	Of           string   `json:"of" words:"session ticket prize"` // the amount that is tested
	Channel      Channel  `json:"channel,omitempty"`
	From         *Dollars `json:"from,omitempty"`
	Over         *Dollars `json:"over,omitempty"`
	UpTo         *Dollars `json:"up_to,omitempty"`
	VenueLimit   bool     `json:"venue_limit,omitempty"`
	MajorOrClaim bool     `json:"major_or_claim,omitempty"`
	Payee        bool     `json:"payee,omitempty"`     // payee details are needed
	Exclusion    bool     `json:"exclusion,omitempty"` // the exclusion database is checked first
	WithinHours  int      `json:"within_hours,omitempty"`
}

// Life is a span counted on dates.
type Life struct {
	Cite
	Days   int `json:"days,omitempty"`
	Months int `json:"months,omitempty"`
	Years  int `json:"years,omitempty"`
}

// Instrument is a paper or card that stands for money.
type Instrument struct {
	Cite
	ID                 string `json:"id"`
	Name               string `json:"name"`
	Life               *Life  `json:"life,omitempty"`
	ShorterLife        bool   `json:"shorter_life,omitempty"` // a shorter one may be notified at issue
	ExpiresTo          string `json:"expires_to,omitempty" words:"prize_fund treasurer forfeited"`
	Sold               bool   `json:"sold,omitempty"`      // a player may buy one
	CashBack           bool   `json:"cash_back,omitempty"` // may be turned into cash
	PartUse            bool   `json:"part_use,omitempty"`
	RefundSameVenueDay bool   `json:"refund_same_venue_day,omitempty"`
	LostRefund         bool   `json:"lost_refund,omitempty"`
}

// Claims says how a claim without a readable ticket is decided.
type Claims struct {
	Cite
	Form       string      `json:"form"`
	Signatures []Signature `json:"signatures"`
	PaidBy     []string    `json:"paid_by" words:"cash cheque transfer"`
	Mail       bool        `json:"registered_mail,omitempty"`
	Copies     bool        `json:"copies_to_inspector,omitempty"`
}

// Signature is one that a claim needs from an amount on.
type Signature struct {
	Cite
	Role string   `json:"role"`
	From *Dollars `json:"from,omitempty"`
}

// Unclaimed is what happens to a prize when a span has passed since its Keno Day.
type Unclaimed struct {
	Cite
	After Life   `json:"after"`
	Then  string `json:"then" words:"claim_form treasurer lapsed"`
}

// SerialForm is a form of ticket number on paper.
type SerialForm struct {
	Cite
	Form      string `json:"form" words:"digits16 to27"`
	Successor bool   `json:"successor,omitempty"`
}

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
}

// Staffing says who and what must be present.
type Staffing struct {
	Cite
	Game              string `json:"game"`            // role without which no game is held
	Venue             string `json:"venue,omitempty"` // role without which a venue does not sell
	VenueClause       string `json:"venue_clause,omitempty"`
	Display           bool   `json:"display,omitempty"` // no sale in an area without its display
	DisplayClause     string `json:"display_clause,omitempty"`
	RaceDisplay       bool   `json:"race_display,omitempty"`
	RaceDisplayClause string `json:"race_display_clause,omitempty"`
}

// Duty is what the State takes.
type Duty struct {
	Cite
	Basis string   `json:"basis" words:"gross_profit"`
	Rate  *Percent `json:"rate,omitempty"` // absent: set by the operator's configuration
}

// Migration moves player money to a successor system in lots.
type Migration struct {
	Cite
	Into int     `json:"into_spots"`
	Lot  Dollars `json:"lot"`
}

// Disqualify says who may disqualify an entry and whether it can come back.
type Disqualify struct {
	Cite
	By        []string `json:"by"`
	Reinstate bool     `json:"reinstate,omitempty"`
}

// BingoFile holds the policies of a bingo rulebook.
type BingoFile struct {
	Numbers   Numbers        `json:"numbers"` // Draw is the least count of numbers in a game
	Card      Card           `json:"card"`
	Session   BingoSession   `json:"session"`
	Calls     BingoCalls     `json:"calls"`
	Patterns  []PatternFile  `json:"patterns"`
	Jackpot   BingoJackpot   `json:"jackpot"`
	Prizes    BingoPrizes    `json:"prizes"`
	Irregular BingoIrregular `json:"irregular"`
	Promotion BingoPromotion `json:"promotion"`
}

// Card is the form of a scorecard.
type Card struct {
	Cite
	BoxesPerStrip int   `json:"boxes_per_strip"`
	Pages         []int `json:"pages"` // boxes to a page that may be sold
	Lines         int   `json:"lines"`
	Columns       int   `json:"columns"`
	PerLine       int   `json:"per_line"`
	ColumnMax     int   `json:"column_max"` // most numbers that one column of a box holds
	UniqueBoxes   bool  `json:"unique_boxes,omitempty"`
	ColourPerGame bool  `json:"colour_per_game,omitempty"`
}

// BingoSession is what it takes to play.
type BingoSession struct {
	Cite
	MembersOnly      bool    `json:"members_only,omitempty"`
	Administration   Percent `json:"administration"` // of the entry fee
	AutomaticMarking bool    `json:"automatic_marking,omitempty"`
	ClosureMinutes   int     `json:"closure_minutes,omitempty"`
}

// BingoCalls is how a game is won.
type BingoCalls struct {
	Cite
	Least        int  `json:"least"`               // numbers drawn in any game
	CallWins     bool `json:"call_wins,omitempty"` // whoever does not call before the next number forfeits
	WrongPlaysOn bool `json:"wrong_plays_on,omitempty"`
}

// PatternFile is one minor game. Exactly one of Cells, Counts and AnyLines is given.
type PatternFile struct {
	Cite
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Cells    *PatternCells  `json:"cells,omitempty"`
	Counts   *PatternCounts `json:"counts,omitempty"`
	AnyLines int            `json:"any_lines,omitempty"` // so many whole lines, whichever
}

// PatternCells names, for each line, which of its five numbers are needed,
// counted from the left from 1.
type PatternCells struct {
	Top    []int `json:"top,omitempty"`
	Middle []int `json:"middle,omitempty"`
	Bottom []int `json:"bottom,omitempty"`
}

// PatternCounts is the least count of numbers on each line.
type PatternCounts struct {
	Top    int `json:"top"`
	Middle int `json:"middle"`
	Bottom int `json:"bottom"`
}

// BingoJackpot is the jackpot numbers game.
type BingoJackpot struct {
	Cite
	NumbersMax  int      `json:"numbers_max"`
	HighestOnly bool     `json:"highest_only,omitempty"` // a card gets only the highest level it qualifies for
	Carries     bool     `json:"carries,omitempty"`
	PaidBy      []string `json:"paid_by" words:"cash cheque"`
}

// BingoPrizes is how prizes are shared and paid.
type BingoPrizes struct {
	Cite
	Shared string   `json:"shared" words:"equally"`
	Media  []string `json:"media" words:"cash casino_dollars slot_dollars"`
}

// BingoIrregular is what happens when a game cannot be finished.
type BingoIrregular struct {
	Cite
	RollPrizes        bool `json:"roll_prizes,omitempty"`
	RefundFees        bool `json:"refund_fees,omitempty"` // only where no game follows in the session
	ReplacementMarked bool `json:"replacement_marked,omitempty"`
}

// BingoPromotion bounds promotional prizes.
type BingoPromotion struct {
	Cite
	ScrutineerOver Dollars  `json:"scrutineer_over"`
	ChoiceOver     Dollars  `json:"choice_over"`
	DeniedKeptOver Dollars  `json:"denied_kept_over"`
	NoticeHours    int      `json:"notice_hours"`
	NotifyDays     int      `json:"notify_days"`
	LiquorLitres   int      `json:"liquor_litres"`
	Prohibited     []string `json:"prohibited"`
	Particulars    []string `json:"particulars"`
}
