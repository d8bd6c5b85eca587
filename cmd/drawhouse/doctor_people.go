package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// people holds the register against the people of the journal.
func (x *examination) people(ctx context.Context, st store.Store) {
	if x.Quick {
		return
	}
	if _, err := os.Stat(filepath.Join(x.Data, person.FileName)); err != nil && x.Database == "" {
		x.fail("people", "%v; restore it from a backup: nobody can sign on", err) // Opening would make an empty one.
		return
	}
	register, err := x.openRegister(ctx)
	if err != nil {
		x.fail("people", "%v", err)
		return
	}
	defer func() { _ = register.Close() }()
	named, err := namedByJournal(ctx, st)
	if err != nil {
		x.fail("people", "%v", err)
		return
	}
	faults, err := named.faults(ctx, register)
	for _, fault := range faults {
		x.fail("people", "%s", fault)
	}
	switch {
	case err != nil:
		x.fail("people", "%v", err)
	case len(faults) == 0:
		x.ok("people", "the register has all %d who work in the house, and none whom it was to forget",
			len(named.details))
	}
}

// entries is what the journal names of the register: of those who work in the house, what it
// must have, and of those who were erased, what it must not have any more. Who was erased is
// by a name for people, such as person 7 or card 3.
type entries struct {
	details, secrets map[uint32]record.Hash
	gone             map[string][]record.Hash

	holders map[uint32]record.Hash   // of cards
	claims  map[uint32][]record.Hash // claimants, and what papers say
}

func newEntries() *entries {
	return &entries{
		details: map[uint32]record.Hash{}, secrets: map[uint32]record.Hash{}, gone: map[string][]record.Hash{},
		holders: map[uint32]record.Hash{}, claims: map[uint32][]record.Hash{},
	}
}

// namedByJournal reads what the journal names of the register.
func namedByJournal(ctx context.Context, st store.Store) (*entries, error) {
	e := newEntries()
	heads, err := st.Volumes(ctx)
	for _, head := range heads {
		err = errors.Join(err, st.Records(ctx, head.Volume, 0, head.Size, e.note))
	}
	return e, err
}

// note takes in a record, if it is of somebody whom the register has.
func (e *entries) note(_ uint64, data []byte) error {
	kind, _ := record.KindOf(data)
	take, ok := entryNotes.Of(kind)
	if !ok {
		return nil
	}
	r, err := record.Decode(data)
	if err != nil {
		return err
	}
	take(e, r.Body)
	return nil
}

// entryNotes are the kinds of records that name entries of the register.
var entryNotes = record.NewTable(
	noting(func(e *entries, b *record.PersonAdded) { e.details[b.Person] = b.Details }),
	noting(func(e *entries, b *record.PasswordSet) { e.secrets[b.Person] = b.Secret }),
	noting(func(e *entries, b *record.PersonErased) {
		e.gone[fmt.Sprintf("person %d", b.Person)] = []record.Hash{e.details[b.Person], e.secrets[b.Person]}
		delete(e.details, b.Person)
		delete(e.secrets, b.Person)
	}),
	noting(func(e *entries, b *record.CardRegistered) { e.holders[b.Card] = b.Details }),
	noting(func(e *entries, b *record.HolderErased) {
		e.gone[fmt.Sprintf("the holder of card %d", b.Card)] = []record.Hash{e.holders[b.Card]}
	}),
	noting(func(e *entries, b *record.PayeeErased) {
		e.gone[fmt.Sprintf("payee %x", b.Payee)] = []record.Hash{b.Payee}
	}),
	noting(func(e *entries, b *record.ClaimLodged) { e.claims[b.Claim] = []record.Hash{b.Claimant, b.Form()} }),
	noting(func(e *entries, b *record.ClaimNoted) {
		e.claims[b.Claim] = append(e.claims[b.Claim], b.Content)
		if b.Note == record.NoteErased {
			e.gone[fmt.Sprintf("the claimant of claim %d", b.Claim)] = slices.Clone(e.claims[b.Claim])
		}
	}),
)

func noting[B record.Body](note func(*entries, B)) record.Entry[func(*entries, record.Body)] {
	return record.Entry[func(*entries, record.Body)]{Kind: record.KindFor[B](), Do: func(e *entries, body record.Body) {
		note(e, body.(B)) //nolint:errcheck // The table is asked by the kind of the record.
	}}
}

// faults returns what the register lacks, and what it has not forgotten: after a stop between
// the record of an erasure and the forgetting, or after an older copy of it came back.
func (e *entries) faults(ctx context.Context, register *person.Register) (faults []string, err error) {
	for _, number := range slices.Sorted(maps.Keys(e.details)) {
		hashes := []record.Hash{e.details[number]}
		if secret, ok := e.secrets[number]; ok {
			hashes = append(hashes, secret)
		}
		has, err := countOf(ctx, register, hashes)
		if err != nil {
			return nil, err
		}
		if has < len(hashes) {
			faults = append(faults,
				fmt.Sprintf("the register has not what the journal names of person %d; restore %s, or its table, from a backup",
					number, person.FileName))
		}
	}
	for _, who := range slices.Sorted(maps.Keys(e.gone)) {
		has, err := countOf(ctx, register, e.gone[who])
		if err != nil {
			return nil, err
		}
		if has > 0 {
			faults = append(faults,
				fmt.Sprintf("the journal says that %s was erased, and the register has not forgotten; erase once more", who))
		}
	}
	return faults, nil
}

// countOf returns how many of some entries the register has.
func countOf(ctx context.Context, register *person.Register, hashes []record.Hash) (n int, err error) {
	for _, hash := range hashes {
		has, err := register.Has(ctx, hash)
		if err != nil {
			return 0, err
		}
		if has {
			n++
		}
	}
	return n, nil
}
