package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/house/person"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// verifies exports the journal of the rig's house and has package verify check it.
func (r *rig) verifies() {
	r.t.Helper()
	path := filepath.Join(r.t.TempDir(), "export")
	dir, err := export.CreateDir(path)
	must(r.t, err)
	defer dir.Close()
	head, err := r.store.Head(context.Background())
	must(r.t, err)
	about := verify.House{House: "rig.example", Volume: 1, HouseKey: r.keys.HouseVerifier,
		DeviceKey: r.keys.DeviceVerifier}
	must(r.t, export.Write(context.Background(), dir, about, head.Checkpoint, r.store))
	read, err := export.OpenDir(path)
	must(r.t, err)
	defer read.Close()
	if report := verify.Run(read, verify.Options{}); !report.OK() {
		r.t.Error(report.Failure)
	}
}

// winners sells tickets on all sides of heads or tails, plays, and returns the serials
// of those that won.
func (r *rig) winners(rulebook string, dollars ...int) []string {
	r.t.Helper()
	var all []string
	for _, stake := range dollars {
		for _, side := range []string{"heads", "tails", "evens"} {
			sold, _ := r.sell(fmt.Sprintf(`{"v":1,"rulebook":%q,"first":"open","bets":[{"bet":"heads_or_tails","calls":[%q],"stake_cents":%d}]}`, rulebook, side, 100*stake))
			all = append(all, sold.Serial)
		}
	}
	r.play()
	var won []string
	for _, serial := range all {
		var t Ticket
		r.send(http.MethodGet, "/v1/tickets/"+serial, "").into(r.t, &t)
		if t.WonCents > 0 {
			won = append(won, serial)
		}
	}
	return won
}

func claimBody(reason, serial, more string) string {
	return fmt.Sprintf(`{"reason":%q,"serials":["%s"],"claimant":{"name":"Jo Citizen","address":"1 High Street"%s}}`,
		reason, serial, more)
}

