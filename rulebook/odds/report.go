package odds

import (
	"encoding/json"
	"fmt"
	"strconv"

	"drawhouse/core/money"
)

// Report is the odds of a rulebook: every bet of every schedule that was asked
// for, schedules and bets in the order of the rulebook. Its JSON is stable.
type Report struct {
	Rulebook   string      `json:"rulebook"`
	Title      string      `json:"title"`
	Edition    int         `json:"edition"`
	Hash       string      `json:"hash"` // of the rulebook that the figures are true of
	Of         int         `json:"of"`
	Drawn      int         `json:"drawn"`
	Bets       []Bet       `json:"bets"`
	Multiplier *Multiplier `json:"multiplier,omitempty"`
	Liability  *Tail       `json:"liability,omitempty"` // where it was asked for
	Notes      []string    `json:"notes,omitempty"`

	money money.Style // how tables write amounts
}

// Bet is the odds of one bet: for a size of a bet on numbers or of a feature that
// pays by size, for a call, or for a type of race bet.
type Bet struct {
	money money.Style // how tables and plots write amounts

	Bet      string `json:"bet"`
	Name     string `json:"name"`
	Spots    int    `json:"spots,omitempty"`
	Numbers  []int  `json:"numbers,omitempty"` // the spots themselves, where they were given
	Pick     string `json:"pick,omitempty"`
	Type     string `json:"type,omitempty"`
	Schedule string `json:"schedule"`
	Clause   string `json:"clause"` // of the prizes

	// RTP is the return of the schedule alone: without fill, growth and
	// multiplier.
	RTP                 Ratio  `json:"rtp"`
	RTPDecimal          string `json:"rtp_decimal"`
	HitFrequency        Ratio  `json:"hit_frequency"`
	HitFrequencyDecimal string `json:"hit_frequency_decimal"`
	Variance            Ratio  `json:"variance"` // of the return of a stake of one
	VarianceDecimal     string `json:"variance_decimal"`

	PerCents money.Amount `json:"per_cents"` // the stake for which the prizes are stated
	Tiers    []Tier       `json:"tiers"`

	Jackpot    *Jackpot    `json:"jackpot,omitempty"`
	Multiplied *Multiplied `json:"multiplier,omitempty"`
	Runs       []Run       `json:"runs,omitempty"`
}

// AppendJSON appends the report as indented JSON with a newline at its end.
func (r *Report) AppendJSON(b []byte) ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return b, fmt.Errorf("odds: encode the report of %s: %w", r.Rulebook, err)
	}
	return append(append(b, text...), '\n'), nil
}

// label names the bet within its schedule: "classic 8", "racing trio".
func (b *Bet) label() string {
	if b.Spots > 0 {
		return b.Bet + " " + strconv.Itoa(b.Spots)
	}
	return b.Bet + " " + b.Pick + b.Type
}

// Tier is one count of matched spots. For a bet that is won or lost it is 1 or 0:
// whether the call, the forecast or the last number came. Of a last number that pays by
// matches it is 0 if the last number is none of the spots. The tiers of a bet
// cover everything that can happen, so that their probabilities sum to one.
type Tier struct {
	Matched     int          `json:"matched"`
	Probability Ratio        `json:"probability"`
	PrizeCents  money.Amount `json:"prize_cents"` // as it is paid for a stake of PerCents

	stated money.Amount // by the table, before rounding
}

