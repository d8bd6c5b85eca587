package counter

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about tickets and papers that are not paid.
const (
	Frozen         refusal.Code = "frozen"          // payment is stopped
	Disqualified   refusal.Code = "disqualified"    // no claim is admitted
	NotDelivered   refusal.Code = "not_delivered"   // the paper was never handed over
	UnderClaim     refusal.Code = "under_claim"     // a claim form for it is not decided, or was allowed
	NotFrozen      refusal.Code = "not_frozen"      // there is nothing to release
	NamedTwice     refusal.Code = "named_twice"     // a ticket or paper is named twice
	NotPaidFor     refusal.Code = "not_paid_for"    // its session ended unpaid, and nobody has paid since
	PartiesMissing refusal.Code = "parties_missing" // those who must agree have not
	NotReinstated  refusal.Code = "not_reinstated"  // the rulebook knows no way back
	NotInvalid     refusal.Code = "not_invalid"     // a change of the rules makes no ticket invalid here
	NoForfeit      refusal.Code = "no_forfeit"      // the rulebook knows no such forfeit
)

// CheckStop refuses a ticket or paper on which payment is stopped. A ticket that a
// change of the rules has made invalid keeps what it won before.
//
//rule:vic-keno-2015 21(k) 26(a)
//rule:tas-keno-2023 1.25 16.2 20.1
func CheckStop(s *state.State, place record.Place) error {
	if err := CheckFrozen(s, place); err != nil {
		return err
	}
	if err := checkUnclaimed(s, place); err != nil {
		return err
	}
	if err := checkLost(s, place); err != nil {
		return err
	}
	return checkDelivered(s, place)
}

// checkDelivered refuses a ticket or paper that was not handed over.
func checkDelivered(s *state.State, place record.Place) error {
	if s.Undelivered(place) {
		return refuse(NotDelivered, "", "serial",
			"The terminal has said that this ticket was not handed over. Print it again, void it, or take in a claim form.")
	}
	return nil
}

// CheckFrozen refuses a ticket, paper or card on which payment is frozen, and an entry
// that is disqualified.
func CheckFrozen(s *state.State, place record.Place) error {
	stop, _ := s.Stopped(place)
	switch {
	case !stop.Stops():
	case stop.Disqualified:
		return refuse(Disqualified, stop.Clause, "serial", "The entry is disqualified: %s.", stop.Reason)
	default:
		return refuse(Frozen, stop.Clause, "serial", "Payment is stopped: %s.", stop.Reason)
	}
	return nil
}

// checkUnclaimed refuses a ticket or paper for which a claim form may still be paid.
func checkUnclaimed(s *state.State, place record.Place) error {
	if form := s.UnderClaim(place); form != 0 {
		return refuse(UnderClaim, "", "serial", "It is claimed on form %d.", form)
	}
	return nil
}

// checkLost refuses a ticket that was paid as lost: anybody who comes with it now is not whom the
// operator knows as its holder, and what it wins later is claimed on a form again.
//
//rule:vic-keno-2015 23(a)
//rule:tas-keno-2023 15.1
//rule:casino-keno-div2 8.12
func checkLost(s *state.State, place record.Place) error {
	if form := s.LostOn(place); form != 0 {
		return refuse(UnderClaim, "", "serial",
			"It was paid as lost on form %d. What it wins or gives back later is claimed on a form too, or fetched with another sheet that two persons agree to.", form)
	}
	return nil
}

