package staff

import (
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file has the guards about persons. The engine asks them about every record, whatever
// command has decided it: who acts can act, who is on shift may work, two are two, and the
// house keeps somebody who can run it.

// The codes of the guards.
const (
	OneHand       refusal.Code = "one_hand"        // one of the two had the other in hand of late
	PersonNoRole  refusal.Code = "person_no_role"  // who acts has no role
	ShiftStopped  refusal.Code = "shift_stopped"   // who is on shift at the terminal is locked
	ConsentLapsed refusal.Code = "consent_lapsed"  // who consented is locked or gone
	NotInvited    refusal.Code = "not_invited"     // nobody has invited the person, or not of late
	NamedByNobody refusal.Code = "named_by_nobody" // it takes a person
	FoundingOver  refusal.Code = "founding_over"   // the house itself brings in nobody any more
)

// Guards returns the guards about persons.
func Guards() []func(*state.State, record.Record) error {
	return []func(*state.State, record.Record) error{CheckActor, CheckActing, CheckShift, CheckTwo, CheckLast,
		CheckNamed, CheckFounding}
}

// AreTwo reports whether two persons count as two: they are not the same, and none of them
// could have acted as the other of late (state.OneHand).
func AreTwo(s *state.State, a, b uint32, now record.Time) bool {
	return a != b && !s.People().InOneHand(a, b, now)
}

// CheckFounding refuses what the house itself would do after its founding: to bring in,
// appoint, dismiss or let in anybody, to give a terminal a key or a venue its hours, or
// whatever else a record could name a person for. Persons do that, who answer for it. That
// the machine lets in an administrator has a record of its own.
func CheckFounding(s *state.State, r record.Record) error {
	if !r.ByNobody() || !s.People().Founded() {
		return nil
	}
	if own := ownActs[r.Kind()]; own != nil && own(r.Body) {
		return nil
	}
	return refuse(FoundingOver, "", "person",
		"The founding of the house is over: a person does this, and not the house itself.")
}

// ownActs are the kinds of records that the house itself writes as long as it stands, where
// nobody is there who does it. None of them lets money out, or anybody in.
var ownActs = map[record.Kind]func(record.Body) bool{
	// Devices say that their displays work, and the house that a device is silent.
	record.KindDisplayReported: always,
	// A person who guesses passwords is locked out for a while.
	record.KindLockSet: func(body record.Body) bool { return body.(*record.LockSet).Until != 0 }, //nolint:errcheck // The table is asked by the kind of the record.
	// The sheet on which the games of a paid ticket go on comes with the payment.
	record.KindPaperReissued: func(body record.Body) bool {
		return body.(*record.PaperReissued).Reason == record.ReissueContinuation //nolint:errcheck // As above.
	},
	// What a session leaves unpaid is stopped with its end, and what came of a disqualified
	// entry with the disqualification.
	record.KindPaymentFrozen: always,
	// Who is past the time of keeping is forgotten by the house, under the same rules as by a person.
	record.KindHolderErased: always,
	record.KindPayeeErased:  always,
	record.KindClaimNoted: func(body record.Body) bool {
		return body.(*record.ClaimNoted).Note == record.NoteErased //nolint:errcheck // As above.
	},
	// A custodian hands its link over itself.
	record.KindLinkReleased: always,
	record.KindLinkGiven:    always,
}

func always(record.Body) bool { return true }

// CheckActor refuses a record by somebody who cannot act: who is not there, is erased or
// locked, or has no role. Which role it takes is for CheckActing. Everybody may leave, and set the own password.
func CheckActor(s *state.State, r record.Record) error {
	actors := r.Actors()
	if used, ok := r.Body.(*record.ApprovalUsed); ok {
		return checkUse(s, used, r.Time)
	}
	for _, id := range actors {
		if err := checkActor(s, id, r); err != nil {
			return err
		}
	}
	return nil
}

func checkActor(s *state.State, id uint32, r record.Record) error {
	person, err := living(s.People(), id)
	switch {
	case err != nil:
		return err
	case leaves(r.Body, id):
		return nil
	case person.Stopped > r.Time:
		return refuse(PersonLocked, "", "person", "Person %d is locked.", id)
	case len(person.Grants) == 0 && !setsOwn(r.Body, id):
		return refuse(PersonNoRole, "", "person", "Person %d has no role in this house.", id)
	}
	return nil
}

// leaves reports whether somebody does no more than go off duty.
func leaves(body record.Body, id uint32) bool {
	switch b := body.(type) {
	case *record.ShiftEnding:
		return true
	case *record.ShiftEnded:
		return b.Person == id
	}
	return false
}

// setsOwn reports whether somebody sets the own password.
func setsOwn(body record.Body, id uint32) bool {
	set, ok := body.(*record.PasswordSet)
	return ok && set.Person == id
}

// checkUse refuses the use of an approval by somebody who cannot act, or with the consent of
// somebody who could not consent now: a consent does not outlive the lock of who gave it, nor
// come back when the lock ends.
func checkUse(s *state.State, used *record.ApprovalUsed, now record.Time) error {
	if err := checkActor(s, used.By, record.Record{Time: now, Body: used}); err != nil {
		return err
	}
	approval, ok := s.People().Approval(used.Approval)
	if !ok {
		return nil // The decision itself says so.
	}
	decider, err := living(s.People(), approval.Decider)
	if err != nil || approval.Lapsed || decider.Stopped > now ||
		!HasFor(s.People(), decider, approval.ApprovalRequested, approval.Roles) {
		return refuse(ConsentLapsed, "", "approval",
			"Person %d, who consented to request %d, was locked or given another password since, or has no role for it any more. Ask again.", approval.Decider, used.Approval)
	}
	return nil
}

// CheckShift refuses what is done for a customer at a terminal where somebody is on shift
// who is locked. It goes on once another person is.
func CheckShift(s *state.State, r record.Record) error {
	terminal, ok := counterOf(r)
	if !ok {
		return nil
	}
	post, _ := s.People().Post(terminal)
	if person, ok := s.People().Person(post.Person); ok && person.Stopped > r.Time {
		return refuse(ShiftStopped, "", "terminal",
			"Person %d, who is on shift at terminal %d, is locked. The terminal goes on when that shift has ended and another person has begun one.", post.Person, terminal)
	}
	return nil
}

// counterOf returns the terminal at which a customer is served. Those who sign for a bank
// are checked themselves, and may be others than who is on shift.
func counterOf(r record.Record) (uint32, bool) {
	switch r.Kind() {
	case record.KindBankMoved, record.KindBankCounted:
		return 0, false
	}
	return r.Counter()
}

// CheckTwo refuses an act of two persons who are one hand.
func CheckTwo(s *state.State, r record.Record) error {
	for _, pair := range pairs(s, r.Body) {
		if a, b := pair[0], pair[1]; a != 0 && b != 0 && !AreTwo(s, a, b, r.Time) {
			return refuse(OneHand, "", "person",
				"Persons %d and %d do not count as two: within a day one person has brought in, appointed, invited or set the password of the other, or of both.", a, b)
		}
	}
	return nil
}

// pairs returns the persons of whom a record needs two.
func pairs(s *state.State, body record.Body) [][2]uint32 {
	switch b := body.(type) {
	case *record.ApprovalDecided:
		if asked, ok := s.People().Approval(b.Approval); ok && b.Granted {
			return [][2]uint32{{asked.By, b.By}}
		}
	case *record.BankMoved:
		return [][2]uint32{{b.By, b.With}}
	case *record.BankCounted:
		return [][2]uint32{{b.By, b.With}}
	case *record.CashCarried:
		return [][2]uint32{{b.By, b.With}}
	case *record.CageStarted:
		return [][2]uint32{b.Recorders}
	case *record.ClaimSigned, *record.ClaimDecided, *record.ClaimPaid:
		return claimPairs(s, body)
	case *record.TicketDisqualified:
		return deciderPairs(b.Deciders)
	case *record.DisputeMoved:
		return disputePairs(s, b)
	}
	return nil
}

// claimPairs returns who must be two about a claim: who takes it in and who decides it, who
// decides it and who pays it, and those who sign for different parties.
func claimPairs(s *state.State, body record.Body) [][2]uint32 {
	switch b := body.(type) {
	case *record.ClaimSigned:
		form, ok := s.ClaimForm(b.Claim)
		if !ok {
			return nil
		}
		var found [][2]uint32
		for party, signed := range form.Signed {
			if party != b.Party {
				found = append(found, [2]uint32{signed.Person, b.Person})
			}
		}
		slices.SortFunc(found, func(x, y [2]uint32) int { return int(int64(x[0]) - int64(y[0])) })
		return found
	case *record.ClaimDecided:
		if form, ok := s.ClaimForm(b.Claim); ok {
			return [][2]uint32{{form.By, b.By}}
		}
	case *record.ClaimPaid:
		if form, ok := s.ClaimForm(b.Claim); ok && form.Decided != nil {
			return [][2]uint32{{form.Decided.By, b.By}}
		}
	}
	return nil
}

// deciderPairs returns those who speak for different parties. Where one person speaks for
// several, the rulebook has let that person.
func deciderPairs(deciders []record.Decider) [][2]uint32 {
	var found [][2]uint32
	for i, first := range deciders {
		for _, second := range deciders[i+1:] {
			if first.Person != second.Person {
				found = append(found, [2]uint32{first.Person, second.Person})
			}
		}
	}
	return found
}

// disputePairs returns who decided a dispute and who reviews the decision.
func disputePairs(s *state.State, b *record.DisputeMoved) [][2]uint32 {
	room, ok := s.Hall(b.Hall)
	if b.Step != record.StepReviewed || !ok || b.Dispute == 0 || int(b.Dispute) > len(room.Disputes) {
		return nil
	}
	if steps := room.Disputes[b.Dispute-1].Steps; len(steps) > 0 {
		return [][2]uint32{{steps[0].By.Person, b.By.Person}}
	}
	return nil
}

// CheckNamed refuses public holidays that nobody has named, which move the days on which
// customers have their money, venues of a kind that no rulebook knows or with the name of
// another, and names of places that would look like something else.
func CheckNamed(s *state.State, r record.Record) error {
	var name string
	switch b := r.Body.(type) {
	case *record.HolidaysNamed:
		if b.By == 0 {
			return refuse(NamedByNobody, "", "person", "A person of the central site names the public holidays.")
		}
		return nil
	case *record.OperatorAdded:
		name = b.Name
	case *record.VenueAdded:
		return checkNewVenue(s, b.Kind, b.Name)
	case *record.VenueRenamed:
		return checkVenueName(s, b.Venue, b.Name)
	case *record.AreaAdded:
		name = b.Name
	case *record.HallOpened:
		name = b.Name
	default:
		return nil
	}
	if err := record.CheckName(name); err != nil {
		return refuse(NameWrong, "", "name", "%v", err)
	}
	return nil
}