// TestClaimByFour: a form is taken in at a venue, an operative and an inspector sign
// it, the operative decides, another one pays, the inspector takes copies, and in the end the
// register forgets the claimant. Nobody signs for whom they do not speak, and the
// journal has no word of the claimant.
func TestClaimByFour(t *testing.T) {
	r := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	writer, operative := r.signOn(r.member(record.RoleWriter)), r.signOn(r.member(record.RoleOperative))
	cashier := r.signOn(r.member(record.RoleOperative))
	inspector, admin := r.signOn(r.member(record.RoleInspector)), r.signOn(r.member(record.RoleAdministrator))
	r.openDay()
	won := r.winners("tas-keno-2023", 50, 10)
	// It is the successor's.
	wantFault(t, r.send(http.MethodGet, "/v1/games/2026-11-15/0000", ""), 404, "game_unknown", "game")
	for _, padded := range []string{"00", "000", "001", "00000"} { // These rules write no leading zeros.
		answer := r.send(http.MethodGet, "/v1/games/2026-11-15/"+padded, "")
		wantFault(t, answer, 404, "game_unknown", "game")
		if clause := answer.fault(t).Clause; clause != "9.1" {
			t.Errorf("game %s is refused by %q", padded, clause)
		}
	}
	var c Claim
	post := func(who, path, body string) reply {
		t.Helper()
		return r.as(who, http.MethodPost, "/v1/claims"+path, body)
	}
	take := func(a reply) {
		t.Helper()
		c = Claim{}
		a.into(t, &c)
	}
	wantFault(t, post(inspector, "", claimBody("lost", won[0], "")), 403, "role_missing", "")
	wantFault(t, post(writer, "", claimBody("stolen", won[0], "")), 400, "field_value", "reason")
	wantFault(t, post(writer, "", claimBody("lost", "1234567890123450", "")), 404, "ticket_unknown", "serial")
	wantFault(t, post(writer, "", claimBody("lost", won[0], `,"shoe":"43"`)), 400, "field_unknown", "claimant.shoe")
	wantFault(t, post(writer, "", strings.Replace(claimBody("lost", won[0], ""), "Jo Citizen", " ", 1)), 422,
		"details_wrong", "claimant.name")
	wantFault(t, post(writer, "", claimBody("mail", won[0], "")), 422, "not_by_mail", "reason")
	wantFault(t, post(writer, "", claimBody("lost", won[0]+`","`+won[0], "")), 422, "claimed_twice", "serials")
	take(post(writer, "", claimBody("lost", won[0], "")))
	if c.Number != 1 || c.Status != "lodged" || c.Cents < 100_00 || len(c.Parts) != 1 || c.Parts[0].Serial != won[0] ||
		c.Parts[0].Game == nil ||
		fmt.Sprint(c.Missing) != "[state_wide_gaming_operative inspector]" || c.Claimant == nil ||
		c.Claimant.Name != "Jo Citizen" {
		t.Fatalf("lodged is %+v", c)
	}
	wantFault(t, post(writer, "", claimBody("lost", won[0], "")), 409, "under_claim", "serial")
	wantFault(t, post(operative, "/7/decision", `{"outcome":"allowed","reason":"x"}`), 404, "claim_unknown", "claim")

	// Signatures are those of the persons who have signed on.
	wantFault(t, post(operative, "/1/decision", `{"outcome":"allowed","reason":"agrees"}`), 409, "not_signed", "claim")
	wantFault(t, post(writer, "/1/signatures", `{"satisfied":true}`), 403, "role_missing", "")
	wantFault(t, post(admin, "/1/signatures", `{"satisfied":true}`), 403, "party_not_asked", "person")
	wantFault(t, post(operative, "/1/signatures", `{"satisfied":true,"party":"inspector"}`), 400, "field_unknown", "party")
	wantFault(t, post(operative, "/1/signatures", `{"satisfied":false}`), 422, "reason_missing", "reason")
	take(post(operative, "/1/papers", `{"note":"evidence","text":"A photograph of the ticket."}`))
	take(post(operative, "/1/papers", `{"note":"sent","text":"Dear Jo, we have your form."}`))
	wantFault(t, post(admin, "/1/papers", `{"note":"sent","text":"Dear Jo, I am nobody."}`), 403, "party_not_asked",
		"person")
	wantFault(t, post(operative, "/1/papers", `{"note":"copied","text":"x"}`), 400, "field_value", "note")
	wantFault(t, post(operative, "/1/papers", `{"note":"sent","text":" "}`), 422, "details_wrong", "text")
	take(post(operative, "/1/signatures", `{"satisfied":true}`))
	wantFault(t, post(operative, "/1/decision", `{"outcome":"allowed","reason":"agrees"}`), 409, "not_signed", "claim")
	take(post(inspector, "/1/signatures", `{"satisfied":false,"reason":"Which venue?"}`))
	wantFault(t, post(operative, "/1/decision", `{"outcome":"allowed","reason":"agrees"}`), 409, "not_satisfied", "claim")
	take(post(inspector, "/1/signatures", `{"satisfied":true}`))
	if len(c.Missing) != 0 || len(c.Signatures) != 2 || !c.CopiesDue {
		t.Errorf("signed is %+v", c)
	}
	wantFault(t, post(operative, "/1/payment", `{"means":"cheque","reference":"000417"}`), 409, "claim_not_allowed",
		"claim")
	wantFault(t, post(inspector, "/1/decision", `{"outcome":"allowed","reason":"agrees"}`), 403, "role_missing", "")
	wantFault(t, post(operative, "/1/decision", `{"outcome":"maybe","reason":"agrees"}`), 400, "field_value", "outcome")
	wantFault(t, post(operative, "/1/decision", `{"outcome":"allowed","reason":""}`), 422, "reason_missing", "reason")
	wantFault(t, post(admin, "/1/erasure", ""), 409, "claim_open", "claim")
	open, err := r.house.Claim(t.Context(), 1)
	must(t, err)
	// No payee, and needed.
	wantFault(t, r.as(admin, http.MethodDelete, "/v1/payees/"+hex.EncodeToString(open.Claimant[:]), ""), 404,
		"payee_unknown", "hash")
	take(post(operative, "/1/decision", `{"outcome":"allowed","reason":"The details agree."}`))
	wantFault(t, post(inspector, "/1/signatures", `{"satisfied":true}`), 409, "claim_decided", "claim")
	wantFault(t, post(operative, "/1/payment", `{"means":"cheque","reference":"000417"}`), 403, "same_person", "person")
	wantFault(t, post(cashier, "/1/payment", `{"means":"transfer","reference":"1"}`), 422, "means_other", "means")
	for _, wrong := range []int64{c.Cents - 1, c.Cents + 1, 0} {
		other := post(cashier, "/1/payment", fmt.Sprintf(`{"means":"cheque","reference":"000417","expect_cents":%d}`, wrong))
		if wantFault(t, other, 422, "expect_other", "expect_cents"); other.fault(t).Cents != c.Cents {
			t.Errorf("the answer has %d cents, not %d", other.fault(t).Cents, c.Cents)
		}
	}
	take(post(cashier, "/1/payment", fmt.Sprintf(`{"means":"cheque","reference":"000417","expect_cents":%d}`, c.Cents)))
	if c.Status != "paid" || c.Payment.Cents != c.Cents || c.Payment.Reference != "000417" || c.Decision.Clause == "" ||
		!c.CopiesDue {
		t.Errorf("paid is %+v", c)
	}
	wantFault(t, post(operative, "/1/payment", `{"means":"cheque","reference":"000418"}`), 409, "already_paid", "claim")
	wantFault(t, post(operative, "/1/copies", ""), 403, "role_missing", "")
	take(post(inspector, "/1/copies", ""))
	if c.CopiesDue || c.Claimant == nil || c.Papers[1].Text != "Dear Jo, we have your form." {
		t.Errorf("the inspector has %+v", c)
	}

	// What nobody has fetched is listed by ticket, with where it goes and which form keeps it.
	take(post(operative, "", strings.Replace(claimBody("unreadable", won[1], ""), `{`, `{"original":true,`, 1)))
	if fmt.Sprint(c.Missing) != "[state_wide_gaming_operative]" {
		t.Errorf("a claim of %d cents asks for %v", c.Cents, c.Missing)
	}
	var waits UnclaimedPrizes
	r.as(inspector, http.MethodGet, "/v1/unclaimed?from=2026-11-15&to=2026-11-15", "").into(t, &waits)
	if want := (UnclaimedPrize{
		Serial: won[1], Series: 1, Game: c.Parts[0].Game, Cents: c.Cents, Next: "claim_form", From: "2027-11-16",
		NextClause: "14.2", Claim: 2,
	}); len(waits.Prizes) != 1 || !reflect.DeepEqual(waits.Prizes[0], want) || waits.Cents != c.Cents {
		t.Errorf("%+v wait", waits)
	}
	for due, n := range map[string]int{"2027-11-15": 0, "2027-11-16": 0} {
		waits = UnclaimedPrizes{}
		r.as(inspector, http.MethodGet, "/v1/unclaimed?due="+due, "").into(t, &waits)
		if len(waits.Prizes) != n {
			t.Errorf("by %s %+v move, and the form keeps it", due, waits)
		}
	}
	if file := r.as(operative, http.MethodGet, "/v1/unclaimed/csv?from=2026-11-15&to=2026-11-15",
		""); file.status != 200 || !strings.Contains(string(file.body), won[1]+",") {
		t.Errorf("the file is %s", file.body)
	}
	wantFault(t, r.as(operative, http.MethodGet, "/v1/unclaimed/doc", ""), 400, "parameter_value", "format")
	wantFault(t, r.as(operative, http.MethodGet, "/v1/unclaimed?due=soon", ""), 400, "parameter_value", "due")
	wantFault(t, r.as(writer, http.MethodGet, "/v1/unclaimed", ""), 403, "role_missing", "")

	// A claim below $100 is refused, with the reason; the list has neither's details.
	// It was taken in by them.
	wantFault(t, post(operative, "/2/decision", `{"outcome":"refused","reason":"Another ticket."}`), 403, "same_person",
		"person")
	take(post(cashier, "/2/decision", `{"outcome":"refused","reason":"Another ticket."}`))
	for due, n := range map[string]int{"2027-11-15": 0, "2027-11-16": 1} {
		waits = UnclaimedPrizes{}
		r.as(inspector, http.MethodGet, "/v1/unclaimed?due="+due, "").into(t, &waits)
		if len(waits.Prizes) != n {
			t.Errorf("by %s %+v move", due, waits)
		}
	}
	var list ClaimList
	listed := r.as(inspector, http.MethodGet, "/v1/claims", "")
	listed.into(t, &list)
	if len(list.Claims) != 2 || list.More || list.Claims[0].Status != "refused" || list.Claims[1].Number != 1 ||
		strings.Contains(string(listed.body), "Jo") {
		t.Errorf("the list is %s", listed.body)
	}
	for query, want := range map[string]string{
		"?limit=1": "2 more", "?limit=2": "2 1", "?limit=200": "2 1", "?after=3": "2 1", "?after=2": "1", "?after=1": "",
		"?after=2&limit=1": "1", "?after=4294967295": "2 1",
	} {
		list = ClaimList{}
		r.as(inspector, http.MethodGet, "/v1/claims"+query, "").into(t, &list)
		var got []string
		for i := range list.Claims {
			got = append(got, fmt.Sprint(list.Claims[i].Number))
		}
		if list.More {
			got = append(got, "more")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s lists %v, want %s", query, got, want)
		}
	}
	for query, field := range map[string]string{"?limit=0": "limit", "?limit=201": "limit", "?limit=-1": "limit",
		"?after=0": "after", "?after=x": "after", "?after=4294967296": "after"} {
		wantFault(t, r.as(inspector, http.MethodGet, "/v1/claims"+query, ""), 400, "parameter_value", field)
	}
	wantFault(t, r.as(writer, http.MethodGet, "/v1/claims/1", ""), 403, "role_missing", "")

	// The register forgets on request, and what is left still verifies.
	claimant, err := r.house.Claim(t.Context(), 1)
	must(t, err)
	take(post(admin, "/1/erasure", ""))
	if !c.Erased || c.Claimant != nil || c.Papers[1].Text != "" {
		t.Errorf("erased is %+v", c)
	}
	take(post(admin, "/1/erasure", ""))
	if _, err := r.register.Customer(t.Context(), claimant.Claimant); err == nil {
		t.Error("the register still has the claimant")
	}
	wantNowhere(t, r, "Citizen", "High Street", "Dear Jo")
	r.verifies()
	if log := r.log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "level=WARN") ||
		!strings.Contains(log, "operation=erase-claimant address=/v1/claims/1/erasure") {
		t.Errorf("the log is: %s", log)
	}
}

