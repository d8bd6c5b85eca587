package command

import (
	"context"
	"fmt"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file has the life of claim forms. The person who acts has signed on: no command says who
// signs, for which party, or who decides.

func init() {
	central := staff.Central()
	inspector := append(staff.Central(), record.RoleInspector)
	claims := func(name, path, says, refuses string, who ...record.Role) Row {
		return Row{Name: name, Path: "/v1/claims" + path, Says: says, Tag: "claims", Who: Who{Roles: who},
			Refuses: refuses, Shows: "get-claim"}
	}
	lodge := claims("lodge-claim", "", "Take a claim form in",
		"already_paid claim_too_late claimant_details claimant_missing claimant_under_age claimed_twice details_wrong disqualified facts_missing frozen held_back in_session no_prize no_register not_by_mail other_system "+
			"not_agreed not_drawn not_expired not_settled nothing_claimed original_missing paper_lost paper_unknown payee_other serial_unreadable session_open ticket_cancelled "+
			"prize_disagrees reason_unknown ticket_lost ticket_unknown too_late under_claim",
		append([]record.Role{record.RoleWriter, record.RoleSenior}, central...)...)
	register[LodgeClaim](lodge.numbered(func(b record.Body) uint32 { return b.(*record.ClaimLodged).Claim }). //nolint:errcheck // What LodgeClaim decides.
															alone("who takes a form in does not decide it"))
	register[NoteClaim](claims("note-claim", "/{claim}/papers", "Put a paper to a claim",
		"claim_open claim_unknown denied_kept details_wrong no_register papers_missing party_not_asked payee_needed", central...).
		alone("a paper"))
	register[SignClaim](claims("sign-claim", "/{claim}/signatures", "Sign a claim, or say why not",
		"claim_decided claim_unknown party_not_asked reason_missing signed_for_other text_too_long", inspector...).
		alone("one of those who must"))
	register[DecideClaim](claims("decide-claim", "/{claim}/decision", "Decide a claim",
		"by_hand_only claim_decided claim_unknown disputed disqualified for_treasurer frozen not_satisfied not_settled not_signed papers_missing "+
			"party_not_asked reason_missing same_person text_too_long", central...).
		alone("who allows it has not taken it in and does not pay it"))
	register[PayClaim](claims("pay-claim", "/{claim}/payment", "Pay a claim that was allowed",
		"account_missing already_paid by_hand_only claim_not_allowed claim_unknown disputed disqualified expect_other frozen means_other not_settled "+
			"party_not_asked reason_missing same_person text_too_long", central...).
		alone("who pays has not allowed it, and what is paid is what the record owes"))
	register[CopyClaim](claims("copy-claim", "/{claim}/copies",
		"Take copies of everything about a claim, as the inspector",
		"claim_open claim_unknown denied_kept papers_missing party_not_asked payee_needed", record.RoleInspector).
		alone("an inspector's copy"))
	register[EraseClaimant](claims("erase-claimant", "/{claim}/erasure",
		"Have the register forget who claimed, once that is over",
		"claim_open claim_unknown denied_kept no_register papers_missing party_not_asked payee_needed", record.RoleAdministrator).
		alone("nothing is left to pay"))
}

// LodgeClaim takes a claim form in.
type LodgeClaim struct {
	Reason   string            `json:"reason" enum:"lost,unreadable,expired,retired,mail,estate,disputed"`
	Serials  []string          `json:"serials" doc:"Of the tickets and papers that are claimed. A ticket of another system has the code that is printed on it."`
	Original bool              `json:"original,omitempty" doc:"The ticket or paper came with the form."`
	Claimant Customer          `json:"claimant" doc:"Of a voucher that names its payee, the name and address that were given for it: the claimant is then kept as that payee, and the form besides."`
	Tickets  []counter.Payment `json:"-"`
	Papers   []record.Place    `json:"-"`
	Others   []string          `json:"-"` // codes of tickets of other systems
	Who      record.Hash       `json:"-"`
	Details  []byte            `json:"-"` // hash of what the form says of a payee
}

// Gather implements Gatherer.
func (c LodgeClaim) Gather(ctx context.Context, from Sources) (Command, error) {
	if len(c.Tickets)+len(c.Papers)+len(c.Others) > 0 {
		return c, nil // They are named already.
	}
	if reasons := record.ClaimReasons(); !slices.Contains(reasons, record.ClaimReason(c.Reason)) {
		return nil, wrong("reason", fmt.Sprintf("be one of %v", reasons))
	}
	var own []string
	for _, serial := range c.Serials {
		if from.OfOther(serial) {
			c.Others = append(c.Others, serial)
		} else {
			own = append(own, serial)
		}
	}
	if len(own) == 0 && len(c.Others) > 0 {
		return c, nil
	}
	places, err := PlacesOf(ctx, from, own)
	for _, place := range places {
		_, held, err := from.Held(ctx, place)
		if err != nil {
			return nil, err
		}
		if held {
			c.Papers = append(c.Papers, place)
			continue
		}
		ticket, err := from.Won(ctx, place)
		if err != nil {
			return nil, err
		}
		c.Tickets = append(c.Tickets, ticket)
	}
	return c, err
}

// Keep implements Keeper. A claimant who is the payee of one of the papers stands in the register
// already: name and address are those that were given for the paper. What else the form says, such
// as an account, is kept besides.
//
//rule:tas-keno-2023 13.2 15.1
func (c LodgeClaim) Keep(ctx context.Context, r Register, from Sources) (Command, []record.Hash, error) {
	if err := counter.CheckClaimant(from.Book(), record.ClaimReason(c.Reason), c.Claimant.Has); err != nil {
		return nil, nil, err
	}
	if r == nil {
		return nil, nil, WithoutRegister()
	}
	for _, place := range c.Papers {
		paper, _, err := from.Held(ctx, place)
		if err != nil {
			return nil, nil, err
		}
		if paper.Payee == (record.Hash{}) {
			continue
		}
		then, ok, err := r.Known(ctx, paper.Payee)
		if err != nil {
			return nil, nil, err
		}
		if ok && then.Name == c.Claimant.Name && then.Address == c.Claimant.Address {
			c.Who = paper.Payee
			if then == c.Claimant {
				return c, nil, nil
			}
			details, err := r.Keep(ctx, c.Claimant, "claimant.")
			c.Details = details[:]
			return c, []record.Hash{details}, err
		}
	}
	var err error
	c.Who, err = r.Keep(ctx, c.Claimant, "claimant.")
	return c, []record.Hash{c.Who}, err
}

// born returns the birth date that the form gives of the claimant, or day.None.
func (c LodgeClaim) born() (day.Day, error) {
	if c.Claimant.Born == "" {
		return day.None, nil
	}
	born, err := day.Parse(c.Claimant.Born)
	if err != nil {
		return day.None, wrong("claimant.born", "be a date such as 1990-01-31")
	}
	return born, nil
}

// Decide implements Command.
func (c LodgeClaim) Decide(s *state.State, e *Env) (Decision, error) {
	born, err := c.born()
	if err != nil {
		return Decision{}, err
	}
	return plain(counter.LodgeClaim(s, counter.ClaimForm{
		Now: e.Now, Series: e.Series, Reason: record.ClaimReason(c.Reason), Original: c.Original, Claimant: c.Who,
		Details: c.Details, Born: born,
		Tickets: c.Tickets, Papers: c.Papers, Others: c.Others, By: e.By.Person,
	}))
}

// OfForm is a claim form.
type OfForm struct {
	Claim uint32 `json:"-" path:"claim"`
}

// NoteClaim puts a paper to a claim.
type NoteClaim struct {
	OfForm  `json:"-"`
	Note    string      `json:"note" enum:"evidence,representative,received,sent,dispute" doc:"A letter that is sent bears the signature of the person who puts it here."`
	Text    string      `json:"text" doc:"What it says, or where it is kept. It stays outside the journal."`
	Content record.Hash `json:"-"`
}

// Keep implements Keeper.
func (c NoteClaim) Keep(ctx context.Context, r Register, _ Sources) (Command, []record.Hash, error) {
	if r == nil {
		return nil, nil, WithoutRegister()
	}
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	var err error
	c.Content, err = r.KeepPaper(ctx, c.Text)
	return c, []record.Hash{c.Content}, err
}

// check refuses a kind of paper that nobody brings.
func (c NoteClaim) check() error {
	kinds := []record.ClaimNote{record.NoteEvidence, record.NoteRepresentative, record.NoteReceived, record.NoteSent,
		record.NoteDispute}
	if slices.Contains(kinds, record.ClaimNote(c.Note)) {
		return nil
	}
	return wrong("note", fmt.Sprintf("be one of %v", kinds))
}

// Decide implements Command.
func (c NoteClaim) Decide(s *state.State, e *Env) (Decision, error) {
	if err := c.check(); err != nil {
		return Decision{}, err
	}
	return plain(counter.NoteClaim(s,
		record.ClaimNoted{Claim: c.Claim, Note: record.ClaimNote(c.Note), Content: c.Content, By: e.By.Person}))
}

// SignClaim says what a person thinks of a claim. For which party follows from the roles that the
// person has.
//
//rule:tas-keno-2023 14.4 15.2
type SignClaim struct {
	OfForm    `json:"-"`
	Satisfied bool   `json:"satisfied" doc:"The person who signs is satisfied."`
	Reason    string `json:"reason,omitempty" doc:"Of a person who is not satisfied. It stands in the journal for good, at most 1000 bytes: name nobody."`
	Party     string `json:"-"` // that the person signs for; no request names one
}

// Decide implements Command.
func (c SignClaim) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.SignClaim(s,
		record.ClaimSigned{Claim: c.Claim, Party: c.Party, Person: e.By.Person, Satisfied: c.Satisfied,
			Reason: c.Reason}))
}

