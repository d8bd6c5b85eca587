package command

import (
	"fmt"
	"strings"

	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

func init() {
	register[NameParticipants](act("operator", "name_participants", "name-participants", "/v1/operator/participants",
		"Ask for others to share the jackpots from a game on", "game_not_ahead not_pooled"))
	register[ReportJackpot](act("operator", "report_jackpot", "report-jackpot", "/v1/operator/reports",
		"Ask for a report of another jurisdiction to be taken in", "no_report_due"))
	register[ShareJackpots](act("operator", "share_jackpots", "share-jackpots", "/v1/operator/shares",
		"Ask for the pooled jackpots of a game to be shared",
		"no_report_due nothing_to_share prizes_swept shared_already"))
	register[MovePool](act("operator", "move_pool", "move-pool", "/v1/operator/pools/moves",
		"Ask for jackpot money to be moved", "move_unknown no_jackpot"))
	register[GiveAside](act("operator", "give_aside", "give-aside", "/v1/operator/pools/gifts",
		"Ask for money that was set aside to be shared among winners",
		"move_unknown no_jackpot prizes_swept shared_already"))
	register[MigratePools](act("operator", "migrate_pools", "migrate-pools", "/v1/operator/pools/migrations",
		"Ask for the jackpots of a series that ends to be taken in",
		"approval_missing no_jackpot not_reconciled not_successor pool_empty same_system series_goes_on"))
	register[MigrateBonus](act("operator", "migrate_bonus", "migrate-bonus", "/v1/operator/promotions/migrations",
		"Ask for the bonus prize pool of a series that ends to be taken in",
		"approval_missing no_promotions not_reconciled not_successor offered_still pool_empty same_system series_goes_on"))
	register[TakeInPools](act("operator", "take_in_pools", "take-in-pools", "/v1/operator/pools/openings",
		"Ask for the money of the pools of a system outside to be taken in",
		"approval_missing no_jackpot no_promotions not_successor nothing_taken_in system_missing"))
	register[BeginPromotion](act("operator", "begin_promotion", "begin-promotion", "/v1/operator/promotions",
		"Ask for a prize beyond the schedules",
		"approval_missing bet_outside condition_invalid game_not_ahead item_unknown no_promotions"))
	register[ChangePromotion](act("operator", "change_promotion", "change-promotion", "/v1/operator/promotions/changes",
		"Ask for a promotion to pause, go on or end", "approval_missing change_unclear promotion_unknown"))
}

// NameParticipants says which other jurisdictions share the jackpots from a game on.
type NameParticipants struct {
	From  uint32   `json:"from" of:"next-game" doc:"Ordinal of the first game."`
	Names []string `json:"names" doc:"Ascending; none if the jackpots are this house's alone."`
}

// Words implements Act.
func (c NameParticipants) Words() string {
	names := strings.Join(c.Names, ", ")
	if names == "" {
		names = "nobody"
	}
	return fmt.Sprintf("Share the jackpots from game %d of the series on with: %s.", c.From, names)
}

// Decide implements Command.
func (c NameParticipants) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.NameParticipants(s, record.ParticipantsNamed{Series: e.Series, From: c.From, Names: c.Names}))
}

// ReportJackpot takes in what another jurisdiction says of a pooled jackpot.
type ReportJackpot struct {
	Ordinal      uint32 `json:"ordinal" of:"game"`
	Spots        uint8  `json:"spots" of:"pool"`
	Jurisdiction string `json:"jurisdiction" doc:"Who reports, by the name that the rulebook has."`
	GrowthCents  int64  `json:"growth_cents" doc:"What it adds to the jackpot."`
	StakesCents  int64  `json:"stakes_cents" doc:"Of its winning ways."`
}

// Words implements Act.
func (c ReportJackpot) Words() string {
	return fmt.Sprintf("Take in that %s adds %v to the jackpot of %d spots in game %d of the series, and has winning stakes of %v.",
		c.Jurisdiction, money.Amount(c.GrowthCents), c.Spots, c.Ordinal, money.Amount(c.StakesCents))
}

// Decide implements Command.
func (c ReportJackpot) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.Report(s, e.Series, c.Ordinal, c.Spots, jackpot.Report{
		Jurisdiction: c.Jurisdiction, Growth: money.Amount(c.GrowthCents), Stakes: money.Amount(c.StakesCents),
	}))
}

