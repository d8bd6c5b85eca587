package api

import (
	"context"
	"fmt"
	"time"

	"drawhouse/day"
	"drawhouse/engine"
	"drawhouse/hall"
	"drawhouse/keno"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/rules"
)

// Level is a level of the jackpot, highest first.
type Level struct {
	Name      string `json:"name"`
	Within    uint8  `json:"within,omitempty" doc:"So many numbers within which the bingo must come; 0, of the last level alone, for any."`
	Share     uint16 `json:"share" doc:"Part of what fees bring, in hundredths of a percent."`
	SeedCents int64  `json:"seed_cents,omitempty"`
}

// OpenHallRequest is the body of a new bingo room.
type OpenHallRequest struct {
	Name     string  `json:"name" doc:"As in seals: small letters, digits and hyphens."`
	Venue    uint32  `json:"venue"`
	Rulebook string  `json:"rulebook" doc:"Id of a rulebook of bingo that the program has, such as nsw-bingo-2019, which is adopted if it is not yet; or the hash of one that was adopted."`
	Levels   []Level `json:"levels"`
}

func (r roomServer) openHall(ctx context.Context, at place, b OpenHallRequest) (record.Body, error) {
	book, _ := rules.Book(b.Rulebook)
	var hash record.Hash
	if book != nil {
		hash = record.Hash(book.Hash())
	} else if parsed, err := rulebook.ParseHash(b.Rulebook); err == nil {
		hash = record.Hash(parsed)
	} else {
		return nil, &refusal.Refusal{Code: keno.FieldValue, Path: "rulebook", Sentence: "The value must be the id of a rulebook, or 64 hexadecimal digits."}
	}
	opened := record.HallOpened{Hall: at.hall, Name: b.Name, Venue: b.Venue, Rulebook: hash, By: byIn(ctx)}
	for _, l := range b.Levels {
		opened.Levels = append(opened.Levels, record.JackpotLevel{Name: l.Name, Within: l.Within, Share: l.Share, SeedCents: money.Amount(l.SeedCents)})
	}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.OpenHall(now, opened, book)
	})
}

// MemberRequest is the body of a membership.
type MemberRequest struct {
	Member string `json:"member" doc:"Number of the loyalty programme; no name."`
	Ended  bool   `json:"ended,omitempty"`
}

func (r roomServer) setMember(ctx context.Context, at place, b MemberRequest) (record.Body, error) {
	m := record.MemberSet{Hall: at.hall, Member: b.Member, Ended: b.Ended, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.SetMember(now, m) })
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
	JackpotNumbers uint8          `json:"jackpot_numbers,omitempty"`
	JackpotShare   uint16         `json:"jackpot_share,omitempty" doc:"Part of the jackpot that the game pays out, in hundredths of a percent; all if absent."`
}

// SessionRequest is the body of a session.
type SessionRequest struct {
	Day      string      `json:"day" doc:"On which the session begins by the clocks of the house."`
	Begins   time.Time   `json:"begins"`
	FeeCents int64       `json:"fee_cents"`
	BooksMax uint16      `json:"books_max" doc:"Books that a player gets for the fee."`
	Series   []string    `json:"series" doc:"Of cards."`
	Games    []BingoPlan `json:"games"`
}

func (r roomServer) setSession(ctx context.Context, at place, b SessionRequest) (record.Body, error) {
	set, err := b.record(ctx, at, r.zone)
	if err != nil {
		return nil, err
	}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.SetSession(now, set) })
}

func (r roomServer) changeSession(ctx context.Context, at place, b SessionRequest) (record.Body, error) {
	set, err := b.record(ctx, at, r.zone)
	if err != nil {
		return nil, err
	}
	set.Session = at.session
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.ChangeSession(now, set) })
}

// ReasonRequest is the body of what needs a reason alone.
type ReasonRequest struct {
	Reason string `json:"reason"`
}

func (r roomServer) cancelSession(ctx context.Context, at place, b ReasonRequest) (record.Body, error) {
	c := record.SessionCancelled{Session: at.of(), Reason: b.Reason, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.CancelSession(now, c) })
}

func (r roomServer) undo(ctx context.Context, at place, b ReasonRequest) (record.Body, error) {
	u := record.EntryUndone{Session: at.of(), Player: at.number, Reason: b.Reason, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.UndoEntry(now, u) })
}