// DecideClaim decides a claim.
type DecideClaim struct {
	OfForm  `json:"-"`
	Outcome string `json:"outcome" enum:"allowed,refused,referred"`
	Reason  string `json:"reason" doc:"It stands in the journal for good, at most 1000 bytes: name nobody."`
}

// Decide implements Command.
func (c DecideClaim) Decide(s *state.State, e *Env) (Decision, error) {
	outcome := record.ClaimOutcome(c.Outcome)
	if outcome != record.ClaimAllowed && outcome != record.ClaimRefused && outcome != record.ClaimReferred {
		return Decision{}, wrong("outcome", "be allowed, refused or referred")
	}
	return plain(counter.DecideClaim(s,
		record.ClaimDecided{Claim: c.Claim, Outcome: outcome, Reason: c.Reason, By: e.By.Person}))
}

// PayClaim pays a claim that was allowed.
type PayClaim struct {
	OfForm       `json:"-"`
	Means        string `json:"means" enum:"cheque,transfer,cash"`
	Reference    string `json:"reference" doc:"Of the cheque or transfer, or of the receipt for cash. It stands in the journal for good, at most 1000 bytes: name nobody."`
	Venue        uint32 `json:"venue,omitempty" doc:"Out of whose safe it is paid in cash."`
	AccountGiven bool   `json:"account_given,omitempty" doc:"The claimant has named an account for a transfer. Where the house keeps who the claimant is, it looks there and not here."`
	ExpectCents  *int64 `json:"expect_cents,omitempty" doc:"What the person who pays thinks that the claim comes to. It is refused with the true amount if it comes to something else."`
}

