package command

import (
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// The codes of what the operator does with games.
const RulebookAdopted refusal.Code = "rulebook_adopted" // the house has it already

var central = Who{Roles: []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative}}

func init() {
	register[AdoptRulebook](act("operator", "adopt_rulebook", "adopt-rulebook", "/v1/operator/rulebooks",
		"Ask for a rulebook of the program to be adopted", "rulebook_adopted rulebook_unknown").said(RulebookID{}))
	register[LicenseVenue](act("operator", "license_venue", "license-venue", "/v1/operator/licences",
		"Ask that a venue may sell the games of a series, or no longer",
		"licence_known licence_reference series_over series_unknown two_systems venue_unknown"))
	register[BeginSeries](act("operator", "begin_series", "begin-series", "/v1/operator/series",
		"Ask for a further series of games beside those that the house has",
		"approval_missing examples_left other_currency other_zone rulebook_unknown schedule_unknown series_interval series_known series_name"))
	register[EndSeries](act("operator", "end_series", "end-series", "/v1/operator/series/ends",
		"Ask for the last Keno Day of the series to be set",
		"approval_missing day_is_past games_missing out_of_bounds series_over sold_beyond"))
	register[ChangeTerms](act("operator", "change_terms", "change-terms", "/v1/operator/terms",
		"Ask for another rulebook or schedule from a game on",
		`approval_missing examples_left game_not_ahead no_jackpot other_currency other_game_numbers other_zone rulebook_unknown system_fixed
		schedule_unknown`))
	register[DesignateGame](act("operator", "designate_game", "designate-game", "/v1/operator/designations",
		"Ask for a game of delayed start",
		"day_not_open game_not_ahead game_numbers_used no_delayed_start no_game_open"))
	register[OpenDay](act("operator", "open_day", "open-day", "/v1/operator/days",
		"Ask for a Keno Day to be opened by hand",
		"chain_missing day_is_past day_not_now day_not_open not_in_force series_over").said(DayName{}))
	register[CloseDay](act("operator", "close_day", "close-day", "/v1/operator/days/close",
		"Ask for the Keno Day to be closed by hand", "day_not_open day_not_over"))
	register[AnnounceClosure](act("operator", "announce_closure", "announce-closure", "/v1/operator/closure",
		"Ask for players to be told that trading ends early", "day_not_open notice_too_short").said(Closure{}))
	register[VoidDraw](act("operator", "void_draw", "void-draw", "/v1/operator/draws/void",
		"Ask for the numbers of a draw not to count: the game is drawn again",
		"clause_unknown game_not_ready reason_missing result_stands say_it_at_the_cage"))
	register[ConfirmResult](act("operator", "confirm_result", "confirm-result", "/v1/operator/draws/repeats",
		"Ask for a result to stand although it equals a recent one",
		"game_not_ready reason_missing result_not_repeated"))
	register[VoidGame](act("operator", "void_game", "void-game", "/v1/operator/games/void",
		"Ask for a game without a result: its plays go to the next, or stakes go back",
		"clause_unknown fate_unknown game_not_ready reason_missing result_stands say_it_at_the_cage"))
	register[CorrectResult](act("operator", "correct_result", "correct-result", "/v1/operator/results/corrections",
		"Ask for a game to be settled anew by the numbers that were drawn",
		"claims_open clause_unknown nothing_corrected numbers_malformed official_record past_missing prizes_ran_on prizes_swept shared_already"))

	register[Pause](Row{Name: "pause", Refuses: "paused reason_missing", Path: "/v1/operator/pause",
		Says: "Stop sale and draws", Tag: "operator", Who: central}.counted().
		alone("it stops something"))
	register[Resume](Row{Name: "resume", Refuses: "not_paused", Path: "/v1/operator/resume",
		Says: "Let sale and draws go on", Tag: "operator", Who: central}.counted().
		alone("what was stopped goes on as it was"))
	register[ShowNotice](Row{
		Name: "show-notice", Refuses: "notice_wrong", Method: "PUT", Path: "/v1/operator/notice",
		Says: "Tell players something on every screen, or take it down", Tag: "operator", Who: central,
	}.counted().
		alone("a sentence"))
}

