package books

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Event is something out of the ordinary.
type Event struct {
	_        struct{} `cbor:",toarray"`
	Place    record.Place
	Time     record.Time
	Kind     record.Kind
	Class    Class
	Terminal uint32 // where it happened; 0 for nowhere in particular
	Person   uint32 // who did it, or was at the terminal; 0 if nobody is known
	About    string // the subject, in words
	Cents    money.Amount
}

// Class is why a controller wants to look at an event. Numbers stay what they are.
type Class uint8

// The classes.
const (
	ClassVoid         Class = iota + 1 // a draw or a game has no result
	ClassCancellation                  // a ticket was given back
	ClassOverride                      // somebody with authority set something aside
	ClassParameter                     // how the house works was changed
	ClassStop                          // play stopped or went on
	ClassJackpot                       // a jackpot was won, prizes were reduced, a game was settled again
	ClassBarred                        // a prize is kept from somebody who may not have it
	ClassCredit                        // tickets were issued and not paid for
	ClassTill                          // a bank had too much or too little
	ClassUnclaimed                     // prizes that nobody fetched went elsewhere
	ClassClaim                         // a claim on a form was decided or paid
	ClassJournal                       // a volume began, a request was given up
	ClassCorrection                    // what was announced or set was put right
	ClassDispute                       // a dispute, and what became of it
	ClassInspection                    // a device or a draw was inspected
	ClassState                         // the tax of a month was stated, or money went to the State
)

var classes = [...]string{
	"", "void", "cancellation", "override", "parameter change", "stop", "jackpot",
	"barred player", "credit", "till", "unclaimed", "claim", "journal", "correction", "dispute",
	"inspection", "State",
}

