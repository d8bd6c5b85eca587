package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	keyed "drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// personalKeys looks whether the register can be read, and whether all of it is sealed.
func (x *examination) personalKeys(ctx context.Context) {
	if x.registerThere() != nil {
		return // The examination of people says so.
	}
	register, err := x.openRegister(ctx)
	if err != nil {
		x.fail(noRegister, "%v", err)
		return
	}
	defer func() { _ = register.Close() }()
	standing, err := register.Standing(ctx)
	if err != nil {
		x.fail(noRegister, "%v", err)
		return
	}
	if _, err := person.ReadKeys(x.keysOf()); err != nil {
		x.fail(counsel{"What is sealed under it cannot be read", "Put the file back from the backup of the keys"}, "%v", err)
	}
	missing := standing.Missing()
	for _, k := range missing {
		why := "Their names and passwords cannot be read"
		if k.Current {
			why += ", and nobody can be added; terminals sell all the same"
		}
		x.fail(counsel{why, "Put the file back from the backup of the keys. If it is lost: drawhouse keys rotate personal --lost"},
			"%s of the register are sealed under the key %v, which is not in %s",
			figure.CountOf(k.Entries, "entry", "entries"), k.KeyName, x.keysOf())
	}
	if standing.Plain > 0 {
		x.fail(counsel{"Who reads the disk or the database reads their names",
			"Start the house, which seals them, or: drawhouse keys rotate personal"},
			"%s of the register stand there plainly", figure.CountOf(standing.Plain, "entry", "entries"))
	}
	old := 0
	for _, k := range standing.Under {
		if !k.Current && k.AtHand {
			old += k.Entries
		}
	}
	if old > 0 {
		x.warn(counsel{"An exchange of the key was broken off, or an older backup was restored",
			"Start the house, which seals them anew"},
			"%s are sealed under an earlier key", figure.CountOf(old, "entry", "entries"))
	}
	if len(missing) == 0 && standing.Plain == 0 && old == 0 {
		x.ok("%s of the register are sealed, and open", figure.CountOf(standing.Entries, "entry", "entries"))
	}
}

// keeping looks for entries that are past their time and are there still.
func (x *examination) keeping(ctx context.Context) {
	if x.Quick || x.registerThere() != nil {
		return // The examination of people says so.
	}
	named := x.namedByJournal(ctx)
	if named == nil {
		return
	}
	register, err := x.openRegister(ctx)
	if err != nil {
		x.fail(noRegister, "%v", err)
		return
	}
	defer func() { _ = register.Close() }()
	kept, err := register.Kept(ctx)
	if err != nil {
		x.fail(noRegister, "%v", err)
		return
	}
	year, month, dom := x.now.AddDate(0, 0, -keepingSlack).Date()
	today, err := day.Of(year, int(month), dom)
	if err != nil {
		return // No clock of a machine comes to that.
	}
	past := map[house.Class]int{}
	for _, k := range kept {
		class := named.classOf(k.Hash)
		if k.Over != day.None && x.keepFlags.keeping()[class].Past(k.Over, today) {
			past[class]++
		}
	}
	for _, class := range slices.Sorted(maps.Keys(past)) {
		do := "Let the house run over the end of a day; its log says what kept it. One to whom a prize was denied stays, where the rules say so"
		if class == house.OfStaff {
			do = "Two persons erase them on the page People of the office"
		}
		x.warn(counsel{"Details are kept no longer than they are needed", do}, "%s of %s are past the time of keeping, %v",
			figure.CountOf(past[class], "entry", "entries"), class, x.keepFlags.keeping()[class])
	}
	if len(past) == 0 {
		x.ok("nothing in the register is past its time: claims %v, payees %v, cards %v, staff %v", x.KeepClaims, x.KeepPayees,
			x.KeepCards, x.KeepStaff)
	}
}

// keepingSlack is how many days the house may take to forget.
const keepingSlack = 2

