package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/command"
	"drawhouse/counter"
	"drawhouse/house"
	"drawhouse/keno"
	"drawhouse/money"
	"drawhouse/person"
	"drawhouse/record"
	"drawhouse/refusal"
)

// Claimants is a house in which prizes are claimed on forms. What
// it returns without an error is durable.
type Claimants interface {
	LodgeClaim(ctx context.Context, f counter.ClaimForm, tickets []record.Place) (uint32, error)
	NoteClaim(ctx context.Context, b record.ClaimNoted) error
	SignClaim(ctx context.Context, b record.ClaimSigned) error
	DecideClaim(ctx context.Context, b record.ClaimDecided) error
	PayClaim(ctx context.Context, b record.ClaimPaid, expect *money.Amount) (*record.ClaimPaid, error)
	// Claims returns at most so many claim forms, newest first, that follow a number.
	Claims(ctx context.Context, after uint32, most int) ([]house.Claim, error)
	Claim(ctx context.Context, number uint32) (house.Claim, error)
	// Unfetched lists prizes that nobody has fetched until yield reports false.
	Unfetched(ctx context.Context, q counter.UnfetchedSearch, yield func(counter.Unfetched) bool) error
}

// ClaimForm is the body with which a claim form comes in.
type ClaimForm struct {
	Reason   string           `json:"reason" enum:"lost,unreadable,expired,retired,mail,estate,disputed"`
	Serials  []string         `json:"serials" doc:"Of the tickets and papers that are claimed."`
	Original bool             `json:"original,omitempty" doc:"The ticket or paper came with the form."`
	Claimant command.Customer `json:"claimant" doc:"Of a voucher that names its payee, the name and address that were given for it: the claimant is then kept as that payee, and nothing else of the form is."`
}

// ClaimPaper is the body with which a paper is put to a claim.
type ClaimPaper struct {
	Note string `json:"note" enum:"evidence,representative,received,sent,dispute" doc:"A letter that is sent bears the signature of the person who puts it here."`
	Text string `json:"text" doc:"What it says, or where it is kept. It stays outside the journal."`
}

// ClaimOpinion is the body with which a person signs a claim, for the party that the
// person speaks for.
type ClaimOpinion struct {
	Satisfied bool   `json:"satisfied"`
	Reason    string `json:"reason,omitempty" doc:"Of a person who is not satisfied. It stands in the journal for good, at most 1000 bytes: name nobody."`
}

// ClaimDecision is the body with which a claim is decided.
type ClaimDecision struct {
	Outcome string `json:"outcome" enum:"allowed,refused,referred"`
	Reason  string `json:"reason" doc:"It stands in the journal for good, at most 1000 bytes: name nobody."`
}

// ClaimPayment is the body with which a claim is paid that was allowed.
type ClaimPayment struct {
	Means        string `json:"means" enum:"cheque,transfer,cash"`
	Reference    string `json:"reference" doc:"Of the cheque or transfer, or of the receipt for cash. It stands in the journal for good, at most 1000 bytes: name nobody."`
	Venue        uint32 `json:"venue,omitempty" doc:"Out of whose safe it is paid in cash."`
	AccountGiven bool   `json:"account_given,omitempty" doc:"The claimant has named an account for a transfer. Where the house keeps who the claimant is, it looks there and not here."`
	ExpectCents  *int64 `json:"expect_cents,omitempty" doc:"What whoever pays thinks that the claim comes to. It is refused with the true amount if it comes to something else."`
}

