package command

import (
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

func init() {
	register[SetSession](roomRow("set-session", inRoom+"/sessions", "Announce a session with its games and prizes",
		"prize_unknown session_plan table_unknown"))
	register[ChangeSession](roomRow("change-session", inSession+"/plan", "Set a session anew that nobody has entered",
		"prize_unknown session_phase session_plan session_unknown table_unknown"))
	register[CancelSession](roomRow("cancel-session", inSession+"/cancellation",
		"Cancel a session that nobody has entered",
		"device_out reason_missing session_phase session_unknown"))
	register[EnterSession](roomRow("enter-session", inSession+"/players", "Take a player in, with fee and books",
		"books_other device_out device_unknown entered_before fee_other not_a_member session_phase session_plan session_unknown table_unknown"))
	register[CloseIssue](roomRow("close-issue", inSession+"/issue", "Enter the first and the last serial issued",
		"issue_other session_phase session_plan session_unknown"))
	register[SignClosure](roomRow("sign-closure", inSession+"/sign", "Put up the sign with the time of closure",
		"rank_too_low session_phase session_unknown sign_too_late"))
	register[CloseSession](roomRow("close-session", inSession+"/close", "Close a session",
		"device_out game_not_ready not_signed rank_too_low session_phase session_unknown"))
	register[NoteIncident](roomRow("note-incident", inSession+"/incidents", "Note an incident",
		"player_unknown rank_too_low reason_missing session_unknown"))
	register[UndoEntry](roomRow("undo-entry", ofPlayer+"/undo", "Take an entry back, with fee and books",
		"play_halted player_out player_unknown rank_too_low reason_missing session_phase session_unknown"))
	register[BarPlayer](roomRow("bar-player", ofPlayer+"/bar", "Take the cards of a player out of play",
		"player_out player_unknown prize_won rank_too_low reason_missing session_phase session_unknown"))
	register[PayRefund](roomRow("pay-bingo-refund", ofPlayer+"/refund", "Hand a player what goes back",
		"nothing_due player_unknown session_unknown"))
	register[FailDevice](roomRow("fail-device", ofDevice+"/failure", "Stop play because an electronic card fails",
		"device_unknown play_halted session_unknown"))
	register[ReplaceDevice](roomRow("replace-device", ofDevice+"/replacement", "Replace an electronic card",
		"device_out device_unknown session_unknown"))
	register[ReturnDevice](roomRow("return-device", ofDevice+"/return", "Take an electronic card back",
		"device_unknown play_halted rank_too_low session_unknown"))
	register[RaiseDispute](roomRow("raise-dispute", ofDisputes, "Take a dispute down",
		"offer_unknown reason_missing session_unknown"))
	register[MoveDispute](roomRow("move-dispute", ofDisputes+"/{dispute}/steps", "Take a dispute one step on",
		"amount_other dispute_turn dispute_unknown player_unknown rank_too_low reason_missing"))
	register[PayAward](roomRow("pay-award", ofDisputes+"/{dispute}/payment", "Pay what a dispute awarded",
		"amount_other dispute_turn dispute_unknown disputed medium_other nothing_due"))
}

// PatternPrize is a prize for a pattern.
type PatternPrize struct {
	Pattern string `json:"pattern" doc:"bingo, or the id of a minor game such as top-line."`
	Cents   int64  `json:"cents"`
}

// BingoPlan is the plan of a game.
type BingoPlan struct {
	Colour         string         `json:"colour,omitempty" doc:"That of the cards if absent."`
	Prizes         []PatternPrize `json:"prizes" doc:"The first is that of bingo."`
	JackpotNumbers uint8          `json:"jackpot_numbers,omitempty" doc:"Within how many numbers the jackpot is won."`
	JackpotShare   uint16         `json:"jackpot_share,omitempty" doc:"Part of the jackpot that the game pays out, in hundredths of a percent; all if absent."`
}

// SessionPlan is the plan of a session.
type SessionPlan struct {
	Day      string      `json:"day" doc:"On which the session begins by the clocks of the house."`
	Begins   time.Time   `json:"begins"`
	FeeCents int64       `json:"fee_cents"`
	BooksMax uint16      `json:"books_max" doc:"Books that a player gets for the fee."`
	Series   []string    `json:"series" doc:"Of cards."`
	Games    []BingoPlan `json:"games" doc:"The games, in their order."`
}

// record returns the plan as the journal has it. Date and time that are displayed are of one
// moment, by the clocks of the house.
//
//rule:nsw-bingo-2019 6.3.6 6.3.7
func (p SessionPlan) record(room uint8, e *Env) (record.SessionSet, error) {
	date, err := day.Parse(p.Day)
	if err != nil {
		return record.SessionSet{}, &refusal.Refusal{Code: keno.FieldValue, Path: "day",
			Sentence: "The value must be a date."}
	}
	if e.Zone != nil {
		if local := p.Begins.In(e.Zone).Format(time.DateOnly); local != date.String() {
			return record.SessionSet{}, &refusal.Refusal{
				Code: hall.SessionPlan, Clause: "6.3.6", Path: "day",
				Sentence: fmt.Sprintf("The session begins on %s by the clocks of the house (%v), and not on %v.",
					local, e.Zone, date),
			}
		}
	}
	set := record.SessionSet{
		Hall: room, Day: date, Begins: record.Of(p.Begins), FeeCents: money.Amount(p.FeeCents), BooksMax: p.BooksMax,
		Series: p.Series, By: e.By,
	}
	for _, g := range p.Games {
		plan := record.BingoPlan{Colour: g.Colour, JackpotNumbers: g.JackpotNumbers, JackpotShare: g.JackpotShare}
		for _, prize := range g.Prizes {
			plan.Prizes = append(plan.Prizes,
				record.PatternPrize{Pattern: prize.Pattern, Cents: money.Amount(prize.Cents)})
		}
		set.Games = append(set.Games, plan)
	}
	return set, nil
}

// PlanOf returns the plan of a session that the journal has.
func PlanOf(set record.SessionSet) SessionPlan {
	p := SessionPlan{Day: set.Day.String(), Begins: set.Begins.Time(), FeeCents: set.FeeCents.Cents(),
		BooksMax: set.BooksMax, Series: set.Series}
	for _, g := range set.Games {
		plan := BingoPlan{Colour: g.Colour, JackpotNumbers: g.JackpotNumbers, JackpotShare: g.JackpotShare}
		for _, prize := range g.Prizes {
			plan.Prizes = append(plan.Prizes, PatternPrize{Pattern: prize.Pattern, Cents: prize.Cents.Cents()})
		}
		p.Games = append(p.Games, plan)
	}
	return p
}

// SetSession announces a session.
type SetSession struct {
	InRoom `json:"-"`
	SessionPlan
}

// Decide implements Command.
func (c SetSession) Decide(s *state.State, e *Env) (Decision, error) {
	set, err := c.record(c.Hall, e)
	if err != nil {
		return Decision{}, err
	}
	return plain(hall.SetSession(s, set))
}

// ChangeSession sets a session anew that nobody has entered.
type ChangeSession struct {
	InSession `json:"-"`
	SessionPlan
}

// Decide implements Command.
func (c ChangeSession) Decide(s *state.State, e *Env) (Decision, error) {
	set, err := c.record(c.Hall, e)
	if err != nil {
		return Decision{}, err
	}
	set.Session = c.Session
	return plain(hall.ChangeSession(s, set))
}

// CancelSession ends a session that nobody has entered.
type CancelSession struct {
	InSession `json:"-"`
	Reason    string `json:"reason"`
}

// Decide implements Command.
func (c CancelSession) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.CancelSession(s, record.SessionCancelled{Session: c.ref(), Reason: c.Reason, By: e.By}))
}

