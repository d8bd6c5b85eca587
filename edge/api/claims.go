package api

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/house"
)

// Claimants is a house in which prizes are claimed on forms.
type Claimants interface {
	// Claims returns at most so many claim forms, newest first, that follow a number.
	Claims(ctx context.Context, after uint32, most int) ([]house.Claim, error)
	Claim(ctx context.Context, number uint32) (house.Claim, error)
	// Unfetched lists prizes that nobody has fetched until yield reports false.
	Unfetched(ctx context.Context, q counter.UnfetchedSearch, yield func(counter.Unfetched) bool) error
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
	Serial string     `json:"serial" doc:"Of a ticket of another system the code that is printed on it."`
	System string     `json:"system,omitempty" doc:"Name of the other system that gave the ticket."`
	Game   *FirstGame `json:"game,omitempty" doc:"Absent for a paper."`
	Cents  int64      `json:"cents"`
	At     string     `json:"at,omitempty" doc:"Where the money is: absent where venues pay, claim_form, treasurer; refund for the stake of a void game, other_system for a ticket of another system."`
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
	Page
}

// How many claims a page has unless the request says otherwise, and at most.
const (
	usualClaims = 100
	mostClaims  = 200
)

// claimRoutes registers the questions about claim forms.
func (s *server) claimRoutes(forms Claimants) {
	c := &claimDesk{s, forms}
	s.serve(route{
		name: "list-claims", path: "/v1/claims", says: "Claim forms, newest first, without personal details",
		tag: "claims", who: offices, query: paged("claims", usualClaims, mostClaims), out: ClaimList{},
	}, c.list)
	s.serve(route{
		name: "get-claim", path: "/v1/claims/{claim}", says: "A claim form with its papers", tag: "claims",
		who: offices, refuses: "claim_unknown", out: Claim{},
	}, c.get)
	s.unclaimedRoutes(forms)
}

// claimDesk serves the routes of claims.
type claimDesk struct {
	*server
	forms Claimants
}

func (c *claimDesk) list(w http.ResponseWriter, r *http.Request) error {
	after, limit, err := pageAsked(r, usualClaims, mostClaims)
	if err != nil {
		return err
	}
	page, err := c.forms.Claims(r.Context(), after, limit+1)
	if err != nil {
		return err
	}
	view := ClaimList{Claims: []Claim{}}
	page, view.Page = cut(page, limit)
	for i := range page {
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
		return 0, &refusal.Refusal{Code: ParameterValue, Path: name,
			Sentence: fmt.Sprintf("The %s must be a whole number from 1 to %d.", name, most)}
	}
	return uint32(n), nil
}

// get answers a claim with who claims and what its papers say.
func (c *claimDesk) get(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "claim")
	if err != nil {
		return err
	}
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
	if view.Claimant, err = c.shownBy(ctx, form.Form()); err != nil {
		return err
	}
	for i, n := range form.Notes {
		paper, err := c.register.Paper(ctx, n.Content)
		if err != nil && !cannotShow(err) {
			return err
		}
		view.Papers[i].Text = paper.Text
	}
	return nil
}

// view shows what the journal has of a claim.
func (c *claimDesk) view(form *house.Claim) (Claim, error) {
	view := Claim{
		Number: form.Claim, Status: "lodged", Reason: string(form.Reason), Received: form.Received.String(),
		Original: form.Original, By: form.By,
		Cents: form.Amount().Cents(), Erased: form.Erased, Parts: []ClaimPart{}, Papers: []ClaimNote{},
		Signatures: []ClaimSignature{},
		Missing:    append([]string{}, form.Missing...), CopiesDue: form.CopiesDue,
	}
	for i, p := range form.Parts {
		if other, ok := form.Others[i]; ok {
			view.Parts = append(view.Parts, ClaimPart{Serial: other.Code, System: other.System, Cents: p.Cents.Cents(),
				At: p.At})
			continue
		}
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
		view.Signatures = append(view.Signatures,
			ClaimSignature{Party: party, Person: signed.Person, Satisfied: signed.Satisfied, Reason: signed.Reason})
	}
	if d := form.Decided; d != nil {
		view.Status, view.Missing = string(d.Outcome), []string{}
		view.Decision = &ClaimDecided{Outcome: string(d.Outcome), Reason: d.Reason, Clause: d.Clause, By: d.By}
	}
	if p := form.Paid; p != nil {
		view.Status = "paid"
		view.Payment = &ClaimPaid{Means: p.Means, Cents: p.Cents.Cents(), Reference: p.Reference, Venue: p.Venue,
			By: p.By}
	}
	return view, nil
}