// Claim is a claim form as it stands.
type Claim struct {
	Number     uint32            `json:"number"`
	Status     string            `json:"status" enum:"lodged,allowed,refused,referred,paid"`
	Reason     string            `json:"reason"`
	Received   string            `json:"received" doc:"The Keno Day on which it came in."`
	Original   bool              `json:"original,omitempty"`
	By         uint32            `json:"by" doc:"The person who took it in."`
	Cents      int64             `json:"cents"`
	Parts      []ClaimPart       `json:"parts"`
	Claimant   *command.Customer `json:"claimant,omitempty" doc:"Of one claim alone, and not of one whose claimant was erased."`
	Erased     bool              `json:"erased,omitempty" doc:"The register has forgotten who claimed."`
	Papers     []ClaimNote       `json:"papers"`
	Signatures []ClaimSignature  `json:"signatures"`
	Missing    []string          `json:"missing" doc:"Parties that must still sign, or be satisfied, before it is allowed."`
	CopiesDue  bool              `json:"copies_due,omitempty" doc:"The inspector has no copy of a cheque or letter."`
	Decision   *ClaimDecided     `json:"decision,omitempty"`
	Payment    *ClaimPaid        `json:"payment,omitempty"`
}

// ClaimPart is one prize, refund or paper of a claim.
type ClaimPart struct {
	Serial string     `json:"serial"`
	Game   *FirstGame `json:"game,omitempty" doc:"Absent for a paper."`
	Cents  int64      `json:"cents"`
	At     string     `json:"at,omitempty" doc:"Where the money is: absent where venues pay, claim_form, treasurer; refund for the stake of a void game."`
}

// ClaimNote is a paper of a claim.
type ClaimNote struct {
	Note string `json:"note"`
	By   uint32 `json:"by"`
	Text string `json:"text,omitempty" doc:"Of one claim alone."`
}

// ClaimSignature is what somebody thinks of a claim.
type ClaimSignature struct {
	Party     string `json:"party"`
	Person    uint32 `json:"person"`
	Satisfied bool   `json:"satisfied"`
	Reason    string `json:"reason,omitempty"`
}

// ClaimDecided is what was decided about a claim.
type ClaimDecided struct {
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	Clause  string `json:"clause"`
	By      uint32 `json:"by"`
}

// ClaimPaid is how a claim was paid.
type ClaimPaid struct {
	Means     string `json:"means"`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference"`
	Venue     uint32 `json:"venue,omitempty"`
	By        uint32 `json:"by"`
}

// ClaimList is a page of claims.
type ClaimList struct {
	Claims []Claim `json:"claims" doc:"Newest first."`
	More   bool    `json:"more,omitempty" doc:"There are older ones: ask for those after the last of these."`
}

// How many claims a page has unless the request says otherwise, and at most.
const (
	usualClaims = 100
	mostClaims  = 200
)

// claimRoutes registers the life of claim forms. Whoever acts is the person who has
// signed on: no body says who signs, for whom, or who decides.
func (s *server) claimRoutes(forms Claimants) {
	c := &claimDesk{s, forms}
	one := []*huma.Param{{Name: "claim", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeInteger}}}
	at := func(id, path, summary string, in any, do func(http.ResponseWriter, *http.Request) error) {
		s.handle(s.operation(id, http.MethodPost, "/v1/claims/{claim}/"+path, summary, "claims", one, in, Claim{}), do)
	}
	s.handle(s.operation("list-claims", http.MethodGet, "/v1/claims", "Claim forms, newest first, without personal details", "claims", pageOfClaims(), nil, ClaimList{}), c.list)
	s.handle(s.operation("lodge-claim", http.MethodPost, "/v1/claims", "Take a claim form in", "claims", nil, ClaimForm{}, Claim{}), withBody(c.lodge))
	s.handle(s.operation("get-claim", http.MethodGet, "/v1/claims/{claim}", "A claim form with its papers", "claims", one, nil, Claim{}), c.get)
	at("note-claim", "papers", "Put a paper to a claim", ClaimPaper{}, c.note)
	at("sign-claim", "signatures", "Sign a claim, or say why not", ClaimOpinion{}, c.sign)
	at("decide-claim", "decision", "Decide a claim", ClaimDecision{}, c.decide)
	at("pay-claim", "payment", "Pay a claim that was allowed", ClaimPayment{}, c.pay)
	at("copy-claim", "copies", "Take copies of everything about a claim, as the inspector", nil, c.copies)
	s.unclaimedRoutes(forms)
	at("erase-claimant", "erasure", "Have the register forget who claimed, once that is over", nil, c.erase)
}

