package api

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// term returns how long something is kept.
func term(t *testing.T, text string) (kept person.Term) {
	t.Helper()
	must(t, kept.UnmarshalText([]byte(text)))
	return kept
}

// looks has a house look at its register on a day.
func (r *rig) looks(t *testing.T, keeping Keeping, on string) {
	t.Helper()
	s := r.handler.(*Server).server
	s.terms = keeping
	must(t, s.forgetExpired(t.Context(), day.MustParse(on)))
}

// wantKept says whether the register has entries.
func (r *rig) wantKept(t *testing.T, want bool, when string, entries ...record.Hash) {
	t.Helper()
	for _, entry := range entries {
		if has, err := r.register.Has(t.Context(), entry); has != want || err != nil {
			t.Errorf("%s: the register has an entry: %v, %v", when, has, err)
		}
	}
}

// TestForgottenByTime: a payee is kept while a paper is out, a claimant while the claim is open, and then for the
// time of keeping, to its last day. On the day after the house itself has them forgotten, by a record that verifies.
func TestForgottenByTime(t *testing.T) {
	r := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	inspector := r.signOn(r.member(record.RoleInspector))
	r.signOn(r.member(record.RoleWriter))
	operative, second := r.signOn(r.member(record.RoleOperative)), r.signOn(r.member(record.RoleOperative))
	r.openDay()
	r.winsInSession(50000, 3)
	keeping := Keeping{house.OfClaims: term(t, "7y"), house.OfPayees: term(t, "2y")}
	payee := func(name string) (Kept, record.Hash) {
		var kept Kept
		r.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", fmt.Sprintf(`{"name":%q}`, name)).into(t, &kept)
		all, err := claimHashes([]string{kept.Hash})
		must(t, err)
		return kept, all[0]
	}
	named, winner := payee("Jo Citizen")
	_, unnamed := payee("Al Nobody")
	var ended SessionEnd
	r.asks("session-end", fmt.Sprintf(`{"payee_hash":%q,"claims":[%q]}`, named.Hash, strings.Repeat("ab", 32))).into(t,
		&ended)
	leftover, err := person.NewSecret("correct horse battery", person.LeastCost, rand.Reader)
	must(t, err)
	must(t, r.register.PutSecret(t.Context(), leftover)) // A house was killed before it had a record of it.

	r.looks(t, keeping, "2026-11-15")
	r.looks(t, keeping, "2028-11-14")
	r.wantKept(t, true, "below", winner, unnamed, leftover.Hash())
	r.looks(t, keeping, "2028-11-15")
	r.wantKept(t, true, "at", winner, unnamed, leftover.Hash())
	r.looks(t, keeping, "2028-11-16")
	r.wantKept(t, false, "above", unnamed, leftover.Hash())
	r.wantKept(t, true, "while the voucher is out", winner)
	refused := r.as(operative, http.MethodGet, "/v1/payees/"+hex.EncodeToString(unnamed[:]), "")
	wantFault(t, refused, 410, "payee_erased", "hash")
	if sentence := refused.fault(t).Sentence; !strings.Contains(sentence, "time of keeping was over") {
		t.Errorf("a payee who was forgotten by time: %s", sentence)
	}

	var c Claim
	r.as(operative, http.MethodPost, "/v1/claims",
		fmt.Sprintf(`{"reason":"lost","serials":[%q],"claimant":{"name":"Jo Citizen","phone":"03"}}`,
			ended.Papers[0].Serial)).into(t, &c)
	form, err := r.house.Claim(t.Context(), c.Number)
	must(t, err)
	entries := []record.Hash{winner, form.Form()}
	r.looks(t, keeping, "2040-01-01")
	r.looks(t, keeping, "2060-01-01")
	r.wantKept(t, true, "while the claim is open", entries...)
	path := fmt.Sprintf("/v1/claims/%d", c.Number)
	for _, who := range []string{operative, inspector} {
		r.as(who, http.MethodPost, path+"/signatures", `{"satisfied":true}`).into(t, &c)
	}
	r.as(second, http.MethodPost, path+"/decision", `{"outcome":"allowed","reason":"The details agree."}`).into(t, &c)
	r.as(operative, http.MethodPost, path+"/payment",
		fmt.Sprintf(`{"means":"cheque","reference":"000417","expect_cents":%d}`, c.Cents)).into(t, &c)
	r.looks(t, keeping, "2060-01-02")
	r.looks(t, keeping, "2067-01-02")
	r.wantKept(t, true, "on the last day", entries...)
	r.looks(t, Keeping{}, "2090-01-01")
	r.wantKept(t, true, "for ever", entries...)
	r.looks(t, keeping, "2067-01-03")
	r.wantKept(t, false, "after the term", entries...)
	form, err = r.house.Claim(t.Context(), c.Number)
	must(t, err)
	if last := form.Notes[len(form.Notes)-1]; !form.Erased || last.Note != record.NoteErased || last.By != 0 {
		t.Errorf("the claim says %+v", last)
	}
	if log := r.log.String(); !strings.Contains(log, "class=claims persons=1 kept=7y") {
		t.Errorf("the log says nothing of it: %s", log)
	}
	r.verifies()
}

// TestCardsAndStaffByTime: who holds a card is kept while it can be used; staff who left are told of, and erased by
// two persons alone.
func TestCardsAndStaffByTime(t *testing.T) {
	o := newOffice(t)
	keeping := Keeping{house.OfCards: term(t, "1y"), house.OfStaff: term(t, "7y")}
	var given Numbered
	o.as(o.first, http.MethodPost, "/v1/cards", `{"holder":{"name":"Jo Citizen","born":"1990-01-01"}}`).into(t, &given)
	card, err := o.house.Card(t.Context(), given.Number)
	must(t, err)
	o.looks(t, keeping, "2026-11-15")
	o.looks(t, keeping, "2036-11-15")
	o.wantKept(t, true, "while the card is in use", card.Details)
	o.as(o.second, http.MethodPut, fmt.Sprintf("/v1/cards/%d/status", given.Number),
		`{"status":"closed","reason":"own wish"}`).into(t, &Done{})
	details, err := person.NewDetails("Gone Long", "", rand.Reader)
	must(t, err)
	must(t, o.register.Put(t.Context(), details))
	must(t, command.Outcome(o.house.Do(t.Context(), command.Change{Command: staff.AddPerson{By: o.adminID(),
		Details: details.Hash()}}, record.By{Person: o.adminID()})))
	o.looks(t, keeping, "2036-11-16")
	o.looks(t, keeping, "2037-11-16")
	o.wantKept(t, true, "on the last day", card.Details)
	o.looks(t, keeping, "2037-11-17")
	o.wantKept(t, false, "after the term", card.Details)
	if held, err := o.house.Card(t.Context(), given.Number); err != nil || !held.Erased.Done() || held.Erased.By != 0 {
		t.Errorf("the card says %+v, %v", held.Erased, err)
	}
	alarmed := func() bool {
		for _, a := range o.house.Alarms() {
			if strings.Contains(a.Sentence, "left the house longer ago") {
				return true
			}
		}
		return false
	}
	o.looks(t, keeping, "2043-11-16")
	if alarmed() {
		t.Error("somebody is due on the last day")
	}
	o.looks(t, keeping, "2043-11-17")
	if !alarmed() {
		t.Error("nobody is told that somebody who left is due")
	}
	o.wantKept(t, true, "until two persons erase", details.Hash())
	o.verifies()
}