// ShareJackpots settles the pooled part of a game's jackpots.
type ShareJackpots struct {
	Ordinal uint32 `json:"ordinal" of:"game"`
}

// Words implements Act.
func (c ShareJackpots) Words() string {
	return fmt.Sprintf("Share the pooled jackpots of game %d of the series among its winners.", c.Ordinal)
}

// Decide implements Command.
func (c ShareJackpots) Decide(s *state.State, e *Env) (Decision, error) {
	settled, err := game.Share(s, e.Series, c.Ordinal)
	return Settled(e.Series, c.Ordinal, settled, err)
}

// MovePool moves jackpot money between games.
type MovePool struct {
	Spots     uint8  `json:"spots" of:"pool"`
	Move      string `json:"move" enum:"lend,reallocate,set_aside" doc:"Which way the money goes."`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c MovePool) Words() string {
	return fmt.Sprintf("Move %v of the jackpot of %d spots (%s), by decision %q.", money.Amount(c.Cents), c.Spots,
		c.Move, c.Reference)
}

// Decide implements Command.
func (c MovePool) Decide(s *state.State, e *Env) (Decision, error) {
	moved, postings, err := game.MovePool(s, e.Series, c.Spots, c.Move, money.Amount(c.Cents), c.Reference)
	return one(moved, postings, err)
}

// GiveAside shares jackpot money that was set aside among the winners of a game.
type GiveAside struct {
	Ordinal   uint32 `json:"ordinal" of:"game"`
	Spots     uint8  `json:"spots" of:"pool"`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c GiveAside) Words() string {
	return fmt.Sprintf("Share %v that was set aside of the jackpot of %d spots among the winners of game %d of the series, by decision %q.",
		money.Amount(c.Cents), c.Spots, c.Ordinal, c.Reference)
}

// Decide implements Command.
func (c GiveAside) Decide(s *state.State, e *Env) (Decision, error) {
	settled, err := game.Give(s, e.Series, c.Ordinal, c.Spots, money.Amount(c.Cents), c.Reference)
	return Settled(e.Series, c.Ordinal, settled, err)
}

// MigratePools brings the jackpots of a series that ends into those of this one.
type MigratePools struct {
	From      uint8  `json:"from" of:"series" doc:"Number of the series that ends."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c MigratePools) Words() string {
	return fmt.Sprintf("Take in the jackpots of series %d, by decision %q.", c.From, c.Reference)
}

// Decide implements Command.
func (c MigratePools) Decide(s *state.State, e *Env) (Decision, error) {
	moved, postings, err := game.Migrate(s, c.From, e.Series, c.Reference)
	return one(moved, postings, err)
}

// MigrateBonus brings the bonus prize pool of a series that ends into that of this one.
type MigrateBonus struct {
	From      uint8  `json:"from" of:"series" doc:"Number of the series that ends."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c MigrateBonus) Words() string {
	return fmt.Sprintf("Take in the bonus prize pool of series %d, by decision %q.", c.From, c.Reference)
}

// Decide implements Command.
func (c MigrateBonus) Decide(s *state.State, e *Env) (Decision, error) {
	moved, postings, err := game.MigrateBonus(s, c.From, e.Series, c.Reference)
	return one(moved, postings, err)
}

// TakeInPools brings in what players have put into the pools of a system outside the house.
type TakeInPools struct {
	System       string `json:"system" doc:"Name of the system that the money comes from."`
	JackpotCents int64  `json:"jackpot_cents,omitempty" doc:"Players' money in its jackpots. It comes into the jackpot in the lots of the rulebook."`
	BonusCents   int64  `json:"bonus_cents,omitempty" doc:"Money of its bonus prize pool."`
	Reference    string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c TakeInPools) Words() string {
	return fmt.Sprintf("Take in %v for jackpots and %v for bonus prizes from the system %q, whose operator pays it in, by decision %q.",
		money.Amount(c.JackpotCents), money.Amount(c.BonusCents), c.System, c.Reference)
}