// pageOfClaims are the parameters by which claims are asked for page by page.
func pageOfClaims() []*huma.Param {
	least, most := 1.0, float64(mostClaims)
	return []*huma.Param{
		{Name: "after", In: "query", Schema: &huma.Schema{Type: huma.TypeInteger, Minimum: &least}, Description: "Number of the last claim that was seen; the newest follow if absent."},
		{Name: "limit", In: "query", Schema: &huma.Schema{Type: huma.TypeInteger, Minimum: &least, Maximum: &most, Default: usualClaims}, Description: "How many claims."},
	}
}

// claimDesk serves the routes of claims.
type claimDesk struct {
	*server
	forms Claimants
}

// split tells the tickets of a form from its papers.
func (c *claimDesk) split(r *http.Request, serials []string) (tickets, papers []record.Place, err error) {
	if len(serials) == 0 {
		return nil, nil, &refusal.Refusal{Code: keno.FieldValue, Path: "serials", Sentence: "The value must have a serial at least."}
	}
	for _, serial := range serials {
		place, err := c.house.Find(serial)
		if err == nil {
			place, err = c.house.Resolve(r.Context(), place)
		}
		if err != nil {
			return nil, nil, err
		}
		switch _, held, err := c.house.Held(r.Context(), place); {
		case err != nil:
			return nil, nil, err
		case held:
			papers = append(papers, place)
		default:
			tickets = append(tickets, place)
		}
	}
	return tickets, papers, nil
}

func (c *claimDesk) lodge(w http.ResponseWriter, r *http.Request, body ClaimForm) error {
	if !slices.Contains(record.ClaimReasons(), record.ClaimReason(body.Reason)) {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "reason", Sentence: fmt.Sprintf("The value must be one of %v.", record.ClaimReasons())}
	}
	tickets, papers, err := c.split(r, body.Serials)
	if err != nil {
		return err
	}
	who := customerOf(body.Claimant)
	if err := counter.CheckClaimant(c.house.Book(), record.ClaimReason(body.Reason), who.Has); err != nil {
		return err
	}
	hash, known, err := c.payeeAmong(r.Context(), body.Claimant, papers)
	if err != nil {
		return err
	}
	if !known {
		if hash, err = c.keepCustomer(r.Context(), who, "claimant."); err != nil {
			return err
		}
	}
	number, err := c.forms.LodgeClaim(r.Context(), counter.ClaimForm{
		Reason: record.ClaimReason(body.Reason), Original: body.Original, Claimant: hash, Papers: papers, By: callerOf(r).person.ID,
	}, tickets)
	if err != nil && !known {
		return c.unkept(r.Context(), err, hash)
	}
	if err != nil {
		return err
	}
	return c.show(w, r, number)
}

func (c *claimDesk) note(w http.ResponseWriter, r *http.Request) error {
	var body ClaimPaper
	number, err := c.read(w, r, &body)
	if err != nil {
		return err
	}
	kinds := []string{string(record.NoteEvidence), string(record.NoteRepresentative), string(record.NoteReceived), string(record.NoteSent), string(record.NoteDispute)}
	if !slices.Contains(kinds, body.Note) {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "note", Sentence: fmt.Sprintf("The value must be one of %s.", strings.Join(kinds, ", "))}
	}
	if c.register == nil {
		return noRegister()
	}
	paper, err := person.NewPaper(body.Text, rand.Reader)
	if err != nil {
		return unfit(err, "")
	}
	if err := c.register.PutPaper(r.Context(), paper); err != nil {
		return err
	}
	err = c.forms.NoteClaim(r.Context(), record.ClaimNoted{Claim: number, Note: record.ClaimNote(body.Note), Content: paper.Hash(), By: callerOf(r).person.ID})
	if err != nil {
		return c.unkept(r.Context(), err, paper.Hash())
	}
	return c.show(w, r, number)
}