// Books are books of a series of cards.
type Books struct {
	Series string `json:"series"`
	First  uint32 `json:"first" doc:"Serial of the first card."`
	Last   uint32 `json:"last" doc:"Serial of the last card."`
}

func (b Books) record() record.BookRange {
	return record.BookRange{Series: b.Series, First: b.First, Last: b.Last}
}

// EnterSession takes a player in.
type EnterSession struct {
	InSession `json:"-"`
	Member    string  `json:"member"`
	Books     []Books `json:"books" doc:"Books that the player takes."`
	Device    uint32  `json:"device,omitempty" doc:"Electronic card; absent for paper."`
	FeeCents  int64   `json:"fee_cents"`
}

// Decide implements Command.
func (c EnterSession) Decide(s *state.State, e *Env) (Decision, error) {
	p := record.PlayerEntered{Hall: c.Hall, Session: c.Session, Member: c.Member, Device: c.Device,
		FeeCents: money.Amount(c.FeeCents), By: e.By}
	for _, books := range c.Books {
		p.Books = append(p.Books, books.record())
	}
	entered, postings, err := hall.Enter(s, p)
	return one(entered, postings, err)
}

// IssuedBooks are books that were issued.
type IssuedBooks struct {
	Books  Books    `json:"books"`
	Struck []uint32 `json:"struck,omitempty" doc:"Books within the range that nobody holds, ascending."`
}