// RulebookID is the body with which a rulebook is to be adopted.
type RulebookID struct {
	ID        string `json:"id" of:"carried-rulebook" doc:"Id of a rulebook that the program has."`
	Reference string `json:"reference,omitempty" doc:"Of the decision outside the house that allows it, if there is one."`
}

// AdoptRulebook brings a rulebook of the program into the journal, so that terms can name it.
type AdoptRulebook struct {
	ID        string `json:"id" doc:"Id of a rulebook that the program has."`
	Hash      string `json:"hash" doc:"Its hash, 64 hexadecimal digits; another edition of the program may have another one."`
	Reference string `json:"reference,omitempty" doc:"Of the decision outside the house that allows it, if there is one."`
}

// Words implements Act.
func (c AdoptRulebook) Words() string {
	if c.Reference != "" {
		return fmt.Sprintf("Adopt the rulebook %s, edition %s, by decision %q.", c.ID, c.Hash, c.Reference)
	}
	return fmt.Sprintf("Adopt the rulebook %s, edition %s.", c.ID, c.Hash)
}

// Decide implements Command.
func (c AdoptRulebook) Decide(s *state.State, _ *Env) (Decision, error) {
	book, err := rules.Book(c.ID)
	if err != nil || book.Hash().String() != c.Hash {
		return Decision{}, &refusal.Refusal{Code: game.RulebookUnknown, Path: "id",
			Sentence: "This program has no rulebook of that id and hash."}
	}
	if _, ok := s.Book(record.Hash(book.Hash())); ok {
		return Decision{}, &refusal.Refusal{Code: RulebookAdopted, Path: "id",
			Sentence: fmt.Sprintf("The house has adopted this edition of %s already.", c.ID)}
	}
	return plain(&record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical(),
		Reference: c.Reference}, nil)
}