// String returns the name of the class for people.
func (c Class) String() string {
	if int(c) < len(classes) {
		return classes[c]
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// SeriesOf returns the series of games to which an event of the book belongs, or 0 for the house itself: the book of a
// series that closes the house has the events of the house among its own.
func (b *Book) SeriesOf(e *Event) uint8 {
	if !e.Kind.HasSeries() || b.Form == formOne && !inDayOne(e.Kind) {
		return theHouse
	}
	return b.Series
}

// eventOf returns what a controller wants to look at, and whether the record is one
// of those.
func (f *Fold) eventOf(place record.Place, r record.Record) (Event, bool) {
	kind := r.Kind()
	describe, ok := events.Of(kind)
	if !ok {
		return Event{}, false
	}
	e := Event{Place: place, Time: r.Time, Kind: kind}
	if actors := r.Actors(); len(actors) > 0 {
		e.Person = actors[0]
	}
	e.Terminal, _ = r.Counter()
	if !describe(&e, r.Body) {
		return Event{}, false
	}
	if used, ok := r.Body.(*record.ApprovalUsed); ok {
		f.asked(&e, used)
	}
	if terminal, ok := r.Terminal(); ok {
		e.Person = cmp.Or(e.Person, f.duties[terminal].begun.Person)
	}
	return e, true
}

// request is what two persons were asked to agree on.
type request struct {
	action string
	cents  money.Amount
}

// requested keeps the name and the amount of an act until it is done. Books of the first form do not name them.
func (f *Fold) requested(b *record.ApprovalRequested) {
	if f.level < record.LevelSeries {
		return
	}
	var says struct {
		Cents money.Amount `json:"cents"`
	}
	if err := json.Unmarshal([]byte(b.Says), &says); err != nil {
		says.Cents = 0 // It says nothing, or a file.
	}
	f.requests[b.Approval] = request{b.Action, says.Cents}
}

// asked names the act for which an approval is used, with its amount.
func (f *Fold) asked(e *Event, b *record.ApprovalUsed) {
	if was, ok := f.requests[b.Approval]; ok {
		e.About += ": " + strings.ReplaceAll(was.action, "_", " ")
		e.Cents = was.cents
		delete(f.requests, b.Approval)
	}
}

// The subjects of a bingo room.
const (
	inRoom    = "bingo room {Session.Hall}, session {Session.Session}"
	inBingo   = "bingo room {Game.Hall}, session {Game.Session}, game {Game.Game}"
	ofDispute = "bingo room {Hall}, dispute {Dispute}"
)

// events say what the records of each unusual kind are about (record.Kind.Unusual).
var events = record.NewTable(
	// Tickets and payments.
	says[*record.TicketCancelled](ClassCancellation, "ticket {Ticket}", "RefundCents", "CarriedCents"),
	says[*record.PaymentFrozen](ClassBarred, "payment on {Places} stopped: {Reason}"),
	says[*record.PaymentReleased](ClassOverride, "payment on {Places} goes on: {Reason}", "PaidCents"),
	when(says[*record.TicketDisqualified](ClassBarred, "ticket {Ticket} disqualified: {Reason, Clause}"), bySeveral),
	says[*record.RunnerDisputed](ClassDispute, "venue {Venue}, dispute {Dispute} with runner {Runner}: {Finding}"),
	says[*record.RunnerDisputeDecided](ClassDispute, "dispute {Dispute} with a runner decided: {Finding}"),
	says[*record.SaleRefused](ClassBarred, "sale refused: {Cause}"),
	says[*record.TicketReinstated](ClassOverride, "ticket {Ticket}: {Reason}"),
	says[*record.TicketInvalidated](ClassOverride, "ticket {Ticket}: {Reason}"),
	says[*record.PrizeForfeited](ClassBarred, "ticket {Ticket}: {Reason, Clause}", "Parts.Cents"),
	says[*record.PaperReissued](ClassOverride, "another paper for {Of}: {Reason}"),
	when(says[*record.SessionEnded](ClassCredit, "customer session {Session} was not paid"), leftUnpaid),
	when(says[*record.BankCounted](ClassTill, "counted {CountedCents} for {ExpectCents}, with person {With}"), isOver),
	says[*record.ClaimDecided](ClassClaim, "claim {Claim} {Outcome}: {Reason}"),
	says[*record.ClaimPaid](ClassClaim, "claim {Claim} by {Means}", "Cents"),
	says[*record.TicketsTakenIn](ClassClaim, "{Tickets} open tickets of {System} taken in, by {Reference}", "Cents"),
	says[*record.TicketsLapsed](ClassUnclaimed, "{Tickets} tickets of another system to {To}, {Clause}", "Cents"),
	when(says[*record.TaxStated](ClassState, "", "TaxCents"), aboutTax),
	says[*record.RemittanceMade](ClassState, "paid out of {From}, {Reference}", "Cents"),
	says[*record.PrizesSwept](ClassUnclaimed, "prizes of {#List} games to {To}, {Clause}", "List.Cents"),

	// Games.
	says[*record.DrawVoided](ClassVoid, "draw {Draw} of game {Game}: {Reason, Clause}"),
	says[*record.ResultConfirmed](ClassOverride,
		"result of game {Game}, draw {Draw}, equal to that of game {Repeats}: {Reason}"),
	says[*record.GameVoided](ClassVoid, "game {Game}: {Reason, Clause}", "RefundCents"),
	says[*record.ResultCorrected](ClassOverride,
		"result of game {Game}, settlement {Revision}: {Reason, Clause}", "OverpaidCents", "ToppedCents"),
	says[*record.BingoVoided](ClassVoid,
		"bingo game {Game.Game} of session {Game.Session}: {Reason, Clause}", "RefundCents"),
	when(says[*record.GameSettled](ClassJackpot, "game {Game}, settlement {Revision}"), isUnusual),
	says[*record.PlayPaused](ClassStop, "{Reason}"),
	says[*record.PlayResumed](ClassStop, "play goes on"),
	says[*record.ClosureAnnounced](ClassStop, "trading ends early"),
	when(says[*record.DisplayReported](ClassStop, "a screen at venue {Venue}: {Reason}"),
		func(_ *Event, b *record.DisplayReported) bool { return !b.Working }),

	// Bingo rooms, beside their games without a result.
	when(says[*record.CallCorrected](ClassCorrection, inBingo+": {Wrong} was announced for {Number}"), ofJackpot),
	says[*record.OutcomeInvalidated](ClassVoid,
		inBingo+": claims that lose what they won: {Claims} ({Reason, Clause})"),
	says[*record.PlayerBarred](ClassBarred, inRoom+", player {Player}: {Reason}"),
	says[*record.EntryUndone](ClassCancellation, inRoom+", entry of player {Player} undone: {Reason}"),
	says[*record.SessionChanged](ClassCorrection, "bingo room {Hall}, session {Set.Session} set anew"),
	says[*record.SessionCancelled](ClassCancellation, inRoom+" cancelled: {Reason}"),
	says[*record.IncidentNoted](ClassOverride, inRoom+", incident: {Text}"),
	says[*record.DisputeRaised](ClassDispute, ofDispute+": {Subject}"),
	says[*record.DisputeMoved](ClassDispute, ofDispute+", step {Step}: {Text}"),
	says[*record.DisputeAwarded](ClassDispute, ofDispute+" awards", "Cents"),
	says[*record.DisputePaid](ClassDispute, ofDispute+" paid", "Parts.Cents"),

	// Changes of the terms on which games are played.
	says[*record.RulebookAdopted](ClassParameter, "rulebook {ID}"),
	says[*record.VenueAgreed](ClassParameter,
		"agreement with venue {Venue} from {From}: {SalesRate}, {PrizesRate} and {FeesRate} basis points"),
	says[*record.CreditorNamed](ClassParameter, "direct debits are paid to {Name}, account {Account}"),
	says[*record.CashCarried](ClassTill,
		"cash of the safe of venue {Venue} {Move}, slip {Reference}, signed by person {With}", "Cents"),
	says[*record.DebitsOrdered](ClassOverride, "file {File} of direct debits, collected on {Collect}", "Debits.Cents"),
	when(says[*record.DebitAnswered](ClassCredit, "statement {Statement} of venue {Venue} returned by the bank: {Code}", "Cents"),
		func(e *Event, b *record.DebitAnswered) bool {
			if b.Bank != "" {
				e.About += ", reference " + b.Bank
			}
			return !b.Paid
		}),
	says[*record.DebitsWithdrawn](ClassOverride, "file {File} of direct debits withdrawn: {Reason}"),
	says[*record.VenuePaid](ClassOverride, "venue {Venue} was paid, {Reference}", "Cents"),
	says[*record.VenuePaymentReversed](ClassCorrection,
		"payment {Of} of venue {Venue}, {Reference}, taken back: {Reason}", "Cents"),
	says[*record.RemittanceReversed](ClassCorrection, "payment {Of} out of {From}, {Reference}, taken back: {Reason}", "Cents"),
	says[*record.VenueLicensed](ClassParameter, "venue {Venue}, series {Series}: {Sells}, by {Approval}"),
	says[*record.SeriesLimited](ClassParameter,
		"series {Series} ends with {LastDay}, at {Games} games a day, by {Approval}"),
	says[*record.TermsChanged](ClassParameter, "schedule {Schedule} from game {From} of the series, by {Approval}"),
	says[*record.ParticipantsNamed](ClassParameter,
		"jackpots are shared with {Names} from game {From} of the series"),
	says[*record.PromotionBegun](ClassParameter, "promotion {Number}, {Name}, by {Approval}", "AmountCents"),
	says[*record.PromotionChanged](ClassParameter, "promotion {Number}, by {Approval}"),
	when(says[*record.DeviceChosen](ClassParameter, "games are drawn by {Device}"), ofRegister),
	says[*record.BeaconChosen](ClassParameter, "the beacon {Chain} is part of draws from {From}"),
	says[*record.DeviceRegistered](ClassParameter,
		"drawing device {Number}, {Device} of {Maker}, {Serial}, at {Site}, by {Reference}"),
	when(says[*record.DeviceInspected](ClassInspection, "drawing device {Number}, {Part}: {Finding}"),
		func(e *Event, b *record.DeviceInspected) bool { return isSound(e, b.Sound) }),
	when(says[*record.DrawInspected](ClassInspection, "draw of game {Game}, settlement {Revision}: {Finding}"),
		func(e *Event, b *record.DrawInspected) bool { return isSound(e, b.Agrees) }),
	says[*record.WitnessesNamed](ClassParameter, "{#Witnesses} witnesses"),
	says[*record.VenueListed](ClassParameter, "venue {Venue} sells the ready tickets of the list {Listed}"),
	says[*record.VenueLimitSet](ClassParameter, "venue {Venue} pays up to this in cash", "Cents"),
	when(says[*record.HolidaysNamed](ClassParameter, ""), func(e *Event, b *record.HolidaysNamed) bool {
		e.About = figure.Count(len(b.Days), "public holiday")
		return true
	}),
	says[*record.HoursSet](ClassParameter, "hours of venue {Venue}"),
	says[*record.VenueRenamed](ClassParameter, "venue {Venue} is named {Name}"),
	says[*record.PoolsTakenIn](ClassOverride, "pools of {System} taken in, by {Approval}", "JackpotCents"),
	says[*record.PoolMoved](ClassOverride, "jackpot money, {Move}, by {Approval}", "AmountCents"),

	// People, places and the journal.
	says[*record.RoleGranted](ClassParameter, "person {Person} is {Role}"),
	says[*record.RoleWithdrawn](ClassParameter, "person {Person} is no longer {Role}"),
	says[*record.LockSet](ClassParameter, "person {Person}: {Reason}"),
	says[*record.TerminalKeyed](ClassParameter, "terminal {Terminal} has a key"),
	says[*record.TerminalRevoked](ClassParameter, "terminal {Terminal}: {Reason}"),
	says[*record.ApprovalUsed](ClassOverride, "approval {Approval} of two persons"),
	says[*record.BuildNamed](ClassJournal, "program {Build} writes from now on"),
	says[*record.VolumeBegun](ClassJournal, "volume {Volume}: {Reason}"),
	says[*record.LogBegun](ClassJournal, "a public log begins"),
	when(says[*record.RequestBurned](ClassJournal, "request {Number} was given up"),
		func(e *Event, b *record.RequestBurned) bool { e.Terminal = b.Terminal; return true }),
)

// ofRegister says which device of the register draws.
func ofRegister(e *Event, b *record.DeviceChosen) bool {
	if b.Registered != 0 {
		e.About += fmt.Sprintf(", device %d of the register", b.Registered)
	}
	return true
}

// isSound says whether what was inspected is as it must be.
func isSound(e *Event, sound bool) bool {
	found := " (unsound)"
	if sound {
		found = " (sound)"
	}
	e.About += found
	return true
}

// bySeveral says that no person alone has done it.
func bySeveral(e *Event, _ *record.TicketDisqualified) bool {
	e.Person = 0
	return true
}

// leftUnpaid says what a customer has not paid, or what the end of the session has withheld.
func leftUnpaid(e *Event, b *record.SessionEnded) bool {
	e.Cents = unpaid(b)
	if held := -tendered(b, record.TenderWithheld); held != 0 && e.Cents == 0 {
		e.Class, e.Cents = ClassBarred, held
		e.About = fmt.Sprintf("customer session %d ended, and what stopped tickets had brought was withheld", b.Session)
	}
	return e.Cents != 0
}

// isOver says how much more a bank had than it should have.
func isOver(e *Event, b *record.BankCounted) bool {
	e.Cents = b.CountedCents - b.ExpectCents
	return e.Cents != 0
}

// isUnusual reports a settlement with jackpots or reductions, or one that is not the first.
func isUnusual(e *Event, b *record.GameSettled) bool {
	e.Cents = cmp.Or(b.JackpotCents, b.MajorsPaidCents)
	return b.Revision > 1 || len(b.Awards) > 0 || len(b.Reductions) > 0
}

// ofJackpot says that a jackpot number was corrected.
func ofJackpot(e *Event, b *record.CallCorrected) bool {
	if b.Of() == record.DrawJackpot {
		e.About += ", a jackpot number"
	}
	return true
}

// aboutTax names the month of a return of tax, and the figures from which it comes.
func aboutTax(e *Event, b *record.TaxStated) bool {
	year, month, _ := b.Month.Date()
	e.About = fmt.Sprintf("tax of %d-%02d: %s %v, less losses of %v, at %d.%02d%%", year, month,
		strings.ReplaceAll(b.Base, "_", " "), b.BaseCents, b.BroughtCents, b.Rate/100, b.Rate%100)
	return true
}