// CloseIssue takes the first and the last serial of all cards issued.
type CloseIssue struct {
	InSession `json:"-"`
	Ranges    []IssuedBooks `json:"ranges" doc:"Books that were issued, from the first serial to the last."`
}

// Decide implements Command.
func (c CloseIssue) Decide(s *state.State, e *Env) (Decision, error) {
	var ranges []record.IssuedRange
	for _, issued := range c.Ranges {
		ranges = append(ranges, record.IssuedRange{Books: issued.Books.record(), Struck: issued.Struck})
	}
	closed, postings, err := hall.CloseIssue(s, c.ref(), ranges, e.By)
	return one(closed, postings, err)
}

// SignClosure puts up the sign with the time at which a session will close.
type SignClosure struct {
	InSession `json:"-"`
	At        time.Time `json:"at" doc:"When the session closes."`
}

// Decide implements Command.
func (c SignClosure) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.PutSign(s, record.SessionClosing{Session: c.ref(), At: record.Of(c.At), By: e.By}, e.Now))
}

// CloseSession ends a session. One that closes early gives its fees back.
type CloseSession struct {
	InSession `json:"-"`
}

// Decide implements Command.
func (c CloseSession) Decide(s *state.State, e *Env) (Decision, error) {
	closed, err := hall.Close(s, c.ref(), e.Now, e.By)
	if err != nil {
		return Decision{}, err
	}
	var d Decision
	if closed.Early {
		if d, err = refundFees(s, c.ref()); err != nil {
			return Decision{}, err
		}
	}
	d.Facts = append(d.Facts, Fact{Body: closed})
	return d, nil
}

// refundFees gives back the fees of a session, where any do go back.
func refundFees(s *state.State, ref record.HallSession) (Decision, error) {
	refunded, postings, err := hall.RefundFees(s, ref)
	if err != nil || refunded == nil {
		return Decision{}, err
	}
	return one(refunded, postings, nil)
}

// NoteIncident keeps what a supervisor saw or ordered.
type NoteIncident struct {
	InSession `json:"-"`
	Player    uint32 `json:"player,omitempty"`
	Text      string `json:"text"`
}

// Decide implements Command.
func (c NoteIncident) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Note(s, record.IncidentNoted{Session: c.ref(), Player: c.Player, Text: c.Text, By: e.By}))
}

// OfPlayer is a player of a session.
type OfPlayer struct {
	InSession
	Player uint32 `json:"-" path:"player"`
}

// UndoEntry takes a player's entry back.
type UndoEntry struct {
	OfPlayer `json:"-"`
	Reason   string `json:"reason"`
}

// Decide implements Command.
func (c UndoEntry) Decide(s *state.State, e *Env) (Decision, error) {
	undone, postings, err := hall.Undo(s,
		record.EntryUndone{Session: c.ref(), Player: c.Player, Reason: c.Reason, By: e.By})
	return one(undone, postings, err)
}

// BarPlayer takes the cards of a player out of play.
type BarPlayer struct {
	OfPlayer `json:"-"`
	FeeVoid  bool   `json:"fee_void,omitempty" doc:"The fee goes back as if it had not been paid."`
	Reason   string `json:"reason"`
}

// Decide implements Command.
func (c BarPlayer) Decide(s *state.State, e *Env) (Decision, error) {
	barred, postings, err := hall.Bar(s,
		record.PlayerBarred{Session: c.ref(), Player: c.Player, FeeVoid: c.FeeVoid, Reason: c.Reason, By: e.By})
	return one(barred, postings, err)
}

// PayRefund hands a player what goes back.
type PayRefund struct {
	OfPlayer `json:"-"`
}

// Decide implements Command.
func (c PayRefund) Decide(s *state.State, e *Env) (Decision, error) {
	paid, postings, err := hall.PayRefund(s, c.ref(), c.Player, e.By)
	return one(paid, postings, err)
}