// BeginSeries begins a further series of games: it has its own timetable, days, jackpots and books.
type BeginSeries struct {
	Name      string `json:"name" doc:"Of the series, as in seals: small letters, digits and hyphens."`
	Rulebook  string `json:"rulebook" of:"adopted-rulebook" doc:"Hash of an adopted rulebook, 64 hexadecimal digits."`
	Schedule  string `json:"schedule"`
	Interval  uint32 `json:"interval_seconds" doc:"Time between the closes of two games, in seconds."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c BeginSeries) Words() string {
	return fmt.Sprintf("Begin a series of games %s by schedule %s of the rulebook %s, with a game every %s, by decision %q.",
		c.Name, c.Schedule, c.Rulebook, figure.Count(int(c.Interval), "second"), c.Reference)
}

// Decide implements Command.
func (c BeginSeries) Decide(s *state.State, _ *Env) (Decision, error) {
	hash, err := rulebook.ParseHash(c.Rulebook)
	if err != nil {
		return Decision{}, &refusal.Refusal{Code: game.RulebookUnknown, Path: "rulebook",
			Sentence: "A rulebook is named by the 64 digits of its hash."}
	}
	begun, err := game.BeginSeries(s, record.SeriesBegun{Series: s.NextSeries(), Name: c.Name, Rulebook: record.Hash(hash),
		Schedule: c.Schedule, Interval: c.Interval, Approval: c.Reference})
	if err != nil {
		return Decision{}, err
	}
	return Decision{Facts: []Fact{{Body: begun}}, Answer: begun,
		Then: func(s *state.State, _ *Env) (Decision, error) { return openedPools(s, begun.Series) }}, nil
}

// openedPools opens the jackpots of a series that has just begun; of a series that is only tried, none.
func openedPools(s *state.State, series uint8) (Decision, error) {
	if _, ok := s.Series(series); !ok {
		return Decision{}, nil
	}
	opened, postings, err := game.OpenPools(s, series)
	var d Decision
	for i := range opened {
		d.Facts = append(d.Facts, Fact{Body: &opened[i], Postings: postings[i]})
	}
	return d, err
}

// ChangeTerms announces the rulebook and the schedule from a game on.
type ChangeTerms struct {
	From      uint32 `json:"from" of:"next-game" doc:"Ordinal of the first game, as games show it."`
	Rulebook  string `json:"rulebook" of:"adopted-rulebook" doc:"Hash of an adopted rulebook, 64 hexadecimal digits."`
	Schedule  string `json:"schedule"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Words implements Act.
func (c ChangeTerms) Words() string {
	return fmt.Sprintf("Play by schedule %s of the rulebook %s from game %d of the series on, by decision %q.",
		c.Schedule, c.Rulebook, c.From, c.Reference)
}

// Decide implements Command.
func (c ChangeTerms) Decide(s *state.State, e *Env) (Decision, error) {
	hash, err := rulebook.ParseHash(c.Rulebook)
	if err != nil {
		return Decision{}, &refusal.Refusal{Code: game.RulebookUnknown, Path: "rulebook",
			Sentence: "A rulebook is named by its hash, 64 hexadecimal digits."}
	}
	return plain(game.ChangeTerms(s,
		record.TermsChanged{Series: e.Series, From: c.From, Rulebook: record.Hash(hash), Schedule: c.Schedule,
			Approval: c.Reference}))
}

// LicenseVenue says whether a venue sells the games of a series. Tickets that it has sold are paid there all the same.
type LicenseVenue struct {
	Venue     uint32 `json:"venue" of:"venue"`
	Series    uint8  `json:"of_series" of:"series" doc:"Number of the series of games."`
	Sells     bool   `json:"sells" doc:"The venue may sell."`
	Instead   uint8  `json:"instead,omitempty" doc:"Number of a series whose sale ends there with the same act."`
	Reference string `json:"reference" doc:"Of the decision outside the house."`
}

// Words implements Act.
func (c LicenseVenue) Words() string {
	what := fmt.Sprintf("Let venue %d sell series %d", c.Venue, c.Series)
	if !c.Sells {
		what = fmt.Sprintf("End the sale of series %d at venue %d", c.Series, c.Venue)
	}
	if c.Instead != 0 {
		what += fmt.Sprintf(" instead of series %d", c.Instead)
	}
	return fmt.Sprintf("%s, by decision %q.", what, c.Reference)
}

// Decide implements Command.
func (c LicenseVenue) Decide(s *state.State, _ *Env) (Decision, error) {
	return plain(counter.License(s, record.VenueLicensed{Venue: c.Venue, Series: c.Series, Sells: c.Sells,
		Approval: c.Reference,
		Instead:  c.Instead}))
}

// EndSeries says with which Keno Day the series ends. Prizes are paid and claimed after it as before.
type EndSeries struct {
	LastDay   string `json:"last_day" of:"day" doc:"The last Keno Day, such as 2027-03-31."`
	Games     uint32 `json:"games" doc:"Games that a Keno Day of the series has by its timetable. Tickets are sold up to the last of them."`
	Reference string `json:"reference" doc:"Of the decision outside the house."`
}

// Words implements Act.
func (c EndSeries) Words() string {
	return fmt.Sprintf("End the series with Keno Day %s, at %s a day, by decision %q.", c.LastDay,
		figure.Count(int(c.Games), "game"), c.Reference)
}

// Decide implements Command.
func (c EndSeries) Decide(s *state.State, e *Env) (Decision, error) {
	last, err := day.Parse(c.LastDay)
	if err != nil {
		return Decision{}, &refusal.Refusal{Code: OutOfBounds, Path: "last_day",
			Sentence: "A Keno Day is written as 2027-03-31."}
	}
	return plain(game.Limit(s, record.SeriesLimited{Series: e.Series, LastDay: last, Games: c.Games,
		Approval: c.Reference}))
}

// DesignateGame announces a game of delayed start.
type DesignateGame struct {
	Ordinal uint32 `json:"ordinal" of:"next-game"`
}

// Words implements Act.
func (c DesignateGame) Words() string {
	return fmt.Sprintf("Announce game %d of the series as a game of delayed start.", c.Ordinal)
}

// Decide implements Command.
func (c DesignateGame) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.Designate(s, e.Series, c.Ordinal))
}

