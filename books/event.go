package books

import (
	"cmp"
	"fmt"

	"drawhouse/figure"
	"drawhouse/money"
	"drawhouse/record"
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
	ClassDispute                       // a dispute of a bingo room, and what became of it
)

var classes = [...]string{
	"", "void", "cancellation", "override", "parameter change", "stop", "jackpot", "barred player", "credit", "till", "unclaimed", "claim", "journal", "correction", "dispute",
}

// String returns the name of the class for people.
func (c Class) String() string {
	if int(c) < len(classes) {
		return classes[c]
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// eventOf returns what a controller wants to look at, and whether the record is one
// of those.
func (f *Fold) eventOf(place record.Place, r record.Record) (Event, bool) {
	switch r.Body.(type) {
	case *record.TicketSold, *record.TicketPaid, *record.NumberDrawn:
		return Event{}, false // Nearly all records are of these.
	}
	e := Event{}
	for _, describe := range [...]func(*Event, record.Record) bool{describeTicket, describeGame, describeRoom, describeChange, describeHouse} {
		if !describe(&e, r) {
			continue
		}
		e.Place, e.Time, e.Kind = place, r.Time, r.Kind()
		if terminal, ok := r.Terminal(); ok {
			e.Terminal = terminal
			e.Person = cmp.Or(e.Person, f.duties[terminal].begun.Person)
		}
		return e, true
	}
	return Event{}, false
}

// describeRoom describes what befell a bingo room beside its games without a result, and
// reports whether the record is of those.
func describeRoom(e *Event, r record.Record) bool {
	_, by, _ := r.InRoom()
	e.Person = by.Person
	session := func(s record.HallSession) string { return fmt.Sprintf("bingo room %d, session %d", s.Hall, s.Session) }
	game := func(g record.BingoGame) string {
		return fmt.Sprintf("bingo room %d, session %d, game %d", g.Hall, g.Session, g.Game)
	}
	dispute := func(hall uint8, number uint32) string {
		return fmt.Sprintf("bingo room %d, dispute %d", hall, number)
	}
	switch b := r.Body.(type) {
	case *record.CallCorrected:
		e.Class, e.About = ClassCorrection, fmt.Sprintf("%s: %d was announced for %d", game(b.Game), b.Wrong, b.Number)
		if b.Of() == record.DrawJackpot {
			e.About += ", a jackpot number"
		}
	case *record.OutcomeInvalidated:
		e.Class, e.About = ClassVoid, fmt.Sprintf("%s: claims that lose what they won: %s (%s)", game(b.Game), figure.List(b.Claims), because(b.Reason, b.Clause))
	case *record.PlayerBarred:
		e.Class, e.About = ClassBarred, fmt.Sprintf("%s, player %d: %s", session(b.Session), b.Player, b.Reason)
	case *record.EntryUndone:
		e.Class, e.About = ClassCancellation, fmt.Sprintf("%s, entry of player %d undone: %s", session(b.Session), b.Player, b.Reason)
	case *record.SessionChanged:
		e.Class, e.About = ClassCorrection, fmt.Sprintf("bingo room %d, session %d set anew", b.Hall, b.Set.Session)
	case *record.SessionCancelled:
		e.Class, e.About = ClassCancellation, fmt.Sprintf("%s cancelled: %s", session(b.Session), b.Reason)
	case *record.IncidentNoted:
		e.Class, e.About = ClassOverride, fmt.Sprintf("%s, incident: %s", session(b.Session), b.Text)
	case *record.DisputeRaised:
		e.Class, e.About = ClassDispute, fmt.Sprintf("%s: %s", dispute(b.Hall, b.Dispute), b.Subject)
	case *record.DisputeMoved:
		e.Class, e.About = ClassDispute, fmt.Sprintf("%s, step %d: %s", dispute(b.Hall, b.Dispute), b.Step, b.Text)
	case *record.DisputeAwarded:
		e.Class, e.About, e.Cents = ClassDispute, dispute(b.Hall, b.Dispute)+" awards", b.Cents
	case *record.DisputePaid:
		e.Class, e.About = ClassDispute, dispute(b.Hall, b.Dispute)+" paid"
		for _, part := range b.Parts {
			e.Cents += part.Cents
		}
	default:
		e.Person = 0
		return false
	}
	return true
}

// describeTicket describes what befell tickets and payments, and reports whether the
// record is of those.
func describeTicket(e *Event, r record.Record) bool {
	switch b := r.Body.(type) {
	case *record.TicketCancelled:
		e.Class, e.About, e.Cents = ClassCancellation, fmt.Sprintf("ticket %v", b.Ticket), b.RefundCents+b.CarriedCents
	case *record.PaymentFrozen:
		e.Class, e.Person, e.About = ClassBarred, b.By, fmt.Sprintf("payment on %s stopped: %s", places(b.Places), b.Reason)
	case *record.PaymentReleased:
		e.Class, e.Person, e.About = ClassOverride, b.By, fmt.Sprintf("payment on %s goes on: %s", places(b.Places), b.Reason)
		e.Cents = b.PaidCents // what was paid late for it
	case *record.TicketDisqualified:
		e.Class, e.About = ClassBarred, fmt.Sprintf("ticket %v disqualified: %s", b.Ticket, because(b.Reason, b.Clause))
	case *record.TicketReinstated:
		e.Class, e.Person, e.About = ClassOverride, b.By, fmt.Sprintf("ticket %v: %s", b.Ticket, b.Reason)
	case *record.TicketInvalidated:
		e.Class, e.Person, e.About = ClassOverride, b.By, fmt.Sprintf("ticket %v: %s", b.Ticket, b.Reason)
	case *record.PrizeForfeited:
		e.Class, e.Terminal, e.About = ClassBarred, b.Request.Terminal, fmt.Sprintf("ticket %v: %s", b.Ticket, because(b.Reason, b.Clause))
		for _, part := range b.Parts {
			e.Cents += part.Cents
		}
	case *record.PaperReissued:
		e.Class, e.Terminal, e.Person, e.About = ClassOverride, b.Request.Terminal, b.By, fmt.Sprintf("another paper for %v: %s", b.Of, b.Reason)
	case *record.SessionEnded:
		e.Class, e.About, e.Cents = ClassCredit, fmt.Sprintf("customer session %d was not paid", b.Session), unpaid(b)
		if held := -tendered(b, record.TenderWithheld); held != 0 && e.Cents == 0 {
			e.Class, e.About, e.Cents = ClassBarred, fmt.Sprintf("customer session %d ended, and what stopped tickets had brought was withheld", b.Session), held
		}
		return e.Cents != 0
	case *record.BankCounted:
		e.Class, e.Person, e.About, e.Cents = ClassTill, b.By, fmt.Sprintf("counted %v for %v, with person %d", b.CountedCents, b.ExpectCents, b.With), b.CountedCents-b.ExpectCents
		return e.Cents != 0
	case *record.ClaimDecided:
		e.Class, e.Person, e.About = ClassClaim, b.By, fmt.Sprintf("claim %d %s: %s", b.Claim, b.Outcome, b.Reason)
	case *record.ClaimPaid:
		e.Class, e.Person, e.About, e.Cents = ClassClaim, b.By, fmt.Sprintf("claim %d by %s", b.Claim, b.Means), b.Cents
	case *record.PrizesSwept:
		e.Class, e.About = ClassUnclaimed, fmt.Sprintf("prizes of %d games to %s, %s", len(b.List), b.To, b.Clause)
		for _, swept := range b.List {
			e.Cents += swept.Cents
		}
	default:
		return false
	}
	return true
}

// describeGame describes what befell games.
func describeGame(e *Event, r record.Record) bool {
	switch b := r.Body.(type) {
	case *record.DrawVoided:
		e.Class, e.About = ClassVoid, fmt.Sprintf("draw %d of game %v: %s", b.Draw, b.Game, because(b.Reason, b.Clause))
	case *record.ResultConfirmed:
		e.Class, e.About = ClassOverride, fmt.Sprintf("result of game %v, draw %d, equal to that of game %v: %s", b.Game, b.Draw, b.Repeats, b.Reason)
	case *record.GameVoided:
		e.Class, e.About, e.Cents = ClassVoid, fmt.Sprintf("game %v: %s", b.Game, because(b.Reason, b.Clause)), b.RefundCents
	case *record.ResultCorrected:
		e.Class, e.About, e.Cents = ClassOverride, fmt.Sprintf("result of game %v, settlement %d: %s", b.Game, b.Revision, because(b.Reason, b.Clause)), b.OverpaidCents+b.ToppedCents
	case *record.BingoVoided:
		e.Class, e.Person, e.About, e.Cents = ClassVoid, b.By.Person, fmt.Sprintf("bingo game %d of session %d: %s", b.Game.Game, b.Game.Session, because(b.Reason, b.Clause)), b.RefundCents
	case *record.GameSettled:
		e.Class, e.About = ClassJackpot, fmt.Sprintf("game %v, settlement %d", b.Game, b.Revision)
		e.Cents = cmp.Or(b.JackpotCents, b.MajorsPaidCents)
		return b.Revision > 1 || len(b.Awards) > 0 || len(b.Reductions) > 0
	case *record.PlayPaused:
		e.Class, e.Person, e.About = ClassStop, b.By, b.Reason
	case *record.PlayResumed:
		e.Class, e.Person, e.About = ClassStop, b.By, "play goes on"
	case *record.ClosureAnnounced:
		e.Class, e.Person, e.About = ClassStop, b.By, "trading ends early"
	case *record.DisplayReported:
		e.Class, e.Person, e.About = ClassStop, b.By, fmt.Sprintf("a screen at venue %d: %s", b.Venue, b.Reason)
		return !b.Working
	default:
		return false
	}
	return true
}

// describeChange describes changes of the terms on which games are played.
func describeChange(e *Event, r record.Record) bool {
	e.Class = ClassParameter
	switch b := r.Body.(type) {
	case *record.RulebookAdopted:
		e.About = "rulebook " + b.ID
	case *record.TermsChanged:
		e.About = fmt.Sprintf("schedule %s from game %d of the series, by %s", b.Schedule, b.From, b.Approval)
	case *record.ParticipantsNamed:
		e.About = fmt.Sprintf("jackpots are shared with %s from game %d of the series", figure.List(b.Names), b.From)
	case *record.PromotionBegun:
		e.About, e.Cents = fmt.Sprintf("promotion %d, %s, by %s", b.Number, b.Name, b.Approval), b.AmountCents
	case *record.PromotionChanged:
		e.About = fmt.Sprintf("promotion %d, by %s", b.Number, b.Approval)
	case *record.DeviceChosen:
		e.About = "games are drawn by " + string(b.Device)
	case *record.WitnessesNamed:
		e.About = fmt.Sprintf("%d witnesses", len(b.Witnesses))
	case *record.VenueLimitSet:
		e.Person, e.About, e.Cents = b.By, fmt.Sprintf("venue %d pays up to this in cash", b.Venue), b.Cents
	case *record.HolidaysNamed:
		e.Person, e.About = b.By, figure.Count(len(b.Days), "public holiday")
	case *record.HoursSet:
		e.Person, e.About = b.By, fmt.Sprintf("hours of venue %d", b.Venue)
	case *record.PoolMoved:
		e.Class, e.About, e.Cents = ClassOverride, fmt.Sprintf("jackpot money, %s, by %s", b.Move, b.Approval), b.AmountCents
	default:
		return false
	}
	return true
}

// describeHouse describes changes of people and places, and what befell the journal.
func describeHouse(e *Event, r record.Record) bool {
	e.Class = ClassParameter
	switch b := r.Body.(type) {
	case *record.RoleGranted:
		e.Person, e.About = b.By, fmt.Sprintf("person %d is %s", b.Person, b.Role)
	case *record.RoleWithdrawn:
		e.Person, e.About = b.By, fmt.Sprintf("person %d is no longer %s", b.Person, b.Role)
	case *record.LockSet:
		e.Person, e.About = b.By, fmt.Sprintf("person %d: %s", b.Person, b.Reason)
	case *record.TerminalKeyed:
		e.Person, e.About = b.By, fmt.Sprintf("terminal %d has a key", b.Terminal)
	case *record.TerminalRevoked:
		e.Person, e.About = b.By, fmt.Sprintf("terminal %d: %s", b.Terminal, b.Reason)
	case *record.ApprovalUsed:
		e.Class, e.Person, e.About = ClassOverride, b.By, fmt.Sprintf("approval %d of two persons", b.Approval)
	case *record.VolumeBegun:
		e.Class, e.About = ClassJournal, fmt.Sprintf("volume %d: %s", b.Volume, b.Reason)
	case *record.RequestBurned:
		e.Class, e.Terminal, e.About = ClassJournal, b.Terminal, fmt.Sprintf("request %d was given up", b.Number)
	default:
		return false
	}
	return true
}

// because joins a reason and its clause.
func because(reason, clause string) string {
	if clause == "" {
		return reason
	}
	return reason + ", " + clause
}

// places lists some tickets and papers, of many the first ones.
func places(list []record.Place) string {
	const most = 3
	if len(list) <= most {
		return figure.List(list)
	}
	named := make([]string, most, most+1)
	for i := range named {
		named[i] = fmt.Sprint(list[i])
	}
	return figure.List(append(named, fmt.Sprintf("%d more", len(list)-most)))
}
