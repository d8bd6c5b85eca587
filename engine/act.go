package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"drawhouse/day"
	"drawhouse/game"
	"drawhouse/jackpot"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/rules"
	"drawhouse/staff"
)

// An Act is something that the operator does with games, their terms or their money.
// Nobody does it alone: one person asks for it (Ask), another consents, and then it is
// done once (Operate), exactly as the request says. Its JSON is what the request says.
type Act interface {
	// Action is its name among those of package staff.
	Action() string
	do(e *Engine, now record.Time, series uint8, approval uint32) error
}

// AdoptRulebook brings a rulebook of the program into the journal, so that terms can
// name it.
type AdoptRulebook struct {
	ID   string `json:"id" doc:"Id of a rulebook that the program has."`
	Hash string `json:"hash" doc:"Its hash, 64 hexadecimal digits; another edition of the program may have another one."`
}

// ChangeTerms announces the rulebook and the schedule from a game on.
type ChangeTerms struct {
	From      uint32 `json:"from" doc:"Ordinal of the first game, as games show it."`
	Rulebook  string `json:"rulebook" doc:"Hash of an adopted rulebook, 64 hexadecimal digits."`
	Schedule  string `json:"schedule"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// DesignateGame announces a game of delayed start.
type DesignateGame struct {
	Ordinal uint32 `json:"ordinal"`
}

// OpenDay begins a Keno Day by hand.
type OpenDay struct {
	Day           string `json:"day" doc:"A date."`
	OffsetSeconds int32  `json:"offset_seconds" doc:"What local clocks add to UTC."`
}

// CloseDay ends the Keno Day by hand.
type CloseDay struct {
	Day string `json:"day" doc:"The date of the day that is open."`
}

// AnnounceClosure tells players that trading ends early. No game of the Keno Day opens after
// that, so it ends the day as surely as closing it by hand.
type AnnounceClosure struct {
	At string `json:"at" doc:"When trading ends, such as 2026-11-15T20:00:00Z."`
}

// VoidDraw declares that the numbers of a draw do not count: the game is drawn again.
type VoidDraw struct {
	Ordinal uint32 `json:"ordinal"`
	Draw    uint8  `json:"draw" doc:"Which draw of the game, counted from 1."`
	Reason  string `json:"reason"`
	Clause  string `json:"clause" doc:"That the reason comes under."`
}

// ConfirmResult declares that a result stands although it equals a recent one.
type ConfirmResult struct {
	Ordinal uint32 `json:"ordinal"`
	Draw    uint8  `json:"draw" doc:"Which draw of the game, counted from 1."`
	Reason  string `json:"reason" doc:"Why the result stands: what was looked at."`
}

// VoidGame ends a game without a result: its plays go to the next game, or their stakes
// go back, as the rulebook says.
type VoidGame struct {
	Ordinal uint32 `json:"ordinal"`
	Reason  string `json:"reason"`
	Clause  string `json:"clause" doc:"That the reason comes under."`
	Fate    string `json:"fate,omitempty" enum:"refund" doc:"Absent to leave it to the rulebook; refund if no further game of the Keno Day is possible, where the rulebook has the choice. Nothing is sold or drawn after that until the day is closed."`
}

// CorrectResult settles a game anew by the numbers that were drawn, where others were
// entered.
type CorrectResult struct {
	Ordinal  uint32 `json:"ordinal"`
	Revision uint8  `json:"revision" doc:"Of the settlement to come: the last one and one more."`
	Numbers  []int  `json:"numbers" doc:"That were drawn, in their order."`
	Reason   string `json:"reason" doc:"What was wrong, and what shows it."`
	Clause   string `json:"clause" doc:"That makes these numbers the official ones, as the rulebook's index of clauses has it."`
}

// NameParticipants says which other jurisdictions share the jackpots from a game on.
type NameParticipants struct {
	From  uint32   `json:"from" doc:"Ordinal of the first game."`
	Names []string `json:"names" doc:"Ascending; none if the jackpots are this house's alone."`
}

// ReportJackpot takes in what another jurisdiction says of a pooled jackpot.
type ReportJackpot struct {
	Ordinal      uint32 `json:"ordinal"`
	Spots        uint8  `json:"spots"`
	Jurisdiction string `json:"jurisdiction"`
	GrowthCents  int64  `json:"growth_cents" doc:"What it adds to the jackpot."`
	StakesCents  int64  `json:"stakes_cents" doc:"Of its winning ways."`
}

// ShareJackpots settles the pooled part of a game's jackpots.
type ShareJackpots struct {
	Ordinal uint32 `json:"ordinal"`
}

// MovePool moves jackpot money between games.
type MovePool struct {
	Spots     uint8  `json:"spots"`
	Move      string `json:"move" enum:"lend,reallocate,set_aside"`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// GiveAside shares jackpot money that was set aside among the winners of a game.
type GiveAside struct {
	Ordinal   uint32 `json:"ordinal"`
	Spots     uint8  `json:"spots"`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// MigratePools brings the jackpots of a series that ends into those of this one.
type MigratePools struct {
	From      uint8  `json:"from" doc:"Number of the series that ends."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// MigrateBonus brings the bonus prize pool of a series that ends into that of this one.
type MigrateBonus struct {
	From      uint8  `json:"from" doc:"Number of the series that ends."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
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
	From      uint32 `json:"from" doc:"Ordinal of the first game."`
	Last      uint32 `json:"last,omitempty" doc:"Ordinal of the last game; absent if it goes on until it is won or ended."`
	Cents     int64  `json:"cents" doc:"In all."`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
	// The conditions of a promotion on draws.
	Bet        string `json:"bet,omitempty"`
	Spots      uint8  `json:"spots,omitempty"`
	Matched    uint8  `json:"matched,omitempty"`
	LeastCents int64  `json:"least_cents,omitempty" doc:"Least stake on a way."`
	// A promotion on a ready ticket.
	Item   string       `json:"item,omitempty"`
	Den    uint32       `json:"den,omitempty"`
	Prizes []BonusPrize `json:"prizes,omitempty"`
}

// ChangePromotion pauses a promotion, lets it go on, or ends it.
type ChangePromotion struct {
	Number    uint32 `json:"number"`
	Paused    bool   `json:"paused,omitempty"`
	Ended     bool   `json:"ended,omitempty"`
	Reference string `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// Action implements Act.
func (AdoptRulebook) Action() string { return "adopt_rulebook" }

// Action implements Act.
func (ChangeTerms) Action() string { return "change_terms" }

// Action implements Act.
func (DesignateGame) Action() string { return "designate_game" }

// Action implements Act.
func (OpenDay) Action() string { return "open_day" }

// Action implements Act.
func (CloseDay) Action() string { return "close_day" }

// Action implements Act.
func (AnnounceClosure) Action() string { return "announce_closure" }

// Action implements Act.
func (VoidDraw) Action() string { return "void_draw" }

// Action implements Act.
func (ConfirmResult) Action() string { return "confirm_result" }

// Action implements Act.
func (VoidGame) Action() string { return "void_game" }

// Action implements Act.
func (CorrectResult) Action() string { return "correct_result" }

// Action implements Act.
func (NameParticipants) Action() string { return "name_participants" }

// Action implements Act.
func (ReportJackpot) Action() string { return "report_jackpot" }

// Action implements Act.
func (ShareJackpots) Action() string { return "share_jackpots" }

// Action implements Act.
func (MovePool) Action() string { return "move_pool" }

// Action implements Act.
func (GiveAside) Action() string { return "give_aside" }

// Action implements Act.
func (MigratePools) Action() string { return "migrate_pools" }

// Action implements Act.
func (MigrateBonus) Action() string { return "migrate_bonus" }

// Action implements Act.
func (BeginPromotion) Action() string { return "begin_promotion" }

// Action implements Act.
func (ChangePromotion) Action() string { return "change_promotion" }

// readers read what a request says, by action.
var readers = map[string]func([]byte) (Act, error){
	"adopt_rulebook": read[AdoptRulebook], "change_terms": read[ChangeTerms], "designate_game": read[DesignateGame],
	"open_day": read[OpenDay], "close_day": read[CloseDay], "announce_closure": read[AnnounceClosure], "void_draw": read[VoidDraw], "confirm_result": read[ConfirmResult], "void_game": read[VoidGame], "correct_result": read[CorrectResult],
	"name_participants": read[NameParticipants], "report_jackpot": read[ReportJackpot], "share_jackpots": read[ShareJackpots],
	"move_pool": read[MovePool], "give_aside": read[GiveAside], "migrate_pools": read[MigratePools], "migrate_bonus": read[MigrateBonus],
	"begin_promotion": read[BeginPromotion], "change_promotion": read[ChangePromotion],
	"move_bank": read[MoveBank], "count_bank": read[CountBank], "disqualify": read[Disqualify], "reinstate": read[Reinstate],
	"unwind_session": read[UnwindSession], "release_payment": read[ReleasePayment], "invalidate": read[Invalidate], "give_paper": read[GivePaper], "pay_by_hand": read[PayByHand],
	staff.ActionAppoint: read[AppointInspector], staff.ActionDismiss: read[DismissInspector], staff.ActionLock: read[LockInspector],
}

func read[A Act](says []byte) (Act, error) {
	var act A
	decoder := json.NewDecoder(bytes.NewReader(says))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&act)
	return act, err
}

// ReadAct reads what a request for an action says. It takes the one form in which an
// act is said (Say) and no other.
func ReadAct(action string, says []byte) (Act, error) {
	reader, ok := readers[action]
	if !ok {
		return nil, fmt.Errorf("engine: nothing by the name %q is done by the operator", action)
	}
	act, err := reader(says)
	if err == nil && !bytes.Equal(Say(act), says) {
		err = errors.New("it is not in its one form")
	}
	if err != nil {
		return nil, fmt.Errorf("engine: a request for %s: %w", action, err)
	}
	return act, nil
}

// Say writes an act as a request says it.
func Say(act Act) []byte {
	says, err := json.Marshal(act)
	if err != nil {
		panic(fmt.Sprintf("engine: an act of texts and numbers: %v", err))
	}
	return says
}

func (a AdoptRulebook) do(e *Engine, now record.Time, _ uint8, _ uint32) error {
	book, err := rules.Book(a.ID)
	if err != nil || book.Hash().String() != a.Hash {
		return &refusal.Refusal{Code: game.RulebookUnknown, Path: "id", Sentence: "This program has no rulebook of that id and hash."}
	}
	if _, ok := e.state.Book(record.Hash(book.Hash())); ok {
		return &refusal.Refusal{Code: RulebookAdopted, Path: "id", Sentence: fmt.Sprintf("The house has adopted this edition of %s already.", a.ID)}
	}
	return e.AdoptRulebook(now, book)
}

func (a ChangeTerms) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	hash, err := rulebook.ParseHash(a.Rulebook)
	if err != nil {
		return &refusal.Refusal{Code: game.RulebookUnknown, Path: "rulebook", Sentence: "A rulebook is named by its hash, 64 hexadecimal digits."}
	}
	return e.ChangeTerms(now, record.TermsChanged{Series: series, From: a.From, Rulebook: record.Hash(hash), Schedule: a.Schedule, Approval: a.Reference})
}