// OfDevice is an electronic card of a session.
type OfDevice struct {
	InSession
	Device uint32 `json:"-" path:"device"`
}

// FailDevice stops play because an electronic card fails.
type FailDevice struct {
	OfDevice `json:"-"`
}

// Decide implements Command.
func (c FailDevice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Fail(s, record.DeviceFailed{Session: c.ref(), Device: c.Device, By: e.By}))
}

// ReplaceDevice puts another electronic card in the place of one that failed.
type ReplaceDevice struct {
	OfDevice `json:"-"`
	With     uint32 `json:"with" doc:"The electronic card that takes its place."`
}

// Decide implements Command.
func (c ReplaceDevice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Replace(s, record.DeviceFailed{Session: c.ref(), Device: c.Device, By: e.By}, c.With))
}

// ReturnDevice takes an electronic card back.
type ReturnDevice struct {
	OfDevice `json:"-"`
	Missing  bool `json:"missing,omitempty" doc:"The card was not returned."`
}

// Decide implements Command.
func (c ReturnDevice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Return(s, record.DeviceReturned{Session: c.ref(), Device: c.Device, Missing: c.Missing,
		By: e.By}))
}

// RaiseDispute takes a dispute down.
type RaiseDispute struct {
	InRoom    `json:"-"`
	Session   uint32 `json:"session,omitempty"`
	Game      uint8  `json:"game,omitempty"`
	Promotion uint32 `json:"promotion,omitempty" doc:"Number of the promotion that it is about."`
	Member    string `json:"member,omitempty" doc:"Number of the loyalty programme; no name."`
	Subject   string `json:"subject"`
}

// Decide implements Command.
func (c RaiseDispute) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(hall.Raise(s, record.DisputeRaised{
		Hall: c.Hall, Session: c.Session, Game: c.Game, Offer: c.Promotion, Member: c.Member, Subject: c.Subject,
		By: e.By,
	}))
}

// OfDispute is a dispute of a bingo room.
type OfDispute struct {
	InRoom
	Dispute uint32 `json:"-" path:"dispute"`
}

// MoveDispute takes a dispute one step on. A decision may award something.
type MoveDispute struct {
	OfDispute  `json:"-"`
	Step       string `json:"step" enum:"decided,review,reviewed,advised" doc:"The step that the dispute takes."`
	Text       string `json:"text,omitempty" doc:"The decision."`
	AwardCents *int64 `json:"award_cents,omitempty" doc:"What the decision awards altogether; as it was if absent."`
}

var steps = map[string]record.DisputeStep{"decided": record.StepDecided, "review": record.StepReview,
	"reviewed": record.StepReviewed, "advised": record.StepAdvised}

// Decide implements Command.
func (c MoveDispute) Decide(s *state.State, e *Env) (Decision, error) {
	moved, err := hall.Move(s, record.DisputeMoved{Hall: c.Hall, Dispute: c.Dispute, Step: steps[c.Step], Text: c.Text,
		By: e.By})
	if err != nil || c.AwardCents == nil {
		return plain(moved, err)
	}
	awarded, postings, err := hall.AwardDispute(s, moved, money.Amount(*c.AwardCents))
	if err != nil {
		return Decision{}, err
	}
	return Decision{Facts: []Fact{{Body: moved}, {awarded, postings}}, Answer: moved}, nil
}

// MediumPart is a part of a payment.
type MediumPart struct {
	Medium string `json:"medium" enum:"cash,cheque,transfer,casino_dollars,slot_dollars" doc:"In what it is paid: cash, cheque and so on, as the rulebook has it."`
	Cents  int64  `json:"cents"`
}

func partsOf(list []MediumPart) (parts []record.MediumPart) {
	for _, p := range list {
		parts = append(parts, record.MediumPart{Medium: record.Medium(p.Medium), Cents: money.Amount(p.Cents)})
	}
	return parts
}

// PayAward pays what a dispute awarded.
type PayAward struct {
	OfDispute `json:"-"`
	Parts     []MediumPart `json:"parts" doc:"How it is paid."`
}

// Decide implements Command.
func (c PayAward) Decide(s *state.State, e *Env) (Decision, error) {
	paid, postings, err := hall.PayAward(s,
		hall.AwardPayment{Hall: c.Hall, Dispute: c.Dispute, Parts: partsOf(c.Parts), By: e.By, Disputed: e.Disputed})
	return one(paid, postings, err)
}