// DayName is the body with which a Keno Day is to be opened.
type DayName struct {
	Day string `json:"day" of:"day" doc:"A date."`
}

// OpenDay begins a Keno Day.
type OpenDay struct {
	Day           string `json:"day" doc:"A date."`
	OffsetSeconds int32  `json:"offset_seconds" doc:"What local clocks add to UTC."`
}

// Words implements Act.
func (c OpenDay) Words() string {
	return fmt.Sprintf("Open Keno Day %s, where clocks are %d seconds ahead of UTC.", c.Day, c.OffsetSeconds)
}

// Decide implements Command. What follows from the day has one order: the tax of months that are over, papers and then
// prizes whose time is over, and the statements of venues.
func (c OpenDay) Decide(s *state.State, e *Env) (Decision, error) {
	d, err := day.Parse(c.Day)
	if err != nil {
		return Decision{}, &refusal.Refusal{Code: game.DayNotOpen, Path: "day",
			Sentence: "A Keno Day is a date such as 2026-11-15."}
	}
	// A date that is wrong stays wrong, whether or not the day before is closed by now.
	if err := game.CheckDate(e.Now, d, c.OffsetSeconds); err != nil {
		return Decision{}, err
	}
	decision, err := plain(game.OpenDay(s, e.Series, d, c.OffsetSeconds))
	if err != nil {
		return decision, err
	}
	// Returns of tax stand in one decision with the day: a return that cannot be written is found before anything is.
	taxes, err := game.Taxes(s, e.Series, d)
	if err != nil {
		return Decision{}, err
	}
	decision.Facts = append(decision.Facts, taxed(taxes)...)
	decision.Then = func(s *state.State, e *Env) (Decision, error) { return over(s, e.Series, d) }
	return decision, err
}

// taxed are the facts of returns of tax.
func taxed(list []game.Taxing) (facts []Fact) {
	for _, t := range list {
		facts = append(facts, Fact{t.Record, t.Postings})
	}
	return facts
}

// over is what a Keno Day ends when it opens: papers, prizes that nobody has claimed, and tickets of other systems.
func over(s *state.State, id uint8, today day.Day) (Decision, error) {
	series, ok := s.Series(id)
	if !ok {
		return Decision{}, nil
	}
	var all Decision
	for _, x := range counter.ExpirePapers(s, series, today) {
		all.Facts = append(all.Facts, Fact{x.Record, x.Postings})
	}
	all.Then = func(s *state.State, _ *Env) (Decision, error) { return swept(s, id, today) }
	return all, nil
}

func swept(s *state.State, id uint8, today day.Day) (Decision, error) {
	series, _ := s.Series(id)
	swept, err := counter.Sweep(s, series, today)
	var all Decision
	for _, x := range swept {
		all.Facts = append(all.Facts, Fact{x.Record, x.Postings})
	}
	if err != nil {
		return all, err
	}
	lapsed, err := counter.LapseOthers(s, series, today)
	for _, x := range lapsed {
		all.Facts = append(all.Facts, Fact{x.Record, x.Postings})
	}
	all.Then = func(s *state.State, _ *Env) (Decision, error) { return stated(s, today) }
	return all, err
}

// stated makes the statements of venues that are due as a Keno Day opens. They follow what the day ends.
func stated(s *state.State, today day.Day) (Decision, error) {
	statements, err := counter.StateVenues(s, today)
	var all Decision
	for _, x := range statements {
		all.Facts = append(all.Facts, Fact{x.Record, x.Postings})
	}
	return all, err
}

// CloseDay ends the Keno Day.
type CloseDay struct {
	Day string `json:"day" of:"today" doc:"The date of the day that is open."`
}

