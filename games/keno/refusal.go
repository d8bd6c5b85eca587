package keno

import (
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/rulebook"
)

// Refusal is a sale that cannot be: the code for programs, the clause for the
// inspector, the field for the terminal and a sentence for the person at the
// counter. Every error of this package that a player can cause is one.
type Refusal = refusal.Refusal

// Code says why a sale is refused. Codes are stable: they are never renamed and
// never change their meaning.
type Code = refusal.Code

// The codes of the form, found in the order of the text: the first one ends the
// reading. Their refusals have a path and no clause.
const (
	FormTooLong    Code = "form_too_long"   // the form has more bytes than are read
	FormSyntax     Code = "form_syntax"     // not JSON, or something after its end
	FieldUnknown   Code = "field_unknown"   // a name that the form does not have here
	FieldRepeated  Code = "field_repeated"  // a name twice in one object
	FieldMissing   Code = "field_missing"   // a field that must be there
	FieldValue     Code = "field_value"     // a value of the wrong kind or out of bounds
	FieldConflict  Code = "field_conflict"  // fields that do not go together
	VersionUnknown Code = "version_unknown" // a form of another version
)

// The codes of the rules. A ticket that offends several rules is refused by the
// one that comes first in this list, and of several bets by the first.
const (
	RulebookOther   Code = "rulebook_other"        // the ticket names another rulebook
	RulebookExpired Code = "rulebook_not_in_force" // the first game is outside the rulebook's time

	ReplayUnknown  Code = "replay_unknown"   // no such old ticket, or no such bet on it
	DelayedNotSold Code = "delayed_not_sold" // no delayed start, or no designated game
	GameNotOpen    Code = "game_not_open"    // no game is open, or not the one named

	BetNotSold Code = "bet_not_sold" // the rulebook has no such bet
	BetShape   Code = "bet_shape"    // fields of another form of bet

	ItemUnknown   Code = "item_unknown"    // no such ready ticket, or another edition
	ItemElsewhere Code = "item_elsewhere"  // a ready ticket of another venue, or not for such a terminal
	ItemFixed     Code = "item_fixed"      // a particular that the ready ticket fixes
	ItemNotRandom Code = "item_not_random" // the ready ticket has no picked form
	PickNotSold   Code = "pick_not_sold"   // the bet has no such pick, or not at such a terminal
	PicksTooMany  Code = "picks_too_many"  // more than one pick on the ticket

	ChannelNotAllowed Code = "channel_not_allowed"  // no entry at such a terminal
	MethodNotAllowed  Code = "method_not_allowed"   // no entry in such a way
	RunnerNotAllowed  Code = "runner_not_allowed"   // a runner may not carry such an entry
	BetNotByMethod    Code = "bet_not_by_method"    // not this bet in such a way
	WaysNotByMethod   Code = "ways_not_by_method"   // not a way bet in such a way
	GamesTooMany      Code = "games_too_many"       // more consecutive games than are sold
	OneCallPerGame    Code = "one_call_per_game"    // more than one call on the ticket
	SeriesNotSold     Code = "series_not_sold"      // the call may not vary
	RunNotSold        Code = "run_not_sold"         // the prize may not become the next stake
	SeriesTooShort    Code = "series_too_short"     // a run over a single game
	SeriesTooLong     Code = "series_too_long"      // over too many games
	SeriesGames       Code = "series_games"         // calls and games differ in number
	PlayNotSold       Code = "play_not_sold"        // no way bet, or ways may not be named so
	GroupsTooFew      Code = "groups_too_few"       // fewer than two groups
	GroupsOverlap     Code = "groups_overlap"       // a number in two groups
	SizeNotSold       Code = "size_not_sold"        // no bet of so many spots
	TypeNotFormed     Code = "type_not_formed"      // no way of the named type
	WaysTooFew        Code = "ways_too_few"         // fewer than two ways
	WaysTooMany       Code = "ways_too_many"        // more ways than are sold
	RaceTypeUnknown   Code = "race_type_unknown"    // no such racing bet
	RowUnknown        Code = "row_unknown"          // no such row
	PlacesCount       Code = "places_count"         // not one list of rows a place
	NoCombination     Code = "no_combination"       // the rows fill the places in no way
	FeatureNotSold    Code = "feature_not_sold"     // the rulebook has no such feature
	FeatureNotWithBet Code = "feature_not_with_bet" // not with this bet
	FeatureOnlyRun    Code = "feature_only_run"     // only when the prize runs on
	FeatureNotWays    Code = "feature_not_ways"     // not with a way bet
	FeatureSize       Code = "feature_size"         // not with so many spots
	FeatureStake      Code = "feature_stake"        // its stake must equal the bet's
	FeatureGames      Code = "feature_games"        // not for so many games

	AmountTooLarge Code = "amount_too_large" // a total that no amount holds
)