// TestUnkept: the register forgets what a command was to name only if that has certainly
// left no record.
func TestUnkept(t *testing.T) {
	r := newRig(t)
	s := &server{register: r.register}
	for name, c := range map[string]struct {
		err  error
		kept bool
	}{
		"refused":   {&refusal.Refusal{Code: "under_claim"}, false},
		"not taken": {fmt.Errorf("lane: %w", lane.ErrBusy), false},
		"unknown":   {fmt.Errorf("lane: %w", lane.ErrUnknown), true},
		"stopped":   {fmt.Errorf("lane: %w", lane.ErrStopped), true},
	} {
		who, err := person.NewCustomer(command.Customer{Name: "Jo"}, r.random)
		must(t, err)
		must(t, r.register.PutCustomer(t.Context(), who))
		if err := s.unkept(t.Context(), c.err, []record.Hash{who.Hash()}); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
		if has, err := r.register.Has(t.Context(), who.Hash()); has != c.kept || err != nil {
			t.Errorf("%s: the register has the entry: %v, %v", name, has, err)
		}
	}
}

// wantNowhere looks for texts in the records of the journal.
func wantNowhere(t *testing.T, r *rig, texts ...string) {
	t.Helper()
	head, err := r.store.Head(t.Context())
	must(t, err)
	must(t, r.store.Records(t.Context(), head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		for _, text := range texts {
			if strings.Contains(string(data), text) {
				t.Errorf("record %d has %q", seq, text)
			}
		}
		return nil
	}))
}