// record returns the plan as the journal has it. Date and time that are displayed are of one
// moment, by the clocks of the house.
//
//rule:nsw-bingo-2019 6.3.6 6.3.7
func (b SessionRequest) record(ctx context.Context, at place, zone *time.Location) (record.SessionSet, error) {
	date, err := day.Parse(b.Day)
	if err != nil {
		return record.SessionSet{}, &refusal.Refusal{Code: keno.FieldValue, Path: "day", Sentence: "The value must be a date."}
	}
	if local := b.Begins.In(zone).Format(time.DateOnly); local != date.String() {
		return record.SessionSet{}, &refusal.Refusal{
			Code: hall.SessionPlan, Clause: "6.3.6", Path: "day", Sentence: fmt.Sprintf("The session begins on %s by the clocks of the house (%v), and not on %v.", local, zone, date),
		}
	}
	set := record.SessionSet{
		Hall: at.hall, Day: date, Begins: record.Of(b.Begins), FeeCents: money.Amount(b.FeeCents), BooksMax: b.BooksMax, Series: b.Series, By: byIn(ctx),
	}
	for _, g := range b.Games {
		plan := record.BingoPlan{Colour: g.Colour, JackpotNumbers: g.JackpotNumbers, JackpotShare: g.JackpotShare}
		for _, p := range g.Prizes {
			plan.Prizes = append(plan.Prizes, record.PatternPrize{Pattern: p.Pattern, Cents: money.Amount(p.Cents)})
		}
		set.Games = append(set.Games, plan)
	}
	return set, nil
}

// Books are books of a series of cards.
type Books struct {
	Series string `json:"series"`
	First  uint32 `json:"first"`
	Last   uint32 `json:"last"`
}

func (b Books) record() record.BookRange {
	return record.BookRange{Series: b.Series, First: b.First, Last: b.Last}
}

// EntryRequest is the body of a player's entry.
type EntryRequest struct {
	Member   string  `json:"member"`
	Books    []Books `json:"books"`
	Device   uint32  `json:"device,omitempty" doc:"Electronic card; absent for paper."`
	FeeCents int64   `json:"fee_cents"`
}

func (r roomServer) enter(ctx context.Context, at place, b EntryRequest) (record.Body, error) {
	p := record.PlayerEntered{Hall: at.hall, Session: at.session, Member: b.Member, Device: b.Device, FeeCents: money.Amount(b.FeeCents), By: byIn(ctx)}
	for _, books := range b.Books {
		p.Books = append(p.Books, books.record())
	}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.EnterSession(now, p) })
}

// IssueRequest is the body of the serials issued.
type IssueRequest struct {
	Ranges []struct {
		Books  Books    `json:"books"`
		Struck []uint32 `json:"struck,omitempty" doc:"Books within the range that nobody holds, ascending."`
	} `json:"ranges"`
}

func (r roomServer) closeIssue(ctx context.Context, at place, b IssueRequest) (record.Body, error) {
	var ranges []record.IssuedRange
	for _, x := range b.Ranges {
		ranges = append(ranges, record.IssuedRange{Books: x.Books.record(), Struck: x.Struck})
	}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.CloseIssue(now, at.of(), ranges, byIn(ctx))
	})
}

// SignRequest is the body of a sign of closure.
type SignRequest struct {
	At time.Time `json:"at"`
}

func (r roomServer) sign(ctx context.Context, at place, b SignRequest) (record.Body, error) {
	c := record.SessionClosing{Session: at.of(), At: record.Of(b.At), By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.SignClosure(now, c) })
}

// ByRequest is the body of what needs nothing but somebody who does it.
type ByRequest struct {
}

func (r roomServer) close(ctx context.Context, at place, b ByRequest) (record.Body, error) {
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.CloseSession(now, at.of(), byIn(ctx))
	})
}

// IncidentRequest is the body of an incident.
type IncidentRequest struct {
	Player uint32 `json:"player,omitempty"`
	Text   string `json:"text"`
}

func (r roomServer) incident(ctx context.Context, at place, b IncidentRequest) (record.Body, error) {
	n := record.IncidentNoted{Session: at.of(), Player: b.Player, Text: b.Text, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.NoteIncident(now, n) })
}

func (r roomServer) sealJackpot(ctx context.Context, at place, _ ByRequest) (record.Body, error) {
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.SealJackpot(now, at.played()) })
}

func (r roomServer) announce(ctx context.Context, at place, b ByRequest) (record.Body, error) {
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.AnnounceBingo(now, at.played(), byIn(ctx))
	})
}

// CallRequest is the body of a number to be drawn.
type CallRequest struct {
	Place int `json:"place" doc:"Which number of the draw, from 1. Asked again for one that was drawn, the answer is that one."`
}