func (a DesignateGame) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.Designate(now, series, a.Ordinal)
}

func (a OpenDay) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	d, err := day.Parse(a.Day)
	if err != nil {
		return &refusal.Refusal{Code: game.DayNotOpen, Path: "day", Sentence: "A Keno Day is a date such as 2026-11-15."}
	}
	// A date that is wrong stays wrong, whether or not the day before is closed by now.
	if err := game.CheckDate(max(now, e.state.Now()), d, a.OffsetSeconds); err != nil {
		return err
	}
	return e.OpenDay(now, series, d, a.OffsetSeconds)
}

func (a CloseDay) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	if current, ok := e.state.Series(series); ok && current.Day.String() != a.Day {
		return &refusal.Refusal{Code: game.DayNotOpen, Path: "day", Sentence: fmt.Sprintf("The last Keno Day that opened is %v.", current.Day)}
	}
	if _, err := game.CloseDay(e.state, series); err != nil {
		return err
	}
	// The record states what the house comes to, the use of the approval included.
	e.appendLead(now)
	return e.CloseDay(now, series)
}

func (a AnnounceClosure) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	at, err := time.Parse(time.RFC3339, a.At)
	if err != nil {
		return &refusal.Refusal{Code: game.NoticeTooShort, Path: "at", Sentence: "When trading ends is an instant such as 2026-11-15T20:00:00Z."}
	}
	by, _ := e.signers(approval)
	if e.trial {
		by = 1 // A record names somebody, and who asks is not known to a trial.
	}
	announced, err := game.AnnounceClosure(e.state, series, record.Of(at), max(now, e.state.Now()), by)
	return e.write(now, announced, nil, err)
}