// Words implements Act.
func (c CloseDay) Words() string { return fmt.Sprintf("Close Keno Day %s.", c.Day) }

// Decide implements Command. The record states what the house comes to, the use of the approval
// included, so that it is made behind that.
func (c CloseDay) Decide(s *state.State, e *Env) (Decision, error) {
	if current, ok := s.Series(e.Series); ok && current.Day.String() != c.Day {
		return Decision{}, &refusal.Refusal{Code: game.DayNotOpen, Path: "day",
			Sentence: fmt.Sprintf("The last Keno Day that opened is %v.", current.Day)}
	}
	if e.By.Person != 0 { // The house itself closes it by its timetable.
		if err := game.CheckShortened(s, e.Series, e.Now, e.By.Person, e.With); err != nil {
			return Decision{}, err
		}
	}
	// A book that cannot be written is found before anything is.
	_, err := closed(s, e)
	return Decision{Then: closed}, err
}

// CheckConsent implements Consented.
func (c CloseDay) CheckConsent(s *state.State, e *Env, second uint32) error {
	return game.CheckShortened(s, e.Series, e.Now, e.By.Person, second)
}

// closed ends the Keno Day, with its book.
func closed(s *state.State, e *Env) (Decision, error) {
	closed, err := game.CloseDay(s, e.Series)
	if err != nil {
		return Decision{}, err
	}
	book, err := e.CloseBook(closed)
	return Decision{Facts: []Fact{{Body: closed}}, Objects: []Object{book}, Then: lastTaxed}, err
}

// lastTaxed states the tax of the last month of a series with the close of its last Keno Day.
func lastTaxed(s *state.State, e *Env) (Decision, error) {
	taxes, err := game.LastTax(s, e.Series)
	return Decision{Facts: taxed(taxes)}, err
}

// Closure is the body with which the early end of trading is asked for.
type Closure struct {
	At time.Time `json:"at" doc:"When trading ends. The rulebook says how long before players must be told."`
}

// AnnounceClosure tells players that trading ends early. No game of the Keno Day opens after
// that, so it ends the day as surely as closing it by hand.
type AnnounceClosure struct {
	At string `json:"at" doc:"When trading ends, such as 2026-11-15T20:00:00Z."`
}

// Words implements Act.
func (c AnnounceClosure) Words() string {
	return fmt.Sprintf("Tell players that trading ends at %s, and open no game of the Keno Day after that.", c.At)
}

// Decide implements Command.
func (c AnnounceClosure) Decide(s *state.State, e *Env) (Decision, error) {
	at, err := time.Parse(time.RFC3339, c.At)
	if err != nil {
		return Decision{}, &refusal.Refusal{Code: game.NoticeTooShort, Path: "at",
			Sentence: "When trading ends is an instant such as 2026-11-15T20:00:00Z."}
	}
	return plain(game.AnnounceClosure(s, e.Series, record.Of(at), e.Now, e.By.Person))
}

// VoidDraw declares that the numbers of a draw do not count: the game is drawn again.
type VoidDraw struct {
	Ordinal uint32 `json:"ordinal" of:"game" among:"drawing,drawn"`
	Draw    uint8  `json:"draw" usual:"1" doc:"Which draw of the game, counted from 1."`
	Reason  string `json:"reason"`
	Clause  string `json:"clause" of:"clause" doc:"That the reason comes under."`
}

func (c VoidDraw) on() uint32 { return c.Ordinal }

// Words implements Act.
func (c VoidDraw) Words() string {
	return fmt.Sprintf("Declare draw %d of game %d of the series void under %s, so that it is drawn again: %s.", c.Draw,
		c.Ordinal, c.Clause, c.Reason)
}

// Decide implements Command.
func (c VoidDraw) Decide(s *state.State, e *Env) (Decision, error) {
	if err := checkDraw(s, e.Series, c.Ordinal, c.Draw); err != nil {
		return Decision{}, err
	}
	return plain(game.VoidDraw(s, e.Series, c.Ordinal,
		game.Void{Reason: c.Reason, Clause: c.Clause, Approval: e.Approval}))
}