// Keep implements Keeper. The register knows whether the claimant has named an account, to which a
// transfer goes; a house without a register takes the word of the person who asks.
func (c PayClaim) Keep(ctx context.Context, r Register, from Sources) (Command, []record.Hash, error) {
	form, err := from.Form(ctx, c.Claim)
	if err != nil || r == nil {
		return c, nil, err
	}
	who, _, err := r.Known(ctx, form.Form())
	c.AccountGiven = who.Has("account")
	return c, nil, err
}

// Decide implements Command. Nothing is paid while a witness disputes the journal.
func (c PayClaim) Decide(s *state.State, e *Env) (Decision, error) {
	if e.Disputed != "" {
		return Decision{}, &refusal.Refusal{Code: counter.Disputed,
			Sentence: "Nothing is paid while " + e.Disputed + "."}
	}
	return one(counter.PayClaim(s, record.ClaimPaid{
		Claim: c.Claim, Means: c.Means, Reference: c.Reference, Venue: c.Venue, By: e.By.Person,
		Account: c.AccountGiven,
	}, (*money.Amount)(c.ExpectCents)))
}

// CopyClaim gives the inspector everything about a claim, and records that.
//
//rule:tas-keno-2023 14.6 15.4
type CopyClaim struct {
	OfForm `json:"-"`
}

// Decide implements Command.
func (c CopyClaim) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.NoteClaim(s, record.ClaimNoted{Claim: c.Claim, Note: record.NoteCopied, By: e.By.Person}))
}

// EraseClaimant has the register forget who claimed and what the papers of the claim say.
type EraseClaimant struct {
	OfForm `json:"-"`
	Gone   []record.Hash `json:"-"`
}

// Keep implements Keeper.
func (c EraseClaimant) Keep(ctx context.Context, r Register, from Sources) (Command, []record.Hash, error) {
	if r == nil {
		return nil, nil, WithoutRegister() // The record would say what did not happen.
	}
	form, err := from.Form(ctx, c.Claim)
	if err != nil {
		return nil, nil, err
	}
	c.Gone = []record.Hash{form.Claimant, form.Form()}
	for _, n := range form.Notes {
		c.Gone = append(c.Gone, n.Content)
	}
	return c, nil, nil
}

// Forgets implements Eraser.
func (c EraseClaimant) Forgets() []record.Hash { return c.Gone }

// Decide implements Command.
func (c EraseClaimant) Decide(s *state.State, e *Env) (Decision, error) {
	if form, ok := s.ClaimForm(c.Claim); ok && form.Erased {
		return Decision{}, nil
	}
	return plain(counter.NoteClaim(s, record.ClaimNoted{Claim: c.Claim, Note: record.NoteErased, By: e.By.Person}))
}