// TestClaimByMail: anybody who sends a ticket in gives name, address, birth date, phone and
// the number of the letter, each of which is asked for by its name and clause. The claimant was of age when
// the ticket was sold.
func TestClaimByMail(t *testing.T) {
	o := newOffice(t)
	won := o.winners("vic-keno-2015", 10, 10)
	whole := `{"reason":"mail","original":true,"serials":["` + won[0] +
		`"],"claimant":{"name":"Jo","address":"A","born":"1990-01-31","phone":"03","letter":"RM1"}}`
	for _, part := range []string{"name", "address", "born", "phone", "letter"} {
		body := strings.Replace(whole, `"`+part+`":"`, `"`+part+`":"","email":"`, 1)
		answer := o.as(o.first, http.MethodPost, "/v1/claims", body)
		wantFault(t, answer, 422, "claimant_details", "claimant."+part)
		if clause := answer.fault(t).Clause; clause != "20(f)" {
			t.Errorf("%s is asked for by %q", part, clause)
		}
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/claims", strings.Replace(whole, `"original":true,`, "", 1)), 422,
		"original_missing", "original")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/claims", strings.Replace(whole, "1990-01-31", "31/1/90", 1)), 422,
		"details_wrong", "claimant.born")
	young := o.as(o.first, http.MethodPost, "/v1/claims", strings.Replace(whole, "1990-01-31", "2015-01-01", 1))
	wantFault(t, young, 422, "claimant_under_age", "claimant.born")
	if clause := young.fault(t).Clause; clause != "6(c)" {
		t.Errorf("the age is asked for by %q", clause)
	}
	var c Claim
	o.as(o.first, http.MethodPost, "/v1/claims", whole).into(t, &c)
	o.as(o.first, http.MethodPost, "/v1/claims/1/signatures", `{"satisfied":true}`).into(t, &c)
	o.as(o.second, http.MethodPost, "/v1/claims/1/decision", `{"outcome":"allowed","reason":"It won."}`).into(t, &c)
	// A transfer goes to an account, and this claimant has named none; a cheque needs none.
	bare := o.as(o.first, http.MethodPost, "/v1/claims/1/payment", `{"means":"transfer","reference":"T-1"}`)
	wantFault(t, bare, 422, "account_missing", "means")
	if clause := bare.fault(t).Clause; clause != "21(d)(iii)" {
		t.Errorf("an account is asked for by %q", clause)
	}
	o.as(o.first, http.MethodPost, "/v1/claims/1/payment", `{"means":"cheque","reference":"C-1"}`).into(t, &c)
	o.as(o.first, http.MethodPost, "/v1/claims",
		strings.NewReplacer(won[0], won[1], `"letter":"RM1"`,
			`"letter":"RM2","account":"063-000 1234"`).Replace(whole)).into(t, &c)
	o.as(o.first, http.MethodPost, "/v1/claims/2/signatures", `{"satisfied":true}`).into(t, &c)
	o.as(o.second, http.MethodPost, "/v1/claims/2/decision", `{"outcome":"allowed","reason":"It won."}`).into(t, &c)
	o.as(o.first, http.MethodPost, "/v1/claims/2/payment", `{"means":"transfer","reference":"T-1"}`).into(t, &c)
	if c.Status != "paid" || c.Signatures[0].Party != "licensee" {
		t.Errorf("paid is %+v", c)
	}
	o.verifies()
}