// checkDraw refuses an act on another draw of a game than the one that counts: another draw
// is another thing than two persons agreed on.
func checkDraw(s *state.State, series uint8, ordinal uint32, draw uint8) error {
	if current, ok := s.Series(series); ok {
		if g, ok := current.Game(ordinal); ok && g.Draw != draw {
			return &refusal.Refusal{Code: game.GameNotReady, Path: "draw",
				Sentence: fmt.Sprintf("Draw %d of the game is the one that counts now.", g.Draw)}
		}
	}
	return nil
}

// ConfirmResult declares that a result stands although it equals a recent one.
type ConfirmResult struct {
	Ordinal uint32 `json:"ordinal" of:"game" among:"drawing,drawn"`
	Draw    uint8  `json:"draw" usual:"1" doc:"Which draw of the game, counted from 1."`
	Reason  string `json:"reason" doc:"Why the result stands: what was looked at."`
}

func (c ConfirmResult) on() uint32 { return c.Ordinal }

// Words implements Act.
func (c ConfirmResult) Words() string {
	return fmt.Sprintf("Let the result of draw %d of game %d of the series stand although it equals a recent one: %s.",
		c.Draw, c.Ordinal, c.Reason)
}

// Decide implements Command.
func (c ConfirmResult) Decide(s *state.State, e *Env) (Decision, error) {
	if err := checkDraw(s, e.Series, c.Ordinal, c.Draw); err != nil {
		return Decision{}, err
	}
	return plain(game.ConfirmResult(s, e.Series, c.Ordinal, game.Void{Reason: c.Reason, Approval: e.Approval}))
}

// VoidGame ends a game without a result: its plays go to the next game, or their stakes
// go back, as the rulebook says.
type VoidGame struct {
	Ordinal uint32 `json:"ordinal" of:"game" among:"closed,sealed,drawing,drawn"`
	Reason  string `json:"reason"`
	Clause  string `json:"clause" of:"clause" doc:"That the reason comes under."`
	Fate    string `json:"fate,omitempty" enum:"refund" doc:"Absent to leave it to the rulebook; refund if no further game of the Keno Day is possible, where the rulebook has the choice. Nothing is sold or drawn after that until the day is closed."`
}

func (c VoidGame) on() uint32 { return c.Ordinal }

// Words implements Act. What becomes of the plays where two persons leave it to the rulebook is
// foretold.
func (c VoidGame) Words() string {
	says := fmt.Sprintf("End game %d of the series without a result under %s: %s.", c.Ordinal, c.Clause, c.Reason)
	if c.Fate == "" {
		return says
	}
	return says +
		" No further game of the Keno Day is possible, so the stakes go back, nothing more is sold or drawn this day, and the game on sale ends the same way."
}

// Decide implements Command.
func (c VoidGame) Decide(s *state.State, e *Env) (Decision, error) {
	if c.Fate != "" && c.Fate != game.FateRefund {
		return Decision{}, &refusal.Refusal{Code: game.FateUnknown, Path: "fate",
			Sentence: "The stakes of a void game go back by choice (refund), or the rulebook decides."}
	}
	return Voided(s, e.Series, c.Ordinal,
		game.Void{Reason: c.Reason, Clause: c.Clause, Approval: e.Approval, Refund: c.Fate != ""})
}

// Voided is what comes of a game that ends without a result: what runs on to the next game
// stands before it.
func Voided(s *state.State, series uint8, ordinal uint32, v game.Void) (Decision, error) {
	return voided(series, ordinal)(game.VoidGame(s, series, ordinal, v))
}

// VoidedLate is what comes of the end of a game whose seal was not cosigned in time.
func VoidedLate(s *state.State, series uint8, ordinal uint32, now record.Time) (Decision, error) {
	return voided(series, ordinal)(game.VoidLate(s, series, ordinal, now))
}