// classOf returns why the house has an entry.
func (e *entries) classOf(hash record.Hash) house.Class {
	for class, all := range map[house.Class][]map[uint32]record.Hash{
		house.OfStaff: {e.details, e.secrets}, house.OfCards: {e.holders},
	} {
		for _, of := range all {
			for _, named := range of {
				if named == hash {
					return class
				}
			}
		}
	}
	for _, named := range e.claims {
		if slices.Contains(named, hash) {
			return house.OfClaims
		}
	}
	return house.OfPayees
}

var noRegister = counsel{"Nobody can sign on", "Restore it from a backup"}

// people holds the register against the people of the journal.
func (x *examination) people(ctx context.Context) {
	if x.Quick {
		return
	}
	if err := x.registerThere(); err != nil {
		x.fail(noRegister, "%v", err) // Opening would make an empty one.
		return
	}
	named := x.namedByJournal(ctx)
	if named == nil {
		return
	}
	register, err := x.openRegister(ctx)
	if err != nil {
		x.fail(noRegister, "%v", err)
		return
	}
	defer func() { _ = register.Close() }()
	lacks, remembers, err := named.faults(ctx, register)
	for _, fault := range lacks {
		x.fail(counsel{"They have no name, or cannot sign on", "Restore " + person.FileName + ", or its table, from a backup"}, "%s",
			fault)
	}
	for _, fault := range remembers {
		x.fail(counsel{"The journal says that it was", "Erase once more"}, "%s", fault)
	}
	switch {
	case err != nil:
		x.fail(noRegister, "%v", err)
	case len(lacks)+len(remembers) == 0:
		x.ok("the register has all %d who work in the house, and none whom it was to forget",
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
	known   map[uint32]bool          // terminals with keys that everybody knows
}

func newEntries() *entries {
	return &entries{
		details: map[uint32]record.Hash{}, secrets: map[uint32]record.Hash{}, gone: map[string][]record.Hash{},
		holders: map[uint32]record.Hash{}, claims: map[uint32][]record.Hash{}, known: map[uint32]bool{},
	}
}

// namedByJournal reads what the journal names of the register, once; nil if it cannot be read.
func (x *examination) namedByJournal(ctx context.Context) *entries {
	r := x.readable(ctx)
	if r == nil || r.named != nil {
		if r == nil {
			return nil
		}
		return r.named
	}
	e := newEntries()
	heads, err := r.store.Volumes(ctx)
	for _, head := range heads {
		err = errors.Join(err, r.store.Records(ctx, head.Volume, 0, head.Size, e.note))
	}
	if err != nil {
		x.fail(counsel{"It cannot be held against the journal", "Restore the journal from a backup"}, "%v", err)
		return nil
	}
	r.named = e
	return e
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
	noting(func(e *entries, b *record.TerminalKeyed) {
		if delete(e.known, b.Terminal); b.Key == keyed.DemoPublic(b.Terminal) {
			e.known[b.Terminal] = true
		}
	}),
	noting(func(e *entries, b *record.TerminalRevoked) { delete(e.known, b.Terminal) }),
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
func (e *entries) faults(ctx context.Context, register *person.Register) (lacks, remembers []string, err error) {
	for _, number := range slices.Sorted(maps.Keys(e.details)) {
		hashes := []record.Hash{e.details[number]}
		if secret, ok := e.secrets[number]; ok {
			hashes = append(hashes, secret)
		}
		has, err := countOf(ctx, register, hashes)
		if err != nil {
			return nil, nil, err
		}
		if has < len(hashes) {
			lacks = append(lacks, fmt.Sprintf("the register has not what the journal names of person %d", number))
		}
	}
	for _, who := range slices.Sorted(maps.Keys(e.gone)) {
		has, err := countOf(ctx, register, e.gone[who])
		if err != nil {
			return nil, nil, err
		}
		if has > 0 {
			remembers = append(remembers,
				fmt.Sprintf("the journal says that %s was erased, and the register has not forgotten", who))
		}
	}
	return lacks, remembers, nil
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