func (r roomServer) call(ctx context.Context, at place, b CallRequest) (record.Body, error) {
	return r.rooms.CallBingo(ctx, at.played(), b.Place)
}

// CorrectionRequest is the body of a correction.
type CorrectionRequest struct {
	Number uint8  `json:"number" doc:"That was drawn."`
	Wrong  uint8  `json:"wrong" doc:"That was announced or shown."`
	Draw   string `json:"draw,omitempty" enum:"jackpot,calls" doc:"What the number is of. Without it a number that is called, and before the calls a jackpot number."`
}

func (r roomServer) correct(ctx context.Context, at place, b CorrectionRequest) (record.Body, error) {
	c := record.CallCorrected{Game: at.played(), Number: b.Number, Wrong: b.Wrong, By: byIn(ctx)}
	c.Draw = map[string]record.BingoDraw{"jackpot": record.DrawJackpot, "calls": record.DrawCalls}[b.Draw]
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.CorrectCall(now, c) })
}

// ClaimRequest is the body of a call.
type ClaimRequest struct {
	Pattern string `json:"pattern"`
	Serial  string `json:"serial" doc:"Of the card, as printed."`
	Box     uint8  `json:"box" doc:"From 1."`
	Behalf  bool   `json:"behalf,omitempty" doc:"Somebody called for the player."`
}

func (r roomServer) openClaim(ctx context.Context, at place, b ClaimRequest) (record.Body, error) {
	c := hall.Call{Game: at.played(), Pattern: b.Pattern, Serial: b.Serial, Box: b.Box, Behalf: b.Behalf, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.OpenClaim(now, c) })
}

// CheckRequest is the body of a check.
type CheckRequest struct {
	CardInHand bool `json:"card_in_hand"`
	Marked     bool `json:"marked" doc:"The numbers of the pattern are marked on the card."`
}

func (r roomServer) check(ctx context.Context, at place, b CheckRequest) (record.Body, error) {
	i := hall.Inspection{Game: at.played(), Claim: uint16(at.number), InHand: b.CardInHand, Marked: b.Marked, By: byIn(ctx)}
	return r.rooms.InHall(ctx, at.hall, func(e *engine.Engine, now record.Time, kit *hall.Kit) (record.Body, error) {
		return e.CheckClaim(now, kit, i)
	})
}

// MediumPart is a part of a payment.
type MediumPart struct {
	Medium string `json:"medium" enum:"cash,cheque,transfer,casino_dollars,slot_dollars"`
	Cents  int64  `json:"cents"`
}

func partsOf(list []MediumPart) (parts []record.MediumPart) {
	for _, p := range list {
		parts = append(parts, record.MediumPart{Medium: record.Medium(p.Medium), Cents: money.Amount(p.Cents)})
	}
	return parts
}

// BingoPaymentRequest is the body of a payment.
type BingoPaymentRequest struct {
	Prize   []MediumPart `json:"prize,omitempty"`
	Jackpot []MediumPart `json:"jackpot,omitempty"`
}

func (r roomServer) pay(ctx context.Context, at place, b BingoPaymentRequest) (record.Body, error) {
	p := hall.Payment{Game: at.played(), Claim: uint16(at.number), Prize: partsOf(b.Prize), Jackpot: partsOf(b.Jackpot), By: byIn(ctx)}
	return r.rooms.PayBingo(ctx, p)
}

func (r roomServer) finish(ctx context.Context, at place, _ ByRequest) (record.Body, error) {
	return r.rooms.FinishBingo(ctx, at.played())
}

// VoidRequest is the body of a void game.
type VoidRequest struct {
	Cause       string   `json:"cause" enum:"terminal,disruption,fraud"`
	Reason      string   `json:"reason"`
	NoneFollows bool     `json:"none_follows,omitempty" doc:"No further game of the session can be played."`
	Refund      bool     `json:"refund,omitempty" doc:"The wager of the game goes back."`
	Forfeited   []uint32 `json:"forfeited,omitempty" doc:"Players whose wager does not."`
	Claims      []uint16 `json:"claims,omitempty" doc:"Claims that were found good because of fraud and win nothing. All others that were found good keep what they won."`
}

// InvalidationRequest is the body of an outcome that fraud affected.
type InvalidationRequest struct {
	Claims    []uint16 `json:"claims" doc:"Claims that lose what they won; what was paid out the operator bears."`
	Reason    string   `json:"reason"`
	Refund    bool     `json:"refund,omitempty" doc:"The wager of the game goes back."`
	Forfeited []uint32 `json:"forfeited,omitempty" doc:"Players whose wager does not."`
}