// sign has the person sign who has signed on. For which party follows from the roles
// that the person has.
//
//rule:tas-keno-2023 14.4 15.2
func (c *claimDesk) sign(w http.ResponseWriter, r *http.Request) error {
	var body ClaimOpinion
	number, err := c.read(w, r, &body)
	if err != nil {
		return err
	}
	err = c.forms.SignClaim(r.Context(), record.ClaimSigned{Claim: number, Person: callerOf(r).person.ID, Satisfied: body.Satisfied, Reason: body.Reason})
	return c.showAfter(w, r, number, err)
}

func (c *claimDesk) decide(w http.ResponseWriter, r *http.Request) error {
	var body ClaimDecision
	number, err := c.read(w, r, &body)
	if err != nil {
		return err
	}
	outcome := record.ClaimOutcome(body.Outcome)
	if outcome != record.ClaimAllowed && outcome != record.ClaimRefused && outcome != record.ClaimReferred {
		return &refusal.Refusal{Code: keno.FieldValue, Path: "outcome", Sentence: "The value must be allowed, refused or referred."}
	}
	err = c.forms.DecideClaim(r.Context(), record.ClaimDecided{Claim: number, Outcome: outcome, Reason: body.Reason, By: callerOf(r).person.ID})
	return c.showAfter(w, r, number, err)
}

func (c *claimDesk) pay(w http.ResponseWriter, r *http.Request) error {
	var body ClaimPayment
	number, err := c.read(w, r, &body)
	if err != nil {
		return err
	}
	form, err := c.forms.Claim(r.Context(), number)
	if err != nil {
		return err
	}
	account, err := c.hasAccount(r.Context(), form.Claimant, body.AccountGiven)
	if err != nil {
		return err
	}
	_, err = c.forms.PayClaim(r.Context(), record.ClaimPaid{
		Claim: number, Means: body.Means, Reference: body.Reference, Venue: body.Venue, By: callerOf(r).person.ID, Account: account,
	}, (*money.Amount)(body.ExpectCents))
	return c.showAfter(w, r, number, err)
}

// copies gives the inspector everything about a claim, and records that.
//
//rule:tas-keno-2023 14.6 15.4
func (c *claimDesk) copies(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "claim")
	if err == nil {
		err = c.forms.NoteClaim(r.Context(), record.ClaimNoted{Claim: number, Note: record.NoteCopied, By: callerOf(r).person.ID})
	}
	return c.showAfter(w, r, number, err)
}

// erase records the erasure and then has the register forget who claimed and what the
// papers say. A house that is killed in between has the record, and whoever erases again
// makes up for it.
func (c *claimDesk) erase(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "claim")
	if err != nil {
		return err
	}
	if c.register == nil {
		return noRegister() // The note would say what did not happen.
	}
	form, err := c.forms.Claim(r.Context(), number)
	if err != nil {
		return err
	}
	if !form.Erased {
		if err := c.forms.NoteClaim(r.Context(), record.ClaimNoted{Claim: number, Note: record.NoteErased, By: callerOf(r).person.ID}); err != nil {
			return err
		}
	}
	gone := []record.Hash{form.Claimant}
	for _, n := range form.Notes {
		gone = append(gone, n.Content)
	}
	return c.showAfter(w, r, number, c.register.Forget(r.Context(), gone...))
}

// read reads the number and the body of a request about a claim.
func (c *claimDesk) read(w http.ResponseWriter, r *http.Request, to any) (uint32, error) {
	number, err := number32(r, "claim")
	if err != nil {
		return 0, err
	}
	return number, readStrict(w, r, to)
}