// Freeze stops payment on a ticket or paper and on everything that was bought with
// what it brought, replays included. Games that are sealed stay as they are: nobody
// else's share changes, and nothing is refunded.
//
//rule:tas-keno-2023 1.12 1.25 16.2
//rule:vic-keno-2015 21(k)
func Freeze(s *state.State, places []record.Place, reason, clause string, by uint32) (*record.PaymentFrozen, error) {
	if reason == "" {
		return nil, refuse(ReasonMissing, "", "reason", "A stop of payment needs a reason.")
	}
	if err := CheckAuthority(s, by); err != nil {
		return nil, err
	}
	var all []record.Place
	for _, place := range places {
		for _, p := range append([]record.Place{place}, s.CameOf(place)...) {
			if stop, _ := s.Stopped(p); !stop.Frozen && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	if len(all) == 0 {
		return nil, refuse(Frozen, "", "serial", "Payment is stopped already.")
	}
	return &record.PaymentFrozen{Places: all, Reason: reason, Clause: clause, By: by}, nil
}

// CheckAuthority refuses somebody who does not speak for the operator. Person 0 is the
// house itself.
func CheckAuthority(s *state.State, by uint32) error {
	if by != 0 && !speaksFor(s, by, "operator") && !speaksFor(s, by, "commission") {
		return refuse(PartiesMissing, "", "person", "Person %d may not do that.", by)
	}
	return nil
}

// Release lets tickets and papers be paid again. What the customer of a session left unpaid is
// paid first, all of it: nothing is paid out for what nobody has paid for, and a release is no
// payment. The money goes to the safe of the venue, which bears the loss no longer.
//
//rule:vic-keno-2015 11(b) 17(d) 21(k)
//rule:tas-keno-2023 16.1 16.2 16.3
//rule:casino-keno-div2 3.11
func Release(s *state.State, places []record.Place, reason string, paid money.Amount,
	by uint32) (*record.PaymentReleased, []ledger.Posting, error) {
	if reason == "" {
		return nil, nil, refuse(ReasonMissing, "", "reason", "A release needs a reason.")
	}
	for i, place := range places {
		stop, _ := s.Stopped(place)
		if !stop.Frozen {
			return nil, nil, refuse(NotFrozen, "", "serial", "Payment is not stopped.")
		}
		if slices.Contains(places[:i], place) { // Two serials may be of one ticket.
			return nil, nil, refuse(NamedTwice, stop.Clause, "serials",
				"Ticket %v is named twice. Two persons agree on each ticket once.", place)
		}
	}
	if err := CheckAuthority(s, by); err != nil {
		return nil, nil, err
	}
	var owed money.Amount
	var postings []ledger.Posting
	for _, debt := range s.Debts(places) {
		owed += debt.Cents
		postings = append(postings, ledger.Debit(ledger.Safe, debt.Venue, debt.Cents),
			ledger.Credit(ledger.VenueLosses, debt.Venue, debt.Cents))
	}
	switch {
	case paid != owed && owed > 0:
		stop, _ := s.Stopped(s.Debts(places)[0].For[0])
		return nil, nil, refuse(NotPaidFor, stop.Clause, "cents",
			"%v are owed for what was sold in the session, and %v were paid late. Nothing is paid on it before all of it is paid for.", owed, paid)
	case paid != owed:
		return nil, nil, refuse(AmountWrong, "", "cents",
			"Nothing is owed for it, and %v cannot have been paid late.", paid)
	}
	return &record.PaymentReleased{Places: places, Reason: reason, By: by,
		PaidCents: paid}, ledger.Merge(postings...), nil
}

// partyRoles says which roles of the house speak for a party that a rulebook names. Package
// verify has a table of its own.
var partyRoles = map[string][]record.Role{
	"licensee":                    {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"operator":                    {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"casino_operator":             {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"state_wide_gaming_operative": {record.RoleOperative},
	"commission":                  {record.RoleInspector},
	inspectorParty:                {record.RoleInspector},
}

// Disqualify says that no claim on a ticket is admitted, if all those are of that
// opinion who must be. The draw of a sealed game and the shares of others stay as
// they are.
//
//rule:vic-keno-2015 26(a)
//rule:tas-keno-2023 20.1 20.2(d)
func Disqualify(s *state.State, book *rulebook.Book, ticket record.Place, reason string,
	persons []uint32) (*record.TicketDisqualified, error) {
	policy := book.Disqualify()
	if reason == "" {
		return nil, refuse(ReasonMissing, policy.Quoted(), "reason", "A disqualification needs a reason.")
	}
	if stop, _ := s.Stopped(ticket); stop.Disqualified {
		return nil, refuse(Disqualified, policy.Quoted(), "serial", "The entry is disqualified already.")
	}
	var deciders []record.Decider
	for _, party := range policy.By {
		i := slices.IndexFunc(persons, func(id uint32) bool { return speaksFor(s, id, party) })
		if i < 0 {
			return nil, refuse(PartiesMissing, policy.Quoted(), "persons", "The %s must be of that opinion too.", party)
		}
		deciders = append(deciders, record.Decider{Party: party, Person: persons[i]})
	}
	return &record.TicketDisqualified{Ticket: ticket, Reason: reason, Clause: policy.Quoted(), Deciders: deciders}, nil
}

// speaksFor reports whether a person speaks for a party.
func speaksFor(s Staffed, id uint32, party string) bool {
	person, ok := s.People().Person(id)
	return ok && !person.Erased && person.HasAny(partyRoles[party]...)
}

// Reinstate takes a disqualification back, where the rulebook has a way back. The
// ticket is then owed its prizes and no more.
//
//rule:vic-keno-2015 26(c) 26(d)
//rule:tas-keno-2023 20.1
func Reinstate(s *state.State, book *rulebook.Book, ticket record.Place, reason string,
	by uint32) (*record.TicketReinstated, error) {
	policy := book.Disqualify()
	clause := rulebook.Quoted(policy.ReinstateClause)
	stop, _ := s.Stopped(ticket)
	switch {
	case !policy.Reinstate:
		return nil, refuse(NotReinstated, policy.Quoted(), "serial", "A disqualified entry is not reinstated.")
	case !stop.Disqualified:
		return nil, refuse(NotReinstated, clause, "serial", "The entry is not disqualified.")
	case reason == "":
		return nil, refuse(ReasonMissing, clause, "reason", "A reinstatement needs a reason.")
	case !speaksFor(s, by, policy.By[0]):
		return nil, refuse(PartiesMissing, clause, "person", "Only the %s reinstates an entry.", policy.By[0])
	}
	return &record.TicketReinstated{Ticket: ticket, Reason: reason, By: by}, nil
}

// Invalidate says that a change of the rules has made a ticket invalid in its games
// that have not closed: its holder gives it back, wherever and whenever, for money or
// for another entry.
//
//rule:vic-keno-2015 17(f)(i) 17(f)(ii)
func Invalidate(s *state.State, series *state.Series, ticket record.Place, reason string,
	by uint32) (*record.TicketInvalidated, error) {
	rule := series.Book.Cancellation()
	clause := rulebook.Quoted(rule.RuleChangeClause)
	holding, ok := series.Open.Holding(ticket)
	switch {
	case len(rule.RuleChange) == 0:
		return nil, refuse(NotInvalid, rule.Quoted(), "serial",
			"These rules know no ticket that a change of them makes invalid.")
	case !ok || holding.Last <= series.Open.Closed():
		return nil, refuse(NotInvalid, clause, "serial", "Every game of the ticket is closed.")
	case reason == "":
		return nil, refuse(ReasonMissing, clause, "reason", "It needs a reason.")
	case !speaksFor(s, by, "operator"):
		return nil, refuse(PartiesMissing, clause, "person", "Person %d may not do that.", by)
	}
	return &record.TicketInvalidated{Ticket: ticket, Reason: reason, By: by}, nil
}

// Forfeit takes the prizes of a ticket from somebody known to be under 18. They go to
// the Crown. A stake that goes back is no prize: it stays for the holder.
//
//rule:tas-keno-2023 13.11
func Forfeit(s *state.State, c Payment) (*record.PrizeForfeited, []ledger.Posting, error) {
	if c.Disputed != "" {
		return nil, nil, refuse(Disputed, "", "", "Nothing is paid while %s.", c.Disputed)
	}
	series, ok := s.Series(c.Sold.Series)
	if !ok {
		return nil, nil, refuse(TicketUnknown, "", "serial", "There is no such ticket.")
	}
	who := series.Book.Eligibility()
	if who.UnderagePrizes == "" {
		return nil, nil, refuse(NoForfeit, "", "serial", "These rules know no such forfeit.")
	}
	if _, err := Opening(s, c.Place, c.Sold.Claim, c.Sold.Request, c.Code); err != nil {
		return nil, nil, err
	}
	if err := CheckStop(s, c.Place); err != nil {
		return nil, nil, err
	}
	c.OnlyPrizes = true
	owed, err := payable(s, series, c)
	if err != nil {
		return nil, nil, err
	}
	forfeited := &record.PrizeForfeited{
		Request: c.Request, Ticket: c.Place, Series: series.ID, Parts: owed.parts, Reason: "under age",
		Clause: lastCited(who.Clause),
	}
	amount := forfeited.Amount()
	if err := checkExpected(c.Expect, amount); err != nil {
		return nil, nil, err
	}
	return forfeited, ledger.Merge(append(owed.postings(), ledger.Credit(ledger.Crown, 0, amount))...), nil
}

// CheckClaimable refuses a claim form for a ticket or paper on which payment is stopped, or
// for which there is another form. One that a terminal says was not handed over is claimed
// by its holder: those who decide see both.
func CheckClaimable(s *state.State, place record.Place) error {
	if err := CheckFrozen(s, place); err != nil {
		return err
	}
	return checkUnclaimed(s, place)
}

// OwedOnForm returns what the central record owes on a ticket, game by game, whatever the
// paper says and however late it is: what a claim form is held against.
//
//rule:casino-keno-div2 3.18
func OwedOnForm(s *state.State, c Payment) ([]record.PaidPart, error) {
	series, ok := s.Series(c.Sold.Series)
	if !ok {
		return nil, refuse(TicketUnknown, "", "serial", "There is no such ticket.")
	}
	if err := CheckClaimable(s, c.Place); err != nil {
		return nil, err
	}
	c.OnForm = true
	owed, err := payable(s, series, c)
	return owed.parts, err
}