func (a VoidDraw) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	if err := e.checkDraw(series, a.Ordinal, a.Draw); err != nil {
		return err
	}
	return e.VoidDraw(now, series, a.Ordinal, game.Void{Reason: a.Reason, Clause: a.Clause, Approval: approval})
}

func (a ConfirmResult) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	if err := e.checkDraw(series, a.Ordinal, a.Draw); err != nil {
		return err
	}
	return e.ConfirmResult(now, series, a.Ordinal, game.Void{Reason: a.Reason, Approval: approval})
}

// checkDraw refuses an act on another draw of a game than the one that counts: another draw
// is another thing than two persons agreed on.
func (e *Engine) checkDraw(series uint8, ordinal uint32, draw uint8) error {
	if current, ok := e.state.Series(series); ok {
		if g, ok := current.Game(ordinal); ok && g.Draw != draw {
			return &refusal.Refusal{Code: game.GameNotReady, Path: "draw", Sentence: fmt.Sprintf("Draw %d of the game is the one that counts now.", g.Draw)}
		}
	}
	return nil
}

func (a VoidGame) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	if a.Fate != "" && a.Fate != game.FateRefund {
		return &refusal.Refusal{Code: game.FateUnknown, Path: "fate", Sentence: "The stakes of a void game go back by choice (refund), or the rulebook decides."}
	}
	return e.VoidGame(now, series, a.Ordinal, game.Void{Reason: a.Reason, Clause: a.Clause, Approval: approval, Refund: a.Fate != ""})
}