// TestPayees: a terminal names the payee of a cheque in the register and the end of the
// session by the hash; a hash that nobody stands behind is refused. The operator and the
// inspector can see who it is, and an administrator has it forgotten.
func TestPayees(t *testing.T) {
	o := newOffice(t)
	wantFault(t, o.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":""}`), 422, "details_wrong", "name")
	var kept Kept
	o.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":"Jo Citizen","address":"1 High Street"}`).into(t,
		&kept)
	path := "/v1/payees/" + kept.Hash
	var who command.Customer
	o.as(o.inspector, http.MethodGet, path, "").into(t, &who)
	if who.Name != "Jo Citizen" || who.Address != "1 High Street" {
		t.Errorf("the payee is %+v", who)
	}
	end := func(hash string) reply {
		o.number++
		return o.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/session-end", o.number),
			fmt.Sprintf(`{"payee_hash":%q}`, hash))
	}
	nobody, err := person.NewCustomer(command.Customer{Name: "Nobody"}, o.random)
	must(t, err)
	hash := nobody.Hash()
	wantFault(t, end(hex.EncodeToString(hash[:])), 404, "payee_unknown", "payee_hash")
	wantFault(t, end(kept.Hash), 422, "nothing_open", "terminal")
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/payees/00", ""), 400, "parameter_value", "hash")
	wantFault(t, o.as(o.first, http.MethodDelete, path, ""), 403, "role_missing", "")
	var done Done
	o.as(o.second, http.MethodDelete, path, "").into(t, &done)
	if done.Records != 1 {
		t.Errorf("an erasure came to %d records", done.Records)
	}
	wantFault(t, o.as(o.second, http.MethodDelete, path, ""), 404, "payee_unknown", "hash")
	wantFault(t, o.as(o.inspector, http.MethodGet, path, ""), 410, "payee_erased", "hash")
	wantFault(t, o.as(o.inspector, http.MethodGet, "/v1/payees/"+hex.EncodeToString(hash[:]), ""), 404, "payee_unknown",
		"hash")
	wantNowhere(t, o.rig, "Citizen", "High Street")
	o.verifies()
}

