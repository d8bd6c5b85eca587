package counter

import (
	"cmp"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/handover"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which claim forms are refused.
const (
	ClaimReasonUnknown     refusal.Code = "reason_unknown"     // there is no such reason for a claim
	ClaimantMissing        refusal.Code = "claimant_missing"   // nobody is named who claims
	NotByMail              refusal.Code = "not_by_mail"        // tickets are not sent in here
	OriginalMissing        refusal.Code = "original_missing"   // the ticket must come with the form
	PaperNotRefunded       refusal.Code = "paper_lost"         // a lost paper of this kind is not refunded
	ClaimTooLate           refusal.Code = "claim_too_late"     // the time for claims is over
	NotExpired             refusal.Code = "not_expired"        // terminals still pay it
	NothingClaimed         refusal.Code = "nothing_claimed"    // the form names no ticket or paper
	ClaimedTwice           refusal.Code = "claimed_twice"      // the form names a ticket or paper twice
	ClaimUnknown           refusal.Code = "claim_unknown"      // there is no such claim
	AlreadyDecided         refusal.Code = "claim_decided"      // it was decided already
	PartyNotAsked          refusal.Code = "party_not_asked"    // the rulebook does not ask this party, or not the person
	NotSigned              refusal.Code = "not_signed"         // somebody has not signed who must
	NotSatisfied           refusal.Code = "not_satisfied"      // somebody is not satisfied who must be
	DocumentsMissing       refusal.Code = "papers_missing"     // it needs papers that are not there
	ClaimNotAllowed        refusal.Code = "claim_not_allowed"  // the claim was not allowed
	ForTreasurer           refusal.Code = "for_treasurer"      // the Treasurer pays it, and nobody else
	ClaimStillOpen         refusal.Code = "claim_open"         // it may still be paid
	ClaimantDetailsMissing refusal.Code = "claimant_details"   // something of who claims is not said
	SignedForOther         refusal.Code = "signed_for_other"   // one person does not sign for two parties
	ClaimantUnderAge       refusal.Code = "claimant_under_age" // the claimant was too young to enter a game
	TextTooLong            refusal.Code = "text_too_long"      // a reason or reference is longer than the journal takes
	// who took a claim in does not decide it, nor who allowed it pay it
	SamePerson refusal.Code = "same_person"
)

// inspectorParty is how rulebooks name the inspector as a party.
const inspectorParty = "inspector"

// ClaimForm asks to take a claim form in.
type ClaimForm struct {
	Now      record.Time
	Series   uint8
	Reason   record.ClaimReason
	Original bool
	Claimant record.Hash
	Details  []byte    // hash of what the form says of a claimant who is a payee
	Born     day.Day   // of the claimant; day.None if the form does not say it
	Tickets  []Payment // each with its place, sale and wins
	Papers   []record.Place
	Others   []string // codes of tickets of other systems
	By       uint32
}

// LodgeClaim takes a claim form in. What it is worth is what the central record says, of
// which the paper is no more than evidence.
//
//rule:vic-keno-2015 20(f) 21(d)(ii) 21(d)(ii)(B) 21(d)(ii)(C) 22(a) 23(a) 23(c)
//rule:tas-keno-2023 1.73(a) 1.73(b) 1.73(c) 13.4(a) 14.3 15.1 19.2
//rule:casino-keno-div2 3.18 3.19 5.14.second 8.12
func LodgeClaim(s *state.State, f ClaimForm) (*record.ClaimLodged, error) {
	series, err := seriesOf(s, f.Series)
	if err != nil {
		return nil, err
	}
	if err := f.complete(series.Book.Claims()); err != nil {
		return nil, err
	}
	lodged := &record.ClaimLodged{
		Claim: s.ClaimCount() + 1, Series: f.Series, Reason: f.Reason, Received: series.Today(f.Now),
		Original: f.Original, Claimant: f.Claimant, Details: f.Details, By: f.By,
	}
	for _, ticket := range f.Tickets {
		ticket.Now = f.Now
		parts, err := ticketParts(s, series, ticket, f.Reason)
		if err != nil {
			return nil, err
		}
		if err := f.checkAge(series, parts, ticket.SoldAt); err != nil {
			return nil, err
		}
		lodged.Parts = append(lodged.Parts, parts...)
	}
	for _, place := range f.Papers {
		part, err := paperPart(s, series, place, f)
		if err != nil {
			return nil, err
		}
		lodged.Parts = append(lodged.Parts, part)
	}
	for _, code := range f.Others {
		ticket, ok := s.OtherTicket(code)
		if !ok {
			return nil, refuse(TicketUnknown, "", "serials", "There is no such ticket.")
		}
		part, err := otherPart(s, series, ticket, f)
		if err != nil {
			return nil, err
		}
		lodged.Parts = append(lodged.Parts, part)
	}
	return lodged, nil
}

// checkAge refuses a form that claims a prize of a ticket for a claimant who was too young to enter a game when the
// ticket was sold. The claimant is the player, except on the claim of an estate. The record of the form has no birth
// date: it is asked for here, and nothing is checked where the form does not give it. A ticket of another system is not
// checked either, for its file does not say when it was sold.
//
//rule:vic-keno-2015 6(c) 20(f)
//rule:tas-keno-2023 5.1 13.11
func (f *ClaimForm) checkAge(series *state.Series, parts []record.ClaimPart, sold record.Time) error {
	if !slices.ContainsFunc(parts, func(p record.ClaimPart) bool { return p.At != record.ClaimReturned }) {
		return nil // A stake that goes back is no prize.
	}
	on, what := series.Today(f.Now), "the day of the form"
	if sold != 0 {
		on, what = state.DateAt(series.OffsetSeconds, sold), "the day of the sale"
	}
	who := series.Book.Eligibility()
	if f.Born == day.None || f.Reason == record.ClaimEstate || OfAge(f.Born, on, who.MinimumAge) {
		return nil
	}
	next := ""
	if who.UnderagePrizes != "" {
		next = " A terminal that has the ticket takes its prizes with \"forfeit\"."
	}
	return refuse(ClaimantUnderAge, who.Quoted(), "claimant.born",
		"A player must be %d years old. The claimant was younger on %v, %s.%s", who.MinimumAge, on, what, next)
}

// complete refuses a form that cannot be, or that these rules do not know. A claimant
// hands the ticket in, so that no other holder is paid for it. The rules pay without the ticket for
// one reason alone: the ticket is lost.
//
//rule:vic-keno-2015 20(b) 20(f) 21(d)(ii)(C) 22(b) 23(a)
//rule:tas-keno-2023 14.2 15.1 19.2
//rule:casino-keno-div2 8.4 8.12
func (f *ClaimForm) complete(rule rulebook.Claims) error {
	switch {
	case !slices.Contains(record.ClaimReasons(), f.Reason):
		return refuse(ClaimReasonUnknown, rule.Quoted(), "reason", "There is no reason %q for a claim.", f.Reason)
	case f.Claimant == (record.Hash{}):
		return refuse(ClaimantMissing, f.claimantClause(rule), "claimant", "A %s names who claims.", rule.Form)
	case len(f.Tickets)+len(f.Papers)+len(f.Others) == 0:
		return refuse(NothingClaimed, rule.Quoted(), "tickets", "A %s names tickets or papers.", rule.Form)
	case f.namesTwice():
		return refuse(ClaimedTwice, rule.Quoted(), "serials", "A %s names every ticket or paper once.", rule.Form)
	case f.Reason == record.ClaimByMail && !rule.Mail:
		return refuse(NotByMail, rule.Quoted(), "reason", "Tickets are not sent in by mail here.")
	case f.Reason == record.ClaimByMail && !f.Original:
		return refuse(OriginalMissing, rulebook.Quoted(rule.MailClause), "original",
			"A written claim comes with the original ticket.")
	case f.Reason == record.ClaimUnreadable && !f.Original:
		return refuse(OriginalMissing, rule.Quoted(), "original",
			"What cannot be read is handed in with the %s. Without it, it is lost.", rule.Form)
	case f.Reason != record.ClaimLost && !f.Original && len(f.Tickets)+len(f.Others) > 0:
		// Another holder of the ticket could be paid beside the claimant.
		return refuse(OriginalMissing, rule.Quoted(), "original",
			"A ticket is handed in with the %s. Without it, it is claimed as lost.", rule.Form)
	}
	return nil
}

// claimantClause returns the clause by which a form names who claims.
func (f *ClaimForm) claimantClause(rule rulebook.Claims) string {
	if f.Reason == record.ClaimByMail && rule.MailDetails != nil {
		return rule.MailDetails.Quoted()
	}
	return rule.Quoted()
}

// namesTwice reports whether the form has one ticket or paper twice, as by the serials of
// two of its sheets.
func (f *ClaimForm) namesTwice() bool {
	seen := map[record.Place]bool{}
	for _, ticket := range f.Tickets {
		seen[ticket.Place] = true
	}
	for _, place := range f.Papers {
		seen[place] = true
	}
	others := map[string]bool{}
	for _, code := range f.Others {
		others[handover.Bare(code)] = true
	}
	return len(seen)+len(others) < len(f.Tickets)+len(f.Papers)+len(f.Others)
}

// CheckClaimant refuses details of who claims that lack a part which the rulebook wants
// for the reason. The journal has only their hash, so this is for anybody who keeps them.
//
//rule:vic-keno-2015 20(f)
func CheckClaimant(book *rulebook.Book, reason record.ClaimReason, has func(part string) bool) error {
	rule := book.Claims()
	if reason != record.ClaimByMail || rule.MailDetails == nil {
		return nil
	}
	for _, part := range rule.MailDetails.Parts {
		if !has(part) {
			return refuse(ClaimantDetailsMissing, rule.MailDetails.Quoted(), "claimant."+part,
				"A person who sends a ticket in gives %s.", strings.Join(rule.MailDetails.Parts, ", "))
		}
	}
	return nil
}

// ticketParts returns what a ticket is owed, and where the money is. What is with the
// Treasurer is claimed only where nothing else is left, and nothing is claimed as expired
// while venues pay all of it.
//
//rule:vic-keno-2015 21(d)(ii)(B) 22(b)
//rule:tas-keno-2023 14.3
//rule:casino-keno-div2 8.12 9.2
func ticketParts(s *state.State, series *state.Series, c Payment,
	reason record.ClaimReason) ([]record.ClaimPart, error) {
	owed, err := OwedOnForm(s, c)
	if err != nil {
		return nil, err
	}
	var here, gone []record.ClaimPart
	var late *rulebook.Unclaimed
	expired, onForm := false, false // that something is too late at venues, and that such a thing is claimed
	steps := newSweepSteps(s)
	returned, kept := returnedParts(s, series, c.Place, owed)
	here = append(here, returned...)
	for _, part := range owed {
		if part.Ordinal == 0 {
			held, err := withheldPart(s, series, c.Place)
			if err != nil {
				kept = err
				continue
			}
			here = append(here, held)
			continue
		}
		g, _ := series.Brief(part.Ordinal)
		p := record.ClaimPart{Of: c.Place, Ordinal: part.Ordinal,
			Cents: part.Cents - series.Owed(c.Place, part.Ordinal)}
		if p.Cents == 0 {
			continue
		}
		step, err := steps.reached(g, series.Today(c.Now))
		expired = expired || step != nil
		switch {
		case err != nil:
			return nil, err
		case step == nil && series.Swept(g.Ordinal) == "":
			here = append(here, p)
		case step != nil && step.Then == Lapsed:
			late = step
		case step != nil && step.Then == Treasurer:
			p.At, late = Treasurer, step
			gone = append(gone, p)
		default:
			onForm = onForm || step != nil
			p.At = s.PrizeAt(series, c.Place, g.Ordinal)
			here = append(here, p)
		}
	}
	slices.SortStableFunc(here, func(a, b record.ClaimPart) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	switch {
	case reason == record.ClaimExpired && (!expired || len(here) > 0 && !onForm):
		return nil, refuse(NotExpired, series.Book.Unclaimed()[0].Quoted(), "reason", "Venues still pay this ticket.")
	case len(here) > 0:
		return here, nil
	case len(gone) > 0 && series.Book.Unclaimed()[0].Then == Treasurer:
		return gone, nil // The form goes on to the Treasurer.
	case late == nil:
		return nil, kept
	}
	return nil, refuse(ClaimTooLate, late.Quoted(), "serial", "The time in which this prize could be claimed is over.")
}

// returnedParts returns the stakes of void games that a form claims for a ticket. They are
// nobody else's, however late. What a voucher has paid that does not become money goes back
// as a voucher, at the end of a session and not by a form: kept says so.
//
//rule:vic-keno-2015 12(c) 17(e) 21(e)
func returnedParts(s *state.State, series *state.Series, ticket record.Place,
	owed []record.PaidPart) (parts []record.ClaimPart, kept error) {
	var sum money.Amount
	for _, part := range owed {
		if back := series.Owed(ticket, part.Ordinal); back > 0 {
			parts = append(parts, record.ClaimPart{Of: ticket, Ordinal: part.Ordinal, Cents: back,
				At: record.ClaimReturned})
			sum += back
		}
	}
	if err := checkMoney(series.Book, s.GivesBack(ticket, sum)); err != nil {
		return nil, err
	}
	return parts, nil
}

// withheldPart returns what the end of a session has kept of a ticket, once nothing stops it
// any more. It is nobody else's, however late; and what a voucher has paid of it is no money.
// While the ticket is in an open session, more may be kept of it at its end: a form is for all.
//
//rule:vic-keno-2015 23(a) 12(c) 17(e)
//rule:tas-keno-2023 15.1
//rule:casino-keno-div2 3.19 8.12
func withheldPart(s *state.State, series *state.Series, ticket record.Place) (record.ClaimPart, error) {
	held, _ := s.Withheld(ticket)
	if err := checkMoney(series.Book, held.Lots); err != nil {
		return record.ClaimPart{}, err
	}
	for _, t := range s.InSession(0) {
		if slices.ContainsFunc(t.Open.Brought(), func(w state.Withheld) bool { return w.Ticket == ticket }) {
			return record.ClaimPart{}, refuse(SessionOpen, series.Book.Claims().Quoted(), "serial",
				"The ticket is in a session that is open at terminal %d. What was withheld of it is claimed when that has ended.",
				t.ID)
		}
	}
	return record.ClaimPart{Of: ticket, Cents: held.Cents, At: record.ClaimWithheld}, nil
}

// checkMoney refuses to pay as money what a paper has paid that is given back as what it was.
func checkMoney(book *rulebook.Book, lots []state.Lot) error {
	for _, l := range lots {
		if !turnsIntoMoney(book, l.ID) {
			origin, _ := book.Origin(l.ID)
			way, _ := origin.Way(rulebook.Same)
			return refuse(InSession, way.Quoted(), "serial",
				"%v of it goes back as %s, and not on a form: at the end of a session. A person who has lost the ticket asks two persons of the house for another sheet.", l.Cents, named(book, l.ID))
		}
	}
	return nil
}

// paperPart returns what a paper is worth. One that is lost, or is not handed in with the
// form, is refunded only where the rulebook refunds lost ones, and none is claimed as expired
// while terminals take it.
//
//rule:vic-keno-2015 23(a) 23(c)
//rule:tas-keno-2023 14.2 15.1
func paperPart(s *state.State, series *state.Series, place record.Place, f ClaimForm) (record.ClaimPart, error) {
	paper, ok := s.Paper(place)
	kind, known := series.Book.Instrument(paper.ID)
	if !ok || !known {
		return record.ClaimPart{}, refuse(PaperUnknown, "", "papers", "There is no such paper, or it was used.")
	}
	if err := CheckClaimable(s, place); err != nil {
		return record.ClaimPart{}, err
	}
	if err := f.checkPayee(series.Book, paper); err != nil {
		return record.ClaimPart{}, err
	}
	today := series.Today(f.Now)
	switch {
	case f.Reason == record.ClaimLost && !kind.LostRefunded():
		return record.ClaimPart{}, refuse(PaperNotRefunded, cmp.Or(rulebook.Quoted(kind.LostClause), kind.Quoted()),
			"papers", "A %s that is lost is not refunded.", kind.Name)
	case !f.Original && !kind.LostRefunded():
		// One that nobody hands in is lost, whatever else the form says of it.
		return record.ClaimPart{}, refuse(OriginalMissing, cmp.Or(rulebook.Quoted(kind.LostClause), kind.Quoted()),
			"original", "A %s is handed in with the form: one that is lost is not refunded.", kind.Name)
	case !paper.Bought && !turnsIntoMoney(series.Book, paper.ID):
		// A claim is paid in money, and nobody has paid for this one. What replaces a voucher that was bought
		// was paid for.
		return record.ClaimPart{}, refuse(PaperNotRefunded, kind.Quoted(), "papers",
			"A %s that was not bought buys tickets, and is not paid.", kind.Name)
	case f.Reason == record.ClaimExpired && (paper.LastDay == 0 || today <= paper.LastDay):
		return record.ClaimPart{}, refuse(NotExpired, paperLifeClause(&kind), "reason",
			"Terminals still take this %s.", kind.Name)
	case paper.LastDay != 0 && today > paper.LastDay && kind.FormLife == nil, paper.Kept != 0 && today > paper.Kept:
		return record.ClaimPart{}, refuse(ClaimTooLate, cmp.Or(rulebook.Quoted(kind.FormLifeClause), kind.Quoted()),
			"papers", "The time in which this %s could be claimed is over.", kind.Name)
	}
	return record.ClaimPart{Of: place, Cents: paper.Cents}, nil
}

// checkPayee refuses a claim for a paper that names somebody else as its payee. Who acts for a
// payee who has died or cannot act is somebody else.
//
//rule:tas-keno-2023 13.2 13.10 15.1
func (f *ClaimForm) checkPayee(book *rulebook.Book, paper state.Paper) error {
	if paper.Payee == (record.Hash{}) || paper.Payee == f.Claimant || f.Reason == record.ClaimEstate {
		return nil
	}
	m, _ := methodOf(book, paper.ID)
	return refuse(PayeeOther, lastCited(m.Clause), "claimant",
		"The %s names another payee, and is paid to nobody else.", named(book, paper.ID))
}

// ClaimForms is where claim forms are found. The state has it, and so has a view of it.
type ClaimForms interface {
	ClaimForm(number uint32) (*state.ClaimForm, bool)
}

// FindClaim returns a claim form by its number. The caller must not change it.
func FindClaim(s ClaimForms, number uint32) (*state.ClaimForm, error) {
	c, ok := s.ClaimForm(number)
	if !ok {
		return nil, refuse(ClaimUnknown, "", "claim", "There is no claim %d.", number)
	}
	return c, nil
}

// findClaimBook returns a claim form and the rulebook by which it is decided.
func findClaimBook(s *state.State, number uint32) (*state.ClaimForm, *rulebook.Book, error) {
	c, err := FindClaim(s, number)
	if err != nil {
		return nil, nil, err
	}
	series, _ := s.Series(c.Series)
	return c, series.Book, nil
}

// NoteClaim puts a paper to a claim: evidence, a letter, a dispute, that the inspector has
// copies, or that the register has forgotten who claimed. A letter that goes out is
// signed by the person who decides claims, only an inspector takes copies, and nobody is
// forgotten whose claim may still be paid.
//
//rule:vic-keno-2015 22(d)
//rule:tas-keno-2023 14.4 14.6 15.2 15.4
func NoteClaim(s *state.State, n record.ClaimNoted) (*record.ClaimNoted, error) {
	c, book, err := findClaimBook(s, n.Claim)
	if err != nil {
		return nil, err
	}
	rule := book.Claims()
	if n.Note == record.NoteCopied || n.Note == record.NoteErased {
		n.Content = c.Claimant // These are no papers of their own.
	}
	switch {
	case !slices.Contains(record.ClaimNotes(), n.Note) || n.Content == (record.Hash{}):
		return nil, refuse(DocumentsMissing, rule.Quoted(), "note", "A claim has no papers that are %q.", n.Note)
	case n.Note == record.NoteSent && !speaksFor(s, n.By, rule.Signatures[0].Role):
		return nil, refuse(PartyNotAsked, rule.Signatures[0].Quoted(), "person",
			"Person %d does not sign letters about claims.", n.By)
	case n.Note == record.NoteCopied && !speaksFor(s, n.By, inspectorParty):
		return nil, refuse(PartyNotAsked, cmp.Or(rulebook.Quoted(rule.CopiesClause), rule.Quoted()), "person",
			"Person %d is not an inspector.", n.By)
	case n.Note == record.NoteErased && c.IsOpen():
		return nil, refuse(ClaimStillOpen, rule.Quoted(), "claim",
			"Claim %d may still be paid: who claims is needed.", n.Claim)
	}
	if n.Note == record.NoteErased {
		return &n, checkClaimantDone(s, c, rule)
	}
	return &n, nil
}

// checkClaimantDone refuses to forget a claimant whom another claim or a paper still needs: the payee of
// a paper stands in the register once.
func checkClaimantDone(s *state.State, c *state.ClaimForm, rule rulebook.Claims) error {
	for _, other := range s.ClaimForms() {
		if other.IsOpen() && other.Names(c.Claimant) {
			return refuse(ClaimStillOpen, rule.Quoted(), "claim",
				"Claim %d of the same person may still be paid: who claims is needed.", other.Claim)
		}
	}
	return checkNotPayee(s, c.Claimant, "claim")
}

// CopiesDue reports whether there is a cheque or a letter of which the inspector has no
// copy, where the rulebook wants the inspector to have them.
//
//rule:tas-keno-2023 14.6 15.4
func CopiesDue(c *state.ClaimForm, book *rulebook.Book) bool {
	return book.Claims().Copies && c.Uncopied
}

// partyOf returns the first party for which a person signs, of those whom the rulebook
// asks, or nothing.
func partyOf(s *state.State, rule rulebook.Claims, person uint32) string {
	for _, need := range rule.Signatures {
		if speaksFor(s, person, need.Role) {
			return need.Role
		}
	}
	return ""
}

// signatureClause returns the clause by which a party signs claims, or for a party that is not asked the clause of the
// first signature.
func signatureClause(rule rulebook.Claims, party string) string {
	for _, need := range rule.Signatures {
		if need.Role == party {
			return need.Quoted()
		}
	}
	return rule.Signatures[0].Quoted()
}

// signedForOther reports whether the person's last word on the claim was for another
// party: two signatures are two persons.
func signedForOther(c *state.ClaimForm, b *record.ClaimSigned) bool {
	for party, signed := range c.Signed {
		if party != b.Party && signed.Person == b.Person {
			return true
		}
	}
	return false
}

// refuseTooLong is the refusal of a text that is too long for the journal: papers have room for
// more, and the register can forget them.
func refuseTooLong(rule rulebook.Claims, path, text string) error {
	return refuse(TextTooLong, rule.Quoted(), path,
		"The %s has %d bytes; at most %d are kept. A paper of the claim may say more.", path, len(text),
		record.MostReason)
}

// SignClaim says what somebody thinks of a claim whom the rulebook asks. A signature without
// a party is for the one that the person speaks for.
//
//rule:tas-keno-2023 14.4 15.2
//rule:vic-keno-2015 23(b)
func SignClaim(s *state.State, b record.ClaimSigned) (*record.ClaimSigned, error) {
	c, book, err := findClaimBook(s, b.Claim)
	if err != nil {
		return nil, err
	}
	rule := book.Claims()
	if b.Party == "" {
		b.Party = partyOf(s, rule, b.Person)
	}
	switch {
	case c.Decided != nil:
		return nil, refuse(AlreadyDecided, rule.Quoted(), "claim", "Claim %d was %s.", b.Claim, c.Decided.Outcome)
	case !slices.ContainsFunc(rule.Signatures, func(r rulebook.Signature) bool { return r.Role == b.Party }) ||
		!speaksFor(s, b.Person, b.Party):
		return nil, refuse(PartyNotAsked, signatureClause(rule, b.Party), "person",
			"Person %d does not sign claims as %s.", b.Person, cmp.Or(b.Party, "any party that is asked"))
	case signedForOther(c, &b):
		return nil, refuse(SignedForOther, rule.Quoted(), "person",
			"Person %d has signed claim %d for another party.", b.Person, b.Claim)
	case !b.Satisfied && b.Reason == "":
		return nil, refuse(ReasonMissing, rule.Quoted(), "reason", "Give a reason for \"not satisfied\".")
	case len(b.Reason) > record.MostReason:
		return nil, refuseTooLong(rule, "reason", b.Reason)
	}
	return &b, nil
}

// DecideClaim allows a claim, refuses it, or refers it to the Treasurer. Everybody must be
// satisfied with one that is allowed whom the rulebook asks about so much. A person who took
// the form in does not decide it, so that nobody decides what only they have seen.
//
//rule:tas-keno-2023 14.5 15.3 13.12
//rule:vic-keno-2015 22(b) 23(b)
//rule:casino-keno-div2 8.12
func DecideClaim(s *state.State, b record.ClaimDecided) (*record.ClaimDecided, error) {
	c, book, err := findClaimBook(s, b.Claim)
	if err != nil {
		return nil, err
	}
	rule := book.Claims()
	gone := slices.ContainsFunc(c.Parts, func(p record.ClaimPart) bool { return p.At == Treasurer })
	b.Clause = rule.Signatures[0].Quoted()
	switch {
	case c.Decided != nil:
		return nil, refuse(AlreadyDecided, b.Clause, "claim", "Claim %d was %s.", b.Claim, c.Decided.Outcome)
	case !speaksFor(s, b.By, rule.Signatures[0].Role):
		return nil, refuse(PartyNotAsked, b.Clause, "person", "Person %d does not decide claims.", b.By)
	case b.By == c.By:
		return nil, refuse(SamePerson, b.Clause, "person",
			"Person %d has taken claim %d in: another person decides it.", b.By, b.Claim)
	case b.Reason == "":
		return nil, refuse(ReasonMissing, b.Clause, "reason", "A decision has a reason.")
	case len(b.Reason) > record.MostReason:
		return nil, refuseTooLong(rule, "reason", b.Reason)
	case b.Outcome == record.ClaimReferred && !gone || b.Outcome == record.ClaimAllowed && gone:
		return nil, refuse(ForTreasurer, book.Unclaimed()[0].Quoted(), "outcome",
			"The Treasurer pays what has gone there, and nothing else.")
	case b.Outcome != record.ClaimAllowed:
		return &b, nil
	}
	if c.Reason == record.ClaimEstate && !slices.ContainsFunc(c.Notes,
		func(n record.ClaimNoted) bool { return n.Note == record.NoteRepresentative }) {
		return nil, refuse(DocumentsMissing, rule.Quoted(), "claim", "Papers must show who acts for the winner.")
	}
	return &b, checkClaimSigned(c, rule)
}

// MissingSignatures returns the parties that must still sign a claim of this amount, or be
// satisfied with it, before it is allowed.
func MissingSignatures(c *state.ClaimForm, book *rulebook.Book) []string {
	var missing []string
	for _, need := range book.Claims().Signatures {
		if signed, ok := c.Signed[need.Role]; isAsked(c, need) && !(ok && signed.Satisfied) {
			missing = append(missing, need.Role)
		}
	}
	return missing
}

// isAsked reports whether a party is asked about a claim of this amount.
func isAsked(c *state.ClaimForm, need rulebook.Signature) bool {
	return need.From == nil || c.Amount() >= need.From.Amount()
}

// checkClaimSigned refuses a claim with which somebody is not satisfied whom the rulebook
// asks from such an amount on.
//
//rule:tas-keno-2023 14.4 14.5 15.2 15.3
func checkClaimSigned(c *state.ClaimForm, rule rulebook.Claims) error {
	for _, need := range rule.Signatures {
		if !isAsked(c, need) {
			continue
		}
		signed, ok := c.Signed[need.Role]
		if !ok {
			return refuse(NotSigned, need.Quoted(), "claim",
				"The %s has not signed the papers of claim %d.", need.Role, c.Claim)
		}
		if !signed.Satisfied {
			return refuse(NotSatisfied, need.Quoted(), "claim",
				"The %s is not satisfied: %s.", need.Role, signed.Reason)
		}
	}
	return nil
}

// PayClaim pays a claim that was allowed, whole: by the means that the rulebook has for
// claims, or for those that the ticket came with. A person who allowed it does not pay it, so
// that no person alone takes money out of the house.
//
//rule:vic-keno-2015 21(d)(iii) 21(e)
//rule:tas-keno-2023 13.9 14.7 19.2
func PayClaim(s *state.State, b record.ClaimPaid, expect *money.Amount) (*record.ClaimPaid, []ledger.Posting, error) {
	c, book, err := findClaimBook(s, b.Claim)
	if err != nil {
		return nil, nil, err
	}
	rule := book.Claims()
	clause := rulebook.Quoted(rule.PaidByClause)
	_, known := s.Venue(b.Venue)
	switch {
	case c.Paid != nil:
		return nil, nil, refuse(AlreadyPaid, rule.Quoted(), "claim", "Claim %d was paid.", b.Claim)
	case c.Decided == nil || c.Decided.Outcome != record.ClaimAllowed:
		return nil, nil, refuse(ClaimNotAllowed, rule.Quoted(), "claim", "Claim %d was not allowed.", b.Claim)
	case !slices.Contains(rule.PaidBy, b.Means) && !(c.Original && slices.Contains(rule.WithOriginal, b.Means)):
		return nil, nil, refuse(MeansOther, clause, "means",
			"Claims are not paid by %s here, or not without the ticket.", b.Means)
	case b.Reference == "":
		return nil, nil, refuse(ReasonMissing, clause, "reference",
			"A payment has a reference, as the number of its cheque.")
	case len(b.Reference) > record.MostReason:
		return nil, nil, refuseTooLong(rule, "reference", b.Reference)
	case (b.Means == Cash) != known:
		return nil, nil, refuse(MeansOther, clause, "venue",
			"Cash is paid out of the safe of a venue, and nothing else is.")
	case !speaksFor(s, b.By, rule.Signatures[0].Role):
		return nil, nil, refuse(PartyNotAsked, clause, "person", "Person %d does not pay claims.", b.By)
	case b.By == c.Decided.By:
		return nil, nil, refuse(SamePerson, clause, "person",
			"Person %d has allowed claim %d: another person pays it.", b.By, b.Claim)
	}
	b.Cents = c.Amount()
	if err := checkExpected(expect, b.Cents); err != nil {
		return nil, nil, err
	}
	m, ok := methodOf(book, b.Means)
	b.Account = b.Account && ok && m.Account // Nothing else goes to one.
	postings, err := claimPostings(s, c, &b)
	return &b, postings, err
}

// claimPostings takes each part from where it is.
func claimPostings(s *state.State, c *state.ClaimForm, b *record.ClaimPaid) ([]ledger.Posting, error) {
	series, _ := s.Series(c.Series)
	to := ledger.Credit(ledger.Bank, 0, b.Cents)
	if b.Venue != 0 {
		to = ledger.Credit(ledger.Safe, b.Venue, b.Cents)
	}
	postings := []ledger.Posting{to}
	for _, p := range c.Parts {
		postings = append(postings, ledger.Debit(claimAccount(series, c, p), claimUnit(s, p), p.Cents))
	}
	return ledger.Merge(postings...), ledger.Check(ledger.Merge(postings...))
}

func claimAccount(series *state.Series, c *state.ClaimForm, p record.ClaimPart) ledger.Account {
	if p.IsOther() {
		return ledger.OtherSystems
	}
	if p.At == record.ClaimWithheld {
		return ledger.Withheld
	}
	if p.IsPaper() {
		return ledger.Instruments
	}
	if c.Returns(series, p) {
		return ledger.Refunds
	}
	return prizeAccounts[p.At]
}

func claimUnit(s *state.State, p record.ClaimPart) uint32 {
	paper, ok := s.Paper(p.Of)
	if !p.IsPaper() || !ok {
		return 0
	}
	unit, _ := ledger.Paper(paper.ID)
	return unit
}