// The codes of money. A rulebook's limits are checked last and in the order of
// its file, and of one limit the minimum first, then the maximum, then the step;
// so among these codes the rulebook sets the order.
const (
	StakeBelowMinimum  Code = "stake_below_minimum"        // the stake of a way is below its least
	StakeAboveMaximum  Code = "stake_above_maximum"        // the stake of a way is above its most
	StakeStep          Code = "stake_step"                 // the stake of a way is no multiple of its step
	BetBelowMinimum    Code = "bet_total_below_minimum"    // a bet costs less in a game than its least
	BetAboveMaximum    Code = "bet_total_above_maximum"    // a bet costs more in a game than its most
	BetStep            Code = "bet_total_step"             // what a bet costs in a game is no multiple of its step
	GameBelowMinimum   Code = "game_total_below_minimum"   // the ticket costs less in a game than its least
	GameAboveMaximum   Code = "game_total_above_maximum"   // the ticket costs more in a game than its most
	GameStep           Code = "game_total_step"            // what the ticket costs in a game is no multiple of its step
	TicketBelowMinimum Code = "ticket_total_below_minimum" // the ticket costs less than its least
	TicketAboveMaximum Code = "ticket_total_above_maximum" // the ticket costs more than its most
	TicketStep         Code = "ticket_total_step"          // what the ticket costs is no multiple of its step
)

// OutcomeFull refuses a ticket whose outcome has all the money that all tickets
// together may put on it. Only the engine, which knows them all, can use it.
const OutcomeFull Code = "outcome_full"

// Codes lists every code in order.
func Codes() []Code {
	return []Code{
		FormTooLong, FormSyntax, FieldUnknown, FieldRepeated, FieldMissing, FieldValue, FieldConflict, VersionUnknown,
		RulebookOther, RulebookExpired,
		ReplayUnknown, DelayedNotSold, GameNotOpen,
		BetNotSold, BetShape,
		ItemUnknown, ItemElsewhere, ItemFixed, ItemNotRandom, PickNotSold, PicksTooMany,
		ChannelNotAllowed, MethodNotAllowed, RunnerNotAllowed, BetNotByMethod, WaysNotByMethod, GamesTooMany,
		OneCallPerGame, SeriesNotSold, RunNotSold, SeriesTooShort, SeriesTooLong, SeriesGames,
		PlayNotSold, GroupsTooFew, GroupsOverlap, SizeNotSold, TypeNotFormed, WaysTooFew, WaysTooMany,
		RaceTypeUnknown, RowUnknown, PlacesCount, NoCombination,
		FeatureNotSold, FeatureNotWithBet, FeatureOnlyRun, FeatureNotWays, FeatureSize, FeatureStake, FeatureGames,
		AmountTooLarge,
		StakeBelowMinimum, StakeAboveMaximum, StakeStep,
		BetBelowMinimum, BetAboveMaximum, BetStep,
		GameBelowMinimum, GameAboveMaximum, GameStep,
		TicketBelowMinimum, TicketAboveMaximum, TicketStep,
		OutcomeFull,
	}
}

// refuse makes the refusal of a rule.
func refuse(code Code, clauses, path, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Clause: rulebook.Quoted(clauses), Path: path, Sentence: fmt.Sprintf(format, args...)}
}