// TestErasureBrokenOff: a house that was killed between the record of an erasure and the
// forgetting shows nobody who was to be forgotten, and anybody who erases again makes up for it,
// without another record. One whose record is refused forgets nobody.
func TestErasureBrokenOff(t *testing.T) {
	o := newOffice(t)
	var kept Kept
	o.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":"Jo Citizen"}`).into(t, &kept)
	payee, err := claimHashes([]string{kept.Hash})
	must(t, err)
	var given Numbered
	o.as(o.first, http.MethodPost, "/v1/cards", `{"holder":{"name":"Jo Citizen","born":"1990-01-01"}}`).into(t, &given)
	card := fmt.Sprintf("/v1/cards/%d", given.Number)
	wantFault(t, o.as(o.second, http.MethodPost, card+"/erasure", ""), 409, "card_open", "card")
	var statement CardStatement
	o.as(o.inspector, http.MethodGet, card, "").into(t, &statement)
	if statement.Holder == nil || statement.Erased != nil {
		t.Errorf("after a refusal the statement is %+v", statement)
	}
	o.as(o.second, http.MethodPut, card+"/status", `{"status":"closed","reason":"own wish"}`).into(t, &Done{})
	admin := o.adminID()
	for _, erase := range []command.Command{command.ErasePayee{Payee: command.Payee(payee[0])},
		command.EraseHolder{Card: given.Number}} {
		must(t, command.Outcome(o.house.Do(t.Context(), erase, record.By{Person: admin})))
	}

	wantFault(t, o.as(o.inspector, http.MethodGet, "/v1/payees/"+kept.Hash, ""), 410, "payee_erased", "hash")
	statement = CardStatement{}
	o.as(o.inspector, http.MethodGet, card, "").into(t, &statement)
	if statement.Holder != nil || statement.Erased == nil || statement.Erased.By != admin ||
		statement.Erased.Time.IsZero() {
		t.Errorf("the statement is %+v", statement)
	}
	for method, path := range map[string]string{http.MethodDelete: "/v1/payees/" + kept.Hash, http.MethodPost: card +
		"/erasure"} {
		var done Done
		o.as(o.second, method, path, "").into(t, &done)
		if done.Records != 0 {
			t.Errorf("%s again came to %d records", path, done.Records)
		}
	}
	held, err := o.house.Card(t.Context(), given.Number)
	must(t, err)
	for _, hash := range []record.Hash{payee[0], held.Details} {
		if _, err := o.register.Customer(t.Context(), hash); !errors.Is(err, person.ErrUnknown) {
			t.Errorf("the register still has somebody: %v", err)
		}
	}
	wantFault(t, o.as(o.first, http.MethodPut, card+"/status", `{"status":"active","reason":"found"}`), 409, "card_unheld",
		"card")
	o.verifies()
}

// adminID returns the number of the administrator.
func (o *office) adminID() (id uint32) {
	for _, one := range o.house.People().Persons() {
		if one.HasAny(record.RoleAdministrator) {
			id = one.ID
		}
	}
	return id
}