func (r roomServer) invalidate(ctx context.Context, at place, b InvalidationRequest) (record.Body, error) {
	f := hall.Fraud{Game: at.played(), Claims: b.Claims, Reason: b.Reason, Refund: b.Refund, Forfeited: b.Forfeited, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.InvalidateBingo(now, f) })
}

func (r roomServer) void(ctx context.Context, at place, b VoidRequest) (record.Body, error) {
	v := hall.Void{Game: at.played(), Cause: hall.Cause(b.Cause), Reason: b.Reason, NoneFollows: b.NoneFollows, Refund: b.Refund, Forfeited: b.Forfeited, Claims: b.Claims, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.VoidBingo(now, v) })
}

// BarRequest is the body of a player's exclusion.
type BarRequest struct {
	FeeVoid bool   `json:"fee_void,omitempty" doc:"The fee goes back as if it had not been paid."`
	Reason  string `json:"reason"`
}

func (r roomServer) bar(ctx context.Context, at place, b BarRequest) (record.Body, error) {
	p := record.PlayerBarred{Session: at.of(), Player: at.number, FeeVoid: b.FeeVoid, Reason: b.Reason, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.BarPlayer(now, p) })
}

func (r roomServer) refund(ctx context.Context, at place, b ByRequest) (record.Body, error) {
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) {
		return e.PayRefund(now, at.of(), at.number, byIn(ctx))
	})
}

func (r roomServer) fail(ctx context.Context, at place, b ByRequest) (record.Body, error) {
	f := record.DeviceFailed{Session: at.of(), Device: at.number, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.FailDevice(now, f) })
}

// ReplacementRequest is the body of a replacement.
type ReplacementRequest struct {
	With uint32 `json:"with" doc:"The electronic card that takes its place."`
}

func (r roomServer) replace(ctx context.Context, at place, b ReplacementRequest) (record.Body, error) {
	f := record.DeviceFailed{Session: at.of(), Device: at.number, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.ReplaceDevice(now, f, b.With) })
}

// ReturnRequest is the body of an electronic card that comes back.
type ReturnRequest struct {
	Missing bool `json:"missing,omitempty"`
}

func (r roomServer) giveBack(ctx context.Context, at place, b ReturnRequest) (record.Body, error) {
	d := record.DeviceReturned{Session: at.of(), Device: at.number, Missing: b.Missing, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.ReturnDevice(now, d) })
}

// DisputeRequest is the body of a dispute.
type DisputeRequest struct {
	Session   uint32 `json:"session,omitempty"`
	Game      uint8  `json:"game,omitempty"`
	Promotion uint32 `json:"promotion,omitempty"`
	Member    string `json:"member,omitempty" doc:"Number of the loyalty programme; no name."`
	Subject   string `json:"subject"`
}

func (r roomServer) raise(ctx context.Context, at place, b DisputeRequest) (record.Body, error) {
	d := record.DisputeRaised{Hall: at.hall, Session: b.Session, Game: b.Game, Offer: b.Promotion, Member: b.Member, Subject: b.Subject, By: byIn(ctx)}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.RaiseDispute(now, d) })
}

// StepRequest is the body of a step of a dispute.
type StepRequest struct {
	Step  string `json:"step" enum:"decided,review,reviewed,advised"`
	Text  string `json:"text,omitempty" doc:"The decision."`
	Award *int64 `json:"award_cents,omitempty" doc:"What the decision awards altogether; as it was if absent."`
}

var steps = map[string]record.DisputeStep{"decided": record.StepDecided, "review": record.StepReview, "reviewed": record.StepReviewed, "advised": record.StepAdvised}

func (r roomServer) move(ctx context.Context, at place, b StepRequest) (record.Body, error) {
	m := record.DisputeMoved{Hall: at.hall, Dispute: at.number, Step: steps[b.Step], Text: b.Text, By: byIn(ctx)}
	var award *money.Amount
	if b.Award != nil {
		cents := money.Amount(*b.Award)
		award = &cents
	}
	return r.command(ctx, at.hall, func(e *engine.Engine, now record.Time) (record.Body, error) { return e.MoveDispute(now, m, award) })
}

// AwardPaymentRequest is the body of a payment of what a dispute awarded.
type AwardPaymentRequest struct {
	Parts []MediumPart `json:"parts"`
}

func (r roomServer) payAward(ctx context.Context, at place, b AwardPaymentRequest) (record.Body, error) {
	return r.rooms.PayAward(ctx, hall.AwardPayment{Hall: at.hall, Dispute: at.number, Parts: partsOf(b.Parts), By: byIn(ctx)})
}