func (c *claimDesk) list(w http.ResponseWriter, r *http.Request) error {
	after, err := countParam(r, "after", 0, math.MaxUint32)
	if err != nil {
		return err
	}
	limit, err := countParam(r, "limit", usualClaims, mostClaims)
	if err != nil {
		return err
	}
	page, err := c.forms.Claims(r.Context(), after, int(limit)+1) // One more tells whether there are more.
	if err != nil {
		return err
	}
	view := ClaimList{Claims: []Claim{}, More: len(page) > int(limit)}
	for i := range page[:min(len(page), int(limit))] {
		one, err := c.view(&page[i])
		if err != nil {
			return err
		}
		view.Claims = append(view.Claims, one)
	}
	c.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// countParam reads a whole number from 1 on out of the query.
func countParam(r *http.Request, name string, unless, most uint32) (uint32, error) {
	given := r.URL.Query().Get(name)
	if given == "" {
		return unless, nil
	}
	n, err := strconv.ParseUint(given, 10, 32)
	if err != nil || n == 0 || n > uint64(most) {
		return 0, &refusal.Refusal{Code: ParameterValue, Path: name, Sentence: fmt.Sprintf("The %s must be a whole number from 1 to %d.", name, most)}
	}
	return uint32(n), nil
}

func (c *claimDesk) get(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "claim")
	return c.showAfter(w, r, number, err)
}

func (c *claimDesk) showAfter(w http.ResponseWriter, r *http.Request, number uint32, err error) error {
	if err != nil {
		return err
	}
	return c.show(w, r, number)
}

// show answers a claim with who claims and what its papers say.
func (c *claimDesk) show(w http.ResponseWriter, r *http.Request, number uint32) error {
	form, err := c.forms.Claim(r.Context(), number)
	if err != nil {
		return err
	}
	view, err := c.view(&form)
	if err == nil && !form.Erased {
		err = c.addDetails(r.Context(), &view, &form)
	}
	if err != nil {
		return err
	}
	c.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// addDetails adds what the register has of a claim. What it has forgotten stays away.
func (c *claimDesk) addDetails(ctx context.Context, view *Claim, form *house.Claim) error {
	if c.register == nil {
		return nil
	}
	var err error
	if view.Claimant, err = c.shownBy(ctx, form.Claimant); err != nil {
		return err
	}
	for i, n := range form.Notes {
		paper, err := c.register.Paper(ctx, n.Content)
		if err != nil && !errors.Is(err, person.ErrUnknown) {
			return err
		}
		view.Papers[i].Text = paper.Text
	}
	return nil
}

// view shows what the journal has of a claim.
func (c *claimDesk) view(form *house.Claim) (Claim, error) {
	view := Claim{
		Number: form.Claim, Status: "lodged", Reason: string(form.Reason), Received: form.Received.String(), Original: form.Original, By: form.By,
		Cents: form.Amount().Cents(), Erased: form.Erased, Parts: []ClaimPart{}, Papers: []ClaimNote{}, Signatures: []ClaimSignature{},
		Missing: append([]string{}, form.Missing...), CopiesDue: form.CopiesDue,
	}
	for _, p := range form.Parts {
		serial, err := c.house.Serial(p.Of)
		if err != nil {
			return Claim{}, err
		}
		part := ClaimPart{Serial: serial.String(), Cents: p.Cents.Cents(), At: p.At}
		if game, ok := form.Games[p.Ordinal]; ok {
			part.Game = &FirstGame{Day: game.Day.String(), Game: int(game.Number)}
		}
		view.Parts = append(view.Parts, part)
	}
	for _, n := range form.Notes {
		view.Papers = append(view.Papers, ClaimNote{Note: string(n.Note), By: n.By})
	}
	for _, party := range slices.Sorted(maps.Keys(form.Signed)) {
		signed := form.Signed[party]
		view.Signatures = append(view.Signatures, ClaimSignature{Party: party, Person: signed.Person, Satisfied: signed.Satisfied, Reason: signed.Reason})
	}
	if d := form.Decided; d != nil {
		view.Status, view.Missing = string(d.Outcome), []string{}
		view.Decision = &ClaimDecided{Outcome: string(d.Outcome), Reason: d.Reason, Clause: d.Clause, By: d.By}
	}
	if p := form.Paid; p != nil {
		view.Status = "paid"
		view.Payment = &ClaimPaid{Means: p.Means, Cents: p.Cents.Cents(), Reference: p.Reference, Venue: p.Venue, By: p.By}
	}
	return view, nil
}
