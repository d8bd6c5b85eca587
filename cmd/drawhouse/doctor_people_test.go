package main

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// TestNotForgotten: what the journal says was erased and the register still has is found, of
// staff, claimants, holders and payees; what was forgotten, or is still needed, is not.
func TestNotForgotten(t *testing.T) {
	t.Parallel()
	register, err := person.Open(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = register.Close() }()
	kept := func() record.Hash {
		c, err := person.NewCustomer(command.Customer{Name: "Jo Citizen"}, rand.Reader)
		if err == nil {
			err = register.PutCustomer(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c.Hash()
	}
	named := newEntries()
	staff, claimant, letter, holder, payee, needed := kept(), kept(), kept(), kept(), kept(), kept()
	for _, body := range []record.Body{
		&record.PersonAdded{Person: 1, Details: needed}, &record.PersonAdded{Person: 2, Details: staff},
		&record.ClaimLodged{Claim: 1, Series: 1, Reason: record.ClaimLost, Received: 1, Claimant: claimant,
			Parts: []record.ClaimPart{{Of: record.Place{Volume: 1}, Cents: 1}}, By: 1},
		&record.ClaimNoted{Claim: 1, Note: record.NoteReceived, Content: letter, By: 1},
		&record.CardRegistered{Card: 1, Details: holder, By: 1}, &record.CardRegistered{Card: 2, Details: needed, By: 1},
		&record.PersonErased{Person: 2, Reason: "left", By: 1},
		&record.ClaimNoted{Claim: 1, Note: record.NoteErased, Content: claimant, By: 1},
		&record.HolderErased{Card: 1, By: 1}, &record.PayeeErased{Payee: payee, By: 1},
	} {
		data, err := record.Encode(record.Record{Time: 1, Body: body})
		if err == nil {
			err = named.note(0, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	faults := func() []string {
		t.Helper()
		lacks, remembers, err := named.faults(t.Context(), register)
		if err != nil {
			t.Fatal(err)
		}
		return append(lacks, remembers...)
	}
	for _, who := range []string{"person 2", "claim 1", "card 1", "payee "} {
		if !slices.ContainsFunc(faults(), func(f string) bool { return strings.Contains(f, who) }) {
			t.Errorf("nothing is said of %s: %q", who, faults())
		}
	}
	if got := len(faults()); got != 4 {
		t.Errorf("%d faults: %q", got, faults())
	}
	if err := register.Forget(t.Context(), staff, claimant, holder, payee); err != nil {
		t.Fatal(err)
	}
	if got := faults(); len(got) != 1 || !strings.Contains(got[0], "claim 1") {
		t.Errorf("a letter of the claim was not forgotten: %q", got)
	}
	if err := register.Forget(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	if got := faults(); len(got) != 0 {
		t.Errorf("when all is forgotten: %q", got)
	}
	if err := register.Forget(t.Context(), needed); err != nil {
		t.Fatal(err)
	}
	if got := faults(); len(got) != 1 || !strings.Contains(got[0], "person 1") {
		t.Errorf("without somebody who works here: %q", got)
	}
}