func (a CorrectResult) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	if current, ok := e.state.Series(series); ok {
		// Another settlement is another thing than two persons agreed to correct.
		if g, ok := current.Game(a.Ordinal); ok && g.Settled.Revision != 0 && g.Settled.Revision+1 != a.Revision {
			return &refusal.Refusal{Code: game.NothingCorrected, Path: "revision", Sentence: fmt.Sprintf("The last settlement of the game is revision %d.", g.Settled.Revision)}
		}
	}
	return e.CorrectResult(now, series, a.Ordinal, game.Correction{Numbers: a.Numbers, Reason: a.Reason, Clause: a.Clause, Approval: approval})
}

func (a NameParticipants) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.NameParticipants(now, record.ParticipantsNamed{Series: series, From: a.From, Names: a.Names})
}

func (a ReportJackpot) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.Report(now, series, a.Ordinal, a.Spots, jackpot.Report{
		Jurisdiction: a.Jurisdiction, Growth: money.Amount(a.GrowthCents), Stakes: money.Amount(a.StakesCents),
	})
}

func (a ShareJackpots) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.ShareJackpots(now, series, a.Ordinal)
}

func (a MovePool) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.MovePool(now, series, a.Spots, a.Move, money.Amount(a.Cents), a.Reference)
}

func (a GiveAside) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.GiveAside(now, series, a.Ordinal, a.Spots, money.Amount(a.Cents), a.Reference)
}

func (a MigratePools) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.MigratePools(now, a.From, series, a.Reference)
}

func (a MigrateBonus) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.MigrateBonus(now, a.From, series, a.Reference)
}

func (a BeginPromotion) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	b := record.PromotionBegun{
		Series: series, Name: a.Name, From: a.From, Last: a.Last, AmountCents: money.Amount(a.Cents), Approval: a.Reference,
		Bet: a.Bet, Spots: a.Spots, Matched: a.Matched, LeastCents: money.Amount(a.LeastCents), Item: a.Item, Den: a.Den,
	}
	for _, p := range a.Prizes {
		b.Prizes = append(b.Prizes, record.BonusPrize{Cents: money.Amount(p.Cents), Num: p.Num, Count: p.Count})
	}
	return e.BeginPromotion(now, b)
}

func (a ChangePromotion) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	return e.ChangePromotion(now, record.PromotionChanged{Series: series, Number: a.Number, Paused: a.Paused, Ended: a.Ended, Approval: a.Reference})
}