// Decide implements Command.
func (c TakeInPools) Decide(s *state.State, e *Env) (Decision, error) {
	taken, postings, err := game.TakeIn(s, record.PoolsTakenIn{Series: e.Series, System: c.System,
		JackpotCents: money.Amount(c.JackpotCents), BonusCents: money.Amount(c.BonusCents), Approval: c.Reference})
	return one(taken, postings, err)
}

// BonusPrize is a prize that falls at random on a ready ticket.
type BonusPrize struct {
	Cents int64  `json:"cents"`
	Num   uint32 `json:"num" doc:"In so many of den cases."`
	Count uint32 `json:"count" doc:"So many of them."`
}

// BeginPromotion offers a prize beyond the schedules.
type BeginPromotion struct {
	Name      string `json:"name"`
	From      uint32 `json:"from" of:"next-game" doc:"Ordinal of the first game."`
	Last      uint32 `json:"last,omitempty" doc:"Ordinal of the last game; absent if it goes on until it is won or ended."`
	Cents     int64  `json:"cents" doc:"In all."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
	// The conditions of a promotion on draws.
	Bet        string `json:"bet,omitempty"`
	Spots      uint8  `json:"spots,omitempty"`
	Matched    uint8  `json:"matched,omitempty" doc:"How many numbers must be matched."`
	LeastCents int64  `json:"least_cents,omitempty" doc:"Least stake on a way."`
	// A promotion on a ready ticket.
	Item   string       `json:"item,omitempty" doc:"Id of the ready ticket that takes part."`
	Den    uint32       `json:"den,omitempty" doc:"A prize falls on one of so many tickets."`
	Prizes []BonusPrize `json:"prizes,omitempty" doc:"The prizes, and how many there are of each."`
}

// Words implements Act.
func (c BeginPromotion) Words() string {
	what := fmt.Sprintf("Offer %q with %v in all from game %d of the series", c.Name, money.Amount(c.Cents), c.From)
	if c.Last > 0 {
		what += fmt.Sprintf(" to game %d", c.Last)
	}
	if c.Item == "" {
		what += fmt.Sprintf(", for %d of %d spots of %s on a stake of at least %v", c.Matched, c.Spots, c.Bet,
			money.Amount(c.LeastCents))
	} else {
		what += fmt.Sprintf(", on tickets of the kind %s", c.Item)
		for _, p := range c.Prizes {
			what += fmt.Sprintf(", %d of %v in %d of %d cases", p.Count, money.Amount(p.Cents), p.Num, c.Den)
		}
	}
	return fmt.Sprintf("%s, by decision %q.", what, c.Reference)
}

// Decide implements Command.
func (c BeginPromotion) Decide(s *state.State, e *Env) (Decision, error) {
	b := record.PromotionBegun{
		Series: e.Series, Name: c.Name, From: c.From, Last: c.Last, AmountCents: money.Amount(c.Cents),
		Approval: c.Reference,
		Bet:      c.Bet, Spots: c.Spots, Matched: c.Matched, LeastCents: money.Amount(c.LeastCents), Item: c.Item,
		Den: c.Den,
	}
	for _, p := range c.Prizes {
		b.Prizes = append(b.Prizes, record.BonusPrize{Cents: money.Amount(p.Cents), Num: p.Num, Count: p.Count})
	}
	begun, postings, err := game.BeginPromotion(s, b)
	return one(begun, postings, err)
}

// ChangePromotion pauses a promotion, lets it go on, or ends it.
type ChangePromotion struct {
	Number    uint32 `json:"number" of:"promotion"`
	Paused    bool   `json:"paused,omitempty"`
	Ended     bool   `json:"ended,omitempty" doc:"The promotion ends for good."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c ChangePromotion) Words() string {
	what := "Let promotion %d go on, by decision %q."
	if c.Ended {
		what = "End promotion %d, by decision %q."
	} else if c.Paused {
		what = "Pause promotion %d, by decision %q."
	}
	return fmt.Sprintf(what, c.Number, c.Reference)
}

// Decide implements Command.
func (c ChangePromotion) Decide(s *state.State, e *Env) (Decision, error) {
	changed, postings, err := game.ChangePromotion(s, record.PromotionChanged{
		Series: e.Series, Number: c.Number, Paused: c.Paused, Ended: c.Ended, Approval: c.Reference,
	})
	return one(changed, postings, err)
}

// list writes numbers with commas.
func list(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}
