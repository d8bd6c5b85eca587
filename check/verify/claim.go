package verify

import (
	"bytes"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// forms are the claim forms, and which tickets and papers those are of that may still be
// paid.
type forms struct {
	list  []*form // by number, from 1
	under map[uint64]int
	lost  map[uint64]int // the form on which a ticket was paid as lost
}

// A form is a claim form.
type form struct {
	lodged  *record.ClaimLodged
	sum     money.Amount
	signed  map[string]*record.ClaimSigned
	acts    bool // papers show who acts for the winner
	outcome record.ClaimOutcome
	decider uint32
	paid    bool
	split   bool // stakes of void games are parts of their own
}

// returned is where a claim says that a stake is which goes back.
const returned = "refund"

// withheldPart is where a claim says that money is which the end of a session has kept.
const withheldPart = "withheld"

// signers says which roles of the house sign claims, and disqualify tickets, for those whom
// rulebooks name.
var signers = map[string][]record.Role{
	"licensee":                    {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"operator":                    {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"commission":                  {record.RoleInspector},
	"casino_operator":             {record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative},
	"state_wide_gaming_operative": {record.RoleOperative},
	"inspector":                   {record.RoleInspector},
}

// form finds a claim form and what the rulebook says of claims.
func (c *checker) form(number uint32) (*form, *rulebook.Book, error) {
	if number == 0 || int(number) > len(c.tills.forms.list) {
		return nil, nil, fault(CheckPayments, "claim %d was not lodged", number)
	}
	f := c.tills.forms.list[number-1]
	return f, c.series[f.lodged.Series].rulesNow().book, nil
}

// seriesOfClaim returns the series of the tickets of a claim form; 0 if there is no such form.
func (c *checker) seriesOfClaim(number uint32) uint8 {
	if list := c.tills.forms.list; number > 0 && int(number) <= len(list) {
		return list[number-1].lodged.Series
	}
	return 0
}

// claimLodged checks that a form claims what is owed, where it is, and in time
// (vic-keno-2015 20(f) to 23(c), tas-keno-2023 14.3, 15.1, casino-keno-div2 8.12).
func (c *checker) claimLodged(b *record.ClaimLodged) error {
	s := c.series[b.Series]
	if s == nil || int(b.Claim) != len(c.tills.forms.list)+1 || b.Received != s.today(c.now) {
		return fault(CheckPayments, "claim %d of series %d, received on %v, does not follow", b.Claim, b.Series,
			b.Received)
	}
	if rule := s.rulesNow().book.Claims(); b.Reason == record.ClaimByMail && (!rule.Mail || !b.Original) {
		return fault(CheckPayments, "a claim by mail without the ticket, or where tickets are not sent in (%s)",
			rule.Clause)
	}
	if b.Reason == record.ClaimUnreadable && !b.Original {
		// A person who has the ticket still would be paid for its next games.
		if err := c.guard(fault(CheckPayments, "something is claimed as unreadable, and was not handed in (%s)",
			s.rulesNow().book.Claims().Clause)); err != nil {
			return err
		}
	}
	ticket := slices.ContainsFunc(b.Parts, func(p record.ClaimPart) bool { return p.Ordinal != 0 || p.At == withheldPart })
	if ticket && b.Reason != record.ClaimLost && !b.Original {
		// Without the ticket the rules pay what is lost, and nothing else (vic-keno-2015 20(b),
		// tas-keno-2023 19.2, casino-keno-div2 8.4).
		if err := c.guard(fault(CheckPayments, "a ticket is claimed as %s, and was not handed in (%s)", b.Reason,
			s.rulesNow().book.Claims().Clause)); err != nil {
			return err
		}
	}
	f := &form{lodged: b, signed: map[string]*record.ClaimSigned{}, split: c.level >= record.LevelGuarded}
	for _, p := range b.Parts {
		if err := c.claimPart(s, f, p); err != nil {
			return err
		}
		f.sum += p.Cents
	}
	if err := c.guard(c.claimDetails(b)); err != nil {
		return err
	}
	if err := c.guard(c.claimStakes(s, f)); err != nil {
		return err
	}
	if err := s.claimedLate(b); err != nil {
		return err
	}
	if c.tills.forms.under == nil {
		c.tills.forms.under = map[uint64]int{}
	}
	for _, p := range b.Parts {
		if p.At == otherPlace {
			continue
		}
		c.tills.forms.under[flat(p.Of)] = int(b.Claim)
		if g, _ := s.claimed(p); g != nil && p.At != "treasurer" && p.At != returned {
			if g.unclaimed.kept == nil {
				g.unclaimed.kept = map[uint64]kept{}
			}
			g.unclaimed.kept[flat(p.Of)] = kept{p.At, true}
		}
	}
	c.tills.forms.list = append(c.tills.forms.list, f)
	return nil
}

// claimed returns the game and the prize of a part of a claim, if it is of a game that
// is settled.
func (s *series) claimed(p record.ClaimPart) (*game, *winner) {
	if p.Ordinal == 0 || int(p.Ordinal) > len(s.games) {
		return nil, nil
	}
	g := s.games[p.Ordinal-1]
	if won := g.winnerAt(flat(p.Of)); won != nil {
		return g, won
	}
	return nil, nil
}

// claimPart checks one prize, refund or paper of a claim.
func (c *checker) claimPart(s *series, f *form, p record.ClaimPart) error {
	b := f.lodged
	if p.At == otherPlace {
		return c.claimOther(s, b, p)
	}
	if err := c.checkClaimable(flat(p.Of)); err != nil {
		return err
	}
	if p.At == withheldPart && p.Ordinal == 0 && c.level >= record.LevelGuarded {
		return c.claimWithheld(s, p)
	}
	if p.Ordinal == 0 {
		return c.claimPaper(b, p, s.today(c.now))
	}
	_, ended := c.settledGame(b.Series, p.Ordinal)
	if ended == nil {
		return fault(CheckPayments, "ticket %v is claimed for game %d, which is not settled", p.Of, p.Ordinal)
	}
	g, won := s.claimed(p)
	if f.split && p.At == returned || !f.split && won == nil && p.At == "" {
		if back := ended.refundOf(flat(p.Of)); back == nil || back.by != 0 || back.cents != p.Cents {
			return fault(CheckPayments, "ticket %v is owed no %v for game %d", p.Of, p.Cents, p.Ordinal)
		}
		return nil
	}
	if won == nil {
		return fault(CheckPayments, "ticket %v has won nothing in game %d that is at %q", p.Of, p.Ordinal, p.At)
	}
	at := g.unclaimed.at
	if k, ok := g.unclaimed.kept[won.seq]; ok {
		at = k.at
	}
	due, _ := g.goesTo(b.Received)
	switch {
	case won.left() != p.Cents:
		return fault(CheckPayments, "ticket %v is owed %v for game %d, and %v is claimed", p.Of, won.left(), p.Ordinal,
			p.Cents)
	case due == "lapsed" || due == "treasurer" && g.terms.rules.unclaimed[0].Then != "treasurer":
		return fault(CheckPayments, "the time to claim ticket %v for game %v is over", p.Of, g.name)
	case due == "treasurer":
		at = due
	}
	if p.At != at {
		return fault(CheckPayments, "the prize of ticket %v in game %v is at %q, and claimed at %q", p.Of, g.name, at,
			p.At)
	}
	return nil
}

// claimStakes checks that no form turns a voucher into money: stakes of void games that such
// a paper has paid go back as what they were, and no form does that (vic-keno-2015 12(c),
// 17(e)).
func (c *checker) claimStakes(s *series, f *form) error {
	sums := map[uint64]money.Amount{}
	for _, p := range f.lodged.Parts {
		if p.At == returned {
			sums[flat(p.Of)] += p.Cents
		}
	}
	for seq, sum := range sums {
		for _, part := range c.staked(seq, sum) {
			if o, _ := s.rulesNow().origin(part.id); !slices.ContainsFunc(o.Leaves,
				func(l rulebook.Leave) bool { return l.As != rulebook.Same && !l.BoughtHereToday }) {
				return fault(CheckPayments, "the stakes of ticket %v that go back were paid with a %s, and are claimed as money",
					placeOf(seq), part.id)
			}
		}
	}
	return nil
}

// claimWithheld checks that a form claims all that sessions have kept of a ticket, and nothing
// that a voucher has paid (vic-keno-2015 23(a), 17(e), tas-keno-2023 15.1).
func (c *checker) claimWithheld(s *series, p record.ClaimPart) error {
	held := c.tills.withheld[flat(p.Of)]
	if held.cents != p.Cents || held.series != s.id {
		return fault(CheckPayments, "%v of ticket %v are claimed that were withheld, and %v were", p.Cents, p.Of,
			held.cents)
	}
	for _, t := range c.terminals {
		if t.visit != nil && t.visit.brought[flat(p.Of)].cents != 0 {
			// Its end may withhold more, and the form is not for that.
			if err := c.guard(fault(CheckPayments,
				"what was withheld of ticket %v is claimed, and an open session has more of it", p.Of)); err != nil {
				return err
			}
		}
	}
	for _, part := range held.parts {
		if s.rulesNow().bound(part.id) && part.id != "player_card" {
			return fault(CheckPayments, "what was withheld of ticket %v was paid with a %s, and is claimed as money",
				p.Of, part.id)
		}
	}
	return nil
}

// claimDetails objects to a form that says more of its claimant than who that is, unless one of its papers
// names the claimant as its payee: anybody else stands in the register by the form itself.
func (c *checker) claimDetails(b *record.ClaimLodged) error {
	payee := func(p record.ClaimPart) bool {
		held := c.tills.papers[flat(p.Of)]
		return held != nil && bytes.Equal(held.payee, b.Claimant[:])
	}
	if len(b.Details) == 0 || slices.ContainsFunc(b.Parts, payee) {
		return nil
	}
	return fault(CheckPayments, "claim %d has details besides its claimant, whom no paper of it names as its payee",
		b.Claim)
}

// claimPaper checks that a paper may be claimed: one that is lost only where the rules
// refund it (vic-keno-2015 23(c)), one whose time is over only where a form serves it and
// as long, and none as expired before (tas-keno-2023 14.2).
func (c *checker) claimPaper(b *record.ClaimLodged, p record.ClaimPart, today day.Day) error {
	held := c.tills.papers[flat(p.Of)]
	if held == nil || held.cents != p.Cents || p.At != "" {
		return fault(CheckPayments, "paper %v is not out with %v", p.Of, p.Cents)
	}
	kind, ok := held.rules.book.Instrument(held.id)
	if !ok || b.Reason == record.ClaimLost && !kind.LostRefunded() {
		return fault(CheckPayments, "a %s that is lost is not refunded", held.id)
	}
	if !b.Original && !kind.LostRefunded() {
		// A person who has the paper still could use it as well.
		if err := c.guard(fault(CheckPayments,
			"a %s is claimed as %s, and was not handed in (%s)", held.id, b.Reason, kind.LostClause)); err != nil {
			return err
		}
	}
	if len(held.payee) > 0 && !bytes.Equal(held.payee, b.Claimant[:]) && b.Reason != record.ClaimEstate {
		if err := c.guard(fault(CheckPayments,
			"a %s is claimed by somebody else than the payee whom it names", held.id)); err != nil {
			return err
		}
	}
	if held.rules.bound(held.id) && !held.paidFor {
		// The claim would turn a voucher into money that nobody has paid.
		if err := c.guard(fault(CheckPayments, "a %s that nobody bought is claimed as money", held.id)); err != nil {
			return err
		}
	}
	over := held.last != 0 && today > held.last
	if over && (kind.FormLife == nil || today > held.kept) || b.Reason == record.ClaimExpired && !over {
		return fault(CheckPayments, "a %s that is good to %v and kept to %v is claimed on %v as %s", held.id, held.last,
			held.kept, today, b.Reason)
	}
	return nil
}

// claimedLate checks that what is claimed as expired has, of each ticket at least one
// prize.
func (s *series) claimedLate(b *record.ClaimLodged) error {
	if b.Reason != record.ClaimExpired {
		return nil
	}
	late := map[uint64]bool{}
	for _, p := range b.Parts {
		place := ""
		if p.Ordinal != 0 {
			place, _ = s.games[p.Ordinal-1].goesTo(b.Received)
		}
		// Papers were looked at before.
		late[flat(p.Of)] = late[flat(p.Of)] || place != "" || p.Ordinal == 0 && p.At != withheldPart
	}
	for _, p := range b.Parts {
		if !late[flat(p.Of)] {
			return fault(CheckPayments, "ticket %v is claimed as expired, and venues pay it", p.Of)
		}
	}
	return nil
}

// speaks reports whether a person signs for a party.
func (c *checker) speaks(id uint32, party string) bool {
	m := c.people.person(id)
	return m != nil && !m.erased && slices.ContainsFunc(signers[party],
		func(role record.Role) bool { return slices.Contains(m.duties, duty{role, 0}) })
}

// claimNoted checks a paper: that letters go out under the hand of somebody who decides
// claims (vic-keno-2015 22(d), tas-keno-2023 14.4, 15.2), that copies are an inspector's
// (14.6, 15.4), and that nobody is forgotten whose claim may still be paid.
func (c *checker) claimNoted(b *record.ClaimNoted) error {
	f, book, err := c.form(b.Claim)
	if err != nil {
		return err
	}
	switch b.Note {
	case record.NoteRepresentative:
		f.acts = true
	case record.NoteSent:
		if party := book.Claims().Signatures[0].Role; !c.speaks(b.By, party) {
			return fault(CheckPayments, "a letter about claim %d is signed by person %d, who is not of the %s", b.Claim,
				b.By, party)
		}
	case record.NoteCopied:
		if !c.speaks(b.By, "inspector") || b.Content != f.lodged.Claimant {
			return fault(CheckPayments, "person %d has copies of claim %d, and is no inspector, or they are of another",
				b.By, b.Claim)
		}
	case record.NoteErased:
		if f.mayBePaid() || b.Content != f.lodged.Claimant {
			return fault(CheckPayments, "the claimant of claim %d is forgotten while it may be paid, or somebody else is",
				b.Claim)
		}
		return c.guard(c.checkClaimantErased(f))
	}
	return nil
}

// claimSigned checks that somebody signs whom the rulebook asks (tas-keno-2023 14.4, 15.2).
func (c *checker) claimSigned(b *record.ClaimSigned) error {
	f, book, err := c.form(b.Claim)
	if err != nil {
		return err
	}
	asked := slices.ContainsFunc(book.Claims().Signatures, func(s rulebook.Signature) bool { return s.Role == b.Party })
	if f.outcome != "" || !asked || !c.speaks(b.Person, b.Party) {
		return fault(CheckPayments, "person %d does not sign claim %d as %s", b.Person, b.Claim, b.Party)
	}
	for party, signed := range f.signed {
		if party != b.Party && signed.Person == b.Person {
			return fault(CheckPayments, "person %d signs claim %d as %s and as %s", b.Person, b.Claim, party, b.Party)
		}
	}
	f.signed[b.Party] = b
	return nil
}

// claimDecided checks that everybody is satisfied with a claim that is allowed whom the
// rulebook asks about so much (tas-keno-2023 14.5, 15.3; vic-keno-2015 22(b), 23(b)).
func (c *checker) claimDecided(b *record.ClaimDecided) error {
	f, book, err := c.form(b.Claim)
	if err != nil {
		return err
	}
	rule := book.Claims()
	gone := slices.ContainsFunc(f.lodged.Parts, func(p record.ClaimPart) bool { return p.At == "treasurer" })
	switch {
	case f.outcome != "" || !c.speaks(b.By, rule.Signatures[0].Role):
		return fault(CheckPayments, "claim %d is decided twice, or by person %d, who does not", b.Claim, b.By)
	case b.By == f.lodged.By:
		return fault(CheckPayments, "claim %d is taken in and decided by the same person %d", b.Claim, b.By)
	case b.Outcome == record.ClaimAllowed && gone, b.Outcome == record.ClaimReferred && !gone:
		return fault(CheckPayments, "claim %d is %s, and the Treasurer pays what has gone there and nothing else",
			b.Claim, b.Outcome)
	case b.Outcome == record.ClaimAllowed && f.lodged.Reason == record.ClaimEstate && !f.acts:
		return fault(CheckPayments, "claim %d is allowed, and no paper shows who acts for the winner", b.Claim)
	}
	f.outcome, f.decider = b.Outcome, b.By
	if b.Outcome != record.ClaimAllowed {
		c.endForm(f)
		return nil
	}
	for _, need := range rule.Signatures {
		if need.From != nil && f.sum < need.From.Amount() {
			continue
		}
		if signed := f.signed[need.Role]; signed == nil || !signed.Satisfied {
			return fault(CheckPayments, "claim %d of %v is allowed, and the %s is not satisfied or was not asked (%s)",
				b.Claim, f.sum, need.Role, need.Clause)
		}
	}
	return nil
}

// endForm lets go what a form has kept.
func (c *checker) endForm(f *form) {
	s := c.series[f.lodged.Series]
	for _, p := range f.lodged.Parts {
		if p.At == otherPlace {
			c.outTicket(p).form = 0
			continue
		}
		delete(c.tills.forms.under, flat(p.Of))
		if g, _ := s.claimed(p); g != nil && p.At != "treasurer" && p.At != returned {
			g.unclaimed.kept[flat(p.Of)] = kept{at: p.At}
			s.moveAgain(g)
		}
	}
}

// claimPaid checks that a claim is paid that was allowed, once, whole, by means that the
// rulebook has, by another person than allowed it, and from where each part is (vic-keno-2015 21(d)(iii), 21(e);
// tas-keno-2023 13.9, 14.7).
func (c *checker) claimPaid(b *record.ClaimPaid) (postings, error) {
	f, book, err := c.form(b.Claim)
	if err != nil {
		return nil, err
	}
	rule := book.Claims()
	switch {
	case f.outcome != record.ClaimAllowed || f.paid || b.Cents != f.sum:
		return nil, fault(CheckPayments, "claim %d was not allowed, or was paid, or is not of %v", b.Claim, b.Cents)
	case !slices.Contains(rule.PaidBy, b.Means) && !(f.lodged.Original && slices.Contains(rule.WithOriginal, b.Means)):
		return nil, fault(CheckPayments, "claim %d is paid by %s (%s)", b.Claim, b.Means, rule.Clause)
	case (b.Means == "cash") != (b.Venue != 0) || b.Venue != 0 && !c.hasVenue(b.Venue) ||
		!c.speaks(b.By, rule.Signatures[0].Role):
		return nil, fault(CheckPayments,
			"claim %d is paid by person %d out of the safe of venue %d", b.Claim, b.By, b.Venue)
	case b.By == f.decider:
		return nil, fault(CheckPayments, "claim %d is allowed and paid by the same person %d", b.Claim, b.By)
	}
	if err := c.guard(checkAccount(book, b.Account, b.Means)); err != nil {
		return nil, err
	}
	c.endForm(f)
	f.paid = true
	due := postings{ledger.Credit(ledger.Bank, 0, b.Cents)}
	if b.Venue != 0 {
		due = postings{ledger.Credit(ledger.Safe, b.Venue, b.Cents)}
	}
	for _, p := range f.lodged.Parts {
		due = append(due, c.payClaimed(f, p))
		if f.lodged.Reason == record.ClaimLost && p.At != otherPlace && (p.Ordinal != 0 || p.At == withheldPart) {
			if c.tills.forms.lost == nil {
				c.tills.forms.lost = map[uint64]int{}
			}
			c.tills.forms.lost[flat(p.Of)] = int(b.Claim)
		}
	}
	c.report.Payments++
	return due, nil
}

// payClaimed marks a part of a claim as paid and returns from where it is.
func (c *checker) payClaimed(f *form, p record.ClaimPart) ledger.Posting {
	s := c.series[f.lodged.Series]
	if p.At == otherPlace {
		c.outTicket(p).done = true
		c.report.PaidCents += p.Cents
		return ledger.Debit(ledger.OtherSystems, 0, p.Cents)
	}
	if p.Ordinal == 0 && p.At == withheldPart {
		delete(c.tills.withheld, flat(p.Of)) // It was counted when it came.
		return ledger.Debit(ledger.Withheld, 0, p.Cents)
	}
	if p.Ordinal == 0 {
		unit, _ := ledger.Paper(c.tills.papers[flat(p.Of)].id)
		delete(c.tills.papers, flat(p.Of))
		return ledger.Debit(ledger.Instruments, unit, p.Cents)
	}
	g, won := s.claimed(p)
	if p.At == returned || !f.split && won == nil {
		if f.split {
			c.unstake(flat(p.Of), p.Cents)
		}
		s.games[p.Ordinal-1].refundOf(flat(p.Of)).by = c.here() + 1
		c.report.RefundedCents += p.Cents
		return ledger.Debit(ledger.Refunds, 0, p.Cents)
	}
	c.pay(g, won)
	c.tickets.presented.set(won.seq)
	delete(g.unclaimed.kept, won.seq)
	c.report.PaidCents += p.Cents
	return ledger.Debit(held[p.At], 0, p.Cents)
}