// voided is what comes of the end of a game without a result: prizes that run on stand before it.
func voided(series uint8, ordinal uint32) func(game.Voided, error) (Decision, error) {
	return func(v game.Voided, err error) (Decision, error) {
		if err != nil {
			return Decision{}, err
		}
		return with(v.Carried, Fact{v.Record, v.Postings},
			Object{Name: game.WinnersName(series, ordinal, 1), Data: v.Winners}), nil
	}
}

// Settled is what comes of a settlement: prizes that run on stand before it.
func Settled(series uint8, ordinal uint32, s game.Settled, err error) (Decision, error) {
	if err != nil {
		return Decision{}, err
	}
	return with(s.Carried, Fact{s.Record, s.Postings},
		Object{Name: game.WinnersName(series, ordinal, s.Record.Revision), Data: s.Winners}), nil
}

func with(carried []record.PrizesCarried, last Fact, winners Object) Decision {
	decision := Decision{Objects: []Object{winners}}
	for i := range carried {
		decision.Facts = append(decision.Facts, Fact{Body: &carried[i]})
	}
	decision.Facts = append(decision.Facts, last)
	return decision
}

// CorrectResult settles a game anew by the numbers that were drawn, where others were
// entered.
type CorrectResult struct {
	Ordinal  uint32 `json:"ordinal" of:"game" among:"settled"`
	Revision uint8  `json:"revision" usual:"2" doc:"Of the settlement to come: the last one and one more."`
	Numbers  []int  `json:"numbers" doc:"That were drawn, in their order."`
	Reason   string `json:"reason" doc:"What was wrong, and what shows it."`
	Clause   string `json:"clause" of:"clause" doc:"That makes these numbers the official ones, as the rulebook's index of clauses has it."`
}

// Words implements Act.
func (c CorrectResult) Words() string {
	return fmt.Sprintf("Settle game %d of the series anew, as revision %d, by the numbers %s under %s: %s.", c.Ordinal,
		c.Revision, list(c.Numbers), c.Clause, c.Reason)
}

// Decide implements Command.
func (c CorrectResult) Decide(s *state.State, e *Env) (Decision, error) {
	if current, ok := s.Series(e.Series); ok {
		// Another settlement is another thing than two persons agreed to correct.
		if g, ok := current.Game(c.Ordinal); ok && g.Settled.Revision != 0 && g.Settled.Revision+1 != c.Revision {
			return Decision{}, &refusal.Refusal{Code: game.NothingCorrected, Path: "revision",
				Sentence: fmt.Sprintf("The last settlement of the game is revision %d.", g.Settled.Revision)}
		}
	}
	corrected, err := game.Correct(s, e.Before, e.Series, c.Ordinal,
		game.Correction{Numbers: c.Numbers, Reason: c.Reason, Clause: c.Clause, Approval: e.Approval})
	if err != nil {
		return Decision{}, err
	}
	decision, err := Settled(e.Series, c.Ordinal, corrected.Settled, nil)
	decision.Facts = append([]Fact{{Body: corrected.Record}}, decision.Facts...)
	for _, later := range corrected.Later {
		again, failed := Settled(e.Series, later.Ordinal, later.Settled, err)
		err = failed
		decision.Facts = append(decision.Facts, again.Facts...)
		decision.Objects = append(decision.Objects, again.Objects...)
	}
	return decision, err
}

// Pause stops sale and draws of the games.
type Pause struct {
	Reason string `json:"reason"`
}

// Decide implements Command.
func (c Pause) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.Pause(s, e.Series, c.Reason, e.By.Person))
}

// Resume lets sale and draws go on.
type Resume struct{}

// Decide implements Command.
func (Resume) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.Resume(s, e.Series, e.By.Person))
}

// ShowNotice tells players something on every screen.
type ShowNotice struct {
	Text string `json:"text" doc:"One line; empty takes the notice down."`
}

// Decide implements Command.
func (c ShowNotice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.ShowNotice(s, e.Series, c.Text, e.By.Person))
}