// Jackpot is what a jackpot adds to a bet, apart from its return. How large the
// pool is, and with whom it is shared, is not known before the draw.
type Jackpot struct {
	Pays        string `json:"pays"` // addition or substitution
	Clause      string `json:"clause"`
	Probability Ratio  `json:"probability"` // of all spots matched
	Cycle       Ratio  `json:"cycle"`       // plays to one win on average
	// TopPrizeCents is the schedule prize, and FillCents the fixed part beside it.
	TopPrizeCents  money.Amount `json:"top_prize_cents"`
	FillCents      money.Amount `json:"fill_cents,omitempty"`
	TopWithFill    money.Amount `json:"top_with_fill_cents"`
	ResetCents     money.Amount `json:"reset_cents,omitempty"` // what a won pool returns to
	MinimumCents   money.Amount `json:"minimum_cents,omitempty"`
	ReplacedRTP    *Ratio       `json:"replaced_rtp,omitempty"` // what a substituted schedule prize was worth
	FixedRTP       Ratio        `json:"fixed_rtp"`              // fill, or reset value, on a stake of one
	FixedDecimal   string       `json:"fixed_rtp_decimal"`
	Contributions  []Share      `json:"contributions"`
	SeedRepayments []Share      `json:"seed_repayments,omitempty"`
}

// Share is the part of the stakes that goes to a pool while the amount that the
// rule looks at is in a span, and the return with it: what players get back in
// the long run if every cent of the pool is won.
type Share struct {
	Clause     string        `json:"clause"`
	FromCents  *money.Amount `json:"from_cents,omitempty"`
	BelowCents *money.Amount `json:"below_cents,omitempty"`
	Primary    Ratio         `json:"primary"`
	Secondary  *Ratio        `json:"secondary,omitempty"`
	Seed       *Ratio        `json:"seed,omitempty"` // repaid to the operator, not to players
	RTP        Ratio         `json:"rtp_with_jackpot"`
	RTPDecimal string        `json:"rtp_with_jackpot_decimal"`
}

// Multiplier is the distribution of the multiplier over all draws.
type Multiplier struct {
	Name        string   `json:"name"`
	Clause      string   `json:"clause"`
	Mean        Ratio    `json:"mean"`
	MeanDecimal string   `json:"mean_decimal"`
	Factors     []Factor `json:"factors"`
}

// Factor is one value of the multiplier.
type Factor struct {
	Factor      int   `json:"factor"`
	Probability Ratio `json:"probability"`
}

// The picks over which a multiplied return is taken.
const (
	BasisMean  = "mean over random picks" // a terminal picks, or nobody knows the numbers
	BasisGiven = "the given numbers"
	BasisAny   = "any numbers" // a wheel multiplies, and the numbers say nothing about it
	BasisCall  = "the call"    // a call is a pick of half the board: there is only one
)

// Multiplied is the return of a bet together with a side stake equal to it, by
// which the prize is multiplied: of a stake of two, not of one.
type Multiplied struct {
	Name            string        `json:"name"`
	Basis           string        `json:"basis"`
	RunOnly         bool          `json:"run_only,omitempty"` // sold only where the prize runs on
	StakeUnits      int           `json:"stake_units"`
	RTP             Ratio         `json:"rtp"`
	RTPDecimal      string        `json:"rtp_decimal"`
	Variance        Ratio         `json:"variance"`
	VarianceDecimal string        `json:"variance_decimal"`
	BonusJackpot    *BonusJackpot `json:"bonus_jackpot,omitempty"`
}

// BonusJackpot is the fixed prize for a jackpot win with a multiplier of at least
// FactorFrom, apart from the return. It is shared, so that its return is for a
// sole winner.
type BonusJackpot struct {
	FactorFrom  int          `json:"factor_from"`
	PrizeCents  money.Amount `json:"prize_cents"`
	Probability Ratio        `json:"probability"`
	RTP         Ratio        `json:"rtp"`
	RTPDecimal  string       `json:"rtp_decimal"`
}

// Run is the return of a run of games whose prize becomes the next stake, played
// to its end with the same call in every game.
type Run struct {
	Games             int    `json:"games"`
	RTP               Ratio  `json:"rtp"`
	RTPDecimal        string `json:"rtp_decimal"`
	MultipliedRTP     *Ratio `json:"multiplied_rtp,omitempty"`
	MultipliedDecimal string `json:"multiplied_rtp_decimal,omitempty"`
}
